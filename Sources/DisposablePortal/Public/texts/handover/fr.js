// SPDX-License-Identifier: Apache-2.0
// The sentences of continuing on another phone, in French; handover.js and again.js load them.
import { formats } from "../format.js";

const { count, time } = formats("fr", ["ko", "Mo", "Go"]);

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Continuer sur un autre téléphone",
    about: "Un code pour un autre téléphone ou navigateur : vous y restez la même personne, avec votre nom, votre pellicule "
        + "et vos photos. Il sert une fois, pendant dix minutes, à cette boîte à photos.",
    show: "Afficher un code",
    how: "Sur l’autre téléphone, scannez ceci, ou ouvrez l’adresse et tapez le code. Laissez cette page ouverte.",
    picture: "QR code avec le code à usage unique",
    left: (seconds) => seconds < 60 ? `Valable encore ${count(seconds, "seconde", "secondes")}.`
        : `Valable encore ${count(Math.ceil(seconds / 60), "minute", "minutes")}.`,
    unsent: "Les photos pas encore envoyées restent sur ce téléphone et partent d’ici.",
    close: "Fermer",
    again: "Un autre code",
    over: "Ce code n’est plus valable.",
    opening: "Un téléphone a tapé le code …",
    isIt: "L’autre téléphone affiche-t-il ce nombre ?",
    yes: "Oui, continuer là-bas", no: "Non",
    passing: "L’autre téléphone prend le relais …",
    done: "L’autre téléphone continue à votre place.",
    refused: "Le code n’est plus valable, et ce téléphone est dehors. Si ce n’était pas le vôtre, demandez un autre code à l’abri des regards.",
    phones: "Téléphones qui continuent avec un code",
    phone: (at) => `Depuis ${time(at)}`,
    end: "Y mettre fin",
    sure: "Mettre fin sur l’autre téléphone ?",
    sureBody: "L’autre téléphone est déconnecté ici, et sa page vous oublie. Vos photos restent. Un téléphone au programme "
        + "modifié peut encore connaître votre clé : supprimez alors tout ce qui vous concerne.",
    endYes: "Mettre fin",
    ended: "Vous y avez mis fin sur votre autre téléphone. Pour continuer ici, demandez-y un code.",
    number: (number) => `Votre premier téléphone demande ce nombre : ${number}. Touchez « Oui » là-bas.`,
    errors: {
        "no-handover": "Votre premier téléphone n’a pas répondu, ou le temps est écoulé. Demandez-y un autre code.",
        "session-ended": "Votre premier téléphone a dit non. Demandez-y un autre code.",
        "damaged": "L’envoi de votre premier téléphone n’a pas pu être ouvert. Demandez-y un autre code.",
    },
};
