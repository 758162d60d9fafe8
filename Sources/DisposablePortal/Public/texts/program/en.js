// SPDX-License-Identifier: Apache-2.0
// The sentences about the program for the guest's own computer, in English; program.js loads them.

export const english = {
    title: "Help out with your computer",
    about: "A computer with Linux can be one more photo box. It keeps all photos, too.",
    open: "What to do",
};
