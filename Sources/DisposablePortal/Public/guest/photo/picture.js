// SPDX-License-Identifier: Apache-2.0
// One photo, as large as the screen permits: its thumbnail at once and the sharp picture over it. The picture is an
// <img> with nothing above it, so that a long press saves it. A swipe moves it with the finger, a double tap zooms in.
import { photoURL } from "../../shared/api.js";
import { find, icon, make } from "../../shared/dom.js";
import { maySave } from "../../shared/options.js";
import { isVideo } from "../../shared/photos.js";
import { text } from "../../shared/text.js";
import { altOf, thumbnailOf } from "../gallery/tiles.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** Formats of all current browsers. HEIC is Apple's only, and shown by the node's preview. */
const shownEverywhere = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];
/** The viewing time in milliseconds after which the original is loaded, unless it has more than that many bytes. */
const dwell = { time: 2000, limit: 12e6 };
/** Milliseconds: a picture settles after a swipe; the limit of a double tap; the retry of an unreachable node. */
const times = { settle: 150, secondTap: 280, again: 4_000 };
const enlarged = 2.5;

/** @type {{turn: (direction: number) => void, neighbour: (direction: number) => Photo|undefined, close: () => void,
 *     tap: () => void}} */
let owner;
/** @type {Photo|null} */
let current = null;
/** The content of the stage: the photo, and its class. */
let shown = "";
let timer = 0;
let zoom = { scale: 1, x: 0, y: 0 };

/** @param {typeof owner} to `turn` is called once a swipe has settled, `tap` for a single tap on a touch screen */
export function setUpStage(to) {
    owner = to;
    const stage = find("photo-stage");
    listenForSwipes(stage);
    listenForTaps(stage);
}

export function clearStage() {
    clearTimeout(timer);
    current = null;
    shown = "";
    find("photo-stage").replaceChildren();
}

/** @param {Photo} photo in its present state */
export function showOnStage(photo) {
    const canShow = shownEverywhere.includes(photo.mediaType);
    const has = (/** @type {string} */ what) => photo.has.includes(what);
    const best = isVideo(photo) ? (has("original") ? "original" : "")
        : has("preview") ? "preview" : has("original") && canShow && maySave(photo) ? "original" : has("thumbnail") ? "thumbnail" : "";
    const state = `${photo.id} ${best} ${photo.state} ${photo.turn}`;
    if (shown === state) return;
    const isOther = current?.id !== photo.id;
    shown = state;
    current = photo;
    clearTimeout(timer);
    find("photo-hold").hidden = !best || isVideo(photo) || !maySave(photo) || !matchMedia("(any-pointer: coarse)").matches;
    const slide = slideOf(photo);
    if (!best && photo.state === "sealed") showSealed(photo, slide);
    else if (!best) slide.append(neutral(photo, has("original") ? notShown(photo) : photo.state === "veiled" ? text.gallery.veiled : text.photo.notHere));
    else if (isVideo(photo)) slide.append(video(photo, slide));
    else slide.append(picture(photo, /** @type {any} */ (best), slide));
    if (isOther || zoom.scale === 1) enlarge(1);
    const neighbours = [-1, 1].map((direction) => owner.neighbour(direction));
    find("photo-stage").replaceChildren(make("div", { class: "reel" },
        neighbours[0] ? slideOf(neighbours[0], "before") : null, slide, neighbours[1] ? slideOf(neighbours[1], "after") : null));
    if (!isOther) return;
    for (const neighbour of neighbours) {
        if (neighbour?.has.includes("preview")) new Image().src = photoURL(neighbour.id, "preview");
    }
}

/**
 * The enlarged thumbnail, if there is one: the gallery has it already.
 * @param {Photo} photo
 */
function slideOf(photo, place = "here") {
    const src = thumbnailOf(photo);
    const under = src ? make("img", { class: "under", src, alt: "",
        "data-turn": photo.turn || null, width: photo.width || null, height: photo.height || null }) : null;
    return make("div", { class: `slide ${place}` }, under);
}

