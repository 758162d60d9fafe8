// SPDX-License-Identifier: Apache-2.0
// The sentences of the viewfinder and of the photo booth in French.

/** @type {typeof import("./en.js").english} */
export const french = {
    finder: {
        shutter: "Prendre la photo",
        flip: "Autre caméra",
        both: "Les deux caméras en une photo",
        turning: "Maintenant de l’autre côté : ne bougez pas …",
        flash: "Flash",
        other: "L’appareil du téléphone",
        starting: "L’appareil démarre …",
        taken: "Photo prise.",
        denied: "Cette page n’a pas accès à la caméra. Autorisez-la dans les réglages du navigateur, ou utilisez "
            + "l’appareil du téléphone.",
    },

    booth: {
        title: "Photomaton",
        intro: "Pas de téléphone ? Prenez une photo ici, tout le monde l’aura.",
        look: "Regardez la caméra !", sent: "Et voilà. La photo part chez tout le monde.",
        photo: "La photo prise", closeTitle: "Fermer le photomaton ?",
    },
};
