// SPDX-License-Identifier: Apache-2.0
// The phase of the party for this guest, and the buttons at the bottom of the page: to take photos, or, once the film
// is full or the party over, to save them.
import { find, hideToast } from "../shared/dom.js";
import { acceptedTypes, maySave, options } from "../shared/options.js";
import * as session from "../shared/session.js";
import { text } from "../shared/text.js";
import * as queue from "./sending/uploads.js";

/** Hours before the deletion of all photos from which on the page reminds of it. */
const reminder = 72;
const hour = 3_600_000;

let timer = 0;

/** @returns {"draft"|"early"|"late"|""} why the party takes no photos now, if it does not */
export function refusal() {
    const event = session.me?.event;
    if (!event || event.acceptsUntil === null || event.acceptsUntil === undefined) return "";
    // A photographer has no film that ends, and may add at any time.
    if (event.frames !== null && session.me?.guest?.frames === null) return "";
    if (!event.isOpened) return "draft";
    if (Date.now() < event.startsAt) return "early";
    return Date.now() > event.acceptsUntil ? "late" : "";
}

/** The next moment at which the party takes photos, or takes them no longer. @param {any} event */
function turn(event) {
    // The hours that remain are counted down.
    const remaining = Math.min(reminder, Math.ceil((event.expiresAt - Date.now()) / hour) - 1);
    return Math.min(...[event.startsAt, event.endsAt, event.acceptsUntil, event.expiresAt - remaining * hour]
        .filter((at) => at > Date.now()));
}

/**
 * @param {number} photoCount of the whole party
 * @param {() => void} again called at the end of the party
 */
export function drawPhase(photoCount, again) {
    const event = session.me?.event;
    if (!event) return;
    const over = session.isOver();
    const isFull = session.framesLeft() === 0;
    // The toast is about the time before the end.
    if (over && find("over").hidden) hideToast();
    find("over").hidden = !over;
    find("over-result").textContent = event.sealed ? "" : text.over.result(photoCount);
    const refused = refusal();
    const { isCameraOnly, photosAtOnce } = options();
    const rights = /** @type {const} */ ([maySave({ isMine: false }), maySave({ isMine: true })]);
    find("over-until").textContent = event.expiresAt <= Date.now() ? ""
        : !rights[0] ? text.over.only(event.expiresAt)
        : refused || isCameraOnly ? text.over.look(event.expiresAt)
        : text.over.until(event.acceptsUntil ?? event.expiresAt);
    const hours = (event.expiresAt - Date.now()) / hour;
    find("over-remind").hidden = hours <= 0 || hours > reminder;
    // Rounded down: nobody shall count on more.
    find("over-remind").textContent = text.over.remind(Math.max(1, Math.floor(hours)));
    const early = refused === "draft" ? text.welcome.draft
        : refused === "early" ? text.party.early(event.startsAt) : "";
    find("early").textContent = early;
    find("early").hidden = !early;
    // A guest without a ticket has no film yet.
    find("full").hidden = !isFull || session.me?.guest?.frames === 0;
    find("instead").hidden = !over && !isFull;
    find("instead-mine").hidden = over;
    find("instead-save").hidden = !rights[1];
    find("instead-save-text").textContent = rights[0] ? text.over.save : text.over.saveMine;
    find("full-body").textContent = rights[0] ? text.full.body : text.full.look;
    // A photo whose sending was interrupted has its frame already, and is chosen once more.
    find("shutters").hidden = !!refused || isCameraOnly && (over || isFull)
        || isFull && !queue.uploads.some((one) => one.state === "lost");
    find("take").hidden = over || isFull;
    find("choose").hidden = isCameraOnly;
    for (const input of [find("camera"), find("library")]) input.accept = acceptedTypes();
    find("library").multiple = photosAtOnce !== 1;
    find("library-text").textContent = photosAtOnce ? text.party.atOnce(photosAtOnce) : over ? text.over.add : text.party.library;
    clearTimeout(timer);
    const wait = turn(event) - Date.now();
    if (wait > 0 && wait < 2 ** 31) timer = setTimeout(again, wait + 500);
}

/** Announces that few photos are left, or none, after a photo was added. */
export function nudge() {
    const left = session.framesLeft();
    if (left === 0) return text.party.last;
    return left !== null && (left <= 3 || left === 9) ? text.party.nudge(left) : "";
}
