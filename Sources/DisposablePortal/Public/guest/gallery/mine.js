// SPDX-License-Identifier: Apache-2.0
// The guest's own photos: one contact sheet with a tile for every picked file; the two buttons that take photos; and
// deleting them.
import { ApiError, call } from "../../shared/api.js";
import { agreed } from "../consent.js";
import { ask, find, icon, isOffering, make, say, toast } from "../../shared/dom.js";
import { whichFit } from "./fits.js";
import { named, options, withoutLongVideos } from "../../shared/options.js";
import { nudge } from "../phase.js";
import { PhotoList } from "../../shared/photos.js";
import { forget } from "../sending/sent.js";
import { me, refresh } from "../../shared/session.js";
import { sketch } from "./sketches.js";
import { text } from "../../shared/text.js";
import * as queue from "../sending/uploads.js";
import { back, currentView, go } from "../views.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {import("../sending/uploads.js").Upload} Upload */

const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent)
    || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** @type {Map<string, {tile: HTMLElement, state: HTMLElement, picture: HTMLElement, bar: HTMLProgressElement}>} */
const tiles = new Map();
/** @type {import("./gallery.js").Grid} */
let grid;

/**
 * The two inputs stay in the page permanently: a phone that finds another one after its camera loses the photo.
 * @param {import("./gallery.js").Grid} mineGrid the contact sheet
 */
export function setUpInputs(mineGrid) {
    grid = mineGrid;
    for (const input of [find("camera"), find("library")]) {
        const isCamera = input.id === "camera";
        input.addEventListener("click", (/** @type {Event} */ event) => {
            // The camera of the phone takes over from the viewfinder, with its mission.
            if (!isOwnCamera) [mission, nextMission] = [nextMission, null];
            if (isCamera && canFind && !isOwnCamera) {
                event.preventDefault();
                go("finder", { push: true });
                return;
            }
            isOwnCamera = false;
            // Said before the picker covers the page: a phone may prepare photos for half a minute without a word.
            showPreparing(isApple && !isCamera ? text.party.preparingMany : text.party.preparing);
            if (isCamera) remember("camera", "open");
        });
        input.addEventListener("cancel", () => { hidePreparing(); remember("camera", null); });
        input.addEventListener("change", () => {
            hidePreparing();
            remember("camera", null);
            const files = [...input.files];
            input.value = "";
            if (files.length) take(files, isCamera ? "camera" : "library");
        });
    }
    find("preparing-close").addEventListener("click", hidePreparing);
    addEventListener("dragover", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        find("drop").hidden = find("party").hidden || options().isCameraOnly;
    });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) find("drop").hidden = true; });
    addEventListener("drop", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        find("drop").hidden = true;
        if (find("party").hidden || !event.dataTransfer.files.length) return;
        if (options().isCameraOnly) toast(text.mine.reason["camera-only"]);
        else take([...event.dataTransfer.files], "library");
    });
    find("retry-all").addEventListener("click", queue.retryAll);
    firstUse(true);
}

/**
 * Whether Android has closed the page behind the camera.
 * @returns {boolean}
 */
export function wasCameraLost() {
    let open = null;
    try { open = sessionStorage.getItem("disposable.camera"); } catch { /* then it cannot be told */ }
    remember("camera", null);
    return open !== null;
}

/** @param {string} name @param {string|null} value */
function remember(name, value) {
    try {
        if (value === null) sessionStorage.removeItem(`disposable.${name}`);
        else sessionStorage.setItem(`disposable.${name}`, value);
    } catch { /* then it cannot be told */ }
}

/**
 * One line says what opens, until this browser has added something.
 * @param {boolean} isFirst
 */
function firstUse(isFirst) {
    const place = "disposable.used";
    try {
        if (!isFirst) localStorage.setItem(place, "yes");
        isFirst = localStorage.getItem(place) === null;
    } catch { /* then it is said until it is done */ }
    find("first-use").hidden = !isFirst;
}

/** @param {string} sentence */
function showPreparing(sentence) {
    find("preparing-text").textContent = sentence;
    find("preparing").hidden = false;
}
function hidePreparing() {
    find("preparing").hidden = true;
}

