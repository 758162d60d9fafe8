// SPDX-License-Identifier: Apache-2.0
// The sentences of the desk in the language of the page (shared/text.js), and of failed calls.
import { pageText } from "../shared/text.js";

/** @type {typeof import("../texts/desk/en.js").english} */
export const text = pageText;

/** The sentence for a failed call. @param {any} error */
export function sentence(error) {
    if (!error?.status) return text.unreachable;
    /** @type {Record<string, any>} */
    const known = text.errors;
    const said = known[error.reason] ?? known[error.code];
    if (typeof said === "function") return said(error.about);
    return said ?? text.errors.other(error.message);
}
