// SPDX-License-Identifier: Apache-2.0
// The sentences of a message to the host in English; message.js loads them.
import { formats } from "../format.js";

const { count } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    box: "Only for the host",
    title: "Write to the host",
    who: "Only the hosts can read it. Other guests see nothing; the photo box that sends it sees it while it passes.",
    write: "Write to the host",
    label: "Your message",
    left: (/** @type {number} */ number) => `${count(number, "character", "characters")} left`,
    cancel: "Not now",
    send: "Send", sending: "Sending …", again: "Send again",
    sent: "Sent. The host reads it at their photo box.",
    undo: "Take it back", undone: "Withdrawn: the host no longer sees it.",
    errors: {
        "too-many-messages": "You have written as many messages as one guest can. Please talk to the host.",
        "malformed-text": "This cannot be sent: write plain text, without special signs.",
        "unknown-message": "It was withdrawn already.",
        "unreachable": "The photo box does not answer. Your text stays here: send it again later.",
    },
};
