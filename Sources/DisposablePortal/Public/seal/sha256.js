// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of a file in parts: browsers hash over HTTPS only, and whole buffers only.

/** The first 32 bits of the fractional parts of the cube roots, or square roots, of the first primes. */
const primes = [];
for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime)) primes.push(number);
/** @param {number} root */
const fraction = (root) => (root - Math.floor(root)) * 4294967296;
const constants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const blockSize = 64;

/** A hash that takes its input in parts. */
export class SHA256 {
    constructor() {
        this.state = initial.slice();
        this.block = new Uint8Array(blockSize);
        this.filled = 0;
        this.count = 0;
        this.words = new Uint32Array(64);
    }

    /** @param {Uint8Array} bytes @returns {this} */
    update(bytes) {
        this.count += bytes.length;
        for (let at = 0; at < bytes.length;) {
            const part = Math.min(blockSize - this.filled, bytes.length - at);
            this.block.set(bytes.subarray(at, at + part), this.filled);
            this.filled += part;
            at += part;
            if (this.filled === blockSize) this.compress();
        }
        return this;
    }

    /** @returns {Uint8Array} 32 bytes; afterwards the object is used up */
    digest() {
        const bits = this.count * 8;
        const padding = new Uint8Array((this.filled < 56 ? 56 : 120) - this.filled + 8);
        padding[0] = 0x80;
        const end = new DataView(padding.buffer, padding.length - 8);
        end.setUint32(0, Math.floor(bits / 4294967296));
        end.setUint32(4, bits % 4294967296);
        this.update(padding);
        const bytes = new Uint8Array(32);
        const view = new DataView(bytes.buffer);
        this.state.forEach((word, index) => view.setUint32(4 * index, word));
        return bytes;
    }

    compress() {
        const { state, block, words: w } = this;
        for (let index = 0; index < 16; index++) {
            const at = 4 * index;
            w[index] = block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3];
        }
        for (let index = 16; index < 64; index++) {
            const x = w[index - 15];
            const y = w[index - 2];
            w[index] = w[index - 16] + w[index - 7]
                + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
                + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
        }
        let [a, b, c, d, e, f, g, h] = state;
        for (let index = 0; index < 64; index++) {
            const first = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g)
                + constants[index] + w[index] | 0;
            const second = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
            h = g;
            g = f;
            f = e;
            e = d + first | 0;
            d = c;
            c = b;
            b = a;
            a = first + second | 0;
        }
        [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] += word; });
        this.filled = 0;
    }
}
