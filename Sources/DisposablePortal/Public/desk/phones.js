// SPDX-License-Identifier: Apache-2.0
// The desk counts the phones with an open page and warns before they exceed the access point's limit. Access points do not
// report this limit, so the organizer enters it. The desk also compares the computer's clock with the phone's.
import { call } from "../shared/api.js";
import { copy, make } from "../shared/dom.js";
import { field } from "./fields.js";
import { text } from "./words.js";

const words = text.phones;
/** From this part of the limit on there is a warning. */
const nearly = .8;
/** A difference of clocks that is told. Milliseconds. */
const clockMax = 120_000;
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
    const clock = clockBox();
    /** @type {number|null} */
    let count = null;
    function draw() {
        const limit = Number.parseInt(carries.value, 10) || 0;
        said.textContent = count === null ? "" : words.now(count, limit);
        setText(warning, count !== null && limit > 0 && count >= limit * nearly ? words.full : "");
    }
    return {
        element: make("section", { class: "panel flow" }, make("h2", {}, words.title), said, warning,
            field(words.carries, carries, words.hint), clock.element),
        async load() {
            const began = Date.now();
            let now = 0;
            try { ({ count, now } = await call("GET", `${place.path}phones`)); } catch { return; }
            draw();
            // In the middle between question and answer.
            clock.show(now - (began + Date.now()) / 2);
        },
    };
}

/** The same words again would be read out again. @param {HTMLElement} place @param {string} words */
function setText(place, words) {
    if (place.textContent !== words) place.textContent = words;
}

/** Where the computer's clock is off: by how much, and the command that sets it. */
function clockBox() {
    const element = make("div", { class: "flow", id: "clock" });
    const difference = make("p", { class: "error", role: "alert" }), line = make("p", { class: "link-text" });
    const command = () => `sudo date -s @${Math.round(Date.now() / 1_000)}`;
    const button = make("button", { type: "button", class: "button small", click: () => copy(command()) },
        text.invite.copyNode);
    return {
        element,
        /** @param {number} ahead of this phone, in milliseconds */
        show(ahead) {
            if (Math.abs(ahead) < clockMax) return element.replaceChildren();
            const minutes = Math.round(Math.abs(ahead) / 60_000);
            // The button keeps the focus.
            if (!element.firstChild) element.append(difference, line, button);
            setText(difference, ahead < 0 ? words.behind(minutes) : words.ahead(minutes));
            line.textContent = command();
        },
    };
}
