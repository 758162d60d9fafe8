// SPDX-License-Identifier: Apache-2.0
// The sentences about the program for the guest's own computer, in French; program.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Aider avec votre ordinateur",
    about: "Un ordinateur sous Linux peut être une boîte à photos de plus. Il garde aussi toutes les photos.",
    open: "Ce qu’il faut faire",
};
