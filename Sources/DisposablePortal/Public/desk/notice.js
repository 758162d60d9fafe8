// SPDX-License-Identifier: Apache-2.0
// The notice that all guests read above the photos: its present text, a new one, and removing it.
import { call } from "../shared/api.js";
import { make, say, toast } from "../shared/dom.js";
import { field } from "./fields.js";
import { text } from "./words.js";

const words = text.notice;
const lengthMax = 500;

/** @param {import("./desk.js").Place} place @param {() => void} changed */
export function noticePanel(place, changed) {
    /** @type {{id: string, text: string, saidAt: string, author: string}|undefined} */
    let now;
    const shown = make("div", { class: "notice-now", hidden: true });
    const input = make("textarea", { rows: 2, maxlength: lengthMax, id: "notice-text" });
    const post = make("button", { class: "button", id: "notice-post" }, words.post);
    const form = make("form", { class: "flow", submit: send }, field(words.label, input, words.hint),
        make("div", { class: "row" }, post));
    const element = make("section", { class: "panel flow", id: "notice" }, make("h2", {}, words.title), shown, form);

    async function send(/** @type {Event} */ event) {
        event.preventDefault();
        if (!input.value.trim()) return input.focus();
        post.disabled = true;
        const done = await place.attempt(() => call("POST", `${place.path}notice`, { text: input.value.trim() }));
        post.disabled = false;
        if (!done) return;
        input.value = "";
        told(words.posted);
    }
    async function remove() {
        const id = now?.id;
        const done = await place.attempt(() => call("POST", `${place.path}remarks/${id}`, { hidden: true }));
        if (done) told(words.removed);
    }
    function told(/** @type {string} */ sentence) {
        say(sentence);
        toast(sentence, null, 4_000);
        changed();
    }
    return {
        element,
        /** @param {any} overview */
        draw({ event, status }) {
            const latest = status.notices[status.notices.length - 1];
            const mayWrite = place.here && event.isOrganizer;
            element.hidden = !latest && !mayWrite;
            form.hidden = !mayWrite;
            // Unchanged elements stay, so that a button keeps the focus.
            if (latest?.id === now?.id) return;
            now = latest;
            shown.hidden = !latest;
            shown.replaceChildren(...latest ? [make("p", { class: "prose" }, latest.text),
                make("p", { class: "quiet" }, words.by(latest.author, Date.parse(latest.saidAt))),
                make("button", { type: "button", class: "button small", id: "notice-remove", click: remove },
                    words.remove)] : []);
        },
    };
}
