// SPDX-License-Identifier: Apache-2.0
// The plan in the view of a photo: the way to its spot, and for the guest's own photo the offer to place it.
import { find, make } from "../../shared/dom.js";
import { openPlacing } from "./placing.js";
import { openPlan } from "./plan.js";
import { loadPlanText } from "./planframe.js";
import { planIcon } from "../gallery/ways.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/**
 * Shows the button below the photo, or updates it.
 * @param {Photo} photo one's own, or one with a spot
 * @param {import("../../shared/photos.js").PhotoList} list
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showSpot(photo, list, isShown) {
    const { photo: words } = await loadPlanText();
    if (!isShown()) return;
    const known = find("spot");
    const label = !photo.isMine ? words.see : photo.spot ? words.move : words.place;
    const button = make("button", { type: "button", class: "plain", id: "spot", "aria-haspopup": "dialog",
        click: () => photo.isMine ? openPlacing(list, photo) : openPlan({ list, shown: photo }) }, planIcon(), label);
    const isFocused = known !== null && known === document.activeElement;
    if (known) known.replaceWith(button);
    else find("caption-edit").after(button);
    if (isFocused) button.focus();
}
