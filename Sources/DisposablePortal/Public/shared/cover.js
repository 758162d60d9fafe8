// SPDX-License-Identifier: Apache-2.0
// The event's cover: above the welcome, above the photos of everyone, and on the wall while it waits for photos. Loaded
// behind the first screen, where there is one.
import { photoURL } from "./api.js";
import { loadStyle, make } from "./dom.js";

/** @typedef {{photo: string, width: number, height: number}} Picture of the event: its cover or its plan */

/** The pages' elements that the cover comes after, or, on the wall, into. */
const places = ["#welcome .camera-top", "#everyone h2", "#wall"];

/** @type {string|null} */
let shown = null;

/** @param {Picture|null} [cover] without it the page shows none */
export async function show(cover) {
    const source = cover ? photoURL(cover.photo, "preview") : null;
    if (source === shown) return;
    shown = source;
    await loadStyle("shared/plan");
    if (source !== shown) return;
    for (const image of document.querySelectorAll(".cover")) image.remove();
    if (!source) return;
    for (const place of places.flatMap((one) => document.querySelector(one) ?? [])) {
        // Without its bytes, which are on their way then, the next change of the event asks again.
        const image = make("img", { class: "cover", alt: "", src: source, error: () => {
            image.remove();
            shown = null;
        } });
        if (place.id === "wall") place.prepend(image);
        else place.after(image);
    }
}
