// SPDX-License-Identifier: Apache-2.0
// The queue of photos on their way: two at a time, in slices, resumed after everything that may happen to a phone.
//
// A file is `queued`, then `sending`, then `done` or `failed`; after a reload it is `lost` where neither the browser
// keeps its bytes nor the guest has chosen it again. What is known of it stands in local storage, one item each; its
// bytes in IndexedDB where that works (kept.js). The node alone says how much has arrived: every attempt begins by
// asking.
import { ApiError } from "./api.js";
import * as kept from "./kept.js";
import * as tus from "./tus.js";

/** @typedef {"queued"|"sending"|"done"|"failed"|"lost"} State */
/** @typedef {{id: string, name: string, size: number, type: string, lastModified: number, print: string,
 *     location: string|null, state: State, reason: string|null, isKept: boolean, tab: string,
 *     addedAt: number}} Stored */
/** @typedef {Stored & {file: File|null, sent: number, isReady: boolean, tries: number, notBefore: number,
 *     photo: string|null, abort: AbortController|null, movedAt: number, isBoxFull: boolean}} Upload */

export const limits = { atOnce: 2, queue: 500, bytes: 256 * 1024 * 1024, slice: 4 * 1024 * 1024, serverTries: 8 };

/**
 * Newest last.
 * @type {Upload[]}
 */
export const uploads = [];
/** @type {{onChange: (upload: Upload) => void, onDone: (photo: string) => void, onSessionLost: () => void,
 *     onConsentMissing: () => void, isSaving: () => boolean}} */
let owner = { onChange() {}, onDone() {}, onSessionLost() {}, onConsentMissing() {}, isSaving: () => false };
let prefix = "";
let isPaused = false;
let isMoving = false;
// A slice that breaks off is sent again from its start: the first ones are small.
let slice = 256 * 1024;
let timer = 0;

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
/** @template T @param {() => T} access @returns {T|null} */
const storage = (access) => { try { return access(); } catch { return null; } };
/** Survives a reload, but not a second tab: what another tab is sending is left to it. */
const tab = storage(() => sessionStorage.getItem("disposable.tab")) ?? random();
storage(() => sessionStorage.setItem("disposable.tab", tab));

/**
 * Takes up what an earlier page of this event left.
 * @param {string} event id
 * @param {typeof owner} listener
 */
export async function start(event, listener) {
    owner = listener;
    prefix = `disposable.${event}.`;
    renewLease();
    setInterval(renewLease, 20_000);
    addEventListener("pagehide", () => storage(() => localStorage.removeItem(`${prefix}tab.${tab}`)));
    addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
    addEventListener("beforeunload", (leaving) => {
        if (!owner.isSaving() && uploads.some((one) => isOpen(one) && !one.isKept)) leaving.preventDefault();
    });
    await adopt();
    setTimeout(adopt, leaseTime + 1000);
    pump();
}

const leaseTime = 90_000;
/** Timers of hidden tabs run once a minute, so a lease is longer than that. */
function renewLease() {
    storage(() => localStorage.setItem(`${prefix}tab.${tab}`, String(Date.now())));
}

async function adopt() {
    const names = storage(() => Object.keys(localStorage)) ?? [];
    for (const name of names.filter((one) => one.startsWith(`${prefix}upload.`))) {
        /** @type {Stored|null} */
        const stored = storage(() => JSON.parse(localStorage.getItem(name) ?? "null"));
        if (!stored || uploads.some((one) => one.id === stored.id)) continue;
        const lease = Number(storage(() => localStorage.getItem(`${prefix}tab.${stored.tab}`)) ?? 0);
        if (stored.tab !== tab && Date.now() - lease < leaseTime) continue;
        /** @type {State} */
        const state = !stored.isKept ? "lost" : stored.state === "failed" ? "failed" : "queued";
        const upload = { ...stored, tab, state, file: null, sent: 0, isReady: true, tries: 0, notBefore: 0, photo: null,
            abort: null, movedAt: 0, isBoxFull: false };
        uploads.push(upload);
        save(upload);
        owner.onChange(upload);
    }
    uploads.sort((a, b) => a.addedAt - b.addedAt);
    await kept.forgetAllBut(() => new Set(storage(() => Object.keys(localStorage).filter((name) => name.includes(".upload."))
        .map((name) => name.slice(name.lastIndexOf(".") + 1))) ?? []));
    pump();
}

