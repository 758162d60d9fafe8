// SPDX-License-Identifier: Apache-2.0
// Elements, and three ways to notify: a live region, a toast, a dialog. Text is only ever set as text.
import { text } from "./text.js";

/** @param {string} id @returns {any} the element, which index.html has */
export const find = (id) => document.getElementById(id);

/**
 * Keeps toasts above the bottom bar of the page, at its present height.
 * @param {HTMLElement} bottom
 */
export function keepToastsAbove(bottom) {
    if (typeof ResizeObserver !== "function") return;
    const measure = () => document.documentElement.style.setProperty("--bottom", `${bottom.offsetHeight}px`);
    new ResizeObserver(measure).observe(bottom);
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] attributes; functions are listeners ("click"), `false` and `null` are
 * omitted
 * @param {...(Node|string|null)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) if (child !== null) element.append(child);
    return element;
}

/** @param {string} name a symbol of index.html */
export function icon(name) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `#i-${name}`);
    picture.setAttribute("class", "icon");
    picture.setAttribute("aria-hidden", "true");
    picture.append(use);
    return picture;
}

/**
 * Loads a style sheet that the first screen does not need, once. What needs it can be used without it.
 * @param {string} name of the file, with its folder and without ".css"
 * @returns {Promise<void>}
 */
export const loadStyle = (name) => new Promise((resolve) => {
    const id = `${name}-sheet`;
    if (find(id)) return resolve();
    const link = make("link", { rel: "stylesheet", href: `/${name}.css`, id, load: () => resolve(), error: () => {
        link.remove();
        resolve();
    } });
    document.head.append(link);
});

/**
 * Announces a sentence to screen readers.
 * @param {string} sentence
 */
export function say(sentence) {
    find("announce").textContent = sentence;
}

let toastTimer = 0;

/**
 * Shows a sentence at the bottom for a while, with an optional action.
 * @param {string} sentence
 * @param {{label: string, run: () => void}|null} [action]
 * @param {number} [ms]
 */
export function toast(sentence, action = null, ms = 6000) {
    const place = find("toast");
    place.replaceChildren(make("span", {}, sentence));
    if (action) {
        const run = () => {
            hideToast();
            action.run();
        };
        place.append(make("button", { type: "button", class: "plain", click: run }, action.label));
    }
    place.append(make("button",
        { type: "button", class: "plain bare", "aria-label": text.common.dismiss, click: hideToast }, icon("close")));
    place.hidden = false;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(hideToast, ms);
}

export function hideToast() {
    clearTimeout(toastTimer);
    find("toast").hidden = true;
}

/** Whether a toast offers something, as undoing: a sentence that nobody waits for is not to take it away. */
export const isOffering = () => document.querySelector("#toast:not([hidden]) button:not(.bare)") !== null;

/** @type {(dialog: HTMLDialogElement) => void} */
let opened = () => {};
/** @param {typeof opened} to called with each dialog that was opened */
export const onDialog = (to) => { opened = to; };

/** Opens a dialog in front of the page. @param {HTMLDialogElement} dialog */
export function openDialog(dialog) {
    dialog.showModal();
    opened(dialog);
}

/**
 * Asks for a confirmation.
 * @param {{title: string, body: string[], yes: string, no?: string, danger?: boolean, more?: HTMLElement[]}} question
 *     with optional fields in `more`, which must be filled in for a yes
 * @returns {Promise<boolean>}
 */
export function ask({ title, body, yes, no = text.common.cancel, danger = false, more = [] }) {
    const dialog = find("ask");
    if (typeof dialog.showModal !== "function") {
        return Promise.resolve(confirm([title, ...body, ...more.map((part) => part.textContent)].join("\n\n")));
    }
    if (dialog.open) return Promise.resolve(false);
    return new Promise((resolve) => {
        dialog.returnValue = "";
        dialog.replaceChildren(make("form", { method: "dialog" },
            make("h2", { id: "ask-title" }, title),
            ...body.map((part) => make("p", {}, part)),
            ...more,
            make("div", { class: "row" },
                make("button", { class: "button", value: "", formnovalidate: true }, no),
                make("button", { class: danger ? "button danger" : "button main", value: "yes" }, yes))));
        openDialog(dialog);
        // After the listeners of `onDialog`, so that the page has begun to leave the dialog's history entry.
        dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
}

/**
 * Copies a text if the browser permits that for a page on plain HTTP.
 * @param {string} value
 * @returns {boolean}
 */
export function copy(value) {
    const field = make("textarea", { class: "offscreen", readonly: true, "aria-hidden": "true" });
    field.value = value;
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    field.setSelectionRange(0, value.length);
    let copied = false;
    // Otherwise the text is on the page, to be copied by hand.
    try { copied = document.execCommand("copy"); } catch { /* as said */ }
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    toast(copied ? text.common.copied : text.common.copyByHand, null, 3000);
    return copied;
}
