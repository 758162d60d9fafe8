// SPDX-License-Identifier: Apache-2.0
/** @type {typeof import("./en.js").english} */
export const french = {
    open: "Ouvrir avec l’appareil photo",
    about: "Photographiez dans la page, avec le flash et avec les deux côtés. Vous restez le même invité.",
    warning: "Votre navigateur vous avertira d’abord : cette boîte à photos a créé son certificat elle-même, il ne peut donc "
        + "pas vérifier à qui il est. Ne continuez qu’à cette fête, sous « Avancé » ou « Détails ».",
    go: "Ouvrir",
    box: "la page avec l’appareil photo",
};
