// SPDX-License-Identifier: Apache-2.0
// The moment of the reveal on the wall: the last minute in large digits, a curtain that announces the photos, and the
// first photo, which appears under it.
import { make } from "../shared/dom.js";
import { pageText as words } from "../shared/text.js";

/** When the countdown starts to fill the wall, and the duration of the curtain. Milliseconds. */
export const lastMinute = 60_000;
const curtainStays = 5_000;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * @param {HTMLElement} place an empty element over everything
 * @param {number} count of photos that are shown from now on
 * @param {() => Promise<HTMLElement|null>} first shows the first of them
 */
export async function reveal(place, count, first) {
    place.replaceChildren(
        make("p", { class: "strip", "aria-hidden": "true" }),
        make("p", { class: "large" }, words.developed(count)),
        make("p", {}, words.enjoy),
        make("p", { class: "strip", "aria-hidden": "true" }));
    place.hidden = false;
    place.getBoundingClientRect();
    place.classList.add("drawn");
    await pause(curtainStays);
    const slide = await first();
    slide?.classList.add("developing");
    place.classList.remove("drawn");
    await pause(1_000);
    place.hidden = true;
}
