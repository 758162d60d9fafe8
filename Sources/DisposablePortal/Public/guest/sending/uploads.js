// SPDX-License-Identifier: Apache-2.0
// The queue of uploads: two or three at a time, in slices, resumed after all kinds of interruptions.
//
// A file is `queued`, then `sending`, then `saved` where the node has every byte of it and makes the photo in its turn,
// then `done` or `failed`; after a reload it is `lost` where neither the browser
// keeps its bytes nor the guest has chosen it again. What is known of it stands in local storage, one item each; its
// bytes in IndexedDB where that works (kept.js). The node alone says how much has arrived: every attempt begins by
// asking.
import { clockAhead } from "./ahead.js";
import { ApiError } from "../../shared/api.js";
import { crc32 } from "./crc32.js";
import * as kept from "./kept.js";
import * as sent from "./sent.js";
import { me, refresh } from "../../shared/session.js";
import * as tus from "./tus.js";

/** @typedef {"queued"|"sending"|"saved"|"done"|"failed"|"lost"} State */
/** @typedef {{id: string, name: string, size: number, type: string, lastModified: number, print: string,
 *     location: string|null, state: State, reason: string|null, isKept: boolean, tab: string,
 *     addedAt: number, source: "camera"|"library", mission?: number|null}} Stored `mission`: the one that it answers */
/** @typedef {Stored & {file: File|null, sent: number, isReady: boolean, tries: number, notBefore: number,
 *     photo: string|null, abort: AbortController|null, movedAt: number, isBoxFull: boolean,
 *     wantsPreview: boolean, sealed?: Blob|null, next?: {start: number, made: Promise<Slice>}|null}} Upload `wantsPreview`: the
 *     original waits for its preview; `sealed`: what is sent in place of the file; `next`: the slice that follows, made ahead;
 *     before the first one, the place at the node is new */
/** @typedef {{bytes: Blob, checksum: string}} Slice */

export const limits = { atOnce: 2, atOnceQuick: 3, queue: 500, bytes: 256 * 1024 * 1024, slice: 8 * 1024 * 1024, serverTries: 8 };

/**
 * Newest last.
 * @type {Upload[]}
 */
export const uploads = [];
/** @type {{onChange: (upload: Upload) => void, onDone: (photo: string) => void, onSessionLost: () => void,
 *     onConsentMissing: () => void, isSaving: () => boolean, isShownAtOnce: () => boolean}} */
let owner = { onChange() {}, onDone() {}, onSessionLost() {}, onConsentMissing() {}, isSaving: () => false,
    isShownAtOnce: () => false };
let prefix = "";
/**
 * Why nothing is sent: the guest has to enter or to agree again; the photos move to another node; or the page is being
 * closed, and files and storage can no longer be read, which says nothing about them.
 * @type {Set<"guest"|"moving"|"closing">}
 */
const stops = new Set();
// An interrupted slice is sent again from its start: the first ones are small.
let slice = 256 * 1024;
const sliceMin = 128 * 1024;
let timer = 0;
/** The last slices together, the newest with the most weight. */
const recent = { bytes: 0, ms: 0 };
/** Bytes a millisecond of one connection; 0 until the first slice has gone. */
const rate = () => recent.bytes / Math.max(1, recent.ms);
/**
 * The last slice of a photo may be short, and takes as long as a longer one: it hardly counts. A slice takes about one or
 * two seconds: short enough to repeat, long enough to limit the number of requests.
 * @param {number} bytes
 * @param {number} ms that they took, with the answer
 * @param {boolean} [isFirst] whether nothing is known but this
 */
function learn(bytes, ms, isFirst = !rate()) {
    const before = isFirst ? { bytes: 0, ms: 0 } : recent;
    Object.assign(recent, { bytes: bytes + before.bytes / 2, ms: ms + before.ms / 2 });
    if (isFirst) slice = Math.round(Math.max(sliceMin, rate() * 1000));
    else if (ms < 1000) slice *= 2;
    else if (ms > 4000) slice = Math.max(slice / 2, sliceMin);
    slice = Math.min(slice, limits.slice);
}

