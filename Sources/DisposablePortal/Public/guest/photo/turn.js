// SPDX-License-Identifier: Apache-2.0
// Turning one's own photo by a quarter when it is shown. The file stays as it is. Loaded with the first own photo.
import { ApiError, call } from "../../shared/api.js";
import { find, icon, make, say, toast } from "../../shared/dom.js";
import { loadTexts } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @type {typeof import("../../texts/turn/en.js").english} */
let words;
/** A second tap while the first is on its way counts after it. */
let sending = Promise.resolve();

/**
 * Shows the button below the guest's own photo.
 * @param {Photo} photo
 * @param {import("../../shared/photos.js").PhotoList} list
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showTurn(photo, list, isShown) {
    words ??= await loadTexts("turn");
    if (!isShown()) return;
    const known = find("turn");
    const isFocused = known !== null && known === document.activeElement;
    const button = make("button", { type: "button", class: "plain bare", id: "turn", "aria-label": words.turn, title: words.turn,
        click: () => { sending = sending.then(() => turn(photo.id, list)); } }, icon("retry"));
    if (known) known.replaceWith(button);
    else find("photo-remove").before(button);
    if (isFocused) button.focus();
}

/** @param {string} id @param {import("../../shared/photos.js").PhotoList} list */
async function turn(id, list) {
    const photo = list.byID.get(id);
    if (!photo) return;
    const degrees = ((photo.turn ?? 0) + 90) % 360;
    try {
        await call("PUT", `api/photos/${id}/turn`, { degrees });
        // The node tells it to all lists, too.
        list.put({ ...photo, turn: degrees });
        say(words.turned(degrees));
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    }
}
