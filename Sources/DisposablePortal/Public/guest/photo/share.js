// SPDX-License-Identifier: Apache-2.0
// A photo in the share sheet of the system, which browsers open for pages over HTTPS and on this machine only. Loaded with
// the first photo where there is one.
import { photoURL } from "../../shared/api.js";
import { find, make, toast } from "../../shared/dom.js";
import { maySave } from "../../shared/options.js";
import { loadTexts, text } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @type {typeof import("../../texts/share/en.js").english} */
let words;

/**
 * Shows the button beside "Save".
 * @param {Photo} photo
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showShare(photo, isShown) {
    words ??= await loadTexts("share");
    if (!isShown()) return;
    const known = find("photo-share");
    const isFocused = known !== null && known === document.activeElement;
    known?.remove();
    if (!maySave(photo) || !photo.has.includes("original")) return;
    const button = make("button", { id: "photo-share", type: "button", class: "plain", click: async () => {
        button.disabled = true;
        await share(photo);
        button.disabled = false;
    } }, text.common.share);
    find("photo-copy").before(button);
    if (isFocused) button.focus();
}

/** @param {Photo} photo */
async function share(photo) {
    let files;
    try {
        const answer = await fetch(photoURL(photo.id, "original?download"));
        if (!answer.ok) throw new Error(String(answer.status));
        const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? photo.id.slice(0, 8);
        files = [new File([await answer.blob()], name, { type: photo.mediaType })];
    } catch {
        toast(text.photo.notReached);
        return;
    }
    if (!navigator.canShare({ files })) return toast(words.refused);
    const send = () => navigator.share({ files });
    // A large photo may take longer than a tap counts as one.
    await send().catch((error) => {
        if (error.name !== "NotAllowedError") return;
        toast(words.ready, { label: text.common.share, run: () => send().catch(() => null) }, 20_000);
    });
}
