// SPDX-License-Identifier: Apache-2.0
// The sentences of photos that guests give each other, in English; gift.js loads them.
import { formats } from "../format.js";

const { count } = formats("en", ["KB", "MB", "GB"]);
const photos = (/** @type {number} */ number) => count(number, "photo", "photos");

export const english = {
    title: "Give photos away",
    about: (/** @type {number} */ left) => `You can give ${photos(left)} of your film to somebody who wants to take more.`,
    nobody: "Nobody else with a name is here yet who can take more.",
    who: "Who gets them?", choose: "Choose a person",
    howMany: "How many?",
    more: (/** @type {number} */ number) => `And ${count(number, "more person", "more people")}: the host can give them more.`,
    give: "Give",
    sure: (/** @type {string} */ name, /** @type {number} */ number) => `Give ${name} ${photos(number)} of your film?`,
    rest: (/** @type {number} */ left) => left ? `After that you can give ${left} more.` : "Those are the last that you can give.",
    forGood: "This cannot be undone: you cannot take them back.",
    done: (/** @type {string} */ name, /** @type {number} */ number) => `You gave ${name} ${photos(number)}.`,
    from: (/** @type {string} */ name, /** @type {number} */ number) => `${photos(number)} from ${name}`,
    to: (/** @type {string} */ name, /** @type {number} */ number) => `${photos(number)} to ${name}`,
    byGuest: (/** @type {string} */ name, /** @type {number} */ number) => `${name} gave you ${photos(number)}.`,
    byHost: (/** @type {number} */ number) => `The host gave you ${count(number, "more photo", "more photos")}.`,
    errors: {
        "frames-changed": "Your film has changed meanwhile. Look whether they were given, and try again if they were not.",
        "wrong-number": "That is not a number of photos that can be given at once.",
        "too-few-frames": "You have fewer photos left to give. What others gave you cannot be passed on.",
        "recipient-full": "This person cannot get so many. Give fewer.",
        "no-recipient": "This person cannot get any: they have no limit, or have left.",
        "gifts-off": "At this party nobody gives photos away.",
        "unreachable": "The photo box does not answer. Open this again before you repeat it: they may have been given.",
    },
};
