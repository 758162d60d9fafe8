// SPDX-License-Identifier: Apache-2.0
// Favourites that start soon: the board calls them out, and so does the page of an event.
import { call } from "./api.js";
import { tell, wants } from "./notices.js";
import { favouriteCount, isFavourite } from "./favourites.js";

/** @typedef {{id: string, name: string, startsAt: number}} Row */

/** Milliseconds before its start that a favourite is called out, and after it. */
const [ahead, after] = [10 * 60_000, 60_000];
/** Milliseconds between two questions for the list, and between two looks at it. */
const [asking, looking] = [5 * 60_000, 20_000];

/** @param {Row[]} rows @returns {Row[]} */
export function startingSoon(rows) {
    const now = Date.now();
    return rows.filter(({ id, startsAt }) => isFavourite(id) && startsAt > now - after && startsAt - now <= ahead);
}

/** Whole minutes until the start. @param {Row} row */
export const minutesTo = ({ startsAt }) => Math.max(0, Math.ceil((startsAt - Date.now()) / 60_000));

/** Events that were told of. */
const told = new Set();

/** Tells of each favourite once. @param {Row[]} rows @param {boolean} isShown whether the page shows it as well */
export function tellSoon(rows, isShown) {
    for (const row of startingSoon(rows).filter(({ id }) => !told.has(id))) {
        told.add(row.id);
        tell("starts", (words) => words.soon(row.name, minutesTo(row)), { isShown });
    }
}

/** Tells of them on the page of another event. @param {string} own the id of that event */
export function watchFavourites(own) {
    /** @type {Row[]} */
    let rows = [];
    const ask = async () => {
        if (!favouriteCount() || !wants("starts")) return;
        const list = await call("GET", "/api/board").catch(() => null);
        if (list) rows = list.events.filter((/** @type {Row} */ { id }) => id !== own);
        tellSoon(rows, false);
    };
    ask();
    setInterval(ask, asking);
    setInterval(() => tellSoon(rows, false), looking);
}
