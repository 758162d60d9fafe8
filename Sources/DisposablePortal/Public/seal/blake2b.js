// SPDX-License-Identifier: Apache-2.0
// BLAKE2b (RFC 7693): browsers have none, and over plain HTTP no hash at all. Words of 64 bits are two of 32, the lower
// one first.

/** The initial state: pairs of the lower and the upper half. */
const initial = new Uint32Array([0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1,
    0xa54ff53a, 0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19]);
const order = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
/** The places of the four words that each of a round's eight mixings works on. */
const mixings = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12],
    [2, 7, 8, 13], [3, 4, 9, 14]];
/** All mixings of twelve rounds, in order: four places of words and two of the message, doubled. */
const schedule = Uint8Array.from(Array.from({ length: 12 }, (_, round) => mixings.flatMap((places, index) =>
    [...places, order[round % 10][2 * index], order[round % 10][2 * index + 1]].map((place) => 2 * place))).flat());

const blockSize = 128;
/** 2^32. */
const carry = 4294967296;

/** A hash that takes its input in parts. */
export class BLAKE2b {
    /**
     * @param {number} size bytes of output, 1 to 64
     * @param {Uint8Array} [key] at most 64 bytes
     */
    constructor(size, key = new Uint8Array(0)) {
        this.size = size;
        this.state = initial.slice();
        this.state[0] ^= 0x01010000 ^ key.length << 8 ^ size;
        this.block = new Uint8Array(blockSize);
        this.filled = 0;
        /** Bytes that were compressed. */
        this.count = 0;
        this.words = new Uint32Array(32);
        this.message = new Uint32Array(32);
        if (key.length) {
            this.block.set(key);
            this.filled = blockSize;
        }
    }

    /** @param {Uint8Array} bytes @returns {this} */
    update(bytes) {
        for (let at = 0; at < bytes.length;) {
            // The last block is compressed at the end, as it is marked.
            if (this.filled === blockSize) this.compress(false);
            const part = Math.min(blockSize - this.filled, bytes.length - at);
            this.block.set(bytes.subarray(at, at + part), this.filled);
            this.filled += part;
            at += part;
        }
        return this;
    }

    /** @returns {Uint8Array} the hash; afterwards the object is used up */
    digest() {
        this.block.fill(0, this.filled);
        this.compress(true);
        const bytes = new Uint8Array(64);
        const view = new DataView(bytes.buffer);
        this.state.forEach((word, index) => view.setUint32(4 * index, word, true));
        return bytes.slice(0, this.size);
    }

    /** @param {boolean} isLast */
    compress(isLast) {
        const { state, block, words: v, message: m } = this;
        this.count += this.filled;
        this.filled = 0;
        for (let index = 0; index < 32; index++) {
            const at = 4 * index;
            m[index] = block[at] | block[at + 1] << 8 | block[at + 2] << 16 | block[at + 3] << 24;
        }
        v.set(state);
        v.set(initial, 16);
        v[24] ^= this.count >>> 0;
        v[25] ^= this.count / carry;
        if (isLast) {
            v[28] = ~v[28];
            v[29] = ~v[29];
        }
        for (let at = 0; at < schedule.length; at += 6) {
            const a = schedule[at];
            const b = schedule[at + 1];
            const c = schedule[at + 2];
            const d = schedule[at + 3];
            let low = v[a] + v[b] + m[schedule[at + 4]];
            let aHigh = v[a + 1] + v[b + 1] + m[schedule[at + 4] + 1] + Math.floor(low / carry) >>> 0;
            let aLow = low >>> 0;
            // Exchanged by 32 bits.
            let dLow = (v[d + 1] ^ aHigh) >>> 0;
            let dHigh = (v[d] ^ aLow) >>> 0;
            low = v[c] + dLow;
            let cHigh = v[c + 1] + dHigh + (low >= carry ? 1 : 0) >>> 0;
            let cLow = low >>> 0;
            let x = v[b] ^ cLow;
            let y = v[b + 1] ^ cHigh;
            let bLow = (x >>> 24 | y << 8) >>> 0;
            let bHigh = (y >>> 24 | x << 8) >>> 0;
            low = aLow + bLow + m[schedule[at + 5]];
            aHigh = aHigh + bHigh + m[schedule[at + 5] + 1] + Math.floor(low / carry) >>> 0;
            aLow = low >>> 0;
            x = dLow ^ aLow;
            y = dHigh ^ aHigh;
            dLow = (x >>> 16 | y << 16) >>> 0;
            dHigh = (y >>> 16 | x << 16) >>> 0;
            low = cLow + dLow;
            cHigh = cHigh + dHigh + (low >= carry ? 1 : 0) >>> 0;
            cLow = low >>> 0;
            x = bLow ^ cLow;
            y = bHigh ^ cHigh;
            bLow = (x << 1 | y >>> 31) >>> 0;
            bHigh = (y << 1 | x >>> 31) >>> 0;
            v[a] = aLow;
            v[a + 1] = aHigh;
            v[b] = bLow;
            v[b + 1] = bHigh;
            v[c] = cLow;
            v[c + 1] = cHigh;
            v[d] = dLow;
            v[d + 1] = dHigh;
        }
        for (let index = 0; index < 16; index++) state[index] ^= v[index] ^ v[index + 16];
    }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} [size] bytes of output
 * @param {Uint8Array} [key]
 */
export const blake2b = (bytes, size = 32, key = undefined) => new BLAKE2b(size, key).update(bytes).digest();
