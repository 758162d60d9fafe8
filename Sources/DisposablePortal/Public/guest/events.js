// SPDX-License-Identifier: Apache-2.0
// The events of this browser at this node: those that it has entered, and favourites of the board. The list stays in the
// browser, and an event leaves it when its photos are deleted.
import { ApiError, call } from "../shared/api.js";
import { make } from "../shared/dom.js";
import { me } from "../shared/session.js";
import { loadTexts } from "../shared/text.js";

/** @typedef {{id: string, name: string, startsAt: number, endsAt: number, expiresAt: number}} Known */

const place = "disposable.events";
const countMax = 20;

/** @param {any} one */
const isKnown = (one) => /^[0-9a-f]{64}$/.test(one?.id) && typeof one.name === "string"
    && [one.startsAt, one.endsAt, one.expiresAt].every(Number.isFinite);

/** @returns {Known[]} those whose photos are not deleted yet, the one entered last first */
function read() {
    try {
        const kept = JSON.parse(localStorage.getItem(place) ?? "[]");
        return Array.isArray(kept) ? kept.filter((one) => isKnown(one) && one.expiresAt > Date.now()).slice(0, countMax) : [];
    } catch { return []; }
}

/** @param {Known[]} list */
function save(list) {
    try { localStorage.setItem(place, JSON.stringify(list.slice(0, countMax))); } catch { /* then there is no list */ }
}

/** @param {Known} event */
const factsOf = ({ id, name, startsAt, endsAt, expiresAt }) => ({ id, name, startsAt, endsAt, expiresAt });

/** Keeps the present event as the one entered last, and its key (again.js). */
export function remember() {
    if (!me) return;
    save([factsOf(me.event), ...read().filter(({ id }) => id !== me?.event.id)]);
    try {
        localStorage.setItem(`disposable.${me.event.id}.token`, new URL(me.link).hash.slice(1));
    } catch { /* then a node that does not know this browser asks for the code */ }
}

/** Takes an event off the list: the guest has signed out there. @param {string} id */
export function forget(id) {
    save(read().filter((one) => one.id !== id));
}

/** @param {string} id */
const pathOf = (id) => `/e/${id.slice(0, 8)}/`;

/** Asks the node for an event; `null` if it no longer has it. @param {Known} known @returns {Promise<Known|null>} */
async function renewed(known) {
    try {
        return factsOf((await call("GET", `${pathOf(known.id)}api/me`)).event);
    } catch (error) {
        // Without a session its page asks for the code.
        return error instanceof ApiError && error.status === 404 ? null : known;
    }
}

/** @returns {Promise<Known[]>} favourites that are on the board */
async function favourites() {
    const { isFavourite, favouriteCount } = await import("../shared/favourites.js");
    if (!favouriteCount()) return [];
    const { events } = await call("GET", "/api/board");
    return events.filter((/** @type {Known} */ { id }) => isFavourite(id));
}

/** @param {HTMLElement} box */
export async function fill(box) {
    const [words, others, liked] = await Promise.all([loadTexts("events"),
        Promise.all(read().filter(({ id }) => id !== me?.event.id).map(renewed)), favourites().catch(() => [])]);
    if (!me) return;
    const entered = [factsOf(me.event), ...others.flatMap((one) => one ?? [])];
    save(entered);
    const shown = liked.filter(({ id }) => !entered.some((one) => one.id === id)).slice(0, countMax);
    const line = (/** @type {Known} */ { name, startsAt, endsAt }, /** @type {string|null} */ href) => make("li", {},
        href ? make("a", { href, class: "plain back" }, name) : make("strong", {}, name), make("p", { class: "quiet" }, words.when(startsAt, endsAt)),
        href ? null : make("p", { class: "quiet" }, words.here));
    box.replaceChildren(make("h2", {}, words.title), make("ul", { class: "events" },
        ...entered.map((one, index) => line(one, index ? pathOf(one.id) : null)),
        ...shown.map((one) => line(one, `/board#${one.id}`))),
    make("a", { class: "button wide", href: "/board" }, words.board));
}
