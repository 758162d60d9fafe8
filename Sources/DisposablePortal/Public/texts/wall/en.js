// SPDX-License-Identifier: Apache-2.0
// The sentences of the wall in English.
import { formats } from "../format.js";

const { count, day } = formats("en", ["KB", "MB", "GB"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");

export const english = {
    call: "Scan, shoot, see: your photos appear here.",
    callCode: "Scan, or type this code at the address: another one every ten minutes.",
    callSealed: "Scan and shoot: your photos appear here when they are developed.",
    wifi: (/** @type {string} */ words) => `Wi‑Fi: ${words}`,
    count: photos,
    developed: (/** @type {number} */ number) => (number === 1 ? "1 photo is developed" : `${photos(number)} are developed`),
    enjoy: "Here’s what everyone saw.",
    winner: "The photo of the night",
    by: (/** @type {string} */ name, /** @type {number} */ votes) => `by ${name}, ${count(votes, "vote", "votes")}`,
    tie: (/** @type {number} */ number, /** @type {number} */ all) => `A tie: ${number} of ${all}`,
    unreachable: "No connection to the party: is this machine still on the Wi‑Fi?",
    closed: "Open the wall’s link again: `disposable invite --wall` shows it.",
    sameWords: "Your phone shows the same four words.",
    clock: "Photographers: take a picture of this clock.",
    day,
    stage: "Photos of the party",
    keys: "space: pause · arrows: back and forth · f: full screen · c: clock",
    paused: "Paused. Space to resume",
};
