// SPDX-License-Identifier: Apache-2.0
// The sentences of photos that guests give each other, in French; gift.js loads them.
import { formats } from "../format.js";

const { count } = formats("fr", ["ko", "Mo", "Go"]);
const photos = (/** @type {number} */ number) => count(number, "photo", "photos");

/** @type {typeof import("./en.js").english} */
export const french = {
    title: "Donner des photos",
    about: (left) => `Vous pouvez donner ${photos(left)} de votre pellicule à quelqu’un qui veut en prendre plus.`,
    nobody: "Il n’y a encore personne d’autre, avec un nom, qui puisse en prendre plus.",
    who: "À qui ?", choose: "Choisir une personne",
    howMany: "Combien ?",
    more: (number) => `Et ${count(number, "autre personne", "autres personnes")} : l’hôte peut leur en donner.`,
    give: "Donner",
    sure: (name, number) => `Donner ${photos(number)} de votre pellicule à ${name} ?`,
    rest: (left) => left ? `Vous pourrez ensuite en donner encore ${left}.` : "Ce sont les dernières que vous pouvez donner.",
    forGood: "C’est définitif : vous ne pourrez pas les reprendre.",
    done: (name, number) => `Vous avez donné ${photos(number)} à ${name}.`,
    from: (name, number) => `${photos(number)} de ${name}`,
    to: (name, number) => `${photos(number)} à ${name}`,
    byGuest: (name, number) => `${name} vous a donné ${photos(number)}.`,
    byHost: (number) => `L’hôte vous a donné ${count(number, "photo de plus", "photos de plus")}.`,
    errors: {
        "frames-changed": "Votre pellicule a changé entre-temps. Regardez si les photos ont été données ; sinon, réessayez.",
        "wrong-number": "Ce n’est pas un nombre de photos que l’on peut donner en une fois.",
        "too-few-frames": "Il vous reste moins de photos à donner. Celles que l’on vous a données ne se redonnent pas.",
        "recipient-full": "Cette personne ne peut en recevoir autant. Donnez-en moins.",
        "no-recipient": "Cette personne ne peut pas en recevoir : elle n’a pas de limite, ou elle est partie.",
        "gifts-off": "À cette fête, on ne donne pas de photos.",
        "unreachable": "La boîte à photos ne répond pas. Rouvrez cette page avant de recommencer : elles sont peut-être données.",
    },
};
