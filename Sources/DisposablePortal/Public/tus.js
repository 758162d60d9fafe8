// SPDX-License-Identifier: Apache-2.0
// One upload by tus 1.0 (tus.io, protocol/guest-api.md §5): create, ask the offset, send a slice, drop.
// XMLHttpRequest, since fetch does not tell how much of a body has left.
import { ApiError, base, errorOf } from "./api.js";
import { sha1 } from "./sha1.js";

/**
 * Without a byte of progress for this long a connection is taken for dead. Safari on plain HTTP stalls without an
 * error.
 */
const stallTime = 15_000;
/** The last slice is answered once the photo is on disk. */
const commitTime = 120_000;

/** @typedef {{offset: number, photo: string|null, location: string|null}} Progress */

/**
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {{body?: Blob, patience?: number, onProgress?: (bytes: number) => void, signal?: AbortSignal}} options
 * @returns {Promise<Progress>} throws `ApiError`, with status 0 for everything that may just be tried again
 */
function request(method, url, headers, { body, patience = stallTime, onProgress, signal } = {}) {
    return new Promise((resolve, reject) => {
        const xhr = new XMLHttpRequest();
        let timer = 0;
        const fail = () => { clearTimeout(timer); reject(new ApiError(0, "unreachable", "no answer")); };
        const watch = (/** @type {number} */ ms) => {
            clearTimeout(timer);
            timer = setTimeout(() => xhr.abort(), ms);
        };
        xhr.open(method, url);
        const all = { "Tus-Resumable": "1.0.0", "Accept": "application/json", ...headers };
        for (const [name, value] of Object.entries(all)) {
            xhr.setRequestHeader(name, value);
        }
        if (body && onProgress) {
            xhr.upload.onprogress = (event) => { watch(stallTime); onProgress(event.loaded); };
            xhr.upload.onload = () => watch(patience);
        }
        xhr.onerror = xhr.onabort = xhr.ontimeout = fail;
        xhr.onload = () => {
            clearTimeout(timer);
            if (xhr.status < 200 || xhr.status > 299) {
                reject(errorOf(xhr.status, xhr.responseText, xhr.getResponseHeader("Retry-After")));
                return;
            }
            resolve({
                offset: Number(xhr.getResponseHeader("Upload-Offset") ?? 0),
                photo: xhr.getResponseHeader("Disposable-Photo"),
                location: xhr.getResponseHeader("Location"),
            });
        };
        if (signal?.aborted) return fail();
        signal?.addEventListener("abort", () => xhr.abort(), { once: true });
        watch(body?.size ? stallTime : patience);
        xhr.send(body ?? null);
    });
}

/** @param {string} text */
const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/**
 * @param {number} size bytes
 * @param {string} name
 * @param {string} type
 * @param {AbortSignal} signal
 * @returns {Promise<string>} where to send it
 */
export async function create(size, name, type, signal) {
    const metadata = [["filename", name.slice(-200)], ["filetype", type]].filter(([, value]) => value)
        .map(([key, value]) => `${key} ${base64(value)}`).join(",");
    const { location } = await request("POST", `${base}uploads`,
        { "Upload-Length": String(size), ...(metadata && { "Upload-Metadata": metadata }) }, { signal });
    if (!location) throw new ApiError(0, "unreachable", "an upload without an address");
    // Only ever this node: an address elsewhere is not followed.
    return new URL(location, window.location.origin).pathname;
}

/** @param {string} location @param {AbortSignal} signal @returns {Promise<Progress>} */
export const ask = (location, signal) => request("HEAD", location, {}, { signal });

/**
 * @param {string} location
 * @param {number} offset
 * @param {Blob} slice empty to try again what the node has refused for now
 * @param {boolean} isLast
 * @param {(bytes: number) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<Progress>} throws 460 where the node got other bytes
 */
export async function send(location, offset, slice, isLast, onProgress, signal) {
    const checksum = await sha1(slice).catch(() => {
        throw new ApiError(-1, "unreadable", "the file cannot be read any more");
    });
    return request("PATCH", location, { "Upload-Offset": String(offset), "Upload-Checksum": `sha1 ${checksum}`,
        "Content-Type": "application/offset+octet-stream" },
    { body: slice, patience: isLast ? commitTime : stallTime, onProgress, signal });
}

/** @param {string} location */
export const drop = (location) => request("DELETE", location, {}).catch(() => null);
