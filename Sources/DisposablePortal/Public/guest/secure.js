// SPDX-License-Identifier: Apache-2.0
// The way to the same page over HTTPS, where browsers let pages use the camera. Loaded only where the node serves both.
import { ask, find, icon, make } from "../shared/dom.js";
import { moveTo } from "./moving.js";
import { me } from "../shared/session.js";
import { loadTexts } from "../shared/text.js";

/** @typedef {{origin: string, plainOrigin: string, isTrusted: boolean}} Secure the page over HTTPS, and over plain HTTP */

/** @type {typeof import("../texts/secure/en.js").english} */
let words;

/** Shows the button above the photos, once. */
export async function offerSecure() {
    words ??= await loadTexts("secure");
    if (find("secure-open")) return;
    find("everyone-grid").before(make("p", { class: "row" },
        make("button", { id: "secure-open", type: "button", class: "button small", click: open }, icon("camera"), words.open)));
}

async function open() {
    const secure = me?.secure;
    if (!secure) return;
    const body = secure.isTrusted ? [words.about] : [words.about, words.warning];
    if (!await ask({ title: words.open, body, yes: words.go })) return;
    moveTo(secure.origin, words.box);
}
