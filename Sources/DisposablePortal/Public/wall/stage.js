// SPDX-License-Identifier: Apache-2.0
// The photos on the wall: one large or two side by side, with name and caption, on a blurred copy of themselves; and
// hearts that float over them.
import { photoURL } from "../shared/api.js";
import { make } from "../shared/dom.js";
import { earlyURL } from "../shared/early.js";
import { isVideo } from "../shared/photos.js";
import { text } from "../shared/text.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */
/** @typedef {{element: HTMLElement, photos: Photo[], stay: number}} Slide `stay` in milliseconds */

/** The duration of a photo, and the limit of a video. Milliseconds. */
export const stay = 8_000;
const videoMax = 30_000;
/** The time limit for a video's first frame. Milliseconds. */
const patience = 15_000;
/** The limit of hearts that float at once. */
const heartsMax = 24;

/** @param {Photo} photo @returns {"preview"|"thumbnail"|undefined} */
const still = (photo) => /** @type {const} */ (["preview", "thumbnail"]).find((size) => photo.has.includes(size));
/** @param {Photo} photo */
const plays = (photo) => isVideo(photo) && photo.has.includes("original")
    && document.createElement("video").canPlayType(photo.mediaType) !== "";

/** @param {Photo} photo */
export const isToSee = (photo) => photo.state === "frame" && (still(photo) !== undefined || plays(photo));

/** Whether a photo leaves enough room on the screen for another one beside it. @param {Photo} photo */
export function isHigh(photo) {
    const isOnItsSide = (photo.turn ?? 0) % 180 !== 0;
    const [width, height] = isOnItsSide ? [photo.height, photo.width] : [photo.width, photo.height];
    return innerWidth > innerHeight * 1.2 && height > width && !isVideo(photo);
}

/**
 * Loads photos and builds their slide.
 * @param {Photo[]} photos
 * @returns {Promise<Slide|null>} `null` if none of them could be loaded
 */
export async function slideOf(photos) {
    const loaded = await Promise.all(photos.map((photo) => load(photo).catch(() => null)));
    const there = photos.filter((_, index) => loaded[index]);
    const media = loaded.flatMap((one) => one ?? []);
    if (!there.length) return null;
    const element = make("div", { class: "slide" }, backdrop(media),
        ...there.map((photo, index) => make("figure", { "data-id": photo.id }, media[index], make("figcaption"))));
    const slide = { element, photos: there, stay: Math.max(stay, ...media.map(length)) };
    label(slide);
    return slide;
}

/** Updates names and captions. @param {Slide} slide */
export function label({ element, photos }) {
    photos.forEach((photo, index) => {
        const caption = element.querySelectorAll("figcaption")[index];
        caption.replaceChildren(make("p", { class: "by" }, [photo.authorName ?? text.guest, photo.event].filter(Boolean).join(" · ")));
        if (photo.mission) caption.append(make("p", { class: "mission" }, photo.mission.text));
        if (photo.caption) caption.append(make("p", { class: "said" }, photo.caption));
    });
}

/** Releases the resources of a slide. @param {Slide|null} slide */
export function remove(slide) {
    for (const video of slide?.element.querySelectorAll("video") ?? []) {
        video.pause();
        video.removeAttribute("src");
        video.load();
    }
    slide?.element.remove();
}

/** @param {Photo} photo @returns {Promise<HTMLImageElement|HTMLVideoElement|null>} decoded */
async function load(photo) {
    if (plays(photo)) {
        try { return await video(photo); } catch { /* its picture, where it has one */ }
    }
    const size = still(photo);
    if (!size) return null;
    const picture = make("img", { alt: "", src: photo.isEarly ? earlyURL(photo.id, size) : photoURL(photo.id, size),
        "data-turn": photo.turn || null });
    await picture.decode();
    return picture;
}

/** @param {Photo} photo @returns {Promise<HTMLVideoElement>} with its first frame */
async function video(photo) {
    const size = still(photo);
    const film = make("video", { playsinline: true, loop: true, preload: "auto",
        poster: size ? photoURL(photo.id, size) : null });
    // The attribute would only set the default.
    film.muted = true;
    await new Promise((resolve, reject) => {
        film.addEventListener("loadeddata", resolve);
        film.addEventListener("error", reject);
        setTimeout(reject, patience);
        film.src = photoURL(photo.id, "original");
    }).catch((error) => {
        film.removeAttribute("src");
        throw error;
    });
    return film;
}

/** Milliseconds. @param {HTMLImageElement|HTMLVideoElement} media */
const length = (media) => media instanceof HTMLVideoElement && Number.isFinite(media.duration)
    ? Math.min(media.duration * 1_000, videoMax) : 0;

/**
 * A copy so small that it is blurred when it fills the screen. It is drawn once, so that nothing is blurred while a
 * video plays over it, and no picture is kept.
 * @param {(HTMLImageElement|HTMLVideoElement)[]} media
 */
function backdrop(media) {
    let [width, height] = [16, 9];
    let canvas = make("canvas", { class: "backdrop", width, height, "aria-hidden": "true" });
    media.forEach((one, index) => cover(canvas, one, index * width / media.length, width / media.length));
    for (let step = 0; step < 4; step += 1) {
        [width, height] = [width * 2, height * 2];
        const larger = make("canvas", { class: "backdrop", width, height, "aria-hidden": "true" });
        larger.getContext("2d").drawImage(canvas, 0, 0, width, height);
        canvas = larger;
    }
    return canvas;
}

/**
 * Draws a picture so that it covers a part of the canvas.
 * @param {HTMLCanvasElement} canvas @param {HTMLImageElement|HTMLVideoElement} media
 * @param {number} left @param {number} width
 */
function cover(canvas, media, left, width) {
    const [wide, high] = media instanceof HTMLVideoElement ? [media.videoWidth, media.videoHeight]
        : [media.naturalWidth, media.naturalHeight];
    const scale = Math.min(wide / width, high / canvas.height);
    const [w, h] = [width * scale, canvas.height * scale];
    const pen = canvas.getContext("2d");
    if (!pen || !(w > 0 && h > 0)) return;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(media, (wide - w) / 2, (high - h) / 2, w, h, left, 0, width, canvas.height);
}

/**
 * Returns the reactions added to a photo since the state `before`.
 * @param {Photo["reactions"]} before @param {Photo["reactions"]} now
 * @returns {string[]} an emoji for each
 */
export const added = (before, now) => now.flatMap(({ emoji, count }) => Array(Math.max(0,
    Math.min(heartsMax, count - (before.find((one) => one.emoji === emoji)?.count ?? 0)))).fill(emoji));

/** Lets an emoji float up. @param {HTMLElement} place @param {string} emoji */
export function float(place, emoji) {
    if (place.childElementCount >= heartsMax) return;
    const heart = make("span", {}, `${emoji}\uFE0F`);
    heart.style.setProperty("left", `${8 + Math.random() * 60}%`);
    heart.style.setProperty("animation-delay", `${Math.random() * .6}s`);
    heart.addEventListener("animationend", () => heart.remove());
    place.append(heart);
}
