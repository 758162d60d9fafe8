// SPDX-License-Identifier: Apache-2.0
// The sentences of the vote for the photo of the night, in French; vote.js loads them.
import { formats } from "../format.js";

const { count } = formats("fr", ["ko", "Mo", "Go"]);
const votes = (/** @type {number} */ number) => count(number, "voix", "voix");

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Photo de la soirée",
    opened: "Le vote pour la photo de la soirée a commencé.",
    how: "Ouvrez une photo et votez pour elle. Personne ne voit où en est le vote avant que l’hôte le close, pas même l’hôte.",
    after: "Ensuite, les boîtes à photos de la fête peuvent savoir qui a voté pour quoi ; les pages ne montrent que des nombres.",
    voted: "Votre vote est scellé. Vous pouvez en changer tant que l’hôte n’a pas clos le vote.",
    vote: "Voter pour cette photo",
    mine: "Votre vote, scellé", take: "Retirer le vote",
    done: "Votre vote est scellé.", taken: "Vous ne votez plus pour aucune photo.",
    none: "Le vote est clos. Aucune photo n’a de voix.",
    tie: (number) => `${count(number, "photo", "photos")} avec le même nombre de voix :`,
    winner: (name, number) => `De ${name}, ${votes(number)}`,
    won: (number) => `Photo de la soirée, avec ${votes(number)}`,
    voters: (number) => number === 1 ? "1 personne a voté." : `${number} personnes ont voté.`,
    see: (name) => `Voir la photo de la soirée, de ${name}`,
    errors: {
        "no-vote-open": "L’hôte vient de clore le vote, ou d’en ouvrir un autre.",
        "own-photo": "On ne vote pas pour sa propre photo.",
        "too-many-votes": "Vous avez changé de vote autant de fois que possible.",
        "unknown-photo": "Cette photo a été supprimée, ou n’est pas montrée à tous.",
    },
};
