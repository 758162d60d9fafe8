// SPDX-License-Identifier: Apache-2.0
// The sentences about missions in French.
import { formats } from "../format.js";

const { count } = formats("fr", ["ko", "Mo", "Go"]);

export const french = {
    title: "Missions",
    intro: "L’hôte cherche ces photos. Pouvez-vous les prendre ?",
    all: "Vous avez répondu à toutes les missions. Merci !",
    photos: (/** @type {number} */ number) => number ? count(number, "photo", "photos") : "Pas de photo",
    answered: "Vous avez répondu",
    take: "Prendre la photo",
    takeOf: (/** @type {string} */ mission) => `Prendre la photo : ${mission}`,
    see: (/** @type {number} */ number, /** @type {string} */ mission) =>
        `Voir ${count(number, "photo", "photos")} : ${mission}`,
    asks: (/** @type {string} */ mission) => `Nouvelle mission : ${mission}`,
    asksMany: (/** @type {number} */ number) => `${number} nouvelles missions`,
    show: "Voir",
    showOf: (/** @type {string} */ mission) => `Voir les photos : ${mission}`,
    choose: "Mission de cette photo",
    none: "Aucune mission",
    chosen: (/** @type {string} */ mission) => `Cette photo répond à : ${mission}`,
    withdrawn: "Cette photo ne répond plus à une mission.",
    wanted: (/** @type {string} */ mission) => `Pouvez-vous prendre cette photo ? ${mission}`,
};
