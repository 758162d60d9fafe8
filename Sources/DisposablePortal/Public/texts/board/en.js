// SPDX-License-Identifier: Apache-2.0
// Every sentence of the board in English: the shape that other languages have, too.
import { formats } from "../format.js";

const { count, range, moment, money, day, locale } = formats("en", ["KB", "MB", "GB"]);

export const english = {
    locale,
    title: "Events",
    intro: "The events that photo boxes around here know. They share their photos without the Internet.",
    door: "I have a code",
    search: "Search by name or place",
    found: (/** @type {number} */ number) => number ? count(number, "event", "events") : "No event is like that.",
    none: "No event is known here yet.",
    filters: "Kinds of events",
    favourites: "Favourites",
    popular: "Popular",
    categories: {
        wedding: "Wedding", birthday: "Birthday", baptism: "Baptism", christmas: "Christmas", party: "Party", camp: "Camp",
        trip: "Trip", festival: "Festival", concert: "Concert", sport: "Sport", market: "Market", cave: "Caving",
        other: "Other",
    },
    near: "Here, on this network",
    phases: { running: "On now", upcoming: "", over: "Over" },
    by: (/** @type {string} */ host) => `Hosted by ${host}`,
    recent: (/** @type {number} */ photos, /** @type {number} */ people) => "In the last hour: about " + [
        photos && count(photos, "photo", "photos"), people && count(people, "person", "people")].filter(Boolean).join(", "),
    star: (/** @type {string} */ name) => `Favourite: ${name}`,

    month: "Calendar",
    previous: "Previous month",
    next: "Next month",
    onDay: (/** @type {number} */ ms, /** @type {number} */ number) => `${day(ms)}: ${count(number, "event", "events")}`,

    map: "Map",
    mapLabel: "Map of the events. The arrow keys move it, plus and minus zoom, 0 shows all.",
    mapFailed: "The map could not be loaded. Choose “Map” once more.",
    pin: (/** @type {string} */ name, /** @type {string|null} */ place) => place ? `${name}, ${place}` : name,
    pins: (/** @type {string[]} */ names, /** @type {number} */ more) =>
        `${count(names.length + more, "event", "events")}: ${names.join(", ")}${more ? ` and ${more} more` : ""}`,
    onMap: (/** @type {number} */ number, /** @type {number} */ others) => [
        number ? `${count(number, "event", "events")} on the map.` : "None of these events has a position on the map.",
        number && others ? `${count(others, "event", "events")} without a position, only in the list.` : ""].filter(Boolean).join(" "),
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    allOnMap: "All events on the map",
    outline: "Outline: Natural Earth",

    back: "All events",
    when: "When",
    period: (/** @type {number} */ from, /** @type {number} */ to) => range(from, to),
    where: "Where",
    position: "Position",
    host: "Host",
    price: "Entry",
    free: "free",
    money: (/** @type {number} */ cents, /** @type {string} */ currency) => money(cents, currency),
    contact: "Contact",
    links: "Links, for when you are online",
    code: "QR code",
    labelled: (/** @type {string} */ label) => `${label}: `,
    kinds: { website: "Website", facebook: "Facebook", instagram: "Instagram", tiktok: "TikTok", youtube: "YouTube", x: "X",
        other: "Link" },
    registration: "SIREN or SIRET",
    unverified: (/** @type {string} */ digits) => `${digits} (format valid, not verified)`,
    words: "Four words of the event",
    wordsHint: "The same four are on its poster.",
    file: "Add to my calendar",
    copy: "Copy as a text",
    otherPhone: "Show its page to another phone",
    enter: "Open its page",
    enterHint: "It asks for the code on the poster.",
    write: "Inside, under “Me”, you can write to the host.",
    away: (/** @type {number} */ ms) => `Its page cannot be reached from here. Last seen ${moment(ms)}.`,
    gone: "This event is no longer in the list.",
};