/** @param {Upload} upload */
function save(upload) {
    const { id, name, size, type, lastModified, print, location, state, reason, isKept, addedAt } = upload;
    storage(() => localStorage.setItem(`${prefix}upload.${id}`,
        JSON.stringify({ id, name, size, type, lastModified, print, location, state, reason, isKept, tab, addedAt })));
}

/** @param {Upload} upload @param {State} state @param {string|null} [reason] */
function become(upload, state, reason = null) {
    upload.state = state;
    upload.reason = reason;
    if (state === "done") {
        storage(() => localStorage.removeItem(`${prefix}upload.${upload.id}`));
        kept.forget(upload.id);
        upload.file = null;
    } else {
        save(upload);
    }
    owner.onChange(upload);
}

/** @param {Upload} upload */
export const isOpen = (upload) => upload.state === "queued" || upload.state === "sending";

/**
 * Queues files; a tile for each can be shown at once.
 * @param {Iterable<File>} files
 * @returns {Promise<{taken: number, known: number, left: number}>} queued, already queued before, beyond the limit
 */
export async function add(files) {
    const chosen = [...files];
    const room = Math.max(0, limits.queue - uploads.filter((one) => one.state !== "done").length);
    const now = Date.now();
    const fresh = chosen.slice(0, room).map((file, index) => {
        /** @type {Upload} */
        const upload = { id: random(), name: file.name, size: file.size, type: file.type,
            lastModified: file.lastModified, print: "", location: null, state: "queued", reason: null, isKept: false,
            tab, addedAt: now + index / 1000, file, sent: 0, isReady: false, tries: 0, notBefore: 0, photo: null,
            abort: null, movedAt: 0, isBoxFull: false };
        uploads.push(upload);
        owner.onChange(upload);
        return upload;
    });
    let known = 0;
    for (const upload of fresh) if (!await prepare(upload)) known += 1;
    keepFiles();
    return { taken: fresh.length - known, known, left: chosen.length - fresh.length };
}

/**
 * Knows the file by its first bytes: is it one that was begun?
 * @param {Upload} upload
 * @returns {Promise<boolean>}
 */
async function prepare(upload) {
    if (!upload.file) return true;
    if (upload.size === 0 || upload.size > limits.bytes) {
        become(upload, "failed", upload.size ? "too-large" : "empty");
        return true;
    }
    try {
        const bytes = new Uint8Array(await upload.file.slice(0, 64 * 1024).arrayBuffer());
        const hash = /** @type {any} */ (window).nacl.hash(bytes).subarray(0, 16);
        upload.print = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    } catch {
        become(upload, "failed", "unreadable");
        return true;
    }
    const same = uploads.find((one) => one !== upload && one.state !== "done" && one.size === upload.size
        && one.print === upload.print);
    if (!same) {
        upload.isReady = true;
        save(upload);
        pump();
        return true;
    }
    const wasWaiting = isOpen(same);
    same.file = upload.file;
    uploads.splice(uploads.indexOf(upload), 1);
    upload.state = "done";
    owner.onChange(upload);
    if (!wasWaiting) retry(same);
    return !wasWaiting;
}

/** One copy after the other goes to the browser's own store, while there is room. */
let isKeeping = false;
async function keepFiles() {
    if (isKeeping || !await kept.canKeep()) return;
    isKeeping = true;
    for (;;) {
        const held = uploads.reduce((sum, one) => sum + (one.isKept && one.state !== "done" ? one.size : 0), 0);
        const next = uploads.find((one) => one.isReady && isOpen(one) && one.file && !one.isKept
            && one.size + held <= kept.keptLimit && !unkeepable.has(one.id));
        if (!next || !next.file) break;
        next.isKept = await kept.keep(next.id, next.file, () => isOpen(next));
        if (next.state === "done") kept.forget(next.id);
        else if (next.isKept) save(next);
        else unkeepable.add(next.id);
        owner.onChange(next);
    }
    isKeeping = false;
}
/** @type {Set<string>} */
const unkeepable = new Set();

