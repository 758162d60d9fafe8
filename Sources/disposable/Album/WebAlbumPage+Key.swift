// SPDX-License-Identifier: Apache-2.0

/// The script that derives an album's key from its passphrase.
extension WebAlbumPage {
    /// SHA-256, HMAC and scrypt (RFC 7914). WebCrypto has no scrypt, and is absent on pages from a disk and without TLS.
    static let keyScript = #"""
        "use strict";
        // The first 32 bits of the fractional parts of the cube roots and square roots of the first primes.
        const primes = [];
        for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
        const fraction = (root) => ((root - Math.floor(root)) * 4294967296) | 0;
        const roundConstants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
        const initialHash = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

        function concatenated(...parts) {
            const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
            let at = 0;
            for (const part of parts) { all.set(part, at); at += part.length; }
            return all;
        }

        function sha256(bytes) {
            const padded = new Uint8Array((bytes.length + 9 + 63) >> 6 << 6);
            padded.set(bytes);
            padded[bytes.length] = 0x80;
            const view = new DataView(padded.buffer);
            view.setUint32(padded.length - 8, Math.floor(bytes.length / 536870912));
            view.setUint32(padded.length - 4, bytes.length << 3);
            const h = Int32Array.from(initialHash), w = new Int32Array(64);
            for (let at = 0; at < padded.length; at += 64) {
                for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
                for (let i = 16; i < 64; i++) {
                    const x = w[i - 15], y = w[i - 2];
                    const s0 = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
                    const s1 = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
                    w[i] = w[i - 16] + s0 + w[i - 7] + s1 | 0;
                }
                let [a, b, c, d, e, f, g, last] = h;
                for (let i = 0; i < 64; i++) {
                    const s1 = (e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7);
                    const one = last + s1 + (e & f ^ ~e & g) + roundConstants[i] + w[i] | 0;
                    const s0 = (a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10);
                    const two = s0 + (a & b ^ a & c ^ b & c) | 0;
                    last = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
                }
                [a, b, c, d, e, f, g, last].forEach((word, i) => { h[i] = h[i] + word | 0; });
            }
            const result = new DataView(new ArrayBuffer(32));
            h.forEach((word, i) => result.setInt32(4 * i, word));
            return new Uint8Array(result.buffer);
        }

        function hmac(key, message) {
            const block = new Uint8Array(64);
            block.set(key.length > 64 ? sha256(key) : key);
            const inner = sha256(concatenated(block.map((byte) => byte ^ 0x36), message));
            return sha256(concatenated(block.map((byte) => byte ^ 0x5c), inner));
        }

        // PBKDF2-HMAC-SHA-256 with one iteration.
        function stretched(password, salt, length) {
            const result = new Uint8Array(length);
            for (let at = 0, number = 1; at < length; at += 32, number++) {
                const counter = Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
                result.set(hmac(password, concatenated(salt, counter)).subarray(0, length - at), at);
            }
            return result;
        }

