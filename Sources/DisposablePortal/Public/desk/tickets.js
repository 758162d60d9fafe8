// SPDX-License-Identifier: Apache-2.0
// Tickets, part of the invitations: making, printing and cancelling them, and which were used, once or twice.
import { call } from "../shared/api.js";
import { ask, make, say } from "../shared/dom.js";
import { field } from "./fields.js";
import { sentence, text } from "./words.js";

const words = text.tickets;

/** @typedef {{number: number, key: string, state: "unused"|"used"|"usedTwice"|"cancelled", holder: string|null, users: string[]}} Ticket */

/**
 * @param {import("./desk.js").Place} place
 * @param {HTMLButtonElement} print prints the unused ones
 * @returns {{element: HTMLElement, load: (isOwn?: boolean) => Promise<void>}}
 */
export function ticketPanel(place, print) {
    const count = make("input", { type: "number", inputmode: "numeric", id: "ticket-count", min: 1, max: 2000, value: 50, required: true });
    const error = make("p", { class: "error", id: "ticket-error", role: "alert" });
    const summary = make("p", { id: "ticket-summary", role: "status", tabindex: -1 });
    const list = make("ul", { class: "flow", id: "tickets" });
    const create = make("button", { class: "button", id: "make-tickets", disabled: !place.here }, words.create);
    const form = make("form", { class: "row", submit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        create.disabled = true;
        await act(() => call("POST", `${place.path}tickets`, { count: Number(count.value) }));
        create.disabled = !place.here;
    } }, field(words.count, count), create);
    const element = make("section", { class: "panel flow", id: "ticket-panel" }, make("h2", {}, words.title),
        make("p", { class: "quiet" }, words.intro), form, make("div", { class: "row" }, print), error, summary, list,
        place.here ? null : make("p", { class: "quiet" }, text.awayShort));

    /** @param {() => Promise<any>} work */
    async function act(work) {
        error.textContent = "";
        try {
            await work();
            await load(true);
        } catch (failure) {
            error.textContent = sentence(failure);
        }
    }

    /** @param {Ticket} ticket */
    async function cancel(ticket) {
        const isSure = await ask({ title: words.sure(ticket.number), body: [ticket.holder ? words.holderLoses(ticket.holder) : words.nobodyLoses],
            yes: words.cancel, danger: true });
        if (isSure) await act(() => call("DELETE", `${place.path}tickets/${ticket.key}`));
    }

    /** @param {Ticket} ticket */
    const row = (ticket) => make("li", { class: ticket.state === "usedTwice" ? "row trouble" : "row", "data-ticket": ticket.number },
        make("span", {}, words.line(ticket.number, words.states[ticket.state](ticket.holder ?? "", ticket.users.join(", ")))),
        ticket.state === "cancelled" ? null : make("button", { type: "button", class: "button small", disabled: !place.here,
            "aria-label": words.cancelOne(ticket.number), click: () => cancel(ticket) }, words.cancel));

    /** @param {boolean} [isOwn] after an act of this page */
    async function load(isOwn = false) {
        /** @type {{tickets: Ticket[]}} */
        const { tickets } = await call("GET", `${place.path}tickets`);
        const of = (/** @type {string} */ state) => tickets.filter((ticket) => ticket.state === state).length;
        element.hidden = !tickets.length && !place.event().tickets;
        summary.textContent = tickets.length
            ? words.summary(tickets.length, of("used") + of("usedTwice"), of("usedTwice"), of("cancelled")) : words.none;
        print.hidden = !of("unused");
        // Tickets that need a decision come first.
        const order = { usedTwice: 0, used: 1, unused: 2, cancelled: 3 };
        const shown = tickets.sort((one, other) => order[one.state] - order[other.state] || one.number - other.number);
        const isInside = list.contains(document.activeElement);
        if (isOwn || !isInside) list.replaceChildren(...shown.map(row));
        // The button that had the focus is gone.
        if (isOwn && isInside) summary.focus();
        if (of("usedTwice")) say(words.twice(of("usedTwice")));
    }
    return { element, load };
}
