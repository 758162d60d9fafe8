// SPDX-License-Identifier: Apache-2.0
// The sentences about missions in English, loaded with them.
import { formats } from "../format.js";

const { count } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    title: "Missions",
    intro: "The host is looking for these photos. Can you take them?",
    all: "You have answered every mission. Thank you!",
    photos: (/** @type {number} */ number) => number ? count(number, "photo", "photos") : "No photo yet",
    answered: "You have answered it",
    take: "Take this photo",
    takeOf: (/** @type {string} */ mission) => `Take this photo: ${mission}`,
    see: (/** @type {number} */ number, /** @type {string} */ mission) =>
        `See ${count(number, "photo", "photos")}: ${mission}`,
    asks: (/** @type {string} */ mission) => `New mission: ${mission}`,
    asksMany: (/** @type {number} */ number) => `${number} new missions`,
    show: "Show",
    showOf: (/** @type {string} */ mission) => `Show the photos: ${mission}`,
    choose: "Mission of this photo",
    none: "No mission",
    chosen: (/** @type {string} */ mission) => `This photo answers: ${mission}`,
    withdrawn: "This photo answers no mission now.",
    wanted: (/** @type {string} */ mission) => `Can you take this photo? ${mission}`,
};
