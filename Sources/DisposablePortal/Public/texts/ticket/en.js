// SPDX-License-Identifier: Apache-2.0
// The sentences of tickets, in English; ticket.js loads them.

export const english = {
    title: "Your ticket",
    missing: "To take photos at this party you need a ticket. Scan the code on your card with your phone’s camera, or type the ticket here.",
    lost: (/** @type {number} */ number) => `Ticket ${number} was used by somebody else, too, and they have it now. Your photos are kept, and shown once the host gives you photos or another ticket.`,
    type: "The ticket on your card", use: "Use this ticket",
    valid: (/** @type {number} */ number) => `Ticket ${number} is yours. You can take photos now.`,
    yours: (/** @type {number} */ number) => `You came with ticket ${number}.`,
    errors: {
        "no-such-ticket": "This is not a ticket of this party. Look at every letter, or try again a little later.",
        "ticket-used": "Somebody else has used this ticket already. Ask the host for another one.",
        "ticket-cancelled": "The host has cancelled this ticket. Ask for another one.",
        "has-ticket": "You have a ticket already.",
    },
};
