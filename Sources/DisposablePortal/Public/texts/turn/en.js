// SPDX-License-Identifier: Apache-2.0
// The sentences of turning one's own photo in English; turn.js loads them.

export const english = {
    turn: "Turn by a quarter",
    turned: (/** @type {number} */ degrees) => degrees === 0 ? "Shown to everyone as it was taken." : `Turned by ${degrees} degrees for everyone.`,
};
