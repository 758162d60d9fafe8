// SPDX-License-Identifier: Apache-2.0
// Badges of this guest at this event. The page derives them from the guest's own photos, their hearts and the missions:
// nothing is sent, and nobody else sees them.
import { find, loadStyle, make, toast } from "../../shared/dom.js";
import { missions } from "../../shared/options.js";
import { heartsOf, isLovedByMe } from "../../shared/photos.js";
import * as session from "../../shared/session.js";
import { loadTexts } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {keyof typeof import("../../texts/badges/en.js").english.all} Badge */

/** Photos that are looked at, the newest first. */
const photosMax = 2_000;
const lovedBy = 10;
/** Milliseconds from the beginning of the party, and hours of a day. */
const [early, night] = [30 * 60_000, { from: 0, to: 5 }];

/** @type {Record<Badge, (photos: Photo[], me: import("../../shared/session.js").Me) => boolean>} */
const rules = {
    first: (photos) => photos.length > 0,
    film: (_, { guest }) => !!guest && guest.frames !== null && guest.framesUsed >= guest.frames,
    loved: (photos) => photos.some((photo) => heartsOf(photo) - Number(isLovedByMe(photo)) >= lovedBy),
    missions: (photos) => missions().length > 0 && missions().every(({ id }) => photos.some(({ mission }) => mission?.id === id)),
    moment: (photos) => photos.some(({ moment }) => moment && !moment.late),
    early: (photos, { event }) => photos.some(({ addedAt }) => addedAt >= event.startsAt && addedAt < event.startsAt + early),
    night: (photos) => photos.some(({ addedAt }) => {
        const hour = new Date(addedAt).getHours();
        return hour >= night.from && hour < night.to;
    }),
};

/** Drawings in a square of 24, as the icons of index.html. @type {Record<Badge, string>} */
const drawings = {
    first: "M4 8h4l2-3h4l2 3h4v11H4zM12 10v6M9 13h6",
    film: "M4 4h16v16H4zM8 4v16M16 4v16M4 9h4M4 15h4M16 9h4M16 15h4",
    loved: "M12 20C6 16 3 12 3 8.500a4.500 4.500 0 0 1 9-1 4.500 4.500 0 0 1 9 1C21 12 18 16 12 20z",
    missions: "M12 3l2.600 5.600 6 .7-4.500 4.100 1.200 6-5.300-3-5.300 3 1.200-6L3.400 9.300l6-.7z",
    moment: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
    early: "M4 18h16M7 18a5 5 0 0 1 10 0M12 4v4M4.500 9.500l2.500 2M19.500 9.500l-2.500 2",
    night: "M19 14.500A7.500 7.500 0 0 1 9.500 5 7.500 7.500 0 1 0 19 14.500zM16 4v3M14.500 5.500h3",
};

const place = () => `disposable.${session.me?.event.id}.badges`;

const names = /** @type {Badge[]} */ (Object.keys(rules));

/** The badges of this guest that were announced; `null` if this browser has never looked. @type {Badge[]|null} */
let announced = null;

/** The prefix of the stored keys, which names the guest: another one may have used this browser before. */
const owner = () => session.me?.guest?.id.slice(0, 16) ?? "";

/** @returns {Badge[]|null} */
function read() {
    try {
        const [whose, ...kept] = localStorage.getItem(place())?.split(" ") ?? [];
        return whose === owner() ? names.filter((name) => kept.includes(name)) : announced;
    } catch { return announced; }
}

/** @param {Photo[]} photos the guest's own @returns {Badge[]} */
function earned(photos) {
    const { me } = session;
    return me ? names.filter((name) => rules[name](photos, me)) : [];
}

/**
 * Announces badges that have been earned since the last call; those from before the first visit with this browser are
 * not new.
 * @param {Photo[]} photos the guest's own, as far as they are loaded
 */
export async function announce(photos) {
    const now = earned(photos);
    const before = read();
    const fresh = before ? now.filter((name) => !before.includes(name)) : [];
    announced = [...new Set([...before ?? [], ...now])];
    try { localStorage.setItem(place(), [owner(), ...announced].join(" ")); } catch { /* until the page is closed */ }
    if (!fresh.length) return;
    const words = await loadTexts("badges").catch(() => null);
    if (words) say(words.earned(fresh.map((name) => words.all[name].name)));
}

/** Announces a sentence after the present one. @param {string} sentence */
function say(sentence) {
    if (find("toast").hidden) toast(sentence);
    else setTimeout(say, 1_000, sentence);
}

/**
 * Shows all badges; those that the guest has not earned are pale.
 * @param {HTMLElement} box
 * @param {import("../../shared/photos.js").PhotoList} mine
 */
export async function fill(box, mine) {
    const [words] = await Promise.all([loadTexts("badges"), loadStyle("guest/me/badges")]);
    // If the rest does not load, only the loaded photos count.
    while (!mine.isComplete && mine.next && mine.photos.length < photosMax) {
        if (!await mine.loadMore(200).then(() => true, () => false)) break;
    }
    const own = earned(mine.photos);
    box.replaceChildren(make("h2", {}, words.title), make("ul", { class: "badges" }, ...names.map((name) => {
        const has = own.includes(name);
        return make("li", { class: has ? "is-earned" : null, "data-badge": name }, drawing(drawings[name]),
            make("div", {}, make("p", { class: "strong" }, words.all[name].name), make("p", { class: "quiet" }, words.all[name].how),
                has ? null : make("p", { class: "offscreen" }, words.open)));
    })), make("p", { class: "quiet" }, words.own));
}

/** @param {string} path */
function drawing(path) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", path);
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("class", "icon");
    picture.setAttribute("aria-hidden", "true");
    picture.append(line);
    return picture;
}
