// SPDX-License-Identifier: Apache-2.0
// Opening a draft, which guests can rely on from then on.
import { call } from "/api.js";
import { ask } from "/dom.js";
import { text } from "./text.js";

/** Asks, and opens it. @param {import("./desk.js").Place} place @returns {Promise<boolean>} whether it is open now */
export async function openEvent(place) {
    if (!await ask(text.settings.openQuestion)) return false;
    const done = await place.attempt(() => call("POST", `${place.path}settings`, { isOpened: true, isClosed: false }));
    if (done) await place.refresh();
    return Boolean(done);
}