/** On a fast network one more: a single connection waits for the node's disk, and for each lost packet. */
const atOnce = () => rate() > 1_500 ? limits.atOnceQuick : limits.atOnce;

/**
 * Whether a photo is at the node before a preview of it is made and sent.
 * @param {Upload} upload
 */
const isQuick = (upload) => upload.size <= 300_000 || (rate() > 0 && upload.size / rate() < 2_000);

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
/** @template T @param {() => T} access @returns {T|null} */
const storage = (access) => { try { return access(); } catch { return null; } };
/** The milliseconds by which this phone's clock is ahead of the node's; `null` until that is known. @type {number|null} */
let ahead = null;
/** Survives a reload, but not a second tab: uploads of another tab are left to it. */
const tab = storage(() => sessionStorage.getItem("disposable.tab")) ?? random();
storage(() => sessionStorage.setItem("disposable.tab", tab));

/**
 * Resumes the uploads of an earlier page of this event.
 * @param {string} event id
 * @param {typeof owner} listener
 */
export async function start(event, listener) {
    owner = listener;
    prefix = `disposable.${event}.`;
    sent.begin(prefix);
    clockAhead().then((ms) => { ahead = ms; });
    renewLease();
    setInterval(renewLease, 20_000);
    addEventListener("pagehide", () => {
        // A service worker cannot seal photos: a page does that.
        if (!stops.size && !me?.event.sealed?.pageKey) closing?.handOver(prefix, uploads.filter((one) => isOpen(one) && one.isKept), ahead);
        stop();
        storage(() => localStorage.removeItem(`${prefix}tab.${tab}`));
    });
    addEventListener("pageshow", (shown) => { if (shown.persisted) location.reload(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
    addEventListener("beforeunload", (leaving) => {
        if (!owner.isSaving() && uploads.some((one) => isOpen(one) && !one.isKept)) leaving.preventDefault();
    });
    await adopt();
    setTimeout(adopt, leaseTime + 1000);
    pump();
    askSoon(0);
}

/** What sends the rest after the page, where the browser lets it. @type {typeof import("./closing.js")|null} */
let closing = null;
async function loadClosing() {
    if (isSecureContext && "serviceWorker" in navigator && me?.secure?.isTrusted !== false) {
        closing ??= await import("./closing.js").catch(() => null);
    }
    return closing;
}

/** Stops everything for good, before the page is closed: the next page of this browser continues from what is stored. */
export function stop() {
    stops.add("closing");
    clearTimeout(timer);
    clearTimeout(askTimer);
    for (const upload of uploads) upload.abort?.abort();
    lane?.abort.abort();
    readying?.abort.abort();
}

const leaseTime = 90_000;
/** Timers of hidden tabs run once a minute, so a lease is longer than that. */
function renewLease() {
    storage(() => localStorage.setItem(`${prefix}tab.${tab}`, String(Date.now())));
}

async function adopt() {
    // The worker may be sending the files of a page that was closed.
    if (storage(() => localStorage.getItem(`${prefix}closed`))) await (await loadClosing())?.takeBack(prefix);
    const names = storage(() => Object.keys(localStorage)) ?? [];
    for (const name of names.filter((one) => one.startsWith(`${prefix}upload.`))) {
        /** @type {Stored|null} */
        const stored = storage(() => JSON.parse(localStorage.getItem(name) ?? "null"));
        if (!stored || uploads.some((one) => one.id === stored.id)) continue;
        const lease = Number(storage(() => localStorage.getItem(`${prefix}tab.${stored.tab}`)) ?? 0);
        if (stored.tab !== tab && Date.now() - lease < leaseTime) continue;
        /** @type {State} */
        const state = stored.state === "saved" ? "saved" : !stored.isKept ? "lost"
            : stored.state === "failed" ? "failed" : "queued";
        const upload = { ...stored, tab, state, file: null, sent: 0, isReady: true, tries: 0, notBefore: 0, photo: null,
            abort: null, movedAt: 0, isBoxFull: false, wantsPreview: false };
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
    if (stops.has("closing")) return;
    const { id, name, size, type, lastModified, print, location, state, reason, isKept, addedAt, source, mission } = upload;
    storage(() => localStorage.setItem(`${prefix}upload.${id}`,
        JSON.stringify({ id, name, size, type, lastModified, print, location, state, reason, isKept, tab, addedAt, source, mission })));
}

/** @param {Upload} upload @param {State} state @param {string|null} [reason] */
function become(upload, state, reason = null) {
    upload.state = state;
    upload.reason = reason;
    if (!isOpen(upload)) upload.sealed = upload.next = null;
    if (stops.has("closing")) return;
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
 * Whether a photo becomes of it without the guest doing anything.
 * @param {Upload} upload
 */
export const isOnItsWay = (upload) => isOpen(upload) || upload.state === "saved";

/**
 * Queues files; a tile for each can be shown at once.
 * @param {Iterable<File>} files
 * @param {"camera"|"library"} source where they are from
 * @param {number|null} [mission] the one that they answer
 * @returns {Promise<{taken: number, known: number, again: number, left: number}>} queued, already queued before, photos
 *     of this guest already, beyond the limit
 */
export async function add(files, source, mission = null) {
    const chosen = [...files];
    const room = Math.max(0, limits.queue - uploads.filter((one) => one.state !== "done").length);
    const now = Date.now();
    const fresh = chosen.slice(0, room).map((file, index) => {
        /** @type {Upload} */
        const upload = { id: random(), name: file.name, size: file.size, type: file.type,
            lastModified: file.lastModified, print: "", location: null, state: "queued", reason: null, isKept: false,
            tab, addedAt: now + index / 1000, source, mission, file, sent: 0, isReady: false, tries: 0, notBefore: 0, photo: null,
            abort: null, movedAt: 0, isBoxFull: false, wantsPreview: true };
        uploads.push(upload);
        owner.onChange(upload);
        return upload;
    });
    let known = 0;
    let again = 0;
    for (const upload of fresh) {
        if (!await prepare(upload)) known += 1;
        else if (upload.isReady && await dropSent(upload)) again += 1;
        else pump();
    }
    keepFiles();
    loadClosing();
    return { taken: fresh.length - known - again, known, again, left: chosen.length - fresh.length };
}

/**
 * Drops a file that is a photo of this guest already, before a byte of it is sent.
 * @param {Upload} upload
 * @returns {Promise<boolean>}
 */
async function dropSent(upload) {
    upload.isReady = false;
    const isSent = await sent.wasSent(upload.print, upload.size);
    upload.isReady = true;
    if (!isSent || !uploads.includes(upload)) return false;
    uploads.splice(uploads.indexOf(upload), 1);
    become(upload, "done");
    return true;
}

/**
 * Knows the file by three parts of it: is it one that was begun?
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
        upload.print = await sent.printOf(upload.file);
    } catch {
        become(upload, "failed", "unreadable");
        return true;
    }
    const same = uploads.find((one) => one !== upload && one.state !== "done" && one.size === upload.size
        && one.print === upload.print);
    if (!same) {
        upload.isReady = true;
        save(upload);
        return true;
    }
    const wasWaiting = isOnItsWay(same);
    same.file = upload.file;
    uploads.splice(uploads.indexOf(upload), 1);
    upload.state = "done";
    owner.onChange(upload);
    if (!wasWaiting) retry(same);
    return !wasWaiting;
}

/** A file that is sent within this time needs neither a copy in the browser's storage nor a small picture. Milliseconds. */
const soon = 5_000;
/** The time after the choice of a file in which the first slices, the first of them small, tell the rate. Milliseconds. */
const patience = 1_000;
/** @param {Upload} upload whether it will be at the node soon, at the rate of the last slices */
function isSentSoon(upload) {
    const before = uploads.slice(0, uploads.indexOf(upload) + 1).filter(isOpen);
    const isStalled = uploads.some((one) => one.abort && Date.now() - one.movedAt > 1_000);
    if (isStalled || stops.size || !before.includes(upload)
        || before.some((one) => one.notBefore > Date.now())) return false;
    if (Date.now() - upload.addedAt < patience) return true;
    return before.reduce((sum, one) => sum + one.size - one.sent, 0) / (rate() * atOnce()) < soon;
}

/**
 * Resolves when the photo is there, or that takes so long that a picture of the file is worth the time.
 * @param {Upload} upload
 */
export async function untilSentOrSlow(upload) {
    for (const begun = Date.now(); (isSentSoon(upload) || upload.state === "saved") && Date.now() - begun < soon;) {
        await pause(200);
    }
}

/** Copies go to the browser's storage one after the other, while there is space. */
let isKeeping = false;
async function keepFiles() {
    if (isKeeping || !await kept.canKeep()) return;
    isKeeping = true;
    for (;;) {
        const held = uploads.reduce((sum, one) => sum + (one.isKept && one.state !== "done" ? one.size : 0), 0);
        const wanted = uploads.filter((one) => one.isReady && isOpen(one) && one.file && !one.isKept
            && one.size + held <= kept.keptLimit && !unkeepable.has(one.id));
        if (!wanted.length) break;
        // The phone may end a page that it hides.
        const next = wanted.find((one) => document.hidden || !isSentSoon(one));
        if (!next || !next.file) {
            await pause(200);
            continue;
        }
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
 * Whether a retry may succeed: the bytes are here, and were not the reason.
 * @param {Upload} upload
 */
export const canRetry = (upload) => (upload.state === "failed" || upload.state === "lost")
    && (upload.file !== null || upload.isKept)
    && !["empty", "too-large", "not-a-photo", "metadata-left", "cannot-seal", "camera-only", "no-videos", "video-too-long"].includes(upload.reason ?? "");

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
 * Removes a file that is not being sent.
 * @param {Upload} upload
 */
export function discard(upload) {
    upload.abort?.abort();
    for (const one of [lane, readying]) if (one?.upload === upload) one.abort.abort();
    if (upload.location) tus.drop(upload.location);
    uploads.splice(uploads.indexOf(upload), 1);
    become(upload, "done");
}

/** The network is back, or the phone awake: ends all pauses, and checks stalled requests again. */
export function wake() {
    for (const upload of uploads) {
        upload.notBefore = 0;
        if (upload.state === "saved") askSoon(0);
        if (upload.abort && Date.now() - upload.movedAt > 5000) upload.abort.abort();
    }
    pump();
}

/** The session has a guest again, or the guest has agreed: nothing is sent before. */
export function resume() {
    stops.delete("guest");
    wake();
}

/** Files that wait to be sent or can be retried, and are still here: those that can move to another node. */
export const movable = () => uploads.filter((one) => isOpen(one) ? one.isReady : canRetry(one));

/**
 * Pauses all uploads while the photos move elsewhere.
 * @param {boolean} are
 */
export function setMoving(are) {
    if (!are) {
        stops.delete("moving");
        return wake();
    }
    stops.add("moving");
    for (const upload of uploads) upload.abort?.abort();
    lane?.abort.abort();
    readying?.abort.abort();
}

/** @param {Upload} upload @returns {Promise<File>} all of it; throws if it can no longer be read */
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
    if (stops.size) return;
    const now = Date.now();
    sendPreviews();
    const waiting = uploads.filter((one) => one.state === "queued" && one.isReady && !one.abort && one !== readying?.upload
        && (!one.wantsPreview || (isQuick(one) && one !== lane?.upload)));
    for (const upload of waiting.filter((one) => one.notBefore <= now)) {
        if (uploads.filter((one) => one.abort).length >= atOnce()) {
            getReady(waiting.filter((one) => one.state === "queued"));
            return;
        }
        run(upload);
    }
    const next = Math.min(...waiting.filter((one) => !one.abort).map((one) => one.notBefore));
    if (Number.isFinite(next)) timer = setTimeout(pump, Math.max(next - Date.now(), 100));
}

/**
 * The photo that is being made ready.
 * @type {{upload: Upload, abort: AbortController}|null}
 */
let readying = null;
/**
 * Makes a place for the photos that are next, and their first slices, while others are on their way: on a fast network that
 * takes as long as sending. One photo is made ready at a time, and one for each that is on its way.
 * @param {Upload[]} waiting
 */
async function getReady(waiting) {
    if (readying || stops.size || me?.event.sealed?.pageKey) return;
    const upload = waiting.slice(0, atOnce()).find((one) => one.file && !one.location && !one.tries && isQuick(one));
    if (!upload) return;
    const abort = new AbortController();
    readying = { upload, abort };
    try {
        await place(upload, abort.signal);
        await makeNext(upload, 0);
    } catch {
        // Sending it says what is wrong.
        upload.tries += 1;
    }
    readying = null;
    pump();
}

/**
 * The preview on its way.
 * @type {{upload: Upload, abort: AbortController}|null}
 */
let lane = null;
/**
 * Sends previews, one after the other and ahead of the originals: of each photo that would take longer than two seconds by
 * itself. What goes wrong with a preview holds up no original.
 */
async function sendPreviews() {
    while (!lane && !stops.size) {
        const upload = uploads.find((one) => one.state === "queued" && one.isReady && one.wantsPreview && !isQuick(one)
            && one !== readying?.upload);
        if (!upload) return;
        const abort = new AbortController();
        lane = { upload, abort };
        try {
            // Slices of other photos tell the rate meanwhile.
            const isWanted = () => upload.state === "queued" && !isQuick(upload);
            if (upload.file && owner.isShownAtOnce()) {
                const previews = import("./previews.js").catch(() => null);
                const probing = !rate() && !upload.location ? probe(upload, abort.signal) : null;
                // On a fast network the rate is known by then, and no picture is decoded for nothing.
                await Promise.race([probing, pause(probes.patience)]);
                const jpeg = isWanted() ? await (await previews)?.previewOf(upload.file, isWanted) : null;
                await probing;
                if (jpeg && jpeg.size < upload.size / 2 && isWanted()) {
                    await tus.sendPreview(await place(upload, abort.signal), jpeg, abort.signal);
                }
            }
        } catch { /* sending the original says what is wrong */ }
        if (!isQuick(upload)) upload.wantsPreview = false;
        lane = null;
        pump();
    }
}

/**
 * The sizes of the first slices: the second one is sent where the first took less than `quickTime`. The first preview is
 * made after `patience` without the rate. Milliseconds.
 */
const probes = { bytes: [64 * 1024, 256 * 1024], quickTime: 100, patience: 200 };
/**
 * Learns the rate before, or while, the first preview is being made and nothing else is on its way: on a fast network no
 * photo has to wait for a preview. Sends all but the last byte at most.
 * @param {Upload} upload
 * @param {AbortSignal} signal
 */
async function probe(upload, signal) {
    const location = await place(upload, signal);
    for (let [offset, took, turn] = [0, 0, 0]; turn < probes.bytes.length && took < probes.quickTime; turn += 1) {
        const { bytes, checksum } = await sliceOf(upload, offset, Math.min(offset + probes.bytes[turn], upload.size - 1));
        const begun = Date.now();
        const answer = await tus.send(location, offset, bytes, checksum, false, () => {}, signal);
        took = Date.now() - begun;
        learn(bytes.size, took, true);
        offset = answer.offset;
    }
    pump();
}

/** @param {Upload} upload @param {AbortSignal} signal @returns {Promise<string>} where the node takes it */
async function place(upload, signal) {
    if (!upload.location) {
        const { size, type } = upload.sealed ?? upload;
        upload.location = await tus.create(size, upload.sealed ? "" : upload.name, type, upload.source ?? "library",
            upload.mission, ahead, signal);
        if (isOpen(upload)) save(upload);
        else tus.drop(upload.location);
    }
    return upload.location;
}

/** @param {Upload} upload */
async function run(upload) {
    const abort = new AbortController();
    Object.assign(upload, { abort, movedAt: Date.now(), wantsPreview: false });
    become(upload, "sending");
    try {
        if (me?.event.sealed?.pageKey && !upload.sealed) await seal(upload);
        settle(upload, await transfer(upload, abort.signal));
    } catch (error) {
        if (isOpen(upload)) failed(upload, error);
    }
    upload.abort = null;
    pump();
}

/** Seals a photo on this phone. @param {Upload} upload */
async function seal(upload) {
    // Some browsers seal other bytes after a reload, so the bytes that were sent before it are useless.
    if (upload.location) tus.drop(upload.location);
    Object.assign(upload, { location: null, next: null });
    const { sealed } = await import("../../seal/seal.js").catch(() => { throw new ApiError(0, "unreachable", "no answer"); });
    upload.sealed = await sealed(await fileOf(upload).catch(() => { throw new ApiError(-1, "unreadable", "no file"); }), upload.print);
}

/** @param {Upload} upload @param {string|null} photo `null` where the node makes it in its turn */
function settle(upload, photo) {
    upload.photo = photo;
    upload.tries = 0;
    if (photo) {
        sent.remember(upload.print, upload.size, photo);
        become(upload, "done");
        owner.onDone(photo);
    } else {
        become(upload, "saved");
        askSoon();
    }
}

/**
 * Asks what became of the photos that the node has taken over: one after the other, the oldest first.
 * @param {number} [wait] milliseconds
 */
export function askSoon(wait = 1000) {
    clearTimeout(askTimer);
    askTimer = setTimeout(askSaved, wait);
}
let askTimer = 0;
let isAsking = false;
async function askSaved() {
    if (isAsking || stops.size) return;
    isAsking = true;
    for (;;) {
        const upload = uploads.find((one) => one.state === "saved");
        if (!upload?.location) break;
        try {
            const known = await tus.ask(upload.location, new AbortController().signal);
            if (upload.state !== "saved") continue;
            if (!known.photo) break;
            settle(upload, known.photo);
        } catch (error) {
            if (upload.state !== "saved") continue;
            // Locked: its photo is being made just now.
            if (error instanceof ApiError && (error.status === 0 || error.status === 423)) break;
            if (error instanceof ApiError && error.status === 404 && !upload.file && !upload.isKept) {
                upload.location = null;
                become(upload, "lost");
                continue;
            }
            failed(upload, error);
            if (isOnItsWay(upload)) break;
        }
    }
    isAsking = false;
    pump();
    if (uploads.some((one) => one.state === "saved")) askSoon(document.hidden ? 10_000 : 1000);
}

/** @param {Upload} upload @param {AbortSignal} signal @returns {Promise<string|null>} the photo, if it is there yet */
async function transfer(upload, signal) {
    let offset = 0;
    const { size } = upload.sealed ?? upload;
    const isBegun = upload.location !== null && !upload.next;
    const location = await place(upload, signal);
    if (isBegun) {
        const known = await tus.ask(location, signal);
        if (known.photo || known.isTaken) return known.photo;
        offset = known.offset;
    }
    for (;;) {
        moved(upload, offset);
        const { bytes, checksum } = await (upload.next?.start === offset ? upload.next.made : makeNext(upload, offset));
        const end = offset + bytes.size;
        const begun = Date.now();
        const sending = tus.send(location, offset, bytes, checksum, end === size,
            (sent) => moved(upload, offset + sent), signal);
        if (end < size && (upload.file || upload.sealed)) makeNext(upload, end);
        const answer = await sending;
        learn(bytes.size, Date.now() - begun);
        if (answer.photo || answer.isTaken) return answer.photo;
        if (answer.offset <= offset) throw new ApiError(0, "unreachable", "no progress");
        offset = answer.offset;
        upload.tries = 0;
        // More may be sent at once now.
        pump();
    }
}

/** @param {Upload} upload @param {number} sent */
function moved(upload, sent) {
    upload.movedAt = Date.now();
    upload.sent = Math.min(sent / (upload.sealed ?? upload).size, 1) * upload.size;
    progressed.add(upload);
    drawing ||= setTimeout(showProgress, 200);
}

/** Uploads that have moved since they were drawn. Each drawing takes time that sending needs. @type {Set<Upload>} */
const progressed = new Set();
let drawing = 0;
function showProgress() {
    drawing = 0;
    for (const upload of progressed) if (upload.state === "sending") owner.onChange(upload);
    progressed.clear();
}

/** @param {Upload} upload @param {number} start @param {number} end @returns {Promise<Slice>} throws "unreadable" */
async function sliceOf(upload, start, end) {
    const withChecksum = async (/** @type {Blob} */ bytes) => ({ bytes, checksum: await crc32(bytes) });
    try {
        if (upload.file && !upload.sealed) return await withChecksum(upload.file.slice(start, end));
    } catch { /* the phone has withdrawn the file; perhaps there is a copy */ }
    try {
        return await withChecksum(upload.sealed?.slice(start, end) ?? await kept.read(upload.id, start, end));
    } catch {
        throw new ApiError(-1, "unreadable", "the file can no longer be read");
    }
}

/** @param {Upload} upload @param {number} start @returns {Promise<Slice>} throws "unreadable" */
function makeNext(upload, start) {
    const made = sliceOf(upload, start, Math.min((upload.sealed ?? upload).size, start + slice));
    made.catch(() => { /* sending it says what is wrong */ });
    upload.next = { start, made };
    return made;
}

/**
 * Determines the effect of an error on a file.
 * @param {Upload} upload
 * @param {unknown} error
 */
function failed(upload, error) {
    if (!(error instanceof ApiError)) {
        become(upload, "failed", "server");
        throw error;
    }
    upload.tries += 1;
    // The next attempt may begin elsewhere, with smaller slices.
    upload.next = null;
    const { status, code } = error;
    if (status === 0) Object.assign(recent, { bytes: 0, ms: 0 });
    upload.isBoxFull = code === "disk-full";
    const soon = (error.retryAfter ?? Math.min(2 ** Math.min(upload.tries - 1, 5), 30)) * 1000 + Math.random() * 500;
    upload.notBefore = Date.now() + soon;
    if (status === 401 || code === "not-entered") {
        stops.add("guest");
        become(upload, "queued");
        owner.onSessionLost();
    } else if (code === "no-consent" || code === "no-name") {
        stops.add("guest");
        become(upload, "queued");
        owner.onConsentMissing();
    } else if (code === "unknown-mission") {
        // The host has removed it: the photo goes without.
        Object.assign(upload, { mission: null, notBefore: 0 });
        become(upload, "queued");
    } else if (code === "sealing-off" || code === "seal-first") {
        // The page learns from api/me that the host has switched it.
        Object.assign(upload, { sealed: null, location: null });
        refresh().catch(() => null);
        queueUnlessOften(upload);
    } else if (status === -1) {
        upload.isKept = false;
        become(upload, "failed", "unreadable");
    } else if (status === 404 || status === 410) {
        // Dropped by the node, or of an earlier session: start over.
        upload.location = null;
        queueUnlessOften(upload);
    } else if (status === 413 && slice > 64 * 1024) {
        slice /= 2;
        upload.notBefore = 0;
        become(upload, "queued");
    } else if (status === 460) {
        // Bits flipped in transit, and the slice is not kept. A smaller slice is hit less often.
        slice = Math.max(slice / 2, 64 * 1024);
        upload.notBefore = Date.now() + (upload.tries > limits.serverTries ? 2000 : 0);
        become(upload, "queued");
    } else if (status === 0 || status === 423 || status === 429 || status === 503) {
        // Locked: the node still holds a connection that this phone has given up.
        become(upload, "queued");
    } else if (status >= 500 || (status === 409 && !isFinal(code)) || status === 408) {
        queueUnlessOften(upload);
    } else {
        // The node keeps no bytes of a guest who may add nothing: tried again, it is sent from the beginning.
        if (code === "put-out" || isFinal(code)) upload.location = null;
        become(upload, "failed", status === 413 ? "too-large" : code);
    }
}

/** Whether the event does not take the photo now, however often it is sent. @param {string} code */
const isFinal = (code) => ["roll-full", "not-begun", "over", "camera-only", "ticket-needed"].includes(code);

/** @param {Upload} upload */
function queueUnlessOften(upload) {
    if (upload.tries > limits.serverTries) become(upload, "failed", "server");
    else become(upload, "queued");
}
