// SPDX-License-Identifier: Apache-2.0
// The caption of the photo in front: everybody reads it, its author writes, changes and deletes it.
import { ApiError, call } from "../../shared/api.js";
import { find, say, toast } from "../../shared/dom.js";
import { text } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @type {Photo|null} */
let photo = null;
let isSending = false;

export function setUpCaption() {
    find("caption-edit").addEventListener("click", () => {
        find("caption-field").value = photo?.caption ?? "";
        edit(true);
    });
    find("caption-cancel").addEventListener("click", () => edit(false));
    find("caption-form").addEventListener("submit", save);
    find("caption-form").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        // Neither closes the photo nor turns it while somebody writes.
        event.stopPropagation();
        if (event.key === "Escape") edit(false);
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
    });
}

/** @param {Photo|null} now the photo in front, as it is now; `null` where there is none */
export function showCaption(now) {
    if (now?.id !== photo?.id) find("caption-form").hidden = true;
    photo = now;
    draw();
}

function draw() {
    const isWriting = !find("caption-form").hidden;
    find("photo-caption").textContent = photo?.caption ?? "";
    find("photo-caption").hidden = !photo?.caption || isWriting;
    // A caption is not sealed, so it waits until everyone sees the photo.
    find("caption-edit").hidden = !photo?.isMine || photo.state === "sealed" || isWriting;
    find("caption-edit-text").textContent = photo?.caption ? text.caption.change : text.caption.write;
}

/** @param {boolean} isOn */
function edit(isOn) {
    find("caption-form").hidden = !isOn;
    draw();
    find(isOn ? "caption-field" : "caption-edit").focus();
}

/** @param {Event} event */
async function save(event) {
    event.preventDefault();
    const now = photo;
    if (!now || isSending) return;
    const caption = find("caption-field").value.trim();
    isSending = true;
    try {
        await call("PUT", `api/photos/${now.id}/caption`, { text: caption });
        // The stream says it as well; the author sees it at once.
        now.caption = caption || null;
        say(caption ? text.caption.saved : text.caption.deleted);
        if (photo?.id === now.id) edit(false);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    } finally {
        isSending = false;
    }
}