/** Only this browser has a picture of what it has sealed, a small one. @param {Photo} photo @param {HTMLElement} slide */
function showSealed(photo, slide) {
    slide.querySelector("img")?.setAttribute("alt", altOf(photo));
    slide.append(slide.firstChild ? make("p", { class: "stage-note" }, text.sealed.own) : neutral(photo, text.sealed.own));
}

/** @param {Photo} photo @param {"preview"|"original"|"thumbnail"} best @param {HTMLElement} slide */
function picture(photo, best, slide) {
    const image = make("img", { src: photoURL(photo.id, best), alt: altOf(photo), "data-turn": photo.turn || null,
        width: photo.width || null, height: photo.height || null });
    image.addEventListener("load", () => slide.querySelector(".under")?.remove(), { once: true });
    image.addEventListener("error", () => explain(photo, image, slide), { once: true });
    const canShow = shownEverywhere.includes(photo.mediaType);
    if (best !== "original" && canShow && maySave(photo) && photo.has.includes("original")
        && (photo.byteCount ?? Infinity) <= dwell.limit) {
        timer = setTimeout(() => improve(photo, image), dwell.time);
    }
    return image;
}

/** @param {Photo} photo @param {HTMLElement} slide */
function video(photo, slide) {
    slide.replaceChildren();
    const has = (/** @type {string} */ what) => photo.has.includes(what);
    const poster = has("thumbnail") ? photoURL(photo.id, has("preview") ? "preview" : "thumbnail") : null;
    const video = make("video", { src: photoURL(photo.id, "original"), controls: true, playsinline: true,
        preload: "metadata", poster, "aria-label": altOf(photo), controlslist: maySave(photo) ? null : "nodownload" });
    video.addEventListener("error", () => explain(photo, video, slide), { once: true });
    return video;
}

/**
 * Replaces the preview by the original, since a long press saves the visible file.
 * @param {Photo} photo
 * @param {HTMLImageElement} image
 */
function improve(photo, image) {
    if (document.hidden || /** @type {any} */ (navigator).connection?.saveData) return;
    const full = new Image();
    full.onload = () => { if (current?.id === photo.id && image.isConnected) image.src = full.src; };
    full.src = photoURL(photo.id, "original");
}

/**
 * A browser does not distinguish an unsupported format from an unreachable node, so the node is asked.
 * @param {Photo} photo
 * @param {HTMLImageElement|HTMLVideoElement} element
 * @param {HTMLElement} slide
 */
async function explain(photo, element, slide) {
    let sentence = text.photo.notReached;
    try {
        const answer = await fetch(element.src, { headers: { Range: "bytes=0-0" }, cache: "no-store" });
        await answer.body?.cancel();
        sentence = answer.ok ? notShown(photo) : answer.status === 404 ? text.photo.notHere : sentence;
    } catch { /* the node is away */ }
    if (!slide.isConnected || current?.id !== photo.id) return;
    element.remove();
    slide.append(slide.querySelector(".under") ? make("p", { class: "stage-note", role: "status" }, sentence)
        : neutral(photo, sentence));
    if (sentence !== text.photo.notReached) return;
    timer = setTimeout(() => {
        if (current?.id !== photo.id) return;
        shown = "";
        showOnStage(photo);
    }, times.again);
}

/** @param {Photo} photo */
const notShown = (photo) => maySave(photo) ? text.photo.notShown : text.photo.notShownHere;

/** @param {Photo} photo @param {string} sentence */
const neutral = (photo, sentence) => make("div", { class: "neutral large" }, icon(isVideo(photo) ? "film" : "file"),
    make("p", {}, sentence));

// Gestures

