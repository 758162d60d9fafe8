// SPDX-License-Identifier: Apache-2.0
// ChaCha20-Poly1305 (RFC 8439) without associated data. Poly1305 is TweetNaCl's.

/** @typedef {{lowlevel: {crypto_onetimeauth: Function}, verify: (a: Uint8Array, b: Uint8Array) => boolean}} NaCl */

export const tagSize = 16;
const words = new Uint32Array(16);

/**
 * Writes a block of the key stream.
 * @param {Uint32Array} input the state, 16 words
 * @param {Uint32Array} output 16 words
 */
function block(input, output) {
    words.set(input);
    for (let round = 0; round < 10; round++) {
        mix(0, 4, 8, 12);
        mix(1, 5, 9, 13);
        mix(2, 6, 10, 14);
        mix(3, 7, 11, 15);
        mix(0, 5, 10, 15);
        mix(1, 6, 11, 12);
        mix(2, 7, 8, 13);
        mix(3, 4, 9, 14);
    }
    for (let index = 0; index < 16; index++) output[index] = words[index] + input[index];
}

/** @param {number} a @param {number} b @param {number} c @param {number} d */
function mix(a, b, c, d) {
    words[a] += words[b];
    let x = words[d] ^ words[a];
    words[d] = x << 16 | x >>> 16;
    words[c] += words[d];
    x = words[b] ^ words[c];
    words[b] = x << 12 | x >>> 20;
    words[a] += words[b];
    x = words[d] ^ words[a];
    words[d] = x << 8 | x >>> 24;
    words[c] += words[d];
    x = words[b] ^ words[c];
    words[b] = x << 7 | x >>> 25;
}

/** @param {Uint8Array} key 32 bytes @param {Uint8Array} nonce 12 bytes */
function state(key, nonce) {
    const input = new Uint32Array(16);
    input.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    const view = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) =>
        bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;
    for (let index = 0; index < 8; index++) input[4 + index] = view(key, 4 * index);
    for (let index = 0; index < 3; index++) input[13 + index] = view(nonce, 4 * index);
    return input;
}

/**
 * Encrypts or decrypts in place, from block 1 on.
 * @param {Uint32Array} input
 * @param {Uint8Array} bytes
 */
function crypt(input, bytes) {
    const stream = new Uint32Array(16);
    for (let at = 0; at < bytes.length; at += 64) {
        input[12] = 1 + at / 64;
        block(input, stream);
        const end = Math.min(64, bytes.length - at);
        for (let index = 0; index < end; index++) bytes[at + index] ^= stream[index >>> 2] >>> 8 * (index & 3);
    }
}

/** @param {NaCl} nacl @param {Uint32Array} input @param {Uint8Array} ciphertext */
function tag(nacl, input, ciphertext) {
    const stream = new Uint32Array(16);
    input[12] = 0;
    block(input, stream);
    const key = new Uint8Array(32);
    for (let index = 0; index < 32; index++) key[index] = stream[index >>> 2] >>> 8 * (index & 3);
    const padded = new Uint8Array(Math.ceil(ciphertext.length / 16) * 16 + 16);
    padded.set(ciphertext);
    new DataView(padded.buffer).setUint32(padded.length - 8, ciphertext.length, true);
    const result = new Uint8Array(tagSize);
    nacl.lowlevel.crypto_onetimeauth(result, 0, padded, 0, padded.length, key);
    return result;
}

/**
 * @param {NaCl} nacl
 * @param {Uint8Array} plaintext
 * @param {Uint8Array} key 32 bytes
 * @param {Uint8Array} nonce 12 bytes
 * @returns {Uint8Array} the ciphertext with the tag after it
 */
export function seal(nacl, plaintext, key, nonce) {
    const input = state(key, nonce);
    const sealed = new Uint8Array(plaintext.length + tagSize);
    sealed.set(plaintext);
    const ciphertext = sealed.subarray(0, plaintext.length);
    crypt(input, ciphertext);
    sealed.set(tag(nacl, input, ciphertext), plaintext.length);
    return sealed;
}

/**
 * @param {NaCl} nacl
 * @param {Uint8Array} sealed
 * @param {Uint8Array} key 32 bytes
 * @param {Uint8Array} nonce 12 bytes
 * @returns {Uint8Array|null} the plaintext; `null` if the bytes are not what was sealed with this key
 */
export function open(nacl, sealed, key, nonce) {
    if (sealed.length < tagSize) return null;
    const input = state(key, nonce);
    const plaintext = sealed.slice(0, -tagSize);
    if (!nacl.verify(tag(nacl, input, plaintext), sealed.subarray(-tagSize))) return null;
    crypt(input, plaintext);
    return plaintext;
}
