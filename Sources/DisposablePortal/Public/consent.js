// SPDX-License-Identifier: Apache-2.0
// What a guest agrees to before the first photo, and again when the host has changed it. Looking needs none of it.
import { ApiError } from "./api.js";
import { ask, make, toast } from "./dom.js";
import * as session from "./session.js";
import { text } from "./text.js";

/** More than a phone shows without being moved is folded. */
const shortText = 300;

/** @type {Promise<boolean>|null} */
let asking = null;

/**
 * Asks unless the guest has agreed already.
 * @returns {Promise<boolean>} whether photos may be sent
 */
export function agreed() {
    asking ??= question().finally(() => { asking = null; });
    return asking;
}

async function question() {
    // Twice where the text becomes another one while it is read.
    for (;;) {
        const consent = session.me?.consent;
        if (!consent || consent.isGiven) return true;
        const wording = { title: text.consent.title, body: [], yes: text.consent.yes, more: parts(consent) };
        if (session.agreedTo() !== consent.id && !await ask(wording)) {
            toast(text.consent.declined, null, 10_000);
            return false;
        }
        try {
            await session.agree(consent.id);
            return true;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            // The photos wait, and it is said before them, here or at another node.
            if (error.code === "unreachable") return true;
            toast(error.sentence);
            if (error.code !== "other-text") return false;
            await session.refresh();
        }
    }
}

/** @param {import("./session.js").Consent} consent */
function parts({ statement, organizersText }) {
    const tick = make("label", { class: "tick" }, make("input", { type: "checkbox", required: true }),
        make("span", {}, `${text.consent.tick} ${statement}`));
    const link = make("a", { href: "/privacy.html", target: "_blank" }, text.welcome.dataLink);
    if (!organizersText) return [tick, link];
    const prose = make("p", { class: "prose" }, organizersText);
    return [organizersText.length > shortText
        ? make("details", {}, make("summary", {}, text.consent.organizers), prose)
        : make("div", {}, make("h3", {}, text.consent.organizers), prose), tick, link];
}
