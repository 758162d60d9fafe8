// SPDX-License-Identifier: Apache-2.0
// SHA-1 of a slice, so that the node detects bit flips in transit. `crypto.subtle` is missing on plain HTTP.

/** The number of bytes hashed at once; the page is responsive in between. */
const pieceSize = 256 * 1024;
const words = new Int32Array(80);

/**
 * @param {Int32Array} state
 * @param {DataView} bytes
 * @param {number} start
 */
function mix(state, bytes, start) {
    for (let i = 0; i < 16; i += 1) words[i] = bytes.getInt32(start + 4 * i);
    for (let i = 16; i < 80; i += 1) {
        const word = words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16];
        words[i] = word << 1 | word >>> 31;
    }
    let [a, b, c, d, e] = state;
    for (let i = 0; i < 80; i += 1) {
        let next = (a << 5 | a >>> 27) + e + words[i];
        if (i < 20) next += (d ^ b & (c ^ d)) + 0x5a827999;
        else if (i < 40) next += (b ^ c ^ d) + 0x6ed9eba1;
        else if (i < 60) next += (b & c | d & (b | c)) + 0x8f1bbcdc;
        else next += (b ^ c ^ d) + 0xca62c1d6;
        [e, d, c, b, a] = [d, c, b << 30 | b >>> 2, a, next | 0];
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

/** @param {Int32Array} state @param {Uint8Array<ArrayBuffer>} bytes of whole blocks of 64 */
function update(state, bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let start = 0; start < bytes.byteLength; start += 64) mix(state, view, start);
}

/** @param {Uint8Array} rest after the last whole block @param {number} size of everything */
function padded(rest, size) {
    const bytes = new Uint8Array(rest.length < 56 ? 64 : 128);
    bytes.set(rest);
    bytes[rest.length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 8, Math.floor(size / 2 ** 29));
    view.setUint32(bytes.length - 4, size * 8 % 2 ** 32);
    return bytes;
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>} base64; throws if the blob cannot be read
 */
export async function sha1(blob) {
    const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
    let rest = new Uint8Array();
    for (let start = 0; start < blob.size; start += pieceSize) {
        // Yields to all other tasks.
        const bytes = new Uint8Array(await blob.slice(start, start + pieceSize).arrayBuffer());
        const whole = bytes.length - bytes.length % 64;
        update(state, bytes.subarray(0, whole));
        rest = bytes.subarray(whole);
    }
    update(state, padded(rest, blob.size));
    const hash = new DataView(new ArrayBuffer(20));
    state.forEach((word, index) => hash.setInt32(4 * index, word));
    return btoa(String.fromCharCode(...new Uint8Array(hash.buffer)));
}
