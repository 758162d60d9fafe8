// SPDX-License-Identifier: Apache-2.0
// One upload by tus 1.0 (tus.io, protocol/guest-api.md §5): create, get the offset, send a slice, delete.
// XMLHttpRequest, since fetch does not report the progress of a request body.
import { ApiError, base, errorOf } from "../../shared/api.js";

/**
 * The time without progress after which a connection counts as dead. Safari on plain HTTP stalls without an error.
 */
const stallTime = 15_000;
/** The last slice is answered once the photo is on disk, or the node has taken it over. */
const commitTime = 120_000;

/**
 * `isTaken`: every byte is on the node's disk, and the photo follows without this page.
 * @typedef {{offset: number, photo: string|null, isTaken: boolean, location: string|null}} Progress
 */

/**
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {{body?: Blob, patience?: number, onProgress?: (bytes: number) => void, signal?: AbortSignal}} options
 * @returns {Promise<Progress>} throws `ApiError`, with status 0 for errors that can simply be retried
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
                reject(errorOf(xhr.status, xhr.responseText, xhr.getResponseHeader("Retry-After"),
                    xhr.getResponseHeader("Disposable-Error")));
                return;
            }
            resolve({
                offset: Number(xhr.getResponseHeader("Upload-Offset") ?? 0),
                photo: xhr.getResponseHeader("Disposable-Photo"),
                isTaken: xhr.getResponseHeader("Preference-Applied") === "respond-async",
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
 * @param {string} source where the file is from: "camera" or "library"
 * @param {number|null|undefined} mission the one that it answers
 * @param {number|null} ahead the milliseconds by which this phone's clock is ahead of the node's; `null` if unknown
 * @param {AbortSignal} signal
 * @returns {Promise<string>} the upload's address
 */
export async function create(size, name, type, source, mission, ahead, signal) {
    const metadata = [["filename", name.slice(-200)], ["filetype", type], ["source", source], ["mission", mission],
        ["ahead", ahead?.toString()]]
        .filter(([, value]) => value).map(([key, value]) => `${key} ${base64(String(value))}`).join(",");
    const { location } = await request("POST", `${base}uploads`,
        { "Upload-Length": String(size), ...(metadata && { "Upload-Metadata": metadata }) }, { signal });
    if (!location) throw new ApiError(0, "unreachable", "an upload without an address");
    // Only this node: an address elsewhere is not followed.
    return new URL(location, window.location.origin).pathname;
}

/** @param {string} location @param {AbortSignal} signal @returns {Promise<Progress>} */
export const ask = (location, signal) => request("HEAD", location, {}, { signal });

/**
 * @param {string} location
 * @param {number} offset
 * @param {Blob} slice empty to retry after a temporary refusal
 * @param {string} checksum its CRC-32
 * @param {boolean} isLast
 * @param {(bytes: number) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<Progress>} throws 460 if the node received other bytes
 */
export const send = (location, offset, slice, checksum, isLast, onProgress, signal) => request("PATCH", location,
    { "Upload-Offset": String(offset), "Upload-Checksum": `crc32 ${checksum}`,
        "Content-Type": "application/offset+octet-stream", "Prefer": "respond-async" },
    { body: slice, patience: isLast ? commitTime : stallTime, onProgress, signal });

/**
 * Sends the preview of a photo whose original follows.
 * @param {string} location
 * @param {Blob} jpeg
 * @param {AbortSignal} signal
 */
export const sendPreview = (location, jpeg, signal) => request("PUT", `${location}/preview`,
    { "Content-Type": "image/jpeg" }, { body: jpeg, onProgress() {}, signal });

/** @param {string} location */
export const drop = (location) => request("DELETE", location, {}).catch(() => null);
