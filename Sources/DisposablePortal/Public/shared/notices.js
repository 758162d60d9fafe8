// SPDX-License-Identifier: Apache-2.0
// Notices of the kinds that the guest has switched on: in the page, or, while the page is in the background and the guest
// has allowed it, as a notification of the system. Each kind has at most one a minute; further ones are counted.
import { isOffering, say, toast } from "./dom.js";
import { loadTexts } from "./text.js";

/** @typedef {"moment"|"remarks"|"revealed"|"host"|"starts"} Kind */
/** @typedef {typeof import("../texts/notices/en.js").english} Words */
/** @typedef {{label: string, run: () => void}} Action */
/** @typedef {{count: number, sentence: (words: Words) => string, action: (words: Words) => Action|null, isShown: boolean}} Notice
 *     `isShown`: the page shows it in its own way, such as a banner */

export const kinds = /** @type {const} */ (["moment", "remarks", "revealed", "host", "starts"]);
/** Milliseconds between two notices of one kind. */
const pause = 60_000;
const place = "disposable.notices";

/** The settings where the browser stores nothing. @type {{off: Kind[], isSystem: boolean}} */
let settings = { off: [], isSystem: false };

function read() {
    try {
        const { off, isSystem } = JSON.parse(localStorage.getItem(place) ?? "null") ?? settings;
        settings = { off: kinds.filter((kind) => off?.includes?.(kind)), isSystem: isSystem === true };
    } catch { /* as before */ }
    return settings;
}

/** Called after each change. @type {(() => void)[]} */
export const listeners = [];

/** @param {Partial<typeof settings>} change */
function set(change) {
    settings = { ...read(), ...change };
    try { localStorage.setItem(place, JSON.stringify(settings)); } catch { /* until the page is closed */ }
    for (const listener of listeners) listener();
}

/** @param {Kind} kind */
export const wants = (kind) => !read().off.includes(kind);

/** @param {Kind} kind @param {boolean} isOn */
export function setWanted(kind, isOn) {
    set({ off: [...read().off.filter((other) => other !== kind), ...isOn ? [] : [kind]] });
}

// Notifications of the system

/** Whether pages show notifications in this browser: some have the interface and refuse to use it. */
export function canNotify() {
    if (!isSecureContext || typeof Notification !== "function") return false;
    if (Notification.permission === "granted") return true;
    // Without permission it shows nothing.
    try { new Notification(""); } catch { return false; }
    return true;
}

export const isSystemOn = () => read().isSystem && canNotify() && Notification.permission === "granted";

/** @param {boolean} isOn @returns {Promise<boolean>} whether it is so now: the browser asks the guest */
export async function setSystem(isOn) {
    const isAllowed = isOn && await Notification.requestPermission() === "granted";
    set({ isSystem: isAllowed });
    return isAllowed === isOn;
}

// Telling

/** The time of the last notice of each kind. @type {Map<Kind, number>} */
const told = new Map();
/** The next one of each kind. @type {Map<Kind, Notice>} */
const next = new Map();

/**
 * Tells the guest, now or a minute after the last notice of the kind.
 * @param {Kind} kind
 * @param {Notice["sentence"]} sentence
 * @param {{action?: Notice["action"], isShown?: boolean}} [how]
 */
export function tell(kind, sentence, { action = () => null, isShown = false } = {}) {
    if (!wants(kind) || isShown && !document.hidden) return;
    const notice = next.get(kind);
    next.set(kind, { count: (notice?.count ?? 0) + 1, sentence, action, isShown });
    if (!notice) setTimeout(() => show(kind), Math.max(0, (told.get(kind) ?? -pause) + pause - performance.now()));
}

/** @param {Kind} kind */
async function show(kind) {
    if (!document.hidden && isOffering()) return void setTimeout(show, 1_000, kind);
    const { count, sentence, action, isShown } = /** @type {Notice} */ (next.get(kind));
    next.delete(kind);
    const words = await loadTexts("notices").catch(() => null);
    if (!words || !wants(kind)) return;
    const all = count > 1 ? words.more(sentence(words), count - 1) : sentence(words);
    const act = action(words);
    if (document.hidden && isSystemOn()) {
        const notification = new Notification(document.title, { body: all, tag: `disposable.${kind}`, icon: "/icon.svg" });
        notification.addEventListener("click", () => {
            focus();
            notification.close();
            act?.run();
        });
    } else if (!isShown) {
        say(all);
        toast(all, act, 10_000);
    } else return;
    told.set(kind, performance.now());
}
