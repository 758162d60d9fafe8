// SPDX-License-Identifier: Apache-2.0
// The introduction above the gallery: three lines for a guest without photos, until the guest dismisses it.
import { find } from "../shared/dom.js";
import * as session from "../shared/session.js";
import { text } from "../shared/text.js";

/** Of the event: a guest of several parties reads the introduction of each. */
const place = () => `disposable.${session.me?.event.id}.introduction`;
/** Where the browser stores nothing, it stays dismissed until the page is closed. */
let isDismissed = false;

function wasDismissed() {
    try { return isDismissed || localStorage.getItem(place()) !== null; } catch { return isDismissed; }
}

export function setUpIntroduction() {
    find("introduction-done").addEventListener("click", () => {
        isDismissed = true;
        try { localStorage.setItem(place(), "dismissed"); } catch { /* see above */ }
        drawIntroduction();
        find("galleries").focus({ preventScroll: true });
    });
}

export function drawIntroduction() {
    const { me } = session;
    // A guest without a ticket has no photos to take.
    // Before the party there is no button to take photos with, and a draft's date of deletion is not final.
    const hasBegun = me?.event.isOpened && Date.now() >= me.event.startsAt;
    const isNewcomer = me?.guest?.framesUsed === 0 && me.guest.frames !== 0 && hasBegun && !session.isOver();
    find("introduction").hidden = !isNewcomer || wasDismissed();
    if (!me) return;
    find("introduction-take").textContent = text.introduction.take(me.guest?.frames ?? null);
    find("introduction-see").textContent = text.introduction.see(me.event.sealed);
    find("introduction-save").textContent = text.introduction.save(me.event.expiresAt);
}
