// SPDX-License-Identifier: Apache-2.0
// The sentences of the vote for the photo of the night, in English; vote.js loads them.
import { formats } from "../format.js";

const { count } = formats("en", ["KB", "MB", "GB"]);
const votes = (/** @type {number} */ number) => count(number, "vote", "votes");

export const english = {
    title: "Photo of the night",
    opened: "The vote for the photo of the night has begun.",
    how: "Open a photo and vote for it. Nobody sees how it stands until the host closes the vote, not even the host.",
    after: "After that, the photo boxes of the party can tell who voted for what; pages show numbers only.",
    voted: "Your vote is sealed. Until the host closes the vote you can change it.",
    vote: "Vote for this photo",
    mine: "Your vote, sealed", take: "Take the vote back",
    done: "Your vote is sealed.", taken: "You vote for no photo now.",
    none: "The vote is closed. No photo has a vote.",
    tie: (/** @type {number} */ number) => `${count(number, "photo", "photos")} with the same number of votes:`,
    winner: (/** @type {string} */ name, /** @type {number} */ number) => `By ${name}, ${votes(number)}`,
    won: (/** @type {number} */ number) => `Photo of the night, with ${votes(number)}`,
    voters: (/** @type {number} */ number) => `${count(number, "person", "people")} voted.`,
    see: (/** @type {string} */ name) => `See the photo of the night by ${name}`,
    errors: {
        "no-vote-open": "The host has just closed the vote, or opened another one.",
        "own-photo": "Nobody votes for a photo of their own.",
        "too-many-votes": "You have changed your vote as often as one can.",
        "unknown-photo": "This photo was deleted, or is not shown to everyone.",
    },
};
