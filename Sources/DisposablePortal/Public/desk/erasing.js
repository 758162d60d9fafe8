// SPDX-License-Identifier: Apache-2.0
// Deleting photos of others for everybody, and the receipts: on how many computers they are gone; and on how many a photo is.
import { call } from "../shared/api.js";
import { ask, make, toast } from "../shared/dom.js";
import { text } from "./words.js";

const words = text.erasing;
/** The deleted photos whose receipts this browser asks for, the latest ones. */
const keptMax = 20;
const storageName = (/** @type {import("./desk.js").Place} */ place) => `disposable.desk.erased.${place.id}`;

/** @param {import("./desk.js").Place} place @returns {string[]} ids, the latest last */
function kept(place) {
    try { return (localStorage.getItem(storageName(place)) ?? "").split(" ").filter(Boolean); } catch { return []; }
}

/**
 * Deletes a photo for everybody after a question.
 * @param {import("./desk.js").Place} place @param {any} photo
 */
export async function erase(place, photo) {
    if (!await ask({ title: words.title, body: words.body(photo.authorName ?? text.noName), yes: words.yes, danger: true })) return;
    if (!await place.attempt(() => call("DELETE", `${place.path}photos/${photo.id}`))) return;
    try {
        localStorage.setItem(storageName(place), [...kept(place), photo.id].slice(-keptMax).join(" "));
    } catch { /* then there are no receipts */ }
    toast(words.done, null, 8_000);
}

/**
 * On how many computers a photo is.
 * @param {import("./desk.js").Place} place @param {string} photo @returns {Promise<string>} "" if nobody knows, or there is one
 */
export async function copiesOf(place, photo) {
    try {
        const { isHere, confirmedBy, nodeCount } = await call("GET", `${place.path}photos/${photo}/copies`);
        return nodeCount < 2 ? "" : words.copies(confirmedBy.length + (isHere ? 1 : 0), nodeCount);
    } catch { return ""; }
}

/** The receipts of photos that were deleted here. @param {import("./desk.js").Place} place */
export async function receipts(place) {
    const rows = await Promise.all(kept(place).reverse().map(async (id) => {
        try { return receipt(await call("GET", `${place.path}photos/${id}/copies`)); } catch { return null; }
    }));
    const shown = rows.filter((row) => row !== null);
    if (!shown.length) return null;
    return make("section", { class: "panel flow", id: "receipts" }, make("h2", {}, words.receipts),
        make("p", { class: "quiet" }, words.hint), make("ul", { class: "rows" }, ...shown));
}

/** @param {any} copies */
function receipt({ photo, isDestroyedHere, destroyedBy, confirmedBy, nodeCount }) {
    const away = [...confirmedBy, ...destroyedBy].filter((/** @type {any} */ node) => !node.isConnected);
    return make("li", {}, make("span", { class: "strong" }, photo.slice(0, 8)),
        make("span", {}, words.gone(destroyedBy.length + (isDestroyedHere ? 1 : 0), nodeCount)),
        ...away.map((/** @type {any} */ node) => make("span", { class: "quiet" },
            words.away(node.name, text.time(Date.parse(node.heardAt))))));
}
