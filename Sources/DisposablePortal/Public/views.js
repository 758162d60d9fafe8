// SPDX-License-Identifier: Apache-2.0
// Which part of the page is to be seen. The back button of the phone closes what was opened, without a hash.
import { find } from "./dom.js";

/** @typedef {"boot"|"trouble"|"code"|"welcome"|"words"|"everyone"|"mine"|"me"|"photo"|"moved"} View */

/** Each view's element; the two galleries share the party's frame. */
const elements = /** @type {const} */ (["boot", "trouble", "code", "welcome", "words", "moved", "party", "me"]);
const door = ["boot", "trouble", "code", "welcome", "words", "moved"];
/** @type {View} */
let current = "boot";
let tab = /** @type {"everyone"|"mine"} */ ("everyone");
/**
 * What had the focus before the photo.
 * @type {HTMLElement|null}
 */
let opener = null;
/** @type {Map<string, number>} */
const scrolls = new Map();
/** @type {(view: View, id: string|null) => void} */
let listener = () => {};

export const currentView = () => current;

/**
 * How far a gallery is scrolled, seen or not.
 * @param {"everyone"|"mine"} view
 */
export const scrollOf = (view) => !find("party").hidden && tab === view ? scrollY : scrolls.get(view) ?? 0;

/** @param {typeof listener} to called after every change, with the photo's id where there is one */
export function onView(to) {
    listener = to;
}

/**
 * @param {View} view
 * @param {{push?: boolean, id?: string|null}} options `push` where "back" shall return from it
 */
export function go(view, { push = false, id = null } = {}) {
    const state = { view, id, tab: view === "everyone" || view === "mine" ? view : tab };
    if (push) history.pushState(state, "");
    else history.replaceState(state, "");
    show(view, id);
}

/** As the back button does. */
export function back() {
    if (history.state?.view === current && ["photo", "me", "words"].includes(current)) history.back();
    else go(tab);
}

// The galleries grow and shrink behind the other views, so each remembers its own place.
history.scrollRestoration = "manual";
addEventListener("popstate", (event) => {
    const state = event.state;
    // The door's views are left for good once somebody is in, and the other way round.
    if (!state?.view || door.includes(state.view) !== door.includes(current)) return;
    if (state.tab) tab = state.tab;
    show(state.view, state.id);
});

/** @param {View} view @param {string|null} id */
function show(view, id) {
    const before = current;
    if (before === "everyone" || before === "mine") scrolls.set(before, scrollY);
    current = view;
    if (view === "everyone" || view === "mine") tab = view;
    const isPhoto = view === "photo";
    const shown = isPhoto || view === "everyone" || view === "mine" ? "party" : view;
    for (const name of elements) find(name).hidden = name !== shown;
    find("photo").hidden = !isPhoto;
    // What lies below the photo is neither read nor reached; the photo itself has nothing above it.
    find("party").inert = isPhoto;
    document.documentElement.classList.toggle("photo-open", isPhoto);
    if (shown === "party") {
        for (const name of /** @type {const} */ (["everyone", "mine"])) {
            find(name).hidden = name !== tab;
            if (name === tab) find(`tab-${name}`).setAttribute("aria-current", "page");
            else find(`tab-${name}`).removeAttribute("aria-current");
        }
    }
    if (before !== view) {
        if (isPhoto) opener = /** @type {HTMLElement|null} */ (document.activeElement);
        if (before !== "photo" && !isPhoto) scrollTo(0, scrolls.get(view) ?? 0);
        const isBack = before === "photo" && opener?.isConnected && opener !== document.body;
        const target = isBack ? opener : find(isPhoto ? "photo" : shown).querySelector("[data-focus]");
        target?.focus({ preventScroll: true });
    }
    listener(view, id);
}
