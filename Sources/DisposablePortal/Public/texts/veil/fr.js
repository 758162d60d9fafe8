// SPDX-License-Identifier: Apache-2.0
// The sentences of "Not me, please" in French; veil.js loads them.

/** @type {typeof import("./en.js").english} */
export const french = {
    ask: "Pas moi, s’il vous plaît",
    title: "Cacher cette photo à tout le monde ?",
    body: "Elle est voilée tout de suite, pour tous. L’hôte la regarde et décide : elle reste cachée, ou elle est montrée de nouveau.",
    who: "L’hôte ne voit pas qui a demandé.",
    yes: "La voiler pour tous",
    done: "Voilée. L’hôte décide.",
    undo: "Annuler", undone: "La photo est montrée de nouveau.",
    own: "Quelqu’un a demandé à ne pas être sur cette photo. Elle n’est visible que pour vous, jusqu’à la décision de l’hôte.",
    other: "Quelqu’un a demandé à ne pas être sur cette photo. L’hôte décide.",
    errors: {
        "veil-lifted": "L’hôte a regardé cette photo et décidé de la montrer. Parlez-lui si vous n’êtes pas d’accord.",
        "too-many-veils": "Assez de photos attendent la décision de l’hôte. Montrez-lui celle-ci.",
        "veils-off": "L’hôte a désactivé cette fonction. Montrez-lui la photo.",
    },
};
