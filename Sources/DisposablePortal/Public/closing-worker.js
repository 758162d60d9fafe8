// SPDX-License-Identifier: Apache-2.0
// The service worker behind closing.js. It answers no requests of pages. After the end of a page it sends the page's files,
// one after the other, from where the node says that they stand, by tus as tus.js does (with fetch, since a worker has no
// XMLHttpRequest). A browser lets it run for some minutes; the next page does the rest. It lies outside the folders of the
// pages, since a worker's own folder has to hold the addresses that it works for.
import { crc32 } from "./guest/sending/crc32.js";
import { read } from "./guest/sending/kept.js";

/** @typedef {{id: string, name: string, size: number, type: string, source: string, mission?: number|null, ahead?: number|null,
 *     location: string|null}} Left */
/** @typedef {{offset: number, isOver: boolean, location: string|null}} Progress */

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** Bytes of a slice. */
const sliceSize = 1024 * 1024;
/** Milliseconds: for the page of a reload to take its files back, of a request, and between attempts, at first and at most. */
const [delay, timeout, pauses] = [5_000, 60_000, { first: 1_000, most: 30_000 }];
/** Attempts in a row without progress after which the files are left to the next page. */
const triesMax = 10;

/** What is being sent, by its entry in the cache. @type {Map<string, AbortController>} */
const atWork = new Map();

scope.addEventListener("install", () => { scope.skipWaiting(); });
scope.addEventListener("message", (event) => {
    const { data } = event;
    atWork.get(data.entry)?.abort();
    atWork.delete(data.entry);
    if (data.do === "stop") event.ports[0]?.postMessage("stopped");
    if (data.do === "send") event.waitUntil(sendAll(data));
});

/** @param {{cache: string, entry: string, base: string, uploads: Left[]}} work */
async function sendAll({ cache, entry, base, uploads }) {
    const abort = new AbortController();
    atWork.set(entry, abort);
    /** @type {Record<string, string>} */
    const places = {};
    const note = async () => (await caches.open(cache)).put(entry, new Response(JSON.stringify(places)));
    await pause(delay, abort.signal);
    for (const upload of uploads) {
        let offset = -1;
        for (let tries = 0; tries < triesMax && !abort.signal.aborted; tries += 1) {
            if (tries) await pause(Math.min(pauses.first * 2 ** tries, pauses.most), abort.signal);
            try {
                if (!upload.location) {
                    places[upload.id] = upload.location = await create(base, upload, abort.signal);
                    await note();
                }
                await sendRest(upload, abort.signal, (arrived) => {
                    if (arrived > offset) [offset, tries] = [arrived, 0];
                });
                break;
            } catch (error) {
                // The node refuses it: the next page says why.
                if (error instanceof Refused) break;
            }
        }
    }
    if (atWork.get(entry) === abort) atWork.delete(entry);
}

/** @param {Left & {location: string|null}} upload @param {AbortSignal} signal @param {(offset: number) => void} moved */
async function sendRest({ id, size, location }, signal, moved) {
    let { offset, isOver } = await request("HEAD", String(location), {}, undefined, signal);
    while (!isOver && offset < size) {
        moved(offset);
        const slice = await read(id, offset, Math.min(size, offset + sliceSize)).catch(() => { throw new Refused(); });
        const answer = await request("PATCH", String(location), { "Upload-Offset": String(offset),
            "Upload-Checksum": `crc32 ${await crc32(slice)}`, "Content-Type": "application/offset+octet-stream",
            "Prefer": "respond-async" }, slice, signal);
        if (!answer.isOver && answer.offset <= offset) throw new Error("no progress");
        ({ offset, isOver } = answer);
    }
}

/** @param {string} base @param {Left} upload @param {AbortSignal} signal @returns {Promise<string>} where the node takes it */
async function create(base, { size, name, type, source, mission, ahead }, signal) {
    const encode = (/** @type {unknown} */ value) => btoa(String.fromCharCode(...new TextEncoder().encode(String(value))));
    const metadata = [["filename", name.slice(-200)], ["filetype", type], ["source", source], ["mission", mission],
        ["ahead", ahead?.toString()]]
        .filter(([, value]) => value).map(([key, value]) => `${key} ${encode(value)}`).join(",");
    const { location } = await request("POST", `${base}uploads`,
        { "Upload-Length": String(size), ...(metadata && { "Upload-Metadata": metadata }) }, undefined, signal);
    if (!location) throw new Refused();
    // Only this node: an address elsewhere is not followed.
    return new URL(location, scope.location.origin).pathname;
}

/** An answer that stays the same however often it is asked for, or a file that is gone. */
class Refused extends Error {}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {Blob|undefined} body
 * @param {AbortSignal} signal
 * @returns {Promise<Progress>} throws `Refused`, or any other error for what can be tried again
 */
async function request(method, path, headers, body, signal) {
    const answer = await fetch(path, { method, body, cache: "no-store", credentials: "same-origin",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        headers: { "Tus-Resumable": "1.0.0", "Accept": "application/json", ...headers } });
    const { status } = answer;
    // Another request has the upload in hand, or the node asks for patience.
    if ([408, 423, 429, 460].includes(status) || status >= 500) throw new Error(`answer ${status}`);
    if (!answer.ok) throw new Refused();
    return {
        offset: Number(answer.headers.get("Upload-Offset") ?? 0),
        isOver: answer.headers.has("Disposable-Photo") || answer.headers.get("Preference-Applied") === "respond-async",
        location: answer.headers.get("Location"),
    };
}

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(null); }, { once: true });
});
