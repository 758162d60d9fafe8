// SPDX-License-Identifier: Apache-2.0
// The messages that guests and members have written to the organizers, the newest first. This browser keeps which were
// read. They are shown on the computer of an organizer only.
import { ApiError, call } from "../shared/api.js";
import { ask, make, say, toast } from "../shared/dom.js";
import { text } from "./words.js";

const words = text.messages;
/** A message may follow another at once. Milliseconds. */
const interval = 500;

/** @typedef {{id: string, author: string, authorName: string|null, at: number, text: string|null, photo: string|null}} Message */
/** @typedef {{messages: Message[], count: number}} Mailbox */

/** @param {string} event */
const storageName = (event) => `disposable.desk.${event}.read`;
const shortened = (/** @type {Message} */ { id }) => id.slice(0, 16);

/** The messages that were read, by the starts of the ids. @param {string} event @returns {Set<string>} */
function readIn(event) {
    try { return new Set((localStorage.getItem(storageName(event)) ?? "").split(" ").filter(Boolean)); } catch { return new Set(); }
}

/** @param {string} event @param {Message[]} messages all that are listed: others are forgotten */
function keepRead(event, messages) {
    try { localStorage.setItem(storageName(event), messages.map(shortened).join(" ")); } catch { /* they stay unread */ }
}

/**
 * The number of unread messages, for the side of the page; `null` where they cannot be listed.
 * @param {string} event @returns {Promise<{unread: number, count: number}|null>}
 */
export async function countMessages(event) {
    try {
        /** @type {Mailbox} */
        const mailbox = await call("GET", `/desk/api/e/${event}/messages`);
        const read = readIn(event);
        return { unread: mailbox.messages.filter((message) => !read.has(shortened(message))).length, count: mailbox.count };
    } catch (error) {
        // The node is not an organizer's, or there is none.
        if (!(error instanceof ApiError)) throw error;
        return null;
    }
}

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showMessages(place, main) {
    const list = make("ul", { class: "flow", id: "messages" });
    const note = make("p", { class: "note", id: "messages-note" });
    main.classList.add("narrow");
    main.replaceChildren(make("h1", {}, words.title), make("p", { class: "quiet" }, words.intro), list, note);
    if (!place.here) {
        note.textContent = text.awayShort;
        return {};
    }
    /** Elements by id: those that stay keep the focus. @type {Map<string, HTMLElement>} */
    let rows = new Map();
    const read = readIn(place.id);
    let isLeft = false;
    async function load() {
        /** @type {Mailbox|undefined} */
        const mailbox = await place.attempt(() => call("GET", `${place.path}messages`));
        // Nobody has seen what arrives after the section was left.
        if (!mailbox || isLeft) return;
        const { messages, count } = mailbox;
        // A text may come later than its message.
        const key = (/** @type {Message} */ { id, text: said }) => said === null ? `${id}?` : id;
        rows = new Map(messages.map((message) => [key(message),
            rows.get(key(message)) ?? row(message, !read.has(shortened(message)), () => erase(message))]));
        const wanted = [...rows.values()];
        for (const child of [...list.children]) if (!wanted.includes(/** @type {HTMLElement} */ (child))) child.remove();
        wanted.forEach((element, at) => { if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null); });
        note.hidden = count > 0 && count === messages.length;
        note.textContent = count ? words.older(count - messages.length) : words.none;
        keepRead(place.id, messages);
        await place.refresh();
        await place.countMessages();
    }
    /** @param {Message} message */
    async function erase(message) {
        const { title, body, yes } = words.question;
        if (!await ask({ title, body: [body], yes, danger: true })) return;
        const done = await place.attempt(() => call("DELETE", `${place.path}messages/${message.id}`));
        if (!done) return;
        say(words.erased);
        toast(words.erased, null, 4_000);
        await load();
    }
    await load();
    let timer = 0;
    return {
        /** @param {string} name */
        changed(name) {
            if (timer || !["messages", "event", "reset"].includes(name)) return;
            timer = setTimeout(() => {
                timer = 0;
                load();
            }, interval);
        },
        leave() {
            isLeft = true;
            clearTimeout(timer);
        },
    };
}

/** @param {Message} message @param {boolean} isNew @param {() => void} erase */
function row({ id, authorName, at, text: said, photo }, isNew, erase) {
    const name = authorName ?? text.noName;
    return make("li", { class: "panel flow", "data-id": id },
        make("div", { class: "row spread" }, make("p", {}, make("span", { class: "strong" }, name), " ",
            isNew ? make("span", { class: "tag" }, words.new) : null), make("p", { class: "quiet" }, text.time(at))),
        make("p", said === null ? { class: "quiet" } : { class: "prose" }, said ?? words.unreadable),
        photo ? make("p", { class: "quiet" }, words.about(photo.slice(0, 8))) : null,
        make("div", { class: "row" }, make("button", { type: "button", class: "button small", click: erase },
            words.erase, make("span", { class: "offscreen" }, ` ${words.of(name, at)}`))));
}
