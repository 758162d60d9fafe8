// SPDX-License-Identifier: Apache-2.0
// The photo of the night on the wall, once the vote is closed: it fills the screen, with the name of its author. In a tie one
// after the other. Loaded with the first closed vote.
import { call, photoURL } from "../shared/api.js";
import { find, make } from "../shared/dom.js";
import { pageText as words, text } from "../shared/text.js";

/** How long a photo fills the wall. Milliseconds. */
const stays = 20_000;

/** What was shown: the vote and its winners. */
let shown = "";
let isShowing = false;

/** Whether the wall is filled with the photo of the night. */
export const showsWinner = () => isShowing;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Shows the result, unless the wall has shown it already.
 * @param {(id: string) => import("../shared/photos.js").Photo|undefined} known returns what the wall knows of a photo
 */
export async function showWinner(known) {
    const vote = await call("GET", "api/vote").catch(() => null);
    if (!vote || vote.isOpen || !vote.winners.length || isShowing) return;
    const result = [vote.id, ...vote.winners.map((/** @type {any} */ one) => one.photo)].join();
    if (result === shown) return;
    shown = result;
    isShowing = true;
    const place = find("winner");
    for (const [index, winner] of vote.winners.entries()) {
        const picture = await pictureOf(winner.photo, known(winner.photo)?.turn);
        if (!picture) continue;
        place.replaceChildren(picture, make("p", { class: "large" }, words.winner),
            make("p", {}, words.by(winner.authorName ?? text.guest, winner.votes)),
            vote.count > 1 ? make("p", {}, words.tie(index + 1, vote.count)) : "");
        place.hidden = false;
        await pause(stays);
    }
    place.hidden = true;
    place.replaceChildren();
    isShowing = false;
}

/** @param {string} id @param {number} [turn] @returns {Promise<HTMLImageElement|null>} decoded */
async function pictureOf(id, turn) {
    for (const size of /** @type {const} */ (["preview", "thumbnail"])) {
        const picture = make("img", { src: photoURL(id, size), alt: "", "data-turn": turn || null });
        if (await picture.decode().then(() => true, () => false)) return picture;
    }
    return null;
}
