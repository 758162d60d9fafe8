// SPDX-License-Identifier: Apache-2.0
// The sentences of continuing on another phone, in English; handover.js and again.js load them.
import { formats } from "../format.js";

const { count, time } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    title: "Continue on another phone",
    about: "Get a code for another phone or browser: there you go on as the same guest, with your name, film and photos. "
        + "It works once, for ten minutes, at this photo box.",
    show: "Show a code",
    how: "On the other phone, scan this, or open the address and type the code. Leave this page open.",
    picture: "QR code with the one-time code",
    left: (/** @type {number} */ seconds) => seconds < 60 ? `Valid for ${count(seconds, "second", "seconds")}.`
        : `Valid for ${count(Math.ceil(seconds / 60), "minute", "minutes")}.`,
    unsent: "Photos that are not sent yet stay on this phone and go on from here.",
    close: "Close",
    again: "Another code",
    over: "This code is no longer valid.",
    opening: "A phone has typed the code …",
    isIt: "Does the other phone show this number?",
    yes: "Yes, go on there", no: "No",
    passing: "The other phone is taking over …",
    done: "The other phone goes on as you.",
    refused: "The code is no longer valid, and that phone is out. If it was not yours, ask for another code where nobody looks.",
    phones: "Phones that continue with a code",
    phone: (/** @type {number} */ at) => `Since ${time(at)}`,
    end: "End it there",
    sure: "End it on the other phone?",
    sureBody: "The other phone is signed out here, and its page forgets you. Your photos stay. A phone whose program was "
        + "changed can still know your key: then delete everything about you.",
    endYes: "End it",
    ended: "You ended this on your other phone. To go on here, get a code there.",
    number: (/** @type {string} */ number) => `Your first phone asks for this number: ${number}. Tap “Yes” there.`,
    errors: {
        "no-handover": "Your first phone did not answer, or the time is over. Ask for another code there.",
        "session-ended": "Your first phone has said no. Ask for another code there.",
        "damaged": "What came from your first phone could not be opened. Ask for another code there.",
    },
};
