// SPDX-License-Identifier: Apache-2.0
// The sentences of the plan in English; plan.js loads them.
import { formats } from "../format.js";

const { count, number, time } = formats("en", ["KB", "MB", "GB"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");

export const english = {
    title: "Plan of the party",
    alt: "The plan. Arrow keys move it, plus and minus zoom.",
    zoomIn: "Zoom in", zoomOut: "Zoom out", whole: "Whole plan",
    person: "Photos by", everyone: "Everyone", allDays: "All days",
    loading: "Loading the plan …",
    failed: "The plan could not be loaded.",
    gone: "The host has taken the plan away.",
    none: "No photos here yet. Open one of your own photos to place it.",
    count: (/** @type {number} */ number) => `${photos(number)} here`,
    more: (/** @type {number} */ shown, /** @type {number} */ all) => `The newest ${shown} of ${photos(all)} here. Zoom in for more.`,
    pin: (/** @type {string} */ name) => `Photo by ${name}`,
    cluster: (/** @type {number} */ number) => `${photos(number)}, zoom in`,
    strip: "Photos on the plan, the nearest first",
    map: {
        only: "The map without the plan",
        length: (/** @type {number} */ metres) => metres < 1 ? `${number(metres * 100)} cm` : metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000)} km`,
        source: (/** @type {string} */ name) => `Map: ${name}`,
    },
    card: {
        title: "Photo on the plan",
        added: (/** @type {number} */ ms) => time(ms),
        comments: (/** @type {number} */ number) => count(number, "comment", "comments"),
        reactions: (/** @type {number} */ number) => count(number, "reaction", "reactions"),
        position: (/** @type {number} */ latitude, /** @type {number} */ longitude) =>
            `at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
        open: "Open the photo",
    },
    photo: { place: "Place it on the plan", move: "On the plan", see: "See it on the plan" },
    place: {
        title: "Where was it?",
        intro: "Tap the spot, or move the mark with the arrow keys.",
        who: "Everyone who sees the photo also sees this spot.",
        whoOnMap: "Everyone who sees the photo also sees this place on the map.",
        mark: (/** @type {number} */ across, /** @type {number} */ down) => `The mark is at ${across} % from the left, ${down} % from the top.`,
        save: "Place it here", remove: "Remove from the plan",
        saved: "The photo is on the plan.", removed: "The photo is no longer on the plan.",
        changed: "The host has changed the plan. Place the photo on the new one.",
    },
};
