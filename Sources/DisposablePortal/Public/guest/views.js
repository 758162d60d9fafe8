// SPDX-License-Identifier: Apache-2.0
// The visible part of the page. The phone's back button closes what was opened, a view or a dialog, without a hash: each
// has an entry in the browser's history.
import { find, onDialog } from "../shared/dom.js";

/** @typedef {"everyone"|"mine"|"person"} Tab a gallery; "person" is that of one author */
/** @typedef {"boot"|"trouble"|"code"|"welcome"|"words"|"me"|"photo"|"finder"|"moved"|Tab} View */

/** Each view's element; the galleries share the party's frame. */
const elements = /** @type {const} */ (["boot", "trouble", "code", "welcome", "words", "moved", "party", "me"]);
const tabs = /** @type {const} */ (["everyone", "mine", "person"]);
const door = ["boot", "trouble", "code", "welcome", "words", "moved"];
/** Views that the back button leaves. */
const opened = ["photo", "finder", "me", "words", "person"];
/** Views in front of the gallery. */
const overlays = /** @type {const} */ (["photo", "finder"]);
/** @type {View} */
let current = "boot";
/** The id of the photo or person in it. @type {string|null} */
let currentID = null;
let tab = /** @type {Tab} */ ("everyone");
/** The gallery in the party's frame at the last change, also below a photo. */
let shownTab = tab;
/**
 * The author of the view "person".
 * @type {string|null}
 */
let person = null;
/** How many views are open in front of the first one. */
let depth = 0;
/** The open dialogs, the foremost last. @type {HTMLDialogElement[]} */
const dialogs = [];
/**
 * Changes of the history that wait until the browser has gone back: it takes a while for that. `null` while it does not.
 * @type {(() => void)[]|null}
 */
let waiting = null;
/**
 * The elements that had the focus before views were opened, by the depth of those.
 * @type {(HTMLElement|undefined)[]}
 */
const openers = [];
/** @type {Map<string, number>} */
const scrolls = new Map();
/** @type {(view: View, id: string|null) => void} */
let listener = () => {};

export const currentView = () => current;
/** The gallery that is shown, or that the photo in front belongs to. */
export const currentTab = () => tab;
/** The author whose gallery is shown or was shown last, by id. */
export const currentPerson = () => person;

/** @param {View} view @returns {view is Tab} */
const isTab = (view) => tabs.includes(/** @type {any} */ (view));

/**
 * How far a gallery is scrolled, seen or not.
 * @param {Tab} view
 */
export const scrollOf = (view) => !find("party").hidden && tab === view ? scrollY : scrolls.get(view) ?? 0;

/** @param {typeof listener} to called after every change, with the photo's or person's id where there is one */
export function onView(to) {
    listener = to;
}

/**
 * @param {View} view
 * @param {{push?: boolean, id?: string|null}} options `push` where "back" shall return from it; `id` of the photo or
 *     person
 */
export function go(view, { push = false, id = null } = {}) {
    const opener = push || !overlays.some((name) => name === current) ? null : openers[depth];
    if (push) {
        depth += 1;
        openers[depth] = /** @type {HTMLElement} */ (document.activeElement);
    }
    write(push, view, id);
    show(view, id, opener);
}

/** Acts as the back button. */
export function back() {
    if (depth && opened.includes(current)) inTurn(() => history.back());
    else go(current === "person" ? "everyone" : tab, { id: person });
}

// The history

/** Writes a view into the history. @param {boolean} isNew whether the entry before remains */
function write(isNew, view = current, id = currentID) {
    const state = { view, id, tab: isTab(view) ? view : tab, person: view === "person" ? id : person, depth, dialogs: dialogs.length };
    inTurn(() => isNew ? history.pushState(state, "") : history.replaceState(state, ""));
}

/**
 * Changes the history, or leaves the page, once no entry is being left: the browser drops the earlier of two such steps.
 * @param {() => void} change
 */
export function inTurn(change) {
    if (waiting) waiting.push(change);
    else change();
}

