// SPDX-License-Identifier: Apache-2.0
// The sentences where the wall shows a code of its own, in French; outside.js and me.js load them.

/** @type {typeof import("./en.js").english} */
export const french = {
    needed: "L’hôte demande à chaque nouvelle personne le code que le mur affiche maintenant. Tapez-le ici, ou scannez le mur.",
    invite: "Une nouvelle personne a aussi besoin du code que le mur affiche maintenant.",
};
