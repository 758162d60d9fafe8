// SPDX-License-Identifier: Apache-2.0
// The sentences of badges in English.

export const english = {
    title: "My badges",
    all: {
        first: { name: "First light", how: "Add your first photo." },
        film: { name: "Last frame", how: "Use your whole film." },
        loved: { name: "Loved by ten", how: "Ten others love one of your photos." },
        missions: { name: "All missions", how: "Answer every mission of the host." },
        moment: { name: "On the dot", how: "Take a photo in a moment." },
        early: { name: "Early bird", how: "Add a photo in the first half hour." },
        night: { name: "Night owl", how: "Add a photo between midnight and five." },
    },
    open: "Not yet",
    own: "Only you see them: this page finds them in your photos.",
    earned: (/** @type {string[]} */ names) => `New badge${names.length > 1 ? "s" : ""}: ${names.join(", ")}`,
};