/**
 * Whether trying again may end better: the bytes are here, and are not what was wrong.
 * @param {Upload} upload
 */
export const canRetry = (upload) => (upload.state === "failed" || upload.state === "lost")
    && (upload.file !== null || upload.isKept)
    && !["empty", "too-large", "not-a-photo", "metadata-left"].includes(upload.reason ?? "");

/** @param {Upload} upload */
export function retry(upload) {
    if (!canRetry(upload)) return;
    Object.assign(upload, { tries: 0, notBefore: 0, isReady: true });
    become(upload, "queued");
    keepFiles();
    pump();
}

export function retryAll() {
    for (const upload of uploads.filter(canRetry)) retry(upload);
}

/**
 * Forgets a file that is not sent.
 * @param {Upload} upload
 */
export function discard(upload) {
    upload.abort?.abort();
    if (upload.location) tus.drop(upload.location);
    uploads.splice(uploads.indexOf(upload), 1);
    become(upload, "done");
}

/** The network is back, or the phone awake: nobody waits any longer, and what hangs is asked anew. */
export function wake() {
    for (const upload of uploads) {
        upload.notBefore = 0;
        if (upload.abort && Date.now() - upload.movedAt > 5000) upload.abort.abort();
    }
    pump();
}

/** The session is a guest's again, or the guest has agreed to something: until then nothing is sent. */
export function resume() {
    isPaused = false;
    wake();
}

/** What waits to be sent, or may be tried again, and is still here: what can go on at another node. */
export const movable = () => uploads.filter((one) => isOpen(one) ? one.isReady : canRetry(one));

/**
 * While the photos are going elsewhere none is sent from here, whatever else happens.
 * @param {boolean} are
 */
export function setMoving(are) {
    isMoving = are;
    if (are) for (const upload of uploads) upload.abort?.abort();
    else wake();
}

/** @param {Upload} upload @returns {Promise<File>} all of it; throws where it cannot be read any more */
export async function fileOf({ id, file, name, size, type, lastModified }) {
    if (file) {
        try {
            if (size) await file.slice(0, 1).arrayBuffer();
            return file;
        } catch { /* perhaps there is a copy */ }
    }
    return new File([await kept.read(id, 0, size)], name, { type, lastModified });
}

function pump() {
    clearTimeout(timer);
    if (isPaused || isMoving) return;
    const now = Date.now();
    const waiting = uploads.filter((one) => one.state === "queued" && one.isReady && !one.abort);
    for (const upload of waiting.filter((one) => one.notBefore <= now)) {
        if (uploads.filter((one) => one.abort).length >= limits.atOnce) return;
        run(upload);
    }
    const next = Math.min(...waiting.filter((one) => !one.abort).map((one) => one.notBefore));
    if (Number.isFinite(next)) timer = setTimeout(pump, Math.max(next - Date.now(), 100));
}

/** @param {Upload} upload */
async function run(upload) {
    const abort = new AbortController();
    Object.assign(upload, { abort, movedAt: Date.now() });
    become(upload, "sending");
    try {
        upload.photo = await transfer(upload, abort.signal);
        become(upload, "done");
        owner.onDone(upload.photo);
    } catch (error) {
        if (isOpen(upload)) failed(upload, error);
    }
    upload.abort = null;
    pump();
}

