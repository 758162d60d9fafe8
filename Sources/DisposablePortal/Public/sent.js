// SPDX-License-Identifier: Apache-2.0
// The files that this browser has sent at an event, so that one that is chosen again is known before a byte is sent.
import { call } from "./api.js";

/** @typedef {{print: string, size: number, photo: string}} Sent */

const countMax = 1000;
const sampleBytes = 16 * 1024;
let item = "";

/** @param {string} prefix of the event's items in local storage */
export function begin(prefix) {
    item = `${prefix}sent`;
}

/** @returns {Sent[]} the newest last */
function all() {
    try {
        const list = JSON.parse(localStorage.getItem(item) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** @param {Sent[]} list */
function save(list) {
    try { localStorage.setItem(item, JSON.stringify(list)); } catch { /* then the node knows the same bytes */ }
}

/**
 * What tells a file from others of its size: three parts of it.
 * @param {File} file
 * @returns {Promise<string>} throws where the file cannot be read
 */
export async function printOf(file) {
    const starts = [0, Math.floor(file.size / 2), Math.max(0, file.size - sampleBytes)];
    const parts = new Blob(starts.map((start) => file.slice(start, start + sampleBytes)));
    const hash = /** @type {any} */ (window).nacl.hash(new Uint8Array(await parts.arrayBuffer())).subarray(0, 16);
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} print @param {number} size @param {string} photo that the file has become */
export function remember(print, size, photo) {
    if (print) save([...all().filter((one) => one.photo !== photo).slice(1 - countMax), { print, size, photo }]);
}

/** The photo is being deleted: the same file becomes a new one. @param {string} photo */
export function forget(photo) {
    save(all().filter((one) => one.photo !== photo));
}

/**
 * Whether a file is a photo of this guest already. Where the node does not say it counts as new: the node knows the same
 * bytes.
 * @param {string} print
 * @param {number} size bytes
 * @returns {Promise<boolean>}
 */
export async function wasSent(print, size) {
    const before = all().find((one) => one.size === size && one.print === print);
    if (!before) return false;
    const photo = await call("GET", `api/photos/${before.photo}`).catch(() => null);
    return photo?.isMine === true;
}
