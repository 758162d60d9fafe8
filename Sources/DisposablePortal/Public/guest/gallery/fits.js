// SPDX-License-Identifier: Apache-2.0
// The choice if more photos were picked than fit on the film, before any byte is sent.
import { ask, find, icon, make } from "../../shared/dom.js";
import { sketch } from "./sketches.js";
import { text } from "../../shared/text.js";

/**
 * Asks which files to send, with the first ones selected.
 * @param {File[]} files more than `room`
 * @param {number} room at least 1
 * @returns {Promise<File[]>} at most `room` of them, in their order; none if the guest cancels
 */
export async function whichFit(files, room) {
    const ticks = files.map((_, index) => make("input", { type: "checkbox", checked: index < room,
        "aria-label": text.party.fits.photo(index + 1) }));
    const list = make("ul", { class: "fits" }, ...files.map((file, index) => {
        const picture = make("span", { class: "neutral" }, icon(file.type.startsWith("video/") ? "film" : "camera"));
        sketch(file, picture, async () => true);
        return make("li", {}, make("label", {}, picture, ticks[index]));
    }));
    const question = ask({ title: text.party.fits.title(room, files.length), body: [text.party.fits.body],
        yes: text.party.fits.yes(room), more: [list] });
    const yes = find("ask").querySelector("button[value=yes]");
    list.addEventListener("change", () => {
        const number = ticks.filter((tick) => tick.checked).length;
        for (const tick of ticks) tick.disabled = !tick.checked && number >= room;
        if (!yes) return;
        yes.textContent = text.party.fits.yes(number);
        yes.disabled = number === 0;
    });
    list.dispatchEvent(new Event("change"));
    return await question ? files.filter((_, index) => ticks[index].checked) : [];
}
