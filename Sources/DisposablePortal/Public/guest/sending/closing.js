// SPDX-License-Identifier: Apache-2.0
// Uploads that are unfinished when the page is closed. A service worker (closing-worker.js) sends the files that this browser
// has kept, and the next page continues the uploads. The page loads this module with the first upload, and only in a secure
// context, because browsers offer no service workers elsewhere, nor with a certificate that they reject.
import { base } from "../../shared/api.js";

/** The names of this module's cache in the browser, and of its entry for an event. */
const [cache, entry] = ["disposable.closing", (/** @type {string} */ prefix) => `/closing/${prefix}`];
/** Milliseconds that the next page waits for the worker to stop: it may be gone. */
const patience = 2_000;

/** @type {ServiceWorkerRegistration|null} */
let registration = null;
const registering = navigator.serviceWorker.register("/closing-worker.js", { scope: base, type: "module" })
    .then((made) => { registration = made; }, () => { /* then the next page goes on */ });

const worker = () => registration?.active ?? registration?.waiting ?? registration?.installing ?? null;

/**
 * Leaves uploads to the worker, at the end of the page.
 * @param {string} prefix of the event's items in local storage
 * @param {import("./uploads.js").Upload[]} uploads whose files this browser keeps
 * @param {number|null} ahead the milliseconds by which this phone's clock is ahead of the node's
 */
export function handOver(prefix, uploads, ahead) {
    const heir = worker();
    if (!heir || !uploads.length) return;
    try { localStorage.setItem(`${prefix}closed`, "yes"); } catch { return; }
    heir.postMessage({ do: "send", cache, entry: entry(prefix), base,
        uploads: uploads.map(({ id, name, size, type, source, mission, location }) =>
            ({ id, name, size, type, source, mission, ahead, location })) });
}

/**
 * Ends the worker's work, and notes where it has begun to send files.
 * @param {string} prefix of the event's items in local storage
 */
export async function takeBack(prefix) {
    try {
        await registering;
        await stopped(entry(prefix));
        const places = await caches.open(cache);
        const answer = await places.match(entry(prefix));
        for (const [id, location] of Object.entries(await answer?.json() ?? {})) {
            const name = `${prefix}upload.${id}`;
            const stored = JSON.parse(localStorage.getItem(name) ?? "null");
            if (stored) localStorage.setItem(name, JSON.stringify({ ...stored, location }));
        }
        await places.delete(entry(prefix));
        localStorage.removeItem(`${prefix}closed`);
    } catch { /* files without a known place are sent from their beginning */ }
}

/** @param {string} place */
function stopped(place) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
        setTimeout(resolve, patience);
        port1.onmessage = resolve;
        worker()?.postMessage({ do: "stop", entry: place }, [port2]);
    });
}
