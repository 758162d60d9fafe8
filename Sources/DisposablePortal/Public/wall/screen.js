// SPDX-License-Identifier: Apache-2.0
// One wall of several: what it shows and how, by the words of its address, and that its screen stays on.
//   ?show=highlights    each new photo once, and in between the host's highlights; `newest`: the latest fifty
//   ?author=ID          the photos of one person only; `?moment=DAY`, `?mission=ID`: of one moment, for one mission
//   ?fit=fill           photos fill the screen, without their edges
//   ?code=left          the code in the other corner; `off`: only before the first photo and from time to time
//   ?wifi=WORDS         above the address: the name of the Wi-Fi, and its password if the host likes
import { make } from "../shared/dom.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */

const newestCount = 50;
const asked = new URLSearchParams(location.search);

/** @type {Record<string, (photo: Photo, value: string) => boolean>} */
const parts = {
    author: (photo, value) => photo.author === value,
    moment: (photo, value) => photo.moment?.day === Number(value),
    mission: (photo, value) => photo.mission?.id === Number(value),
};
const part = Object.keys(parts).find((name) => /^[0-9a-f]{1,64}$/.test(asked.get(name) ?? "")) ?? "";
const value = asked.get(part) ?? "";

/** For the node's list of photos. */
export const filter = part ? `&${part}=${value}` : "";

/** Whether a photo is for this wall. @param {Photo} photo */
export const belongs = (photo) => !part || parts[part](photo, value);

/**
 * Which photos are shown again and again.
 * @param {Photo[]} photos all of them, newest first
 * @returns {(photo: Photo) => boolean}
 */
export function repeats(photos) {
    const show = asked.get("show");
    if (show === "highlights") return (photo) => photo.isHighlight === true;
    const since = show === "newest" ? photos[newestCount - 1]?.addedAt ?? 0 : 0;
    return (photo) => photo.addedAt >= since;
}

/** The words about the Wi-Fi, none by default. */
export const wifi = asked.get("wifi")?.slice(0, 100) ?? "";

for (const name of ["fit", "code"]) document.documentElement.setAttribute(`data-${name}`, asked.get(name) ?? "");

/** @type {HTMLVideoElement|null} */
let film = null;

/** Browsers lend the lock of the screen to secure pages only; on others a film that plays does the same. */
export function stayAwake() {
    if (document.hidden) return;
    const { wakeLock } = /** @type {any} */ (navigator);
    if (wakeLock) return void wakeLock.request("screen").catch(() => { /* a low battery, for example */ });
    if (!film) {
        film = make("video", { id: "awake", playsinline: true, loop: true, "aria-hidden": "true" },
            make("source", { src: "/wall/awake.mp4", type: "video/mp4" }), make("source", { src: "/wall/awake.webm", type: "video/webm" }));
        // The attribute would only set the default.
        film.muted = true;
        document.body.prepend(film);
    }
    film.play().catch(() => { /* then the screen goes dark as everywhere */ });
}
