// SPDX-License-Identifier: Apache-2.0
// The sentences of notices and of their switches in French.
import { formats } from "../format.js";

const { count } = formats("fr", ["ko", "Mo", "Go"]);

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Me prévenir quand …",
    kinds: {
        moment: "un moment commence",
        remarks: "quelqu’un aime ou commente mes photos",
        revealed: "les photos sont développées",
        host: "l’hôte a un message",
        starts: "un événement favori va commencer",
    },
    system: "Aussi par les notifications de l’appareil, quand cette page est à l’arrière-plan",
    denied: "Ce navigateur ne permet pas les notifications de cette page. Ses réglages le changent.",
    revealed: "Les photos sont développées : tout le monde les voit.",
    reacted: (emoji) => `${emoji} pour votre photo.`,
    commented: (name, comment) => `${name} sur votre photo : ${comment}`,
    soon: (name, minutes) =>
        minutes ? `${name} commence dans ${count(minutes, "minute", "minutes")}.` : `${name} commence maintenant.`,
    more: (sentence, number) => `${sentence} · et ${number} de plus`,
    show: "Voir",
};
