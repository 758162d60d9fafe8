// SPDX-License-Identifier: Apache-2.0
// My photos: a tile for every file on its way from the moment it was chosen, below them those that are there; the two
// buttons that take them; and taking them back.
import { ApiError, call } from "./api.js";
import { agreed } from "./consent.js";
import { ask, find, icon, make, say, toast } from "./dom.js";
import { PhotoList } from "./photos.js";
import { framesLeft } from "./session.js";
import { text } from "./text.js";
import * as queue from "./uploads.js";
import { currentView, go } from "./views.js";

/** @typedef {import("./photos.js").Photo} Photo */
/** @typedef {import("./uploads.js").Upload} Upload */

/** Small pictures of what was just chosen, while that is cheap. */
const sketchLimit = { count: 24, bytes: 16e6, pixels: 256 };
const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent)
    || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** @type {Map<string, {tile: HTMLElement, state: HTMLElement, picture: HTMLElement, bar: HTMLProgressElement}>} */
const tiles = new Map();

/**
 * The two inputs stay in the page for good: a phone that finds another one after its camera hands the photo to nobody.
 */
export function setUpInputs() {
    for (const input of [find("camera"), find("library")]) {
        const isCamera = input.id === "camera";
        input.addEventListener("click", (/** @type {Event} */ event) => {
            // Better now than after the photo of the evening. What was begun may still be chosen again.
            if (framesLeft() === 0 && !queue.uploads.some((one) => one.state === "lost")) {
                event.preventDefault();
                toast(text.mine.full);
                return;
            }
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
            if (files.length) take(files);
        });
    }
    find("preparing-close").addEventListener("click", hidePreparing);
    addEventListener("dragover", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        find("drop").hidden = find("party").hidden;
    });
    addEventListener("dragleave", (event) => { if (!event.relatedTarget) find("drop").hidden = true; });
    addEventListener("drop", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        find("drop").hidden = true;
        if (!find("party").hidden && event.dataTransfer.files.length) take([...event.dataTransfer.files]);
    });
    find("retry-all").addEventListener("click", queue.retryAll);
}

/**
 * Android may close the page behind the camera.
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

/** @param {string} sentence */
function showPreparing(sentence) {
    find("preparing-text").textContent = sentence;
    find("preparing").hidden = false;
}
function hidePreparing() {
    find("preparing").hidden = true;
}

/** @param {File[]} files */
async function take(files) {
    if (!await agreed()) return;
    go("mine");
    scrollTo(0, 0);
    // What waited for that goes on, too.
    queue.resume();
    const room = framesLeft();
    const { known, left } = await queue.add(files);
    if (left) toast(text.party.tooMany(files.length - left), null, 10_000);
    else if (known) toast(text.party.already(known));
    else if (room !== null && files.length > room) toast(text.party.room(room), null, 10_000);
}

// Tiles of uploads