/** The mission that photos of the camera answer, and that of the next opening of it; `null` for none. @type {number|null} */
let mission = null;
/** @type {number|null} */
let nextMission = null;

/** Opens the camera for a mission. @param {number} id */
export function takeFor(id) {
    nextMission = id;
    find("camera").click();
}

/** Whether pages may use the camera here: not over plain HTTP, but on this very machine. */
export const canFind = isSecureContext && typeof navigator.mediaDevices?.getUserMedia === "function";
/** Whether the next tap on the button means the phone's own camera. */
let isOwnCamera = false;

/** @type {import("../camera/viewfinder.js").Owner} */
const owner = {
    shot: (file) => take([file], "camera", true),
    left: roomLeft,
    counter: () => {
        const left = roomLeft();
        return left === null ? text.party.used(framesUsed()) : text.party.left(left, me?.guest?.frames ?? 0);
    },
    // Once the gallery is in front again.
    other: () => addEventListener("popstate", () => {
        isOwnCamera = true;
        find("camera").click();
    }, { once: true }),
};

/** The photo booth, in front of the page. */
export async function showBooth() {
    mission = null;
    try {
        const { openBooth } = await import("../camera/booth.js");
        await openBooth(owner, me?.event.name ?? "");
    } catch {
        toast(text.finder.broken);
    }
}

/** The viewfinder, in the view of that name; the phone's own camera where it does not load. */
export async function showFinder() {
    try {
        const { closeFinder, drawFinder: drawOpen, openFinder, prepareFinder } = await import("../camera/viewfinder.js");
        await prepareFinder();
        // It was closed meanwhile.
        if (currentView() !== "finder") return;
        openFinder(owner);
        close = closeFinder;
        redraw = drawOpen;
    } catch {
        back();
        isOwnCamera = true;
        toast(text.finder.broken);
    }
}

/** The frames that were used before the files of the queue were added. @type {number|null} */
let usedBefore = null;

/**
 * The frames that are used with what is on its way. The node may count a photo before this page knows of it, or after: no
 * photo of the queue is counted twice, and none is left out.
 */
export function framesUsed() {
    const known = me?.guest?.framesUsed ?? 0;
    const count = queue.uploads.filter((one) => queue.isOnItsWay(one) || one.state === "done").length;
    if (!count || usedBefore === null) usedBefore = known;
    return Math.max(known, usedBefore + count);
}

/** The number of photos that still fit on the film beside those on their way; `null` without a limit. */
export function roomLeft() {
    const frames = me?.guest?.frames ?? null;
    return frames === null ? null : Math.max(0, frames - framesUsed());
}

let close = () => {};
export const closeFinder = () => close();
let redraw = () => {};
/** Shows in the viewfinder how many photos are left; does nothing while it is closed. */
export const drawFinder = () => redraw();

/**
 * @param {File[]} files
 * @param {"camera"|"library"} source
 * @param {boolean} [isStaying] whether the view stays what it is
 * @returns {Promise<boolean>} whether any of them is sent
 */
async function take(files, source, isStaying = false) {
    firstUse(false);
    // Until the questions below are answered the camera may be opened for another one.
    const answered = source === "camera" ? mission : null;
    const allowed = await withoutLongVideos(files);
    const atOnce = options().photosAtOnce ?? Infinity;
    // A film that has room for fewer asks which ones.
    const first = atOnce < (roomLeft() ?? Infinity) ? allowed.slice(0, atOnce) : allowed;
    const chosen = await fitting(first);
    if (!chosen.length || !await agreed() || !await named()) return false;
    if (!isStaying) {
        go("mine");
        scrollTo(0, 0);
    }
    // What waited for that goes on, too.
    queue.resume();
    const { taken, known, again, left } = await queue.add(chosen, source, answered);
    if (left || first.length < allowed.length) toast(text.party.tooMany(chosen.length - left), null, 10_000);
    else if (known) toast(text.party.already(known));
    else if (again) toast(text.party.sentBefore(again));
    return taken > 0;
}

/**
 * Returns the files for which the film has room, beside the uploads in progress.
 * @param {File[]} files
 * @returns {Promise<File[]>}
 */
