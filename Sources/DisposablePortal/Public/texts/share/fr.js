// SPDX-License-Identifier: Apache-2.0
// The sentences of sharing a photo in French; share.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    ready: "La photo est prête à être partagée.",
    refused: "Ce navigateur ne peut pas la partager. Enregistrez-la plutôt.",
};
