// SPDX-License-Identifier: Apache-2.0
// Les phrases du plan en français.
import { formats } from "../format.js";

const { count, number, time } = formats("fr", ["ko", "Mo", "Go"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Plan de la fête",
    alt: "Le plan. Les flèches le déplacent, plus et moins : le zoom.",
    zoomIn: "Agrandir", zoomOut: "Réduire", whole: "Plan entier",
    person: "Photos de", everyone: "Tout le monde", allDays: "Tous les jours",
    loading: "Le plan se charge …",
    failed: "Le plan n’a pas pu être chargé.",
    gone: "L’hôte a retiré le plan.",
    none: "Aucune photo ici. Ouvrez une de vos photos pour la placer.",
    count: (number) => `${photos(number)} ici`,
    more: (shown, all) => `Les ${shown} dernières des ${photos(all)} ici. Agrandissez pour en voir plus.`,
    pin: (name) => `Photo de ${name}`,
    cluster: (number) => `${photos(number)}, agrandir`,
    strip: "Photos sur le plan, les plus proches d’abord",
    map: {
        only: "La carte sans le plan",
        length: (metres) => metres < 1 ? `${number(metres * 100)} cm` : metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000)} km`,
        source: (name) => `Carte : ${name}`,
    },
    card: {
        title: "Photo sur le plan",
        added: (ms) => time(ms),
        comments: (number) => count(number, "commentaire", "commentaires"),
        reactions: (number) => count(number, "réaction", "réactions"),
        position: (latitude, longitude) => `à ${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
        open: "Ouvrir la photo",
    },
    photo: { place: "La placer sur le plan", move: "Sur le plan", see: "La voir sur le plan" },
    place: {
        title: "C’était où ?",
        intro: "Touchez l’endroit, ou déplacez le repère avec les flèches.",
        who: "Tous ceux qui voient la photo voient aussi cet endroit.",
        whoOnMap: "Tous ceux qui voient la photo voient aussi cet endroit sur la carte.",
        mark: (across, down) => `Le repère est à ${across} % de la gauche, ${down} % du haut.`,
        save: "La placer ici", remove: "Retirer du plan",
        saved: "La photo est sur le plan.", removed: "La photo n’est plus sur le plan.",
        changed: "L’hôte a changé le plan. Placez la photo sur le nouveau.",
    },
};
