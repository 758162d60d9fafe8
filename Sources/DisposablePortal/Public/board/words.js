// SPDX-License-Identifier: Apache-2.0
// The sentences of the board in the language of the page (/text.js).
import { language } from "/text.js";

/** @typedef {typeof import("./texts/en.js").english} BoardText */

/** @type {Record<string, () => Promise<BoardText>>} */
const catalogues = {
    en: () => import("./texts/en.js").then(({ english }) => english),
    fr: () => import("./texts/fr.js").then(({ french }) => french),
};

/** Nothing before `loadBoardText`. @type {BoardText} */
export let text;

export async function loadBoardText() {
    text = await catalogues[language]();
}