/** @param {Upload} upload @param {AbortSignal} signal @returns {Promise<string>} the photo */
async function transfer(upload, signal) {
    let offset = 0;
    if (upload.location) {
        const known = await tus.ask(upload.location, signal);
        if (known.photo) return known.photo;
        offset = known.offset;
    } else {
        upload.location = await tus.create(upload.size, upload.name, upload.type, signal);
        save(upload);
    }
    for (;;) {
        moved(upload, offset);
        const end = Math.min(upload.size, offset + slice);
        const bytes = await bytesOf(upload, offset, end);
        const begun = Date.now();
        const answer = await tus.send(upload.location, offset, bytes, end === upload.size,
            (sent) => moved(upload, offset + sent), signal);
        if (answer.photo) return answer.photo;
        if (answer.offset <= offset) throw new ApiError(0, "unreachable", "no progress");
        offset = answer.offset;
        upload.tries = 0;
        // A slice takes about a second or two: short enough to lose, long enough not to ask for ever.
        const took = Date.now() - begun;
        if (took < 1000) slice = Math.min(slice * 2, limits.slice);
        else if (took > 4000) slice = Math.max(slice / 2, 128 * 1024);
    }
}

/** @param {Upload} upload @param {number} sent */
function moved(upload, sent) {
    upload.movedAt = Date.now();
    upload.sent = Math.min(sent, upload.size);
    owner.onChange(upload);
}

/** @param {Upload} upload @param {number} start @param {number} end @returns {Promise<Blob>} throws "unreadable" */
async function bytesOf(upload, start, end) {
    if (upload.file) {
        try {
            // Reading a byte tells a file that the phone has taken back from a network that is gone.
            if (start < end) await upload.file.slice(start, start + 1).arrayBuffer();
            return upload.file.slice(start, end);
        } catch { /* perhaps there is a copy */ }
    }
    try {
        return await kept.read(upload.id, start, end);
    } catch {
        throw new ApiError(-1, "unreadable", "the file cannot be read any more");
    }
}

/**
 * Decides what an error means for a file.
 * @param {Upload} upload
 * @param {unknown} error
 */
function failed(upload, error) {
    if (!(error instanceof ApiError)) {
        become(upload, "failed", "server");
        throw error;
    }
    upload.tries += 1;
    const { status, code } = error;
    upload.isBoxFull = code === "disk-full";
    const soon = (error.retryAfter ?? Math.min(2 ** Math.min(upload.tries - 1, 5), 30)) * 1000 + Math.random() * 500;
    upload.notBefore = Date.now() + soon;
    if (status === 401 || code === "not-entered") {
        isPaused = true;
        become(upload, "queued");
        owner.onSessionLost();
    } else if (code === "no-consent") {
        isPaused = true;
        become(upload, "queued");
        owner.onConsentMissing();
    } else if (status === -1) {
        upload.isKept = false;
        become(upload, "failed", "unreadable");
    } else if (status === 404 || status === 410) {
        // Dropped by the node, or of a session before: from the beginning.
        upload.location = null;
        queueUnlessOften(upload);
    } else if (status === 413 && slice > 64 * 1024) {
        slice /= 2;
        upload.notBefore = 0;
        become(upload, "queued");
    } else if (status === 460) {
        // Bits flipped on the way, and what came is not kept. A smaller slice is hit less often.
        slice = Math.max(slice / 2, 64 * 1024);
        upload.notBefore = Date.now() + (upload.tries > limits.serverTries ? 2000 : 0);
        become(upload, "queued");
    } else if (status === 0 || status === 423 || status === 429 || status === 503) {
        // Locked: the node still holds on to a connection that this phone has given up.
        become(upload, "queued");
    } else if (status >= 500 || (status === 409 && code !== "roll-full") || status === 408) {
        queueUnlessOften(upload);
    } else {
        // The node keeps no bytes of a guest who may add nothing: tried again, it is sent from the beginning.
        if (code === "roll-full" || code === "put-out") upload.location = null;
        become(upload, "failed", status === 413 ? "too-large" : code);
    }
}

/** @param {Upload} upload */
function queueUnlessOften(upload) {
    if (upload.tries > limits.serverTries) become(upload, "failed", "server");
    else become(upload, "queued");
}