/** Leaves entries whose views or dialogs are closed. @param {number} count */
function leave(count) {
    inTurn(() => {
        /** @type {(() => void)[]} */
        const changes = [];
        waiting = changes;
        setTimeout(() => { if (waiting === changes) arrive(); }, 1_000);
        history.go(-count);
    });
}

/** The entry of what is visible has been reached; or, without a word of the browser, is taken to be. */
function arrive() {
    const changes = waiting ?? [];
    waiting = null;
    changes.forEach(inTurn);
}

onDialog((dialog) => {
    dialogs.push(dialog);
    write(true);
    dialog.addEventListener("close", () => {
        // The back button has left its entry already.
        if (!dialogs.includes(dialog)) return;
        dialogs.splice(dialogs.indexOf(dialog), 1);
        leave(1);
        write(false);
    }, { once: true });
});

/** Closes dialogs, as the back button does. A dialog may refuse that. @param {number} count */
function closeDialogs(count) {
    for (; count > 0; count -= 1) {
        const dialog = dialogs[dialogs.length - 1];
        if (!dialog.dispatchEvent(new Event("leave", { cancelable: true }))) return write(true);
        dialogs.pop();
        dialog.close();
    }
}

// The galleries grow and shrink while hidden, so each remembers its own scroll position.
history.scrollRestoration = "manual";
addEventListener("popstate", ({ state }) => {
    if (waiting) return arrive();
    // The views before entering are left permanently once a guest has entered, and vice versa.
    if (!state?.view || door.includes(state.view) !== door.includes(current)) return;
    const closing = dialogs.length - (state.dialogs ?? 0);
    closeDialogs(closing);
    // A dialog that was closed does not open again.
    if (closing < 0) leave(-closing);
    // Behind a dialog the view may have changed.
    if (closing && state.depth === depth) return write(false);
    if (state.tab) tab = state.tab;
    person = state.person ?? null;
    const opener = state.depth < depth ? openers[state.depth + 1] : null;
    depth = state.depth ?? 0;
    show(state.view, state.id, opener);
});
// A page that is loaded again shows what lay behind.
const closed = (history.state?.depth ?? 0) + (history.state?.dialogs ?? 0);
if (closed) leave(closed);

/**
 * @param {View} view
 * @param {string|null} id
 * @param {HTMLElement|null} [opener] has the focus afterwards, if it is in sight
 */
function show(view, id, opener) {
    const before = current;
    if (isTab(before) && before === shownTab) scrolls.set(before, scrollY);
    [current, currentID] = [view, id];
    if (view === "person" && id !== person) scrolls.delete("person");
    if (view === "person") person = id;
    if (isTab(view)) tab = view;
    const overlay = overlays.find((name) => name === view);
    const wasParty = !find("party").hidden;
    const shown = overlay || isTab(view) ? "party" : view;
    for (const name of elements) find(name).hidden = name !== shown;
    for (const name of overlays) find(name).hidden = name !== overlay;
    // What lies below the photo is neither read nor reached; the photo itself has nothing above it.
    find("party").inert = overlay !== undefined;
    document.documentElement.classList.toggle("photo-open", overlay !== undefined);
    if (shown === "party") showTab();
    if (shown !== "party" ? before !== view : !wasParty || shownTab !== tab) {
        scrollTo(0, scrolls.get(shown === "party" ? tab : view) ?? 0);
    }
    shownTab = tab;
    if (before !== view) {
        const canReturn = opener?.isConnected && opener !== document.body && opener.getClientRects().length > 0;
        const place = overlay ?? (view === "person" ? "person" : shown);
        const target = canReturn ? opener : find(place).querySelector("[data-focus]");
        target?.focus({ preventScroll: true });
    }
    listener(view, id);
}

/** Shows the gallery of the tab. One person's photos belong to everyone's. */
function showTab() {
    for (const name of tabs) find(name).hidden = name !== tab;
    for (const name of /** @type {const} */ (["everyone", "mine"])) {
        if (name === (tab === "person" ? "everyone" : tab)) find(`tab-${name}`).setAttribute("aria-current", "page");
        else find(`tab-${name}`).removeAttribute("aria-current");
    }
}
