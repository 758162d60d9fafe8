// SPDX-License-Identifier: Apache-2.0
// Annotations of the open photo: a row of reactions, and comments that unfold below it.
import { ApiError, call } from "../../shared/api.js";
import { find, icon, make, say, toast } from "../../shared/dom.js";
import { me } from "../../shared/session.js";
import { text } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {{id: string, author: string, authorName: string|null, isMine: boolean, saidAt: number, text: string}} Comment */

/** @type {Photo|null} */
let photo = null;
/**
 * The visible comments, oldest first; and the number of older ones.
 * @type {Comment[]}
 */
let comments = [];
let earlierCount = 0;
/** The content of the list: the photo and the number of comments; answers to earlier requests are ignored. */
let shown = "";
let askedCount = 0;
/** Requests in progress, without duplicates: a repeated tap counts once. */
const sending = new Set();

export function setUpRemarks() {
    find("photo-comments-show").addEventListener("click", () => unfold(find("photo-comments").hidden));
    find("comments-earlier").addEventListener("click", loadEarlier);
    const [form, field] = [find("comment-form"), find("comment-field")];
    form.addEventListener("submit", (/** @type {Event} */ event) => {
        event.preventDefault();
        comment(field.value.trim());
    });
}

/** @param {Photo|null} now the visible photo in its present state; `null` if there is none */
export function showRemarks(now) {
    if (now?.id !== photo?.id) {
        find("comment-field").value = "";
        unfold(false);
    }
    photo = now;
    if (!now) return;
    // Comments are not sealed, so there are none before everyone sees the photo.
    const isSealed = now.state === "sealed" || now.state === "veiled";
    // Those of another event's photos are for its guests.
    find("comment-form").hidden = find("photo-reactions").hidden = isSealed || Boolean(now.event);
    find("comments-none").textContent = isSealed ? text.remarks.later(me?.event.sealed?.revealsAt ?? null)
        : text.remarks.none;
    drawReactions(now);
    const count = now.commentCount;
    find("photo-comments-count").textContent = String(count);
    find("photo-comments-show").setAttribute("aria-label", text.remarks.comments(count));
    if (!find("photo-comments").hidden) load();
}

/** @param {boolean} isOpen */
function unfold(isOpen) {
    find("photo-comments").hidden = !isOpen;
    find("photo-comments-show").setAttribute("aria-expanded", String(isOpen));
    find("photo").classList.toggle("has-comments", isOpen);
    shown = "";
    comments = [];
    if (isOpen) load();
}

/**
 * The buttons are reused, so that a finger or a screen reader does not lose its position.
 * @param {Photo} now
 */
function drawReactions(now) {
    const row = find("photo-reactions");
    if (row.childElementCount !== now.reactions.length) {
        row.replaceChildren(...now.reactions.map(({ emoji }) => make("button",
            { type: "button", class: "reaction", "data-emoji": emoji, click: () => react(emoji) },
            make("span", { "aria-hidden": "true" }, `${emoji}\uFE0F`), make("span", { class: "count", "aria-hidden": "true" }))));
    }
    now.reactions.forEach(({ emoji, count, isMine }, index) => {
        const button = row.children[index];
        button.setAttribute("aria-pressed", String(isMine));
        button.setAttribute("aria-label", text.remarks.reaction(emoji, count));
        button.lastElementChild.textContent = count ? String(count) : "";
    });
}

/** @param {string} emoji */
async function react(emoji) {
    const now = photo;
    const reaction = now?.reactions.find((one) => one.emoji === emoji);
    if (!now || !reaction) return;
    await send(`${now.id} ${emoji}`, async () => {
        const isOn = !reaction.isMine;
        await call("POST", `api/photos/${now.id}/reactions`, { emoji, isOn });
        // The stream reports it as well; the guest sees it at once.
        reaction.isMine = isOn;
        reaction.count += isOn ? 1 : -1;
        if (photo?.id === now.id) drawReactions(now);
    });
}

