// SPDX-License-Identifier: Apache-2.0
// The sentences about the guest's events in French.
import { formats } from "../format.js";

const { range } = formats("fr", ["ko", "Mo", "Go"]);

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Mes événements",
    when: (from, to) => range(from, to),
    here: "Vous y êtes.",
    board: "Les événements des environs",
};
