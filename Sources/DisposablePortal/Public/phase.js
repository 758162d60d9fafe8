// SPDX-License-Identifier: Apache-2.0
// What the party is at for this guest, and what the bottom of the page offers: to take photos, or, once the film is full
// or the party over, to take them home.
import { find } from "./dom.js";
import * as session from "./session.js";
import { text } from "./text.js";
import * as queue from "./uploads.js";

let timer = 0;

/** @returns {boolean} what the host has said counts before this phone's clock */
export function isOver() {
    const event = session.me?.event;
    return !!event && (event.isClosed || (event.isOpened && Date.now() > event.endsAt));
}

/**
 * @param {number} photoCount of the whole party
 * @param {() => void} again called when the party's time has run out
 */
export function drawPhase(photoCount, again) {
    const event = session.me?.event;
    if (!event) return;
    const over = isOver();
    const isFull = session.framesLeft() === 0;
    find("over").hidden = !over;
    find("over-result").textContent = event.sealed ? "" : text.over.result(photoCount);
    find("over-until").textContent = event.expiresAt > Date.now() ? text.over.until(event.expiresAt) : "";
    find("full").hidden = !isFull;
    find("instead").hidden = !over && !isFull;
    find("instead-mine").hidden = over;
    // A photo whose sending was interrupted has its frame already, and is chosen once more.
    find("shutters").hidden = isFull && !queue.uploads.some((one) => one.state === "lost");
    find("take").hidden = over || isFull;
    find("library-text").textContent = over ? text.over.add : text.party.library;
    clearTimeout(timer);
    const wait = event.endsAt - Date.now();
    if (!over && wait > 0 && wait < 2 ** 31) timer = setTimeout(again, wait + 500);
}

/** What is worth saying once a photo is in: few are left, or none. */
export function nudge() {
    const left = session.framesLeft();
    if (left === 0) return text.party.last;
    return left !== null && (left <= 3 || left === 9) ? text.party.nudge(left) : "";
}