        // Salsa20/8 of x ^ b[at ..< at + 16], in place of x.
        function salsa(x, b, at) {
            for (let i = 0; i < 16; i++) x[i] ^= b[at + i];
            let [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15] = x;
            let t = 0;
            for (let round = 0; round < 8; round += 2) {
                t = x0 + x12 | 0; x4 ^= t << 7 | t >>> 25; t = x4 + x0 | 0; x8 ^= t << 9 | t >>> 23;
                t = x8 + x4 | 0; x12 ^= t << 13 | t >>> 19; t = x12 + x8 | 0; x0 ^= t << 18 | t >>> 14;
                t = x5 + x1 | 0; x9 ^= t << 7 | t >>> 25; t = x9 + x5 | 0; x13 ^= t << 9 | t >>> 23;
                t = x13 + x9 | 0; x1 ^= t << 13 | t >>> 19; t = x1 + x13 | 0; x5 ^= t << 18 | t >>> 14;
                t = x10 + x6 | 0; x14 ^= t << 7 | t >>> 25; t = x14 + x10 | 0; x2 ^= t << 9 | t >>> 23;
                t = x2 + x14 | 0; x6 ^= t << 13 | t >>> 19; t = x6 + x2 | 0; x10 ^= t << 18 | t >>> 14;
                t = x15 + x11 | 0; x3 ^= t << 7 | t >>> 25; t = x3 + x15 | 0; x7 ^= t << 9 | t >>> 23;
                t = x7 + x3 | 0; x11 ^= t << 13 | t >>> 19; t = x11 + x7 | 0; x15 ^= t << 18 | t >>> 14;
                t = x0 + x3 | 0; x1 ^= t << 7 | t >>> 25; t = x1 + x0 | 0; x2 ^= t << 9 | t >>> 23;
                t = x2 + x1 | 0; x3 ^= t << 13 | t >>> 19; t = x3 + x2 | 0; x0 ^= t << 18 | t >>> 14;
                t = x5 + x4 | 0; x6 ^= t << 7 | t >>> 25; t = x6 + x5 | 0; x7 ^= t << 9 | t >>> 23;
                t = x7 + x6 | 0; x4 ^= t << 13 | t >>> 19; t = x4 + x7 | 0; x5 ^= t << 18 | t >>> 14;
                t = x10 + x9 | 0; x11 ^= t << 7 | t >>> 25; t = x11 + x10 | 0; x8 ^= t << 9 | t >>> 23;
                t = x8 + x11 | 0; x9 ^= t << 13 | t >>> 19; t = x9 + x8 | 0; x10 ^= t << 18 | t >>> 14;
                t = x15 + x14 | 0; x12 ^= t << 7 | t >>> 25; t = x12 + x15 | 0; x13 ^= t << 9 | t >>> 23;
                t = x13 + x12 | 0; x14 ^= t << 13 | t >>> 19; t = x14 + x13 | 0; x15 ^= t << 18 | t >>> 14;
            }
            x[0] += x0; x[1] += x1; x[2] += x2; x[3] += x3; x[4] += x4; x[5] += x5; x[6] += x6; x[7] += x7;
            x[8] += x8; x[9] += x9; x[10] += x10; x[11] += x11; x[12] += x12; x[13] += x13; x[14] += x14; x[15] += x15;
        }

        // One block mix of b, into out: even results first, then odd ones.
        function mixed(b, out, x, count) {
            for (let i = 0; i < 16; i++) x[i] = b[16 * (count - 1) + i];
            for (let i = 0; i < count; i++) {
                salsa(x, b, 16 * i);
                out.set(x, 16 * ((i >> 1) + (i & 1) * (count >> 1)));
            }
        }

        // Resolves to `length` bytes. Lets the page draw between steps; `progress` gets a number up to 1.
        async function scrypt(password, salt, { cost, blockSize, passes }, length, progress) {
            const size = 32 * blockSize, count = 2 * blockSize;
            const blocks = stretched(password, salt, passes * 4 * size);
            const view = new DataView(blocks.buffer);
            const memory = new Int32Array(cost * size), x = new Int32Array(16);
            for (let pass = 0; pass < passes; pass++) {
                let b = new Int32Array(size), other = new Int32Array(size);
                for (let i = 0; i < size; i++) b[i] = view.getInt32(4 * (pass * size + i), true);
                for (let step = 0; step < 2 * cost; step++) {
                    if (step < cost) {
                        memory.set(b, step * size);
                    } else {
                        const place = ((b[size - 16] >>> 0) & (cost - 1)) * size;
                        for (let i = 0; i < size; i++) b[i] ^= memory[place + i];
                    }
                    mixed(b, other, x, count);
                    [b, other] = [other, b];
                    if (step % 2048 === 2047) {
                        progress?.((pass + step / (2 * cost)) / passes);
                        await new Promise((resolve) => setTimeout(resolve));
                    }
                }
                for (let i = 0; i < size; i++) view.setInt32(4 * (pass * size + i), b[i], true);
            }
            return stretched(password, blocks, length);
        }
        """#
}
