// SPDX-License-Identifier: Apache-2.0
// Missions (protocol/guest-api.md §10): the photos that the host asks for, with the photos that answer them, and the
// mission of the photo in front. Loaded at an event that has missions.
import { ApiError, call, photoURL } from "../shared/api.js";
import { find, icon, loadStyle, make, openDialog, say, toast } from "../shared/dom.js";
import { takeFor } from "./gallery/mine.js";
import { missions } from "../shared/options.js";
import { openPerson } from "./gallery/people.js";
import { refusal } from "./phase.js";
import { missionOf } from "../shared/photos.js";
import { framesLeft, isOver } from "../shared/session.js";
import { loadTexts, text } from "../shared/text.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */
/** @typedef {{id: number, text: string, count: number, isAnswered: boolean, photos: string[]}} Mission */

/** @typedef {typeof import("../texts/missions/en.js").english} Words */

/** @returns {Promise<Words>} */
const loadWords = () => loadTexts("missions");

const mayTake = () => !refusal() && !isOver() && framesLeft() !== 0;

/** Asks the node for the missions, and shows them in a dialog. */
export async function openMissions() {
    loadStyle("guest/missions");
    try {
        const [words, { missions: all, turned = {} }] = await Promise.all([loadWords(), call("GET", "api/missions")]);
        const dialog = find("missions") ?? make("dialog", { id: "missions", "aria-labelledby": "missions-title" });
        document.body.append(dialog);
        dialog.replaceChildren(
            make("div", { class: "row spread nowrap" }, make("h2", { id: "missions-title" }, words.title),
                make("button", { type: "button", class: "plain bare", "aria-label": text.common.close,
                    click: () => dialog.close() }, icon("close"))),
            make("p", {}, all.every((/** @type {Mission} */ mission) => mission.isAnswered) ? words.all : words.intro),
            make("ul", {}, ...all.map((/** @type {Mission} */ mission) => entry(mission, turned, words, dialog))));
        if (!dialog.open) openDialog(dialog);
    } catch (error) {
        toast(error instanceof ApiError ? error.sentence : text.errors.unreachable);
    }
}

/** @param {Mission} mission @param {Record<string, number>} turned @param {Words} words @param {any} dialog */
function entry({ id, text: mission, count, isAnswered, photos }, turned, words, dialog) {
    const leave = (/** @type {() => void} */ run) => () => {
        dialog.close();
        run();
    };
    const pictures = photos.map((photo) => make("img",
        { src: photoURL(photo, "thumbnail"), alt: "", loading: "lazy", decoding: "async", "data-turn": turned[photo] ?? null }));
    const state = isAnswered ? make("p", { class: "done" }, icon("select"), words.answered) : null;
    return make("li", {}, make("h3", {}, mission), state,
        count ? make("button", { type: "button", class: "plain pictures", "aria-label": words.see(count, mission),
            click: leave(() => openPerson(missionOf(id))) }, ...pictures, make("span", {}, words.photos(count)))
            : make("p", { class: "quiet" }, words.photos(count)),
        mayTake() ? make("button", { type: "button", class: "button wide", "aria-label": words.takeOf(mission),
            click: leave(() => takeFor(id)) }, icon("camera"), words.take) : null);
}

/**
 * The missions that this page has shown or announced.
 * @type {Set<number>}
 */
let known = new Set();

/**
 * Announces missions that were added since the last call.
 * @param {boolean} announces false for those that were there when the page was loaded
 */
export async function followMissions(announces) {
    const fresh = missions().filter(({ id }) => !known.has(id));
    known = new Set([...known, ...missions().map(({ id }) => id)]);
    if (!announces || !fresh.length) return;
    const words = await loadWords().catch(() => null);
    if (!words) return;
    const sentence = fresh.length === 1 ? words.asks(fresh[0].text) : words.asksMany(fresh.length);
    say(sentence);
    toast(sentence, fresh.length === 1 && mayTake() ? { label: words.take, run: () => takeFor(fresh[0].id) }
        : { label: words.show, run: openMissions }, 15_000);
}

// The photo in front

/** @type {Photo|null} */
let shown = null;

/**
 * Shows the mission that the photo in front answers; its author chooses it here.
 * @param {Photo|null} photo
 */
export async function showMission(photo) {
    shown = photo;
    const words = await loadWords().catch(() => null);
    if (!words || shown !== photo) return;
    loadStyle("guest/missions");
    const place = find("photo-mission") ?? make("div", { id: "photo-mission" });
    find("photo-caption").before(place);
    // A choice that somebody is making stays as it is.
    if (place.contains(document.activeElement) && place.dataset.photo === photo?.id) return;
    draw(place, photo, words);
}

/** @param {HTMLElement} place @param {Photo|null} photo @param {Words} words */
function draw(place, photo, words) {
    const mission = photo?.mission ?? null;
    const isMine = photo?.isMine && missions().length > 0;
    place.hidden = !mission && !isMine;
    place.dataset.photo = photo?.id ?? "";
    place.replaceChildren();
    if (!photo || place.hidden) return;
    // Its author reads it in the list.
    const see = mission && make("button", { type: "button", class: "plain", "aria-label": words.showOf(mission.text),
        click: () => openPerson(missionOf(mission.id)) }, ...isMine ? [words.show] : [icon("select"), make("span", {}, mission.text)]);
    if (see) place.append(see);
    if (!isMine) return;
    const choice = make("select", { "aria-label": words.choose, change: () => choose(photo, choice, words) },
        make("option", { value: "" }, words.none),
        ...missions().map(({ id, text: sentence }) => make("option", { value: id }, sentence)));
    choice.value = String(mission?.id ?? "");
    place.prepend(choice);
}

/** @param {Photo} photo @param {HTMLSelectElement} choice @param {Words} words */
async function choose(photo, choice, words) {
    const mission = missions().find(({ id }) => String(id) === choice.value) ?? null;
    choice.disabled = true;
    try {
        await call("PUT", `api/photos/${photo.id}/mission`, { id: mission?.id ?? null });
        // The stream says it as well; the author sees it at once.
        photo.mission = mission;
        say(mission ? words.chosen(mission.text) : words.withdrawn);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    }
    if (shown?.id !== photo.id) return;
    draw(find("photo-mission"), photo, words);
    /** @type {HTMLElement|null} */ (find("photo-mission").querySelector("select"))?.focus();
}
