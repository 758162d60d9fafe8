// SPDX-License-Identifier: Apache-2.0
// The sentences of copies of a photo in French; copies.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    jpeg: "Garder en JPEG",
    film: "Garder en couleurs d’autrefois",
    failed: "Ce navigateur ne peut pas dessiner la photo. « Garder l’original » la donne comme elle a été prise.",
};
