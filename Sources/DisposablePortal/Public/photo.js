// SPDX-License-Identifier: Apache-2.0
// One photo, as large as the screen allows: a real <img> with nothing above it, so that a long press saves it.
import { photoURL } from "./api.js";
import { find, make, icon, say } from "./dom.js";
import { altOf } from "./gallery.js";
import { isVideo, PhotoList } from "./photos.js";
import { setUpRemarks, showRemarks } from "./remarks.js";
import { text } from "./text.js";
import { back, currentView, go } from "./views.js";

/** @typedef {import("./photos.js").Photo} Photo */

/** What every browser of today shows. HEIC is Apple's alone, and shown by the preview that the node made. */
const shownEverywhere = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];
/** A look this long earns the original, unless it is larger than that many bytes. */
const dwellTime = 2000;
const dwellLimit = 12e6;

/** @type {PhotoList} */
let list;
/** @type {Photo|null} */
let current = null;
/** What the stage shows: photo and which of its bytes. */
let shown = "";
let dwell = 0;
/** @type {(photo: Photo) => void} */
let remove;

/** @param {PhotoList[]} lists @param {(photo: Photo) => void} onRemove */
export function setUpPhoto(lists, onRemove) {
    remove = onRemove;
    find("photo-close").addEventListener("click", back);
    find("photo-previous").addEventListener("click", () => step(-1));
    find("photo-next").addEventListener("click", () => step(1));
    find("photo-remove").addEventListener("click", () => { if (current) remove(current); });
    addEventListener("keydown", (event) => {
        if (currentView() !== "photo" || find("ask").open || event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.target instanceof HTMLVideoElement && event.key !== "Escape") return;
        // Who writes moves within the text; the first Escape leaves that.
        if (event.target instanceof HTMLTextAreaElement) {
            if (event.key === "Escape") event.target.blur();
            return;
        }
        if (event.key === "ArrowLeft") step(-1);
        else if (event.key === "ArrowRight") step(1);
        else if (event.key === "Escape") back();
    });
    setUpRemarks();
    listenForSwipes(find("photo-stage"));
    for (const one of lists) {
        one.listeners.push((change) => {
            if (one === list && current && currentView() === "photo") follow(change);
        });
    }
}

/** @param {PhotoList} from the gallery that it is seen in @param {string} id */
export function showPhoto(from, id) {
    list = from;
    const photo = from.byID.get(id);
    if (photo) show(photo);
    else go(from.isMine ? "mine" : "everyone");
}

/** Nothing large stays in memory while the gallery, or the camera, is in front. */
export function closePhoto() {
    if (!current) return;
    clearTimeout(dwell);
    current = null;
    shown = "";
    find("photo-stage").replaceChildren();
    showRemarks(null);
}

/** @param {import("./photos.js").Change} change */
function follow(change) {
    const photo = /** @type {Photo} */ (current);
    if (list.byID.has(photo.id) && !list.hidden.has(photo.id)) {
        const now = /** @type {Photo} */ (list.byID.get(photo.id));
        if (change.type !== "change" || change.photo.id === photo.id) show(now);
        return;
    }
    // Taken back: its neighbour comes in its place.
    if (change.type === "remove" && change.photo.id === photo.id) say(text.photo.gone);
    const older = list.visible.find((other) => other.addedAt <= photo.addedAt) ?? list.visible[list.visible.length - 1];
    if (older) step(0, older);
    else back();
}

/** @param {number} direction @param {Photo} [photo] */
async function step(direction, photo) {
    const photos = list.visible;
    const at = photos.findIndex((one) => one.id === current?.id);
    if (!photo && direction > 0 && at === photos.length - 1 && !list.isComplete) {
        await list.loadMore().catch(() => null);
        if (currentView() !== "photo") return;
    }
    const next = photo ?? list.visible[at + direction];
    if (!next) return;
    go("photo", { id: next.id });
}

