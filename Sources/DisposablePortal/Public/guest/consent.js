// SPDX-License-Identifier: Apache-2.0
// The guest's consent before the first photo, and again when the host has changed the text. Viewing needs none.
import { ApiError } from "../shared/api.js";
import { ask, make, toast } from "../shared/dom.js";
import * as session from "../shared/session.js";
import { pageOf, text } from "../shared/text.js";
import { statement as signed } from "../texts/statement.js";

/** Longer texts than fit on a phone's screen are folded. */
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
    // Twice if the text changes while it is read.
    for (;;) {
        const consent = session.me?.consent;
        if (!consent || consent.isGiven) return true;
        if (session.agreedTo() !== consent.id && !await ask(wording(consent))) {
            toast(text.consent.declined, null, 10_000);
            return false;
        }
        try {
            await session.agree(consent.id);
            return true;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            // The photos wait, and the consent is sent before them, here or at another node.
            if (error.code === "unreachable") return true;
            toast(error.sentence);
            if (error.code !== "other-text") return false;
            await session.refresh();
        }
    }
}

/**
 * The button is the consent.
 * @param {import("../shared/session.js").Consent} consent
 */
function wording({ statement, organizersText }) {
    // Guests sign the English statement; a node with a newer one is quoted as it is.
    const sentence = statement === signed ? text.consent.statement : statement;
    const link = make("a", { href: pageOf("privacy.html"), target: "_blank" }, text.welcome.dataLink);
    const prose = organizersText ? [organizers(organizersText)] : [];
    return { title: text.consent.title, body: [sentence], yes: text.consent.yes, more: [...prose, link] };
}

/** @param {string} words */
function organizers(words) {
    const prose = make("p", { class: "prose" }, words);
    return words.length > shortText
        ? make("details", {}, make("summary", {}, text.consent.organizers), prose)
        : make("div", {}, make("h3", {}, text.consent.organizers), prose);
}
