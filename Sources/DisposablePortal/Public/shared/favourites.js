// SPDX-License-Identifier: Apache-2.0
// The favourite events of this browser: their ids, which stay here. Without storage they last as long as the page.

const place = "disposable.board.favourites";
/** As many as a board has events. */
const max = 300;

/** @type {string[]} the latest last */
let ids = read();

/** @returns {string[]} */
function read() {
    try {
        const kept = JSON.parse(localStorage.getItem(place) ?? "[]");
        return Array.isArray(kept) ? kept.filter((id) => /^[0-9a-f]{64}$/.test(id)).slice(-max) : [];
    } catch { return []; }
}

/** @param {string} id */
export const isFavourite = (id) => ids.includes(id);

export const favouriteCount = () => ids.length;

/** @param {string} id @param {boolean} isOn */
export function setFavourite(id, isOn) {
    // Another tab may have changed them.
    ids = [...read().filter((other) => other !== id), ...isOn ? [id] : []].slice(-max);
    try { localStorage.setItem(place, JSON.stringify(ids)); } catch { /* until the page is closed */ }
}
