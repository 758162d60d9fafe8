// SPDX-License-Identifier: Apache-2.0
// The organizer's description of the party: when and where it is, what it costs, a contact, and how long the
// photos are kept.
import { ApiError, call } from "../../shared/api.js";
import { foldedCode } from "../../shared/codes.js";
import { make } from "../../shared/dom.js";
import { text } from "../../shared/text.js";

/** @typedef {{details: string|null, place: string|null, contact: string|null,
 *     price: {cents: number, currency: string}|null, links: string[]}} About */

/**
 * Fills an element with the description; if the node does not answer, with the data that is known already.
 * @param {HTMLElement} place
 * @param {import("../../shared/session.js").EventFacts} event
 */
export async function showAbout(place, event) {
    /** @type {About|null} */
    let about = null;
    try {
        about = await call("GET", "api/about");
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
    }
    place.replaceChildren(...parts(event, about));
}

/** @param {import("../../shared/session.js").EventFacts} event @param {About|null} about */
function parts(event, about) {
    const line = (/** @type {string|null|undefined} */ words, name = "") => words ? [make("p", { class: name }, words)] : [];
    const price = about?.price && (about.price.cents ? text.about.price(about.price.cents, about.price.currency)
        : text.about.free);
    const links = about?.links ?? [];
    return [
        ...line(text.about.when(event.startsAt, event.endsAt), "strong"),
        ...line(about?.place),
        ...line(event.organizer && text.about.host(event.organizer)),
        ...line(price),
        ...line(about?.details, "prose"),
        ...(about?.contact ? [make("p", {}, `${text.about.contact} `, ...reachable(about.contact))] : []),
        ...line(links.length ? text.about.links : null, "quiet"),
        ...links.map((address) => make("div", {}, make("a", { href: address, target: "_blank", rel: "noopener noreferrer" },
            address.replace(/^https?:\/\//, "")), foldedCode(address, text.about.code))),
        ...line(text.about.kept(event.expiresAt), "quiet"),
    ];
}

/** What a phone can open: an address of mail, or a telephone number of at least six digits. */
const ways = /([^\s,;<>@]+@[^\s,;<>@]+\.[^\s,;<>@]+)|(\+?\(?\d(?:[ ().\/-]{0,2}\d){5,14})/;

/** @param {string} contact as the organizer wrote it @returns {(string|Node)[]} with a link, if there is an address or number */
function reachable(contact) {
    const [found, mail] = ways.exec(contact) ?? [];
    if (!found) return [contact];
    const at = contact.indexOf(found);
    const link = make("a", { href: mail ? `mailto:${mail}` : `tel:${found.replace(/[^+\d]/g, "")}` }, found);
    return [contact.slice(0, at), link, contact.slice(at + found.length)];
}
