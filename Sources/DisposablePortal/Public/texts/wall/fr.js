// SPDX-License-Identifier: Apache-2.0
// The sentences of the wall in French.
import { formats } from "../format.js";

const { count, day } = formats("fr", ["ko", "Mo", "Go"]);
/** @param {number} number */
const photos = (number) => count(number, "photo", "photos");

/** @type {typeof import("./en.js").english} */
export const french = {
    call: "Scannez, photographiez : vos photos s’affichent ici.",
    callCode: "Scannez, ou tapez ce code à l’adresse : il change toutes les dix minutes.",
    callSealed: "Scannez, photographiez : vos photos s’affichent ici une fois développées.",
    wifi: (words) => `Wi‑Fi : ${words}`,
    count: photos,
    developed: (number) => count(number, "photo est développée", "photos sont développées"),
    enjoy: "Voici ce que chacun a vu.",
    winner: "La photo de la soirée",
    by: (name, votes) => `de ${name}, ${count(votes, "voix", "voix")}`,
    tie: (number, all) => `Ex æquo : ${number} sur ${all}`,
    unreachable: "Pas de connexion à la fête : cette machine est-elle encore sur le Wi‑Fi ?",
    closed: "Ouvrez de nouveau le lien du mur : `disposable invite --wall` l’affiche.",
    sameWords: "Votre téléphone affiche les mêmes quatre mots.",
    clock: "Photographes : prenez cette horloge en photo.",
    day,
    stage: "Photos de la fête",
    keys: "espace : pause · flèches : naviguer · f : plein écran · c : horloge",
    paused: "En pause. Espace pour reprendre",
};
