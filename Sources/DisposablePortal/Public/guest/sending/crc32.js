// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3) of a slice, so that the node detects bit flips in transit. On a phone, SHA-1 in a script takes longer
// than a fast Wi-Fi, and `crypto.subtle` is missing on plain HTTP.

/** The number of bytes read at once; the page is responsive in between. */
const pieceSize = 4 * 1024 * 1024;

/**
 * Sixteen tables of 256 entries, one after the other: the effect of a byte that is followed by 0 to 15 others, so that
 * sixteen bytes are one step.
 */
const table = new Int32Array(16 * 256);
for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest >>> 1 ^ (rest & 1 ? 0xedb88320 : 0);
    table[byte] = rest;
}
for (let place = 256; place < table.length; place += 1) {
    const before = table[place - 256];
    table[place] = before >>> 8 ^ table[before & 255];
}

/**
 * Reads words, whose first byte is the lowest one on all machines that have a browser.
 * @param {number} state
 * @param {ArrayBuffer} buffer
 * @returns {number}
 */
function update(state, buffer) {
    const words = new Int32Array(buffer, 0, buffer.byteLength >> 4 << 2);
    for (let place = 0; place < words.length; place += 4) {
        const a = words[place] ^ state;
        const b = words[place + 1];
        const c = words[place + 2];
        const d = words[place + 3];
        state = table[0xf00 | a & 255] ^ table[0xe00 | a >>> 8 & 255] ^ table[0xd00 | a >>> 16 & 255] ^ table[0xc00 | a >>> 24]
            ^ table[0xb00 | b & 255] ^ table[0xa00 | b >>> 8 & 255] ^ table[0x900 | b >>> 16 & 255] ^ table[0x800 | b >>> 24]
            ^ table[0x700 | c & 255] ^ table[0x600 | c >>> 8 & 255] ^ table[0x500 | c >>> 16 & 255] ^ table[0x400 | c >>> 24]
            ^ table[0x300 | d & 255] ^ table[0x200 | d >>> 8 & 255] ^ table[0x100 | d >>> 16 & 255] ^ table[d >>> 24];
    }
    for (const byte of new Uint8Array(buffer, words.byteLength)) state = state >>> 8 ^ table[(state ^ byte) & 255];
    return state;
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>} base64; throws if the blob cannot be read
 */
export async function crc32(blob) {
    let state = -1;
    for (let start = 0; start < blob.size; start += pieceSize) {
        state = update(state, await blob.slice(start, start + pieceSize).arrayBuffer());
    }
    const value = ~state;
    return btoa(String.fromCharCode(value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255));
}