/** @param {Photo} photo */
function show(photo) {
    const isOther = current?.id !== photo.id;
    current = photo;
    const photos = list.visible;
    const at = photos.findIndex((one) => one.id === photo.id);
    const count = Math.max(list.visibleCount, photos.length);
    const alt = altOf(photo);
    find("photo-place").textContent = text.photo.of(at + 1, count);
    find("photo-author").textContent = photo.authorName ?? text.guest;
    find("photo-caption").textContent = photo.caption ?? "";
    find("photo-caption").hidden = !photo.caption;
    const time = find("photo-time");
    time.textContent = text.time(photo.takenAt ?? photo.addedAt);
    time.dateTime = new Date(photo.takenAt ?? photo.addedAt).toISOString();
    const save = find("photo-save");
    save.hidden = !photo.has.includes("original");
    save.href = photoURL(photo.id, "original?download");
    find("photo-size").textContent = photo.byteCount === null ? "" : text.size(photo.byteCount);
    find("photo-remove").hidden = !photo.isMine;
    // Buttons that do nothing keep their place, so that the thumb finds the other one where it was.
    find("photo-previous").disabled = at <= 0;
    find("photo-next").disabled = at === photos.length - 1 && list.isComplete;
    if (isOther) {
        say(text.photo.announce(alt, at + 1, count));
        shown = "";
    }
    draw(photo, alt);
    showRemarks(photo);
    const neighbour = photos[at + 1];
    if (isOther && neighbour?.has.includes("preview")) new Image().src = photoURL(neighbour.id, "preview");
}

/** @param {Photo} photo @param {string} alt */
function draw(photo, alt) {
    const canShow = shownEverywhere.includes(photo.mediaType);
    const has = (/** @type {string} */ what) => photo.has.includes(what);
    const best = isVideo(photo) ? (has("original") ? "original" : "")
        : has("preview") ? "preview" : has("original") && canShow ? "original" : has("thumbnail") ? "thumbnail" : "";
    const state = `${photo.id} ${best}`;
    if (shown === state) return;
    shown = state;
    clearTimeout(dwell);
    const stage = find("photo-stage");
    find("photo-hold").hidden = !best || isVideo(photo) || !matchMedia("(any-pointer: coarse)").matches;
    if (!best) {
        stage.replaceChildren(neutral(photo, has("original") ? text.photo.notShown : text.photo.notHere));
    } else if (isVideo(photo)) {
        const poster = has("thumbnail") ? photoURL(photo.id, has("preview") ? "preview" : "thumbnail") : null;
        const video = make("video", { src: photoURL(photo.id, "original"), controls: true, playsinline: true,
            preload: "metadata", poster, "aria-label": alt });
        video.addEventListener("error", () => stage.replaceChildren(neutral(photo, text.photo.notShown)),
            { once: true });
        stage.replaceChildren(video);
    } else {
        const image = make("img", { src: photoURL(photo.id, /** @type {any} */ (best)), alt,
            width: photo.width || null, height: photo.height || null });
        image.addEventListener("error", () => {
            if (shown === state) stage.replaceChildren(neutral(photo, text.photo.notShown));
        }, { once: true });
        stage.replaceChildren(image);
        if (best !== "original" && canShow && has("original") && (photo.byteCount ?? Infinity) <= dwellLimit) {
            dwell = setTimeout(() => improve(photo, image), dwellTime);
        }
    }
}

/**
 * The whole file in the preview's place, since that is what a long press saves.
 * @param {Photo} photo
 * @param {HTMLImageElement} image
 */
function improve(photo, image) {
    if (document.hidden || /** @type {any} */ (navigator).connection?.saveData) return;
    const full = new Image();
    full.onload = () => { if (current?.id === photo.id && image.isConnected) image.src = full.src; };
    full.src = photoURL(photo.id, "original");
}

/** @param {Photo} photo @param {string} sentence */
const neutral = (photo, sentence) => make("div", { class: "neutral large" }, icon(isVideo(photo) ? "film" : "file"),
    make("p", {}, sentence));

/** @param {HTMLElement} stage */
function listenForSwipes(stage) {
    let x = 0;
    let y = 0;
    let isSwipe = false;
    stage.addEventListener("touchstart", (event) => {
        // Two fingers zoom, and a photo that is zoomed is moved, not turned over.
        isSwipe = event.touches.length === 1 && (window.visualViewport?.scale ?? 1) < 1.05
            && !(event.target instanceof HTMLVideoElement);
        ({ clientX: x, clientY: y } = event.touches[0]);
    }, { passive: true });
    stage.addEventListener("touchend", (event) => {
        const touch = event.changedTouches[0];
        const [across, down] = [touch.clientX - x, touch.clientY - y];
        if (!isSwipe || event.touches.length) return;
        if (Math.abs(across) > 48 && Math.abs(across) > 1.5 * Math.abs(down)) step(across < 0 ? 1 : -1);
    }, { passive: true });
}