async function fitting(files) {
    // What is chosen once more, because its sending was interrupted, is not counted as on its way.
    const room = roomLeft() ?? Infinity;
    if (files.length <= room) return files;
    if (room > 0) return whichFit(files, room);
    toast(text.full.title);
    return [];
}

// Tiles of uploads

/** @param {Upload} upload */
export function showUpload(upload) {
    if (upload.state === "done" && !upload.photo) {
        dropTile(upload.id);
    } else {
        const parts = tiles.get(upload.id) ?? makeTile(upload);
        const { label, percent } = describe(upload);
        if (parts.state.textContent !== label) parts.state.textContent = label;
        parts.bar.hidden = upload.state !== "sending";
        parts.bar.value = percent;
        if (parts.tile.dataset.state !== upload.state + upload.reason) {
            parts.tile.dataset.state = upload.state + upload.reason;
            parts.tile.className = `tile upload is-${upload.state}`;
            drawActions(parts.tile, upload);
        }
    }
    drawSummary();
}

/** @param {string} id an upload's */
function dropTile(id) {
    const parts = tiles.get(id);
    if (parts) grid.dropHead(parts.tile);
    tiles.delete(id);
}

/** @param {Upload} upload */
function describe(upload) {
    const percent = upload.size ? Math.floor(upload.sent / upload.size * 100) : 0;
    /** @type {any} */
    const reasons = text.mine.reason;
    const reason = reasons[upload.reason ?? ""] ?? reasons.refused;
    const label = upload.state === "failed" ? (typeof reason === "function" ? reason(options().videoSecondsMax) : reason)
        : upload.state === "lost" ? (options().isCameraOnly ? text.mine.lostShot : text.mine.lost)
        : upload.state === "done" ? text.mine.done
        : upload.state === "saved" ? text.mine.saved
        : upload.state === "queued" ? (upload.isReady ? text.mine.queued : text.mine.reading)
        : percent >= 100 ? text.mine.finishing : text.mine.percent(percent);
    return { label, percent };
}

/** @param {Upload} upload */
function makeTile(upload) {
    const picture = make("span", { class: "neutral" }, icon(upload.type.startsWith("video/") ? "film" : "camera"));
    const state = make("span", { class: "state" });
    const bar = make("progress", { max: 100, value: 0, hidden: true, "aria-label": upload.name });
    const tile = make("li", { class: "tile upload" }, picture, make("span", { class: "name" }, upload.name), state, bar,
        make("div", { class: "actions" }));
    const parts = { tile, state, picture, bar };
    tiles.set(upload.id, parts);
    // The tiles are in the order in which they were picked, those of an earlier page first.
    const after = queue.uploads.slice(queue.uploads.indexOf(upload) + 1).find((other) => tiles.has(other.id));
    grid.putHead(tile, after ? tiles.get(after.id)?.tile ?? null : null);
    sketch(upload.file, picture, async () => {
        await queue.untilSentOrSlow(upload);
        return picture.isConnected && upload.state !== "done";
    });
    return parts;
}

/** @param {HTMLElement} tile @param {Upload} upload */
function drawActions(tile, upload) {
    const actions = /** @type {HTMLElement} */ (tile.lastElementChild);
    actions.replaceChildren();
    if (upload.state !== "failed" && upload.state !== "lost") return;
    const label = (/** @type {string} */ action) => `${action}: ${upload.name}`;
    if (queue.canRetry(upload)) {
        actions.append(make("button", { type: "button", class: "button small", "aria-label": label(text.mine.retry),
            click: () => queue.retry(upload) },
            icon("retry"), text.mine.retry));
    }
    actions.append(make("button", { type: "button", class: "plain", "aria-label": label(text.mine.discard),
        click: () => queue.discard(upload) },
        text.mine.discard));
}

