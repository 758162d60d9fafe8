// SPDX-License-Identifier: Apache-2.0
// The photos of one person: the list of people, and of places, to choose from, and the gallery of the one that was chosen.
import { ApiError, call } from "../../shared/api.js";
import { find, icon, make, openDialog, toast } from "../../shared/dom.js";
import { Grid } from "./gallery.js";
import { titleOf } from "../moments.js";
import { missions } from "../../shared/options.js";
import { missionOf, PhotoList, zoneOf } from "../../shared/photos.js";
import { text } from "../../shared/text.js";
import { back, currentPerson, currentView, go } from "../views.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {{id: string, name: string|null, count: number}} Person */

/** A list with more people than this has a field to search in. */
const SEARCH_MIN = 12;

/** The photos of the person that was chosen; none before that. */
export const personList = new PhotoList(false, "");
/** @type {Person[]} */
let people = [];
/** Whether the name of the person that is shown is somebody else's, too. */
let isAmbiguous = false;

/**
 * @param {(photo: Photo) => void} open shows a photo
 * @returns {Grid} the gallery of the person that was chosen
 */
export function setUpPeople(open) {
    const grid = new Grid(find("person-grid"), personList, { open, empty: text.people.none });
    find("person-back").addEventListener("click", back);
    personList.listeners.push(drawName);
    return grid;
}

/** A button that opens the list of people, for the tools of a gallery. */
export function peopleButton() {
    return make("button", { type: "button", class: "button small", "aria-haspopup": "dialog", click: choose },
        icon("person"), text.people.choose);
}

/**
 * Shows the photos of one person, one moment, one mission or one zone.
 * @param {Grid} grid
 * @param {string} id
 */
export function showPerson(grid, id) {
    if (personList.author !== id) {
        personList.of(id);
        isAmbiguous = isShared(people.find((one) => one.id === id));
        grid.say(text.gallery.loading);
        grid.reload();
    }
    drawName();
}

/** @param {string} id the author of a photo, a mission or a zone */
export function openPerson(id) {
    if (currentView() === "photo" && history.state?.tab === "person" && currentPerson() === id) back();
    else go("person", { push: true, id });
}

/**
 * The name, with the start of the key where others have the same.
 * @param {Person} person
 * @param {boolean} isMany
 */
const nameOf = ({ id, name }, isMany) => `${name ?? text.guest}${isMany ? ` · ${id.slice(0, 4)}` : ""}`;

/** @param {Person|undefined} person */
const isShared = (person) => person !== undefined
    && people.some((other) => other.id !== person.id && (other.name ?? "") === (person.name ?? ""));

function drawName() {
    const id = personList.author;
    if (!id) return;
    const title = titleOf(id) ?? missions().find((one) => missionOf(one.id) === id)?.text
        ?? (id.startsWith("zone-") ? decodeURIComponent(id.slice(5)) : null);
    if (title) {
        find("person-name").textContent = title;
        return;
    }
    const name = personList.photos[0]?.authorName ?? people.find((one) => one.id === id)?.name ?? null;
    find("person-name").textContent = text.people.of(nameOf({ id, name, count: 0 }, isAmbiguous));
}

async function choose() {
    let count = 0;
    /** @type {{name: string, count: number}[]} */
    let zones = [];
    try {
        // A node of an earlier build tells no places.
        ({ people, count, zones = [] } = await call("GET", "api/people"));
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
        return;
    }
    const dialog = find("people");
    /** @param {string} label @param {number} number @param {() => void} run */
    const entry = (label, number, run) => make("li", {}, make("button", { type: "button", class: "plain", click: () => {
        dialog.close();
        run();
    } }, make("span", {}, label), make("span", { class: "quiet" }, text.gallery.count(number))));
    const total = people.reduce((sum, one) => sum + one.count, 0);
    const entries = people.map((one) => entry(nameOf(one, isShared(one)), one.count, () => openPerson(one.id)));
    const everyone = count > people.length ? [] : [entry(text.party.everyone, total, () => go("everyone"))];
    const none = make("p", { class: "quiet", role: "status" });
    const search = make("input", { type: "search", "aria-label": text.people.search, placeholder: text.people.search,
        autocomplete: "off", input: () => {
            const wanted = plain(search.value);
            entries.forEach((one, index) => { one.hidden = !plain(people[index].name ?? text.guest).includes(wanted); });
            none.textContent = entries.every((one) => one.hidden) ? text.people.notFound : "";
        } });
    dialog.replaceChildren(
        make("div", { class: "row spread nowrap" }, make("h2", { id: "people-title" }, text.people.title),
            make("button", { type: "button", class: "plain bare", "aria-label": text.common.close,
                click: () => dialog.close() }, icon("close"))),
        people.length > SEARCH_MIN ? search : "", none, make("ul", {}, ...everyone, ...entries),
        count > people.length ? make("p", { class: "quiet" }, text.people.more(count - people.length)) : "",
        ...zones.length > 1 ? [make("h3", {}, text.people.zones), make("ul", {}, ...zones.map((zone) =>
            entry(zone.name, zone.count, () => openPerson(zoneOf(zone.name)))))] : []);
    openDialog(dialog);
}

/**
 * Without case and accents, as people type.
 * @param {string} name
 */
const plain = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
