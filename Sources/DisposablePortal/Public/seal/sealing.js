// SPDX-License-Identifier: Apache-2.0
// A photo's blobs, sealed as protocol/disposable-v1.md §11 says, and the package that a node takes them in
// (protocol/guest-api.md §19). A file is read and sealed one chunk after the other.
import { BLAKE2b, blake2b } from "./blake2b.js";
import * as chacha from "./chacha.js";
import { SHA256 } from "./sha256.js";

/** @typedef {chacha.NaCl & {box: any, scalarMult: any}} NaCl TweetNaCl */
/** @typedef {{thumbnail: Blob, preview: Blob, original: Blob}} Files JPEGs */
/** @typedef {{byteCount: number, root: Uint8Array, key: Uint8Array, sha256: Uint8Array}} Description `key`: the box */

export const chunkSize = 262_144;
export const blobClasses = { thumbnail: 1, preview: 2, original: 3 };

const utf8 = new TextEncoder();
const zero = Uint8Array.of(0);

/** @param {...Uint8Array} parts */
export function join(...parts) {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * A key by §4: `H(parent; context || 0x00 || input)`.
 * @param {Uint8Array} parent
 * @param {string} context
 * @param {Uint8Array} input
 */
export const derive = (parent, context, input) => blake2b(join(utf8.encode(`disposable/1 ${context}`), zero, input), 32, parent);

/**
 * The secret from which a guest's page derives the keys of its photos: as a node's import secret, but of the guest's
 * seed, so that the same file is the same blob at every node and after a reload.
 * @param {Uint8Array} seed 16 bytes
 * @param {Uint8Array} event id
 */
export const importSecret = (seed, event) => derive(seed, "page import secret", event);

/** @param {number} index @param {boolean} isLast */
function nonce(index, isLast) {
    const bytes = new Uint8Array(12);
    new DataView(bytes.buffer).setUint32(7, index);
    bytes[11] = isLast ? 1 : 0;
    return bytes;
}

/** @param {number} byteCount of the plaintext @param {Uint8Array[]} hashes of the chunks */
export function rootOf(byteCount, hashes) {
    const length = new Uint8Array(9);
    new DataView(length.buffer).setBigUint64(0, BigInt(byteCount));
    length[8] = 18;
    return blake2b(join(utf8.encode("disposable/1 blob root"), zero, length, ...hashes));
}

/** @param {NaCl} nacl @param {Uint8Array} secret @param {Uint8Array} root @param {Uint8Array} recipient */
function ephemeralOf(nacl, secret, root, recipient) {
    const ephemeral = derive(secret, "sealing key", join(root, recipient));
    return { ephemeral, publicHalf: /** @type {Uint8Array} */ (nacl.scalarMult.base(ephemeral)) };
}

/**
 * A content key in a box sealed to the event's reveal key.
 * @param {NaCl} nacl
 * @param {Uint8Array} key
 * @param {Uint8Array} secret of `importSecret`
 * @param {Uint8Array} root
 * @param {Uint8Array} recipient the reveal key's public half
 */
export function sealKey(nacl, key, secret, root, recipient) {
    const { ephemeral, publicHalf } = ephemeralOf(nacl, secret, root, recipient);
    return join(publicHalf, nacl.box(key, blake2b(join(publicHalf, recipient), 24), recipient, ephemeral));
}

/**
 * The content key in a box that this guest's page has sealed; `null` in any other.
 * @param {NaCl} nacl
 * @param {Uint8Array} sealed
 * @param {Uint8Array} secret
 * @param {Uint8Array} root
 * @param {Uint8Array} recipient
 * @returns {Uint8Array|null}
 */
export function openKey(nacl, sealed, secret, root, recipient) {
    const { ephemeral, publicHalf } = ephemeralOf(nacl, secret, root, recipient);
    if (!nacl.verify(publicHalf, sealed.subarray(0, 32))) return null;
    return nacl.box.open(sealed.subarray(32), blake2b(join(publicHalf, recipient), 24), recipient, ephemeral);
}

/** @param {Blob} file @returns {AsyncGenerator<{bytes: Uint8Array, index: number, isLast: boolean}>} */
async function* chunksOf(file) {
    const count = Math.ceil(file.size / chunkSize);
    for (let index = 0; index < count; index++) {
        const bytes = new Uint8Array(await file.slice(index * chunkSize, (index + 1) * chunkSize).arrayBuffer());
        yield { bytes, index, isLast: index === count - 1 };
    }
}

/**
 * @param {NaCl} nacl
 * @param {Blob} file
 * @param {number} blobClass
 * @param {Uint8Array} secret
 * @returns {Promise<{ciphertext: Blob[], hashes: Uint8Array[], key: Uint8Array, root: Uint8Array, sha256: Uint8Array,
 *     plaintextHash: Uint8Array}>} each part of the ciphertext is a chunk
 */
export async function sealBlob(nacl, file, blobClass, secret) {
    const plain = new BLAKE2b(32);
    const sha256 = new SHA256();
    for await (const { bytes } of chunksOf(file)) {
        plain.update(bytes);
        sha256.update(bytes);
    }
    const plaintextHash = plain.digest();
    const key = derive(secret, "blob key", join(Uint8Array.of(blobClass), plaintextHash));
    const again = new BLAKE2b(32);
    const ciphertext = [];
    const hashes = [];
    for await (const { bytes, index, isLast } of chunksOf(file)) {
        again.update(bytes);
        const sealed = chacha.seal(nacl, bytes, key, nonce(index, isLast));
        hashes.push(blake2b(sealed));
        // A Blob may be on the phone's disk; an array is in memory.
        ciphertext.push(new Blob([sealed]));
    }
    // Another file under this key would reuse its nonces.
    if (!nacl.verify(again.digest(), plaintextHash)) throw new Error("the file has changed while it was read");
    return { ciphertext, hashes, key, root: rootOf(file.size, hashes), sha256: sha256.digest(), plaintextHash };
}

/**
 * Opens a blob's ciphertext.
 * @param {NaCl} nacl
 * @param {Uint8Array} ciphertext
 * @param {Uint8Array} key
 * @returns {Uint8Array|null}
 */
export function openBlob(nacl, ciphertext, key) {
    const size = chunkSize + chacha.tagSize;
    const count = Math.ceil(ciphertext.length / size);
    const parts = [];
    for (let index = 0; index < count; index++) {
        const part = chacha.open(nacl, ciphertext.subarray(index * size, (index + 1) * size), key, nonce(index, index === count - 1));
        if (!part) return null;
        parts.push(part);
    }
    return join(...parts);
}

/**
 * The package of a photo.
 * @param {NaCl} nacl
 * @param {Files} files
 * @param {{width: number, height: number}} size of the original in pixels
 * @param {Uint8Array} secret of `importSecret`
 * @param {Uint8Array} recipient the reveal key's public half
 * @returns {Promise<Blob>}
 */
export async function sealPhoto(nacl, files, size, secret, recipient) {
    /** @type {Record<string, unknown>} */
    const head = { ...size };
    const parts = [];
    for (const name of /** @type {(keyof Files)[]} */ (Object.keys(blobClasses))) {
        const { ciphertext, key, root, sha256 } = await sealBlob(nacl, files[name], blobClasses[name], secret);
        head[name] = { byteCount: files[name].size, root: hex(root), sha256: hex(sha256),
            key: hex(sealKey(nacl, key, secret, root, recipient)) };
        parts.push(...ciphertext);
    }
    const description = utf8.encode(JSON.stringify(head));
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, description.length);
    return new Blob([utf8.encode("disposable/1 sealed photo"), zero, length, description, ...parts]);
}
