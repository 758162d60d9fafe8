// SPDX-License-Identifier: Apache-2.0
// The sentences of badges in French.

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Mes badges",
    all: {
        first: { name: "Premier clic", how: "Ajoutez une première photo." },
        film: { name: "Dernière vue", how: "Utilisez toute la pellicule." },
        loved: { name: "Dix fois aimée", how: "Une de vos photos plaît à dix autres." },
        missions: { name: "Toutes les missions", how: "Répondez à toutes les missions." },
        moment: { name: "À la minute", how: "Prenez une photo pendant un moment." },
        early: { name: "Lève-tôt", how: "Une photo dès la première demi-heure." },
        night: { name: "Oiseau de nuit", how: "Une photo entre minuit et cinq heures." },
    },
    open: "Pas encore",
    own: "Personne d’autre ne les voit : cette page les trouve dans vos photos.",
    earned: (names) => `${names.length > 1 ? "Nouveaux badges" : "Nouveau badge"} : ${names.join(", ")}`,
};