/** @param {number} across @param {number} down pixels @param {boolean} isSettling */
function move(across, down, isSettling = false) {
    const reel = /** @type {HTMLElement|null} */ (find("photo-stage").firstElementChild);
    if (!reel) return;
    reel.classList.toggle("settling", isSettling);
    reel.style.transform = across || down ? `translate(${across}px, ${down}px)` : "";
}

/** @param {HTMLElement} stage */
function listenForSwipes(stage) {
    /** @type {{x: number, y: number, axis: "across"|"down"|"pan"|null, from: {x: number, y: number}}|null} */
    let swipe = null;
    stage.addEventListener("touchstart", (event) => {
        // Two fingers zoom the page; a video has its own controls.
        const isOne = event.touches.length === 1 && (window.visualViewport?.scale ?? 1) < 1.05
            && !(event.target instanceof HTMLVideoElement);
        const { clientX: x, clientY: y } = event.touches[0];
        swipe = isOne ? { x, y, axis: null, from: { ...zoom } } : null;
        if (!isOne) move(0, 0);
    }, { passive: true });
    stage.addEventListener("touchmove", (event) => {
        if (!swipe) return;
        const [across, down] = [event.touches[0].clientX - swipe.x, event.touches[0].clientY - swipe.y];
        if (!swipe.axis && Math.hypot(across, down) > 8) {
            swipe.axis = zoom.scale > 1 ? "pan" : Math.abs(across) > Math.abs(down) ? "across" : "down";
        }
        if (swipe.axis === "pan") enlarge(zoom.scale, swipe.from.x + across, swipe.from.y + down);
        // Without a neighbour the picture resists.
        else if (swipe.axis === "across") move(owner.neighbour(across < 0 ? 1 : -1) ? across : across / 4, 0);
        else if (swipe.axis === "down") move(0, Math.max(down, 0));
    }, { passive: true });
    stage.addEventListener("touchend", (event) => {
        if (!swipe || event.touches.length) return;
        const touch = event.changedTouches[0];
        const [across, down] = [touch.clientX - swipe.x, touch.clientY - swipe.y];
        const { axis } = swipe;
        swipe = null;
        const direction = across < 0 ? 1 : -1;
        if (axis === "across" && Math.abs(across) > 48 && owner.neighbour(direction)) {
            move(-direction * stage.clientWidth, 0, true);
            const photo = current;
            setTimeout(() => { if (current === photo) owner.turn(direction); }, times.settle);
        } else if (axis === "down" && down > 90) {
            owner.close();
        } else {
            move(0, 0, true);
        }
    }, { passive: true });
    stage.addEventListener("touchcancel", () => { swipe = null; move(0, 0, true); }, { passive: true });
}

/** @param {HTMLElement} stage */
function listenForTaps(stage) {
    let last = 0;
    let pending = 0;
    stage.addEventListener("click", (event) => {
        if (event.target instanceof HTMLVideoElement) return;
        clearTimeout(pending);
        if (event.timeStamp - last < times.secondTap) {
            last = 0;
            if (zoom.scale > 1) return enlarge(1);
            const box = stage.getBoundingClientRect();
            const [x, y] = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
            return enlarge(enlarged, x * (1 - enlarged), y * (1 - enlarged));
        }
        last = event.timeStamp;
        if (matchMedia("(any-pointer: coarse)").matches) pending = setTimeout(() => owner.tap(), times.secondTap);
    });
}

/** @param {number} scale @param {number} x @param {number} y pixels from the middle */
function enlarge(scale, x = 0, y = 0) {
    const stage = find("photo-stage");
    const bound = (/** @type {number} */ at, /** @type {number} */ size) => {
        const most = size * (scale - 1) / 2;
        return Math.min(most, Math.max(-most, at));
    };
    zoom = { scale, x: bound(x, stage.clientWidth), y: bound(y, stage.clientHeight) };
    const slide = stage.querySelector(".slide.here");
    if (slide) slide.style.transform = scale === 1 ? "" : `translate(${zoom.x}px, ${zoom.y}px) scale(${scale})`;
}
