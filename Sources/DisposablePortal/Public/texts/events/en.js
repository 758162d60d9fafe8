// SPDX-License-Identifier: Apache-2.0
// The sentences about the guest's events in English.
import { formats } from "../format.js";

const { range } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    title: "My events",
    when: (/** @type {number} */ from, /** @type {number} */ to) => range(from, to),
    here: "You are here.",
    board: "All events around here",
};
