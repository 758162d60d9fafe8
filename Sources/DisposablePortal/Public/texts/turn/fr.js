// SPDX-License-Identifier: Apache-2.0
// The sentences of turning one's own photo in French; turn.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    turn: "Tourner d’un quart",
    turned: (degrees) => degrees === 0 ? "Montrée à tous comme elle a été prise." : `Tournée de ${degrees} degrés pour tous.`,
};
