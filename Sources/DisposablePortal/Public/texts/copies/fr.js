// SPDX-License-Identifier: Apache-2.0
// The sentences of copies of a photo in French; copies.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    jpeg: "Enregistrer en JPEG",
    film: "Enregistrer en couleurs d’antan",
    failed: "Ce navigateur ne peut pas dessiner la photo. « Enregistrer l’original » la donne telle que prise.",
};