/** @param {Upload} upload */
export function showUpload(upload) {
    if (upload.state === "done" && !upload.photo) {
        tiles.get(upload.id)?.tile.remove();
        tiles.delete(upload.id);
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

/** @param {Upload} upload */
function describe(upload) {
    const percent = upload.size ? Math.floor(upload.sent / upload.size * 100) : 0;
    /** @type {any} */
    const reasons = text.mine.reason;
    const label = upload.state === "failed" ? reasons[upload.reason ?? ""] ?? reasons.refused
        : upload.state === "lost" ? text.mine.lost
        : upload.state === "done" ? text.mine.done
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
    // The tiles stand in the order they were chosen in, those of an earlier page first.
    const after = queue.uploads.slice(queue.uploads.indexOf(upload) + 1).find((other) => tiles.has(other.id));
    find("uploads").insertBefore(tile, after ? tiles.get(after.id)?.tile ?? null : null);
    sketch(upload, picture);
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

/** One after the other, since each is a whole photo in memory for a moment. */
let sketching = Promise.resolve();
let sketchCount = 0;
/** @param {Upload} upload @param {HTMLElement} picture */
function sketch(upload, picture) {
    const { file } = upload;
    if (!file || typeof createImageBitmap !== "function" || sketchCount >= sketchLimit.count
        || file.size > sketchLimit.bytes
        || !/^image\/(jpeg|png|webp)$/.test(file.type)) return;
    sketchCount += 1;
    sketching = sketching.then(async () => {
        if (!picture.isConnected || upload.state === "done") return;
        const bitmap = await createImageBitmap(file, { resizeWidth: sketchLimit.pixels, resizeQuality: "low" });
        const canvas = make("canvas", { width: sketchLimit.pixels, height: sketchLimit.pixels, "aria-hidden": "true" });
        const scale = sketchLimit.pixels / Math.min(bitmap.width, bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        canvas.getContext("2d").drawImage(bitmap, (sketchLimit.pixels - width) / 2, (sketchLimit.pixels - height) / 2,
            width, height);
        bitmap.close();
        picture.replaceChildren(canvas);
    }).catch(() => { /* a neutral tile does as well */ }).finally(() => { sketchCount -= 1; });
}

/** What is going on, in one line that is in sight from every gallery. */
function drawSummary() {
    const all = queue.uploads;
    const open = all.filter(queue.isOpen).length;
    const done = all.filter((one) => one.state === "done").length;
    const failed = all.filter((one) => one.state === "failed").length;
    const isMoving = all.some((one) => one.state === "sending");
    const line = find("progress");
    const isBoxFull = all.some((one) => one.state === "queued" && one.isBoxFull);
    const sentence = open ? (isBoxFull ? text.party.boxFull(open) : isMoving ? text.party.sending(done + 1, done + open) : text.party.waiting(open))
        : failed ? text.party.failed(failed) : "";
    line.hidden = !sentence;
    if (find("progress-text").textContent !== sentence) find("progress-text").textContent = sentence;
    find("progress").classList.toggle("is-failed", !open && failed > 0);
    find("retry-all").hidden = all.filter(queue.canRetry).length < 2;
    find("uploads-part").hidden = !tiles.size;
    find("unkept").hidden = !open || all.every((one) => !queue.isOpen(one) || one.isKept) || canKeep;
}
let canKeep = true;
/** @param {boolean} isKeeping whether unsent files outlive the page */
export function setKeeping(isKeeping) {
    canKeep = isKeeping;
}

/**
 * A photo has arrived: its tile gives way to the photo itself.
 * @param {PhotoList[]} lists
 * @param {string} id
 */
export async function showArrived(lists, id) {
    // Several, where the same file was chosen twice at once.
    const arrived = queue.uploads.filter((one) => one.photo === id);
    try {
        const photo = await call("GET", `api/photos/${id}`);
        for (const list of lists) list.put(photo);
    } catch { /* the stream brings it, or the next reload */ }
    setTimeout(() => {
        if (!arrived.length) return;
        for (const { id: upload } of arrived) {
            tiles.get(upload)?.tile.remove();
            tiles.delete(upload);
        }
        // The whole batch is forgotten together, so that "3 of 12" counts what was chosen together.
        const isOver = !queue.uploads.some((one) => queue.isOpen(one));
        if (isOver) {
            const done = queue.uploads.filter((one) => one.state === "done").length;
            const rest = queue.uploads.filter((one) => one.state !== "done");
            queue.uploads.splice(0, queue.uploads.length, ...rest);
            if (done && !rest.length && currentView() !== "photo") toast(text.party.sent(done), null, 4000);
            if (done) say(text.party.sent(done));
        }
        drawSummary();
    }, 900);
}

// Taking back

/**
 * @param {PhotoList[]} lists all that may show them
 * @param {Photo[]} photos this guest's own
 * @returns {Promise<boolean>} whether the guest meant it
 */
export async function takeBack(lists, photos) {
    if (!photos.length) return false;
    const body = framesLeft() === null ? [text.photo.removeBody] : [text.photo.removeBody, text.photo.removeFrame];
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
