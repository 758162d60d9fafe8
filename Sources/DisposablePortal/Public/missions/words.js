// SPDX-License-Identifier: Apache-2.0
// The sentences about missions in the language of the page. Most events have no missions, so they are loaded with them.
import { language } from "../text.js";

/** @typedef {typeof import("./texts/en.js").english} Words */

/** @returns {Promise<Words>} the one catalogue of the language's file */
export const loadWords = () => import(`./texts/${language}.js`).then((file) => /** @type {any} */ (Object.values(file)[0]));
