// SPDX-License-Identifier: Apache-2.0
// The sentences of copies in the colours of an old film in French; filmcopy.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    save: "Garder en couleurs d’autrefois",
    failed: "Ce navigateur ne peut pas dessiner la photo. « Garder l’original » la donne comme elle a été prise.",
};
