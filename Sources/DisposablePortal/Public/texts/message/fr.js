// SPDX-License-Identifier: Apache-2.0
// The sentences of a message to the host in French; message.js loads them.
import { formats } from "../format.js";

const { count } = formats("fr", ["ko", "Mo", "Go"]);

/** @type {typeof import("./en.js").english} */
export const french = {
    box: "Pour l’hôte seulement",
    title: "Écrire à l’hôte",
    who: "Seuls les hôtes peuvent le lire. Les autres invités ne voient rien ; la boîte à photos qui l’envoie le voit au passage.",
    write: "Écrire à l’hôte",
    label: "Votre message",
    left: (number) => count(number, "caractère restant", "caractères restants"),
    cancel: "Pas maintenant",
    send: "Envoyer", sending: "Envoi …", again: "Renvoyer",
    sent: "Envoyé. L’hôte le lit à sa boîte à photos.",
    undo: "Le reprendre", undone: "Repris : l’hôte ne le voit plus.",
    errors: {
        "too-many-messages": "Vous avez écrit autant de messages que possible. Parlez à l’hôte, s’il vous plaît.",
        "malformed-text": "Envoi impossible : écrivez du texte simple, sans signes spéciaux.",
        "unknown-message": "Il est déjà repris.",
        "unreachable": "La boîte à photos ne répond pas. Votre texte reste ici : renvoyez-le plus tard.",
    },
};
