// SPDX-License-Identifier: Apache-2.0
// The program for the guest's own computer, under "Me", where the photo box offers it. Loaded when "Me" is opened.
import { call } from "../../shared/api.js";
import { make } from "../../shared/dom.js";
import { language, loadTexts } from "../../shared/text.js";

/** @typedef {{name: string, byteCount: number, sha256: string, version: string}} Program */

/** @param {HTMLElement} box */
export async function fill(box) {
    /** @type {{program: Program|null}} */
    const { program } = await call("GET", "api/program");
    if (!program) return box.remove();
    /** @type {typeof import("../../texts/program/en.js").english} */
    const words = await loadTexts("program");
    // In a window of its own: photos on their way go on.
    box.replaceChildren(make("h2", {}, words.title), make("p", { class: "quiet" }, words.about),
        make("a", { class: "button", id: "program-open", href: `program?lang=${language}`, target: "_blank", rel: "noopener" },
            words.open));
}
