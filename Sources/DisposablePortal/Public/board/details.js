// SPDX-License-Identifier: Apache-2.0
// One event of the board. Its texts come from strangers: they are shown as text, and links are no links.
import { foldedCode } from "../shared/codes.js";
import { copy, make } from "../shared/dom.js";
import { starOf } from "./board.js";
import { pageText as text, text as common } from "../shared/text.js";

/** @typedef {{event: import("./board.js").Row, details: string|null, contact: string|null, registration: string|null,
 *     price: {cents: number, currency: string}|null, links: {kind: string, address: string}[], pages: string[],
 *     seenAt: number}} Details */

/** @param {{latitude: number, longitude: number}} position @returns {string} degrees, as other maps read them */
const written = ({ latitude, longitude }) => [latitude, longitude].map((each) => (each / 1000).toFixed(3)).join(", ");

/**
 * Hands the event on as a text: to the system where pages may do that, otherwise to the clipboard.
 * @param {string} title @param {string} card
 */
function share(title, card) {
    if (typeof navigator.share !== "function") return copy(card);
    // A rejection is the person's own choice.
    navigator.share({ title, text: card }).catch(() => null);
}

/** @param {Details} details */
export function detailsOf({ event, details, contact, registration, price, links, pages, seenAt }) {
    /** @type {Record<string, string>} */
    const kinds = text.kinds;
    const entry = price && (price.cents ? text.money(price.cents, price.currency) : text.free);
    const facts = [[text.when, text.period(event.startsAt, event.endsAt)], [text.where, event.place], [text.host, event.organizer],
        [text.position, event.position && written(event.position)],
        [text.price, entry], [text.contact, contact],
        [text.registration, registration && text.unverified(registration)]];
    const page = pages[0] && new URL(pages[0], location.href).href;
    const card = [event.name, text.period(event.startsAt, event.endsAt), event.place, event.organizer && text.by(event.organizer),
        page, event.words?.join(" ")].filter(Boolean).join("\n");
    return [
        make("div", { class: "row spread nowrap" }, make("h1", { tabindex: -1, id: "event-title" }, event.name), starOf(event)),
        ...event.isReachable ? [make("p", { class: "near" }, text.near)] : [],
        ...event.recent ? [make("p", { class: "quiet" }, text.recent(event.recent.photos, event.recent.people))] : [],
        make("dl", {}, ...facts.filter(([, value]) => value).flatMap(([name, value]) =>
            [make("dt", {}, name), make("dd", {}, value)])),
        ...details ? [make("p", { class: "prose" }, details)] : [],
        ...links.length ? [make("div", { class: "stack" }, make("h2", {}, text.links), ...links.map(({ kind, address }) =>
            make("div", {}, make("p", {}, text.labelled(kinds[kind] ?? kinds.other), make("span", { class: "link-text" }, address)),
                foldedCode(address, text.code))))] : [],
        ...event.words ? [make("div", { class: "stack" }, make("h2", {}, text.words),
            make("p", { class: "strong" }, event.words.join(" ")), make("p", { class: "quiet" }, text.wordsHint))] : [],
        ...page ? [make("a", { class: "button main wide", href: pages[0], id: "enter" }, text.enter),
            make("p", { class: "quiet" }, `${text.enterHint} ${text.write}`), foldedCode(page, text.otherPhone)]
            : [make("p", { class: "quiet" }, text.away(seenAt))],
        make("button", { type: "button", class: "button wide", id: "share", click: () => share(event.name, card) },
            "share" in navigator ? common.common.share : text.copy),
        make("a", { class: "button wide", href: `/api/board/${event.id}.ics`, download: `${event.id.slice(0, 8)}.ics`,
            id: "calendar-file" }, text.file),
    ];
}
