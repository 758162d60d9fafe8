// SPDX-License-Identifier: Apache-2.0
// How many phones have a page of this computer open, against what the access point carries: that is where a full party
// fails first, and no program can ask it.
import { call } from "/api.js";
import { make } from "/dom.js";
import { field } from "./fields.js";
import { text } from "./words.js";

const words = text.phones;
/** From this part of the limit on there is a warning. */
const nearly = .8;
const name = "disposable.desk.carries";

/** @param {import("./desk.js").Place} place */
export function phonesPanel(place) {
    const carries = make("input", { type: "number", min: 1, max: 10_000, inputmode: "numeric", id: "carries", change: () => {
        try { localStorage.setItem(name, carries.value); } catch { /* it is asked for once more */ }
        draw();
    } });
    try { carries.value = localStorage.getItem(name) ?? ""; } catch { /* empty */ }
    const said = make("p", { id: "phones" });
    const warning = make("p", { class: "error", role: "alert" });
    /** @type {number|null} */
    let count = null;
    function draw() {
        const limit = Number.parseInt(carries.value, 10) || 0;
        said.textContent = count === null ? "" : words.now(count, limit);
        warning.textContent = count !== null && limit > 0 && count >= limit * nearly ? words.full : "";
    }
    return {
        element: make("section", { class: "panel flow" }, make("h2", {}, words.title), said, warning,
            field(words.carries, carries, words.hint)),
        async load() {
            try { ({ count } = await call("GET", `${place.path}phones`)); } catch { return; }
            draw();
        },
    };
}
