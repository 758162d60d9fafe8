// SPDX-License-Identifier: Apache-2.0
// The guest's ticket, where the host asks for one: the one whose code was scanned is used, and a guest without one is told
// so above the gallery. Loaded when the event asks for tickets, or one was scanned.
import { ApiError, call } from "../../shared/api.js";
import { find, make, say, toast } from "../../shared/dom.js";
import * as session from "../../shared/session.js";
import { loadTexts, text } from "../../shared/text.js";

/** @typedef {{isMissing: boolean, number: number|null, lost: number|null}} Ticket */

/** @type {typeof import("../../texts/ticket/en.js").english} */
let words;
let isSending = false;

/** Uses the scanned ticket, and says where one is missing. */
export async function follow() {
    if (isSending || !session.me?.guest) return;
    words ??= await loadTexts("ticket");
    const scanned = session.scannedTicket();
    const error = scanned ? await use(scanned) : "";
    const { isMissing, lost } = await call("GET", "api/ticket");
    show(isMissing, lost, error);
}

/** @param {string} typed @returns {Promise<string>} what is wrong, or nothing */
async function use(typed) {
    isSending = true;
    try {
        const { number } = await call("POST", "api/ticket", { ticket: typed.trim() });
        session.forgetTicket();
        if (number !== null) tell(words.valid(number));
        await session.refresh();
        return "";
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // It is tried again when the box answers.
        if (error.status >= 400 && error.status < 500 && error.status !== 429) session.forgetTicket();
        const sentence = words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence;
        if (error.code !== "has-ticket") tell(sentence);
        return sentence;
    } finally {
        isSending = false;
    }
}

/** @param {string} sentence */
function tell(sentence) {
    toast(sentence, null, 10_000);
    say(sentence);
}

/** @param {boolean} isMissing @param {number|null} lost @param {string} error */
function show(isMissing, lost, error) {
    const box = find("ticket");
    if (!isMissing) return box?.remove();
    // Keep the form while the guest fills it in.
    if (box && !error) return;
    const field = make("input", { id: "ticket-text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true,
        "aria-describedby": "ticket-error" });
    const problem = make("p", { class: "error", id: "ticket-error", role: "alert" }, error);
    box?.remove();
    find("introduction").before(make("section", { class: "box", id: "ticket", "aria-labelledby": "ticket-title" },
        make("h2", { id: "ticket-title" }, words.title),
        make("p", {}, lost === null ? words.missing : words.lost(lost)),
        make("form", { class: "stack", submit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            if (isSending) return;
            problem.textContent = await use(field.value);
            if (!problem.textContent) find("ticket")?.remove();
        } },
        make("label", { for: "ticket-text" }, words.type), field, problem,
        make("button", { class: "button", id: "ticket-use" }, words.use))));
}

/** Under "Me": the number of the ticket. @param {HTMLElement} box */
export async function fill(box) {
    const [loaded, { number }] = await Promise.all([loadTexts("ticket"), call("GET", "api/ticket")]);
    words = loaded;
    if (number === null) return box.remove();
    box.replaceChildren(make("h2", {}, words.title), make("p", { id: "ticket-number" }, words.yours(number)));
}