/** Shows the progress in one line that is visible in every gallery. */
function drawSummary() {
    const all = queue.uploads;
    const open = all.filter(queue.isOpen).length;
    const saved = all.filter((one) => one.state === "saved").length;
    const done = saved + all.filter((one) => one.state === "done").length;
    const failed = all.filter((one) => one.state === "failed").length;
    const isMoving = all.some((one) => one.state === "sending");
    const line = find("progress");
    const isBoxFull = all.some((one) => one.state === "queued" && one.isBoxFull);
    const sentence = open ? (isBoxFull ? text.party.boxFull(open)
        : isMoving ? text.party.sending(done + 1, done + open) : text.party.waiting(open))
        : failed ? text.party.failed(failed) : saved ? text.party.saved(saved) : "";
    line.hidden = !sentence;
    if (find("progress-text").textContent !== sentence) find("progress-text").textContent = sentence;
    find("progress").classList.toggle("is-failed", !open && failed > 0);
    find("retry-all").hidden = all.filter(queue.canRetry).length < 2;
    find("unkept").hidden = !open || all.every((one) => !queue.isOpen(one) || one.isKept) || canKeep;
    drawFinder();
}
let canKeep = true;
/** @param {boolean} isKeeping whether unsent files survive a reload */
export function setKeeping(isKeeping) {
    canKeep = isKeeping;
}

/**
 * Replaces the tile of an added photo by the photo itself.
 * @param {PhotoList[]} lists
 * @param {string} id
 */
export async function showArrived(lists, id) {
    // Several, if the same file was picked twice.
    const arrived = queue.uploads.filter((one) => one.photo === id);
    const drop = () => arrived.forEach(({ id: upload }) => dropTile(upload));
    try {
        const photo = await call("GET", `api/photos/${id}`);
        for (const list of lists) list.put(photo);
        drop();
    } catch { /* the stream brings it, or the next reload */ }
    setTimeout(async () => {
        if (!arrived.length) return;
        drop();
        // The whole batch is forgotten together, so that "3 of 12" counts what was chosen together.
        const isOver = () => !queue.uploads.some((one) => queue.isOnItsWay(one));
        // Only when the node's answer counts them: until then the queue does.
        const isCounted = isOver() && await refresh().then(() => true, () => false);
        if (isOver()) {
            const done = queue.uploads.filter((one) => one.state === "done").length;
            const rest = queue.uploads.filter((one) => one.state !== "done");
            if (isCounted) queue.uploads.splice(0, queue.uploads.length, ...rest);
            const sentence = [text.party.sent(done), nudge()].join(" ").trim();
            if (done && !rest.length && currentView() !== "photo" && !isOffering()) toast(sentence, null, 4000);
            if (done) say(sentence);
        }
        drawSummary();
    }, 900);
}

// Deleting

/**
 * @param {PhotoList[]} lists all lists that may show them
 * @param {Photo[]} photos this guest's own
 * @returns {Promise<boolean>} whether the guest confirmed
 */
export async function takeBack(lists, photos) {
    if (!photos.length) return false;
    const [all, used] = [me?.guest?.frames, photos.filter(({ state }) => state !== "waiting").length];
    const body = all && used ? [text.photo.removeBody, text.photo.removeFrame(used, all)] : [text.photo.removeBody];
    const title = text.photo.removeTitle(photos.length);
    if (!await ask({ title, body, yes: text.photo.removeYes, danger: true })) return false;
    const hide = (/** @type {string} */ id, /** @type {boolean} */ isHidden) => {
        for (const list of lists) list.hide(id, isHidden);
    };
    /** @type {string[]} */
    const removed = [];
    let trouble = null;
    for (const { id } of photos) {
        try {
            await call("DELETE", `api/photos/${id}`);
            removed.push(id);
            forget(id);
            hide(id, true);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.code === "unknown-photo") for (const list of lists) list.drop(id);
            else trouble = error;
        }
    }
    if (trouble) toast(trouble.sentence);
    if (!removed.length) return true;
    const undo = async () => {
        let isLate = false;
        for (const id of removed) {
            try {
                await call("POST", `api/photos/${id}/keep`);
                hide(id, false);
            } catch { isLate = true; }
        }
        toast(isLate ? text.photo.tooLate : text.photo.back, null, 3000);
    };
    say(text.photo.removed(removed.length));
    if (!trouble) toast(text.photo.removed(removed.length), { label: text.photo.undo, run: undo }, 9500);
    return true;
}
