// SPDX-License-Identifier: Apache-2.0
// The sentences of notices and of their switches in English.
import { formats } from "../format.js";

const { count } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    title: "Tell me when …",
    kinds: {
        moment: "a moment begins",
        remarks: "somebody loves or comments on my photos",
        revealed: "the photos are developed",
        host: "the host has a message",
        starts: "a favourite event starts soon",
    },
    system: "Also as notifications of this device, while this page is in the background",
    denied: "This browser does not allow notifications of this page. Its settings can change that.",
    revealed: "The photos are developed: everyone sees them now.",
    reacted: (/** @type {string} */ emoji) => `${emoji} for your photo.`,
    commented: (/** @type {string} */ name, /** @type {string} */ comment) => `${name} about your photo: ${comment}`,
    soon: (/** @type {string} */ name, /** @type {number} */ minutes) =>
        minutes ? `${name} starts in ${count(minutes, "minute", "minutes")}.` : `${name} starts now.`,
    more: (/** @type {string} */ sentence, /** @type {number} */ number) => `${sentence} · and ${number} more`,
    show: "Show",
};
