// SPDX-License-Identifier: Apache-2.0
// Tells the guest of reactions to photos of their own, and of comments on them, by others.
import { call } from "../shared/api.js";
import { tell, wants } from "../shared/notices.js";
import { text } from "../shared/text.js";
import { currentView, go } from "./views.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */

/** Letters of a comment in a notice. */
const lettersMax = 100;

/** The photos whose newest comment is being fetched. @type {Set<string>} */
const asking = new Set();

/** The reaction that others have given since, if there is one. @param {Photo} before @param {Photo} now */
function reacted(before, now) {
    const others = (/** @type {Photo} */ { reactions }, /** @type {string} */ emoji) => {
        const one = reactions.find((reaction) => reaction.emoji === emoji);
        return one ? one.count - Number(one.isMine) : 0;
    };
    return now.reactions.find(({ emoji }) => others(now, emoji) > others(before, emoji))?.emoji;
}

/**
 * @param {Photo} before one's own photo as it was
 * @param {Photo} now as the node tells of it
 */
export async function compare(before, now) {
    // The guest sees it.
    const isInFront = () => !document.hidden && currentView() === "photo" && history.state?.id === now.id;
    if (!wants("remarks") || isInFront()) return;
    const show = (/** @type {import("../shared/notices.js").Words} */ words) => ({ label: words.show, run: () => {
        go("mine");
        go("photo", { push: true, id: now.id });
    } });
    const emoji = reacted(before, now);
    if (emoji) tell("remarks", (words) => words.reacted(`${emoji}\uFE0F`), { action: show });
    if (now.commentCount <= before.commentCount || asking.has(now.id)) return;
    asking.add(now.id);
    const page = await call("GET", `api/photos/${now.id}/comments?limit=1`).catch(() => null);
    asking.delete(now.id);
    const comment = page?.comments[0];
    if (!comment || comment.isMine || isInFront()) return;
    const short = comment.text.length > lettersMax ? `${comment.text.slice(0, lettersMax)} …` : comment.text;
    tell("remarks", (words) => words.commented(comment.authorName ?? text.guest, short), { action: show });
}
