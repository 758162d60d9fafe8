// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3) of a slice, so that the node detects bit flips in transit. On a phone, SHA-1 in a script takes longer
// than a fast Wi-Fi, and `crypto.subtle` is missing on plain HTTP.

/** The number of bytes read at once; the page is responsive in between. */
const pieceSize = 1024 * 1024;

/**
 * Eight tables: the effect of a byte that is followed by 0 to 7 others, so that eight bytes are one step.
 * @type {Int32Array[]}
 */
const tables = Array.from({ length: 8 }, () => new Int32Array(256));
for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest >>> 1 ^ (rest & 1 ? 0xedb88320 : 0);
    tables[0][byte] = rest;
}
for (let place = 1; place < 8; place += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
        const before = tables[place - 1][byte];
        tables[place][byte] = before >>> 8 ^ tables[0][before & 255];
    }
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;

/** @param {number} state @param {Uint8Array} bytes @returns {number} */
function update(state, bytes) {
    let place = 0;
    for (const last = bytes.length - 7; place < last; place += 8) {
        state ^= bytes[place] | bytes[place + 1] << 8 | bytes[place + 2] << 16 | bytes[place + 3] << 24;
        state = t7[state & 255] ^ t6[state >>> 8 & 255] ^ t5[state >>> 16 & 255] ^ t4[state >>> 24]
            ^ t3[bytes[place + 4]] ^ t2[bytes[place + 5]] ^ t1[bytes[place + 6]] ^ t0[bytes[place + 7]];
    }
    for (; place < bytes.length; place += 1) state = state >>> 8 ^ t0[(state ^ bytes[place]) & 255];
    return state;
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>} base64; throws if the blob cannot be read
 */
export async function crc32(blob) {
    let state = -1;
    for (let start = 0; start < blob.size; start += pieceSize) {
        state = update(state, new Uint8Array(await blob.slice(start, start + pieceSize).arrayBuffer()));
    }
    const value = ~state;
    return btoa(String.fromCharCode(value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255));
}
