// SPDX-License-Identifier: Apache-2.0
// The guests' page until somebody is in: where this browser stands, the code, and the welcome. What the party needs is
// loaded behind it.
import { ApiError } from "../shared/api.js";
import { ask, find, toast } from "../shared/dom.js";
import * as session from "../shared/session.js";
import { fillTexts, text } from "../shared/text.js";
import { setUpDoor, showCode, showWelcome } from "./welcome.js";
import { go } from "./views.js";

/** Milliseconds that the door has the network for itself. */
const pause = 300;

/** @type {Promise<typeof import("./app.js")>|null} */
let party = null;
/** Whether a part of the page did not load, which only a reload tries again. */
let isBroken = false;

/** @returns {Promise<typeof import("./app.js")>} */
const loadParty = () => party ??= import("./app.js");

/** @param {import("../shared/session.js").Arrival} arrival */
export async function arrived(arrival) {
    document.title = session.me?.event.name ?? text.product;
    if (arrival.kind === "guest") {
        await enter(arrival.stranger === true);
        return;
    }
    if (arrival.kind === "code") {
        showCode(arrival.error ? (arrival.error.code === "wrong-token" ? text.code.wrongLink : arrival.error.sentence)
            : arrival.because || (arrival.ended ? text.code.ended : ""), arrival.code, arrival.once);
    } else {
        showWelcome();
    }
    setTimeout(() => {
        // A module that fails to load here is loaded again on first use.
        loadParty().catch(() => { party = null; });
        session.signing().catch(() => null);
        // Nobody misses the list where it does not load.
        if (arrival.kind === "code") import("./nearby.js").then(({ showNearby }) => showNearby()).catch(() => null);
    }, pause);
}

/** @param {boolean} isStranger whether the event saw this guest's words for the first time */
async function enter(isStranger) {
    let app;
    try {
        // Files are hashed with the signing library, so nobody is in without it.
        [app] = await Promise.all([loadParty(), session.signing()]);
    } catch {
        isBroken = true;
        trouble(text.errors.unreachable);
        return;
    }
    await app.enterParty();
    if (isStranger) toast(text.words.stranger, null, 10_000);
}

/** @param {string} sentence */
function trouble(sentence) {
    find("trouble-text").textContent = sentence;
    go("trouble");
}

/** Nothing can be shown before the box answers. */
async function begin() {
    if (isBroken) location.reload();
    go("boot");
    try {
        await arrived(await session.arrive(() => ask(
            { title: text.words.otherGuest.title, body: [text.words.otherGuest.body],
            yes: text.words.otherGuest.yes, no: text.words.otherGuest.no })));
    } catch (error) {
        trouble(error instanceof ApiError ? error.sentence : text.errors.other(String(error)));
        if (!(error instanceof ApiError)) throw error;
    }
}

fillTexts(document);
setUpDoor(arrived);
find("trouble-retry").addEventListener("click", begin);
// Another code scanned into this very page.
addEventListener("hashchange", () => { if (/^#(\w{4}-\w{4}(\.|$)|[\w-]{22})/.test(location.hash)) location.reload(); });
begin();
