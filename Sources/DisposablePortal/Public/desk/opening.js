// SPDX-License-Identifier: Apache-2.0
// Opening a draft, after which guests can rely on it.
import { call } from "../shared/api.js";
import { ask } from "../shared/dom.js";
import { text } from "./words.js";

/** Asks for a confirmation, and opens it. @param {import("./desk.js").Place} place @returns {Promise<boolean>} whether
 * it is open now */
export async function openEvent(place) {
    const event = await place.attempt(() => call("GET", `${place.path}settings`));
    if (!event || !await ask(text.settings.openQuestion(event))) return false;
    const done = await place.attempt(() => call("POST", `${place.path}settings`, { isOpened: true, isClosed: false }));
    if (done) await place.refresh();
    return Boolean(done);
}
