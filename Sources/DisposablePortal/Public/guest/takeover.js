// SPDX-License-Identifier: Apache-2.0
// The window in which a guest of another node continues here (protocol/guest-api.md §8): it receives the guest and the
// waiting photos from the page that opened it, one by one, and confirms each that is stored here. It accepts messages
// of that page only, and only if it is a page of the same event by a node that this one knows.
import { ApiError, call } from "../shared/api.js";
import { find, make } from "../shared/dom.js";
import * as session from "../shared/session.js";
import { text } from "../shared/text.js";
import * as queue from "./sending/uploads.js";

const { opener } = window;
/** @type {Set<string>} */
let origins = new Set();
/** @type {"waiting"|"entering"|"taking"|"over"} */
let state = "waiting";
let taken = 0;
let count = 0;
/** Resolvers that wait for stored uploads. */
let changed = () => {};

/** @param {string} sentence */
const tell = (sentence) => { find("takeover-text").textContent = sentence; };

/** Whether a page is one of a node that this one knows: over plain HTTP, or over HTTPS on the same machine. @param {string} origin */
function isKnown(origin) {
    if (origins.has(origin)) return true;
    if (origin === "null") return false;
    const { protocol, hostname } = new URL(origin);
    return protocol === "https:" && [...origins].some((known) => new URL(known).hostname === hostname);
}

/** Passes the question for this node's proof on, which any page may ask. @param {string} challenge @param {string} origin */
async function prove(challenge, origin) {
    if (!/^[0-9a-f]{64}$/.test(challenge) || state !== "waiting") return;
    const { signature } = await call("GET", `api/proof?challenge=${challenge}`).catch(() => ({ signature: null }));
    opener.postMessage({ type: "proof", challenge, signature }, origin);
}

/** @param {MessageEvent} event */
async function hear({ source, origin, data }) {
    if (source !== opener || typeof data !== "object" || !data) return;
    if (data.type === "prove") return prove(String(data.challenge), origin);
    if (!isKnown(origin)) return;
    const say = (/** @type {object} */ message) => opener.postMessage(message, origin);
    try {
        if (data.type === "guest" && state === "waiting") {
            state = "entering";
            // No other page may act as a guest that is here already.
            const own = session.seed();
            const isGuest = data.event === session.me?.event.id && /^[\w-]{22}$/.test(data.seed)
                && (!own || session.base64url(own) === data.seed);
            if (!isGuest) {
                state = "over";
                tell(text.moving.otherGuestHere);
                say({ type: "refused" });
                return;
            }
            count = Math.max(0, Math.min(Number(data.count) || 0, queue.limits.queue));
            origins = new Set([origin]);
            await session.enter(session.unbase64url(data.seed), typeof data.name === "string" ? data.name : undefined);
            const me = /** @type {import("../shared/session.js").Me} */ (session.me);
            // Agreed to in the other window; a text that has changed since needs consent when the photos are sent.
            if (data.consent === me.consent.id && !me.consent.isGiven) await session.agree(me.consent.id);
            await queue.start(me.event.id,
                { onChange: () => changed(), onDone() {}, onSessionLost() {}, onConsentMissing() {}, isSaving: () => true,
                    isShownAtOnce: () => false });
            state = "taking";
            tell(text.moving.taking(0, count));
            say({ type: "next" });
        } else if (data.type === "photo" && state === "taking") {
            const isFile = data.file instanceof Blob && typeof data.name === "string" && data.name.length <= 1_000;
            say({ type: isFile && await take(data.file, data.name,
                data.source === "camera" ? "camera" : "library",
                Number.isInteger(data.mission) ? data.mission : null, () => say({ type: "busy" })) ? "taken" : "left" });
            taken += 1;
            tell(text.moving.taking(taken, Math.max(count, taken)));
        } else if (data.type === "end" && state === "taking") {
            state = "over";
            queue.stop();
            location.replace("/");
        }
    } catch (error) {
        state = "over";
        say({ type: "failed" });
        tell(error instanceof ApiError ? error.sentence : text.errors.other(String(error)));
    }
}

/** @param {import("./sending/uploads.js").Upload} upload whether the node has all of it */
const isThere = (upload) => upload.state === "done" || upload.state === "saved";

/**
 * @param {Blob} blob
 * @param {string} name
 * @param {"camera"|"library"} source
 * @param {number|null} mission
 * @param {() => void} onWaiting called from time to time while it takes long
 * @returns {Promise<boolean>} whether it is stored in this browser, or on the node
 */
async function take(blob, name, source, mission, onWaiting) {
    const file = new File([blob], name, { type: blob.type,
        lastModified: blob instanceof File ? blob.lastModified : Date.now() });
    const { left } = await queue.add([file], source, mission);
    if (left) return false;
    // A file that is here already is the same upload; one that was removed from the list is sent again.
    const upload = queue.uploads.find((one) => one.file === file);
    const beat = setInterval(onWaiting, 5_000);
    await /** @type {Promise<void>} */ (new Promise((resolve) => {
        changed = () => {
            if (!upload || upload.isKept || isThere(upload) || upload.state === "failed") resolve();
        };
        changed();
    }));
    clearInterval(beat);
    return !upload || upload.isKept || isThere(upload);
}

async function begin() {
    try {
        const me = opener ? await session.look() : null;
        if (!me) return location.replace("/");
        document.title = me.event.name;
        find("takeover-title").textContent = me.event.name;
        find("takeover-words").replaceChildren(...me.event.words.map((word) => make("li", {}, word)));
        origins = new Set(me.others.flatMap((other) => other.origins));
        if (me.secure) origins.add(me.secure.plainOrigin);
        addEventListener("message", hear);
        tell(text.moving.waiting);
        // Contains no secret, so any page may receive it; answers are checked when they arrive.
        opener.postMessage({ type: "ready" }, "*");
    } catch (error) {
        tell(error instanceof ApiError ? error.sentence : text.errors.other(String(error)));
    }
}

begin();
