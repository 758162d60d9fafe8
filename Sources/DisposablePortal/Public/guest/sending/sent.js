// SPDX-License-Identifier: Apache-2.0
// The files that this browser has sent at an event, so that one that is chosen again is known before a byte is sent.
import { call } from "../../shared/api.js";
import { base64url, unbase64url } from "../../shared/session.js";

/** @typedef {{print: string, size: number, photo: string}} Sent */

const countMax = 1000;
const sampleBytes = 16 * 1024;
/** Small pictures of sealed photos: 24 KiB each, of a storage of some five million characters. */
const picturesMax = 60;
let item = "";
let pictureItem = "";
/** Addresses of the pictures that were asked for, by photo. @type {Map<string, string>} */
const addresses = new Map();

/** @param {string} prefix of the event's items in local storage */
export function begin(prefix) {
    item = `${prefix}sent`;
    pictureItem = `${prefix}pictures`;
}

/** @param {string} place @returns {any[]} the newest last */
function read(place) {
    try {
        const list = JSON.parse(localStorage.getItem(place) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** @returns {Sent[]} the newest last */
const all = () => read(item);

/** @param {Sent[]} list */
function save(list) {
    try { localStorage.setItem(item, JSON.stringify(list)); } catch { /* then the node knows the same bytes */ }
}

/**
 * Keeps a small picture of a photo that this page seals: until the reveal no node can show the photo to its own author.
 * It leaves this browser neither now nor later.
 * @param {string} print of the file
 * @param {Blob} jpeg
 */
export async function keepPicture(print, jpeg) {
    const picture = base64url(new Uint8Array(await jpeg.arrayBuffer()));
    const others = read(pictureItem).filter(([one]) => one !== print).slice(1 - picturesMax);
    savePictures([...others, [print, picture]]);
}

/** @param {[print: string, picture: string][]} list the newest last */
function savePictures(list) {
    try { localStorage.setItem(pictureItem, JSON.stringify(list)); } catch { /* then there is none */ }
}

/**
 * @param {string} photo one of this guest's
 * @returns {string|null} the address of its picture, if this browser has sealed the photo
 */
export function pictureOf(photo) {
    const known = addresses.get(photo);
    if (known) return known;
    const print = all().find((one) => one.photo === photo)?.print;
    const found = print && read(pictureItem).find(([one]) => one === print);
    if (!found) return null;
    const address = URL.createObjectURL(new Blob([unbase64url(found[1])], { type: "image/jpeg" }));
    addresses.set(photo, address);
    return address;
}

/** The photos have been revealed, and the node shows them. */
export function forgetPictures() {
    try { localStorage.removeItem(pictureItem); } catch { /* there is no storage */ }
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
    const gone = all().filter((one) => one.photo === photo);
    save(all().filter((one) => one.photo !== photo));
    const pictures = read(pictureItem);
    const left = pictures.filter(([print]) => gone.every((one) => one.print !== print));
    if (left.length < pictures.length) savePictures(left);
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
