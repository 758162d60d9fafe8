// SPDX-License-Identifier: Apache-2.0
// Sealed photos: their number, and the time until the reveal. The host's node reveals them at that time, not this
// page's clock.
import { make } from "./dom.js";
import { text } from "./text.js";

/** @typedef {import("./session.js").Sealed} Sealed */

/**
 * Updates `place` to the sealed photos every second.
 * @param {HTMLElement} place an empty element
 * @param {(wait: number) => void} [onTick] called with the remaining milliseconds; 0 if no time is set
 * @returns {(sealed: Sealed|null) => void} to be called with the present state
 */
export function sealedBox(place, onTick = () => {}) {
    const count = make("p", { class: "digits" });
    const note = make("p", { class: "strong" });
    const left = make("p", { class: "countdown", role: "timer" });
    place.replaceChildren(count, note, left);
    /** @type {Sealed|null} */
    let shown = null;
    const tick = () => {
        const wait = shown?.revealsAt ? shown.revealsAt - Date.now() : 0;
        left.hidden = wait <= 0;
        if (wait > 0) left.textContent = text.sealed.countdown(wait);
        if (shown) note.textContent = `${text.sealed.note(shown, wait)} ${shown.pageKey ? text.sealed.onPhone : ""}`;
        onTick(Math.max(wait, 0));
    };
    setInterval(() => { if (shown) tick(); }, 1_000);
    return (sealed) => {
        shown = sealed;
        place.hidden = !sealed;
        if (!sealed) return onTick(0);
        count.textContent = text.sealed.count(sealed.count);
        tick();
    };
}
