// SPDX-License-Identifier: Apache-2.0
// The sentences of tickets, in French; ticket.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Votre billet",
    missing: "Pour prendre des photos à cette fête, il faut un billet. Scannez le code de votre carte avec l’appareil photo du téléphone, ou tapez le billet ici.",
    lost: (number) => `Le billet ${number} a aussi été utilisé par quelqu’un d’autre, qui l’a maintenant. Vos photos sont gardées, et montrées dès que l’hôte vous donne des photos ou un autre billet.`,
    type: "Le billet de votre carte", use: "Utiliser ce billet",
    valid: (number) => `Le billet ${number} est à vous. Vous pouvez prendre des photos.`,
    yours: (number) => `Vous êtes venu avec le billet ${number}.`,
    errors: {
        "no-such-ticket": "Ce n’est pas un billet de cette fête. Vérifiez chaque lettre, ou réessayez un peu plus tard.",
        "ticket-used": "Quelqu’un d’autre a déjà utilisé ce billet. Demandez-en un autre à l’hôte.",
        "ticket-cancelled": "L’hôte a annulé ce billet. Demandez-en un autre.",
        "has-ticket": "Vous avez déjà un billet.",
    },
};
