// SPDX-License-Identifier: Apache-2.0
// The event key as words, for paper: with them another computer takes over if this one is lost.
import { call } from "../shared/api.js";
import { make } from "../shared/dom.js";
import { text } from "./words.js";

const words = text.key;

/** @param {import("./desk.js").Place} place of an event whose key is on this computer */
export function keyPanel(place) {
    const list = make("ol", { class: "twelve", id: "key-words", "aria-label": words.list, hidden: true });
    const button = make("button", { type: "button", class: "button", id: "show-key", disabled: !place.here,
        "aria-expanded": "false", click: toggle }, words.show);
    async function toggle() {
        if (!list.hidden) return draw([]);
        const found = await place.attempt(() => call("POST", `${place.path}key`));
        if (found) draw(found.words);
    }
    function draw(/** @type {string[]} */ shown) {
        list.replaceChildren(...shown.map((word) => make("li", {}, word)));
        list.hidden = !shown.length;
        button.textContent = shown.length ? words.hide : words.show;
        button.setAttribute("aria-expanded", String(shown.length > 0));
    }
    return make("section", { class: "panel flow", id: "key" }, make("h2", {}, words.title),
        make("p", { class: "quiet" }, words.intro), make("div", { class: "row" }, button), list,
        make("p", { class: "quiet" }, words.restore));
}
