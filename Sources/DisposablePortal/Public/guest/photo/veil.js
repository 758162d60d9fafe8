// SPDX-License-Identifier: Apache-2.0
// "Not me, please": asks that a photo of somebody else is not shown. Loaded with the first photo of an event that has this.
import { ApiError, call } from "../../shared/api.js";
import { ask, find, make, toast } from "../../shared/dom.js";
import { loadTexts } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @type {typeof import("../../texts/veil/en.js").english} */
let words;

/**
 * Shows the button below the photo, or what a veil means.
 * @param {Photo} photo
 * @param {import("../../shared/photos.js").PhotoList} list
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showVeil(photo, list, isShown) {
    words ??= await loadTexts("veil");
    if (!isShown()) return;
    const known = find("veil");
    const isFocused = known !== null && known === document.activeElement;
    known?.remove();
    const element = photo.state === "veiled"
        ? make("p", { class: "quiet", id: "veil", role: "status" }, photo.isMine ? words.own : words.other)
        : photo.state === "frame" && !photo.isMine && !photo.event
            ? make("button", { type: "button", class: "plain", id: "veil", "aria-haspopup": "dialog",
                click: () => request(photo, list) }, words.ask) : null;
    if (!element) return;
    // Beside the other button without a frame, so that both take one row on a phone.
    if (element instanceof HTMLButtonElement) find("photo-copy").after(element);
    else find("photo-save").before(element);
    if (isFocused) element.focus();
}

/** @param {Photo} photo @param {import("../../shared/photos.js").PhotoList} list */
async function request(photo, list) {
    if (!await ask({ title: words.title, body: [words.body, words.who], yes: words.yes })) return;
    await send("PUT", photo, () => {
        // The node tells it to all lists, too.
        list.put({ ...photo, state: "veiled", has: [], caption: null });
        toast(words.done, { label: words.undo, run: () => send("DELETE", photo, () => {
            list.put(photo);
            toast(words.undone);
        }) }, 12_000);
    });
}

/** @param {string} method @param {Photo} photo @param {() => void} done */
async function send(method, photo, done) {
    try {
        await call(method, `api/photos/${photo.id}/veil`);
        done();
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence);
    }
}
