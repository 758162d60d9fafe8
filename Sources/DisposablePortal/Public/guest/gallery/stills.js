// SPDX-License-Identifier: Apache-2.0
// Still pictures of videos, which nodes have none of: the browser draws a frame from each video's beginning. Loaded with the
// first video.
import { photoURL } from "../../shared/api.js";
import { make } from "../../shared/dom.js";

/** The pixels of a still's side; milliseconds that a video has for its first frame; stills that are kept. */
const limits = { side: 320, patience: 15_000, count: 60 };
/** One after the other, since each holds a connection to the node. */
let turn = Promise.resolve();
/** The pictures by photo, the latest last; `null` of a video that this browser does not play. @type {Map<string, HTMLCanvasElement|null>} */
const stills = new Map();
/** The videos whose tiles were not on the screen yet. @type {WeakMap<Element, import("../../shared/photos.js").Photo>} */
const waiting = new WeakMap();
const observer = new IntersectionObserver((seen) => {
    for (const { isIntersecting, target } of seen) {
        const photo = waiting.get(target);
        if (!isIntersecting || !photo) continue;
        observer.unobserve(target);
        show(photo, /** @type {HTMLElement} */ (target));
    }
}, { rootMargin: "300px" });

/**
 * Draws the middle of a video's first frame as a square in place of an element's icon, once that comes onto the screen: each
 * still takes the beginning of a large file.
 * @param {import("../../shared/photos.js").Photo} photo
 * @param {HTMLElement} place
 */
export function showStill(photo, place) {
    waiting.set(place, photo);
    observer.observe(place);
}

/** @param {import("../../shared/photos.js").Photo} photo @param {HTMLElement} place */
function show(photo, place) {
    turn = turn.then(async () => {
        if (!place.isConnected) return;
        if (!stills.has(photo.id)) {
            stills.set(photo.id, await drawn(photoURL(photo.id, "original")).catch(() => null));
            if (stills.size > limits.count) stills.delete(/** @type {string} */ (stills.keys().next().value));
        }
        const still = stills.get(photo.id);
        if (still) place.querySelector(".icon")?.replaceWith(copyOf(still));
    }).catch(() => { /* the neutral tile remains */ });
}

/** A canvas has one place in the page. @param {HTMLCanvasElement} still */
function copyOf(still) {
    const copy = make("canvas", { width: limits.side, height: limits.side, "aria-hidden": "true" });
    copy.getContext("2d").drawImage(still, 0, 0);
    return copy;
}

/** @param {string} address @returns {Promise<HTMLCanvasElement>} */
async function drawn(address) {
    const film = make("video", { playsinline: true, preload: "auto" });
    film.muted = true;
    try {
        await new Promise((resolve, reject) => {
            film.addEventListener("loadeddata", resolve);
            film.addEventListener("error", reject);
            setTimeout(reject, limits.patience);
            // Phones decode no frame before they are sent to one.
            film.src = `${address}#t=0.1`;
        });
        const canvas = make("canvas", { width: limits.side, height: limits.side });
        const scale = limits.side / Math.min(film.videoWidth, film.videoHeight);
        const [width, height] = [film.videoWidth * scale, film.videoHeight * scale];
        canvas.getContext("2d").drawImage(film, (limits.side - width) / 2, (limits.side - height) / 2, width, height);
        return canvas;
    } finally {
        // Ends the request, too.
        film.removeAttribute("src");
        film.load();
    }
}