async function load() {
    const now = photo;
    if (!now) return;
    const state = `${now.id} ${now.commentCount}`;
    if (shown === state) return;
    shown = state;
    askedCount += 1;
    const number = askedCount;
    try {
        const page = await call("GET", `api/photos/${now.id}/comments`);
        if (photo?.id !== now.id || number !== askedCount) return;
        // Loaded earlier comments stay before the newest page, unless one of them may be deleted.
        const known = new Set(comments.map(({ id }) => id));
        const added = page.comments.filter((/** @type {Comment} */ { id }) => !known.has(id)).length;
        const isSame = page.earlierCount + page.comments.length === earlierCount + comments.length + added;
        const place = page.comments.length ? comments.findIndex(({ id }) => id === page.comments[0].id) : -1;
        const earlier = isSame && place > 0 ? comments.slice(0, place) : [];
        comments = [...earlier, ...page.comments];
        earlierCount = page.earlierCount - earlier.length;
        draw();
        find("comments").lastElementChild?.scrollIntoView({ block: "nearest" });
    } catch (error) {
        shown = "";
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    }
}

async function loadEarlier() {
    const [now, first] = [photo, comments[0]];
    if (!now || !first) return;
    await send("earlier comments", async () => {
        let page;
        try {
            page = await call("GET", `api/photos/${now.id}/comments?before=${first.id}`);
        } catch (error) {
            if (!(error instanceof ApiError) || error.code !== "unknown-comment") throw error;
            // The first one was deleted meanwhile: load the newest page again.
            shown = "";
            comments = [];
            return load();
        }
        if (photo?.id !== now.id || comments[0]?.id !== first.id) return;
        comments = [...page.comments, ...comments];
        earlierCount = page.earlierCount;
        draw();
        // Focus moves to the last of the loaded comments, so that reading continues there.
        const last = find("comments").children[page.comments.length - 1];
        last?.setAttribute("tabindex", "-1");
        last?.focus();
    });
}

function draw() {
    const earlier = find("comments-earlier");
    earlier.hidden = earlierCount <= 0;
    earlier.textContent = text.remarks.earlier(earlierCount);
    find("comments").replaceChildren(...comments.map((one) => make("li", {},
        make("p", {}, make("strong", {}, one.authorName ?? text.guest), " ",
            make("time", { datetime: new Date(one.saidAt).toISOString() }, text.time(one.saidAt))),
        make("p", { class: "prose" }, one.text),
        one.isMine ? make("button", { type: "button", class: "plain bare", "aria-label": text.remarks.remove(one.text),
            click: () => takeBack(one) }, icon("trash")) : null)));
    find("comments-none").hidden = comments.length > 0;
}

/** @param {string} words */
async function comment(words) {
    const now = photo;
    if (!now || !words) return find("comment-field").focus();
    await send("comment", async () => {
        await call("POST", `api/photos/${now.id}/comments`, { text: words });
        if (photo?.id !== now.id) return;
        const field = find("comment-field");
        if (field.value.trim() === words) field.value = "";
        say(text.remarks.said);
        shown = "";
        await load();
    });
}

/** @param {Comment} one */
async function takeBack(one) {
    const now = photo;
    if (!now) return;
    await send(one.id, async () => {
        await call("DELETE", `api/photos/${now.id}/comments/${one.id}`);
        say(text.remarks.removed);
        comments = comments.filter(({ id }) => id !== one.id);
        shown = "";
        await load();
        find("comment-field").focus({ preventScroll: true });
    });
}

/**
 * Runs work, and shows its errors.
 * @param {string} what identifies the request, so that a repeated tap counts once
 * @param {() => Promise<void>} work
 */
async function send(what, work) {
    if (sending.has(what)) return;
    sending.add(what);
    try {
        await work();
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    } finally {
        sending.delete(what);
    }
}
