// SPDX-License-Identifier: Apache-2.0
// The sentences of "Not me, please" in English; veil.js loads them.

export const english = {
    ask: "Not me, please",
    title: "Should nobody see this photo?",
    body: "It is veiled for everyone at once. The host looks at it and decides: it stays away, or it is shown again.",
    who: "The host is not told who asked.",
    yes: "Veil it for everyone",
    done: "Veiled. The host decides.",
    undo: "Undo", undone: "The photo is shown again.",
    own: "Someone has asked not to be in this photo. Only you see it until the host has decided.",
    other: "Someone has asked not to be in this photo. The host decides.",
    errors: {
        "veil-lifted": "The host has looked at this photo and decided to show it. Talk to them if you do not agree.",
        "too-many-veils": "Enough photos are waiting for the host’s decision. Show them this one.",
        "veils-off": "The host has switched this off. Show them the photo.",
    },
};
