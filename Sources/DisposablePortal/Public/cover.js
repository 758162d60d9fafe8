// SPDX-License-Identifier: Apache-2.0
// The event's cover, in the places that pages have for it. Loaded behind the first screen, where there is one.
import { photoURL } from "./api.js";

/** @param {import("./session.js").Picture|null} [cover] without it the page shows none */
export function show(cover) {
    const source = cover ? photoURL(cover.photo, "preview") : null;
    for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("img.cover"))) {
        image.hidden = !source;
        // Its bytes are on their way then: the next change of the event asks again.
        image.onerror = () => {
            image.hidden = true;
            image.removeAttribute("src");
        };
        if (source && image.getAttribute("src") !== source) image.src = source;
    }
}
