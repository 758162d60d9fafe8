// SPDX-License-Identifier: Apache-2.0
// Every sentence of the board in French.
import { formats } from "../format.js";

const { count, range, moment, money, day, locale } = formats("fr", ["ko", "Mo", "Go"]);

/** @type {typeof import("./en.js").english} */
export const french = {
    locale,
    title: "Événements",
    intro: "Les événements que les boîtes à photos d’ici connaissent. Les photos s’y partagent sans Internet.",
    door: "J’ai un code",
    search: "Chercher un nom ou un lieu",
    found: (number) => number ? count(number, "événement", "événements") : "Aucun événement ne correspond.",
    none: "Aucun événement n’est connu ici.",
    filters: "Types d’événements",
    favourites: "Favoris",
    popular: "Populaires",
    categories: {
        wedding: "Mariage", birthday: "Anniversaire", baptism: "Baptême", christmas: "Noël", party: "Fête", camp: "Camp",
        trip: "Voyage", festival: "Festival", concert: "Concert", sport: "Sport", market: "Marché", cave: "Spéléo",
        other: "Autre",
    },
    near: "Ici, sur ce réseau",
    phases: { running: "En cours", upcoming: "", over: "Terminé" },
    by: (host) => `Organisé par ${host}`,
    recent: (photos, people) => "Depuis une heure : environ " + [
        photos && count(photos, "photo", "photos"), people && count(people, "personne", "personnes")].filter(Boolean).join(", "),
    star: (name) => `Favori : ${name}`,

    month: "Calendrier",
    previous: "Mois précédent",
    next: "Mois suivant",
    onDay: (ms, number) => `${day(ms)} : ${count(number, "événement", "événements")}`,

    map: "Carte",
    mapLabel: "Carte des événements. Les flèches la déplacent, plus et moins changent le zoom, 0 montre tout.",
    mapFailed: "La carte n’a pas pu être chargée. Touchez « Carte » encore une fois.",
    pin: (name, place) => place ? `${name}, ${place}` : name,
    pins: (names, more) =>
        `${count(names.length + more, "événement", "événements")} : ${names.join(", ")}${more ? ` et ${more} de plus` : ""}`,
    onMap: (number, others) => [
        number ? `${count(number, "événement", "événements")} sur la carte.` : "Aucun de ces événements n’a de position sur la carte.",
        number && others ? `${count(others, "événement", "événements")} sans position, dans la liste seulement.` : ""]
        .filter(Boolean).join(" "),
    zoomIn: "Agrandir",
    zoomOut: "Réduire",
    allOnMap: "Tous les événements sur la carte",
    outline: "Contours : Natural Earth",

    back: "Tous les événements",
    when: "Quand",
    period: (from, to) => range(from, to),
    where: "Où",
    position: "Position",
    host: "Organisation",
    price: "Entrée",
    free: "gratuite",
    money: (cents, currency) => money(cents, currency),
    contact: "Contact",
    links: "Liens, une fois en ligne",
    code: "QR code",
    labelled: (label) => `${label} : `,
    kinds: { website: "Site", facebook: "Facebook", instagram: "Instagram", tiktok: "TikTok", youtube: "YouTube", x: "X",
        other: "Lien" },
    registration: "SIREN ou SIRET",
    unverified: (digits) => `${digits} (format valide, non vérifié)`,
    words: "Quatre mots de l’événement",
    wordsHint: "Les mêmes sont sur son affiche.",
    file: "Ajouter à mon agenda",
    copy: "Copier en texte",
    otherPhone: "Montrer sa page à un autre téléphone",
    enter: "Ouvrir sa page",
    enterHint: "Elle demande le code de l’affiche.",
    write: "À l’intérieur, sous « Moi », vous pouvez écrire à l’hôte.",
    away: (ms) => `Sa page n’est pas joignable d’ici. Vu le ${moment(ms)}.`,
    gone: "Cet événement n’est plus dans la liste.",
};
