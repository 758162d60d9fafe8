// SPDX-License-Identifier: Apache-2.0
// Texts to begin with for what guests agree to. A template is of the desk's language; the organizer changes it.
import { make } from "../shared/dom.js";
import { text } from "./words.js";

const { consents } = text;

/**
 * Buttons that write a template into the field. A text of the organizer's own is replaced after a second tap only.
 * @param {HTMLTextAreaElement} field
 */
export function consentTemplates(field) {
    const templates = Object.values(consents.templates);
    const isOurs = () => !field.value.trim() || templates.some(({ body }) => body === field.value);
    const note = make("p", { class: "quiet", role: "status" });
    let asked = "";
    const buttons = templates.map(({ label, body }) => make("button", { type: "button", class: "button small", click: () => {
        const isSure = isOurs() || asked === label;
        asked = isSure ? "" : label;
        note.textContent = isSure ? "" : consents.replaces;
        if (!isSure) return;
        field.value = body;
        field.dispatchEvent(new Event("input", { bubbles: true }));
    } }, label));
    return make("div", { role: "group", "aria-label": consents.title },
        make("p", { class: "quiet" }, consents.title), make("div", { class: "row" }, ...buttons), note);
}
