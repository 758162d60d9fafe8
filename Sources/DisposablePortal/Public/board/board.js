// SPDX-License-Identifier: Apache-2.0
// The board: the events that this node knows of, with search, kinds, favourites and a month; and one event at `#ID`.
import { ApiError, call } from "../shared/api.js";
import { find, icon, make, say } from "../shared/dom.js";
import { listeners, wants } from "../shared/notices.js";
import { fillTexts, loadTexts, pageText as text } from "../shared/text.js";
import { detailsOf } from "./details.js";
import { favouriteCount, isFavourite, setFavourite } from "../shared/favourites.js";
import { isOn, monthOf } from "./month.js";
import { minutesTo, startingSoon, tellSoon } from "../shared/soon.js";

/** @typedef {{id: string, name: string, category: string|null, label: string|null, place: string|null,
 *     position: {latitude: number, longitude: number}|null, organizer: string|null, startsAt: number, endsAt: number, phase: "running"|"upcoming"|"over", isReachable: boolean, isOwn: boolean,
 *     isAmbiguous: boolean, recent: {photos: number, people: number}|null, words: string[]|null}} Row */

/** Milliseconds between two looks at the list, and after the last letter of a search. */
const [pause, typing] = [20_000, 250];
/** The sentences of notices, once they are loaded. @type {import("../shared/notices.js").Words|null} */
let notices = null;

/** @type {{rows: Row[], categories: Record<string, number>, count: number}} */
let list = { rows: [], categories: {}, count: 0 };
/** Every event of the board, for reminders and the month. @type {Row[]} */
let everything = [];
/** @type {{search: string, category: string|null, isPopular: boolean, onlyFavourites: boolean, day: Date|null,
 *     month: Date|null, isMap: boolean, pinned: Set<string>|null}} `pinned`: the events of the pin that is chosen on the map */
const wanted = { search: "", category: null, isPopular: false, onlyFavourites: false, day: null, month: null, isMap: false,
    pinned: null };
/** The map, once it is loaded. @type {Awaited<ReturnType<typeof import("./map.js").loadMap>>|null} */
let map = null;
/** The event whose details are open. @type {string|null} */
let open = null;
let failure = "";
/** The list as it was drawn last. */
let latest = "";
/** Counts the requests: a late answer to an earlier one is dropped. */
let turn = 0;

/** @param {Row} row */
export function starOf(row) {
    const star = make("button", { type: "button", class: "plain bare star", "aria-label": text.star(row.name),
        "aria-pressed": String(isFavourite(row.id)), click: () => {
            setFavourite(row.id, !isFavourite(row.id));
            star.setAttribute("aria-pressed", String(isFavourite(row.id)));
            if (!open) drawChips();
            if (!open && wanted.onlyFavourites) drawEvents();
            remind();
        } }, icon("star"));
    return star;
}

/** @param {Row} row */
function lineOf(row) {
    /** @type {Record<string, string>} */
    const kinds = text.categories;
    const kind = row.label ?? (row.category && (kinds[row.category] ?? kinds.other));
    const about = [text.phases[row.phase], kind, row.place].filter(Boolean).join(" · ");
    const line = (/** @type {string|null} */ words, name = "quiet") => words ? [make("p", { class: name }, words)] : [];
    return make("li", { "data-event": row.id },
        make("a", { href: `#${row.id}` }, make("h3", {}, row.name), ...line(row.isReachable ? text.near : null, "near"),
            ...line(text.period(row.startsAt, row.endsAt), ""), ...line(about),
            ...line(row.recent && text.recent(row.recent.photos, row.recent.people)),
            // Events of one name are told apart by their hosts and words.
            ...line(row.organizer && text.by(row.organizer)), ...line(row.isAmbiguous && row.words ? row.words.join(" ") : null)),
        starOf(row));
}

/** The events on the map, and in the list where no pin is chosen. */
const found = () => list.rows.filter(({ id }) => !wanted.onlyFavourites || isFavourite(id))
    .filter((row) => !wanted.day || isOn(row, wanted.day));

const shown = () => found().filter(({ id }) => !wanted.pinned || wanted.pinned.has(id));

function drawEvents() {
    const rows = shown();
    const focused = document.activeElement;
    const id = focused?.closest("[data-event]")?.getAttribute("data-event");
    find("events").replaceChildren(...rows.map(lineOf));
    if (id && focused) {
        const item = find("events").querySelector(`[data-event="${id}"]`);
        item?.querySelector(focused.localName)?.focus({ preventScroll: true });
    }
    find("found").textContent = failure || (list.count ? text.found(rows.length) : text.none);
}

function drawChips() {
    /** @type {Record<string, string>} */
    const kinds = text.categories;
    const chip = (/** @type {string} */ name, /** @type {boolean} */ isOn, /** @type {() => void} */ change) => make("button",
        { type: "button", class: "chip", "aria-pressed": String(isOn), click: change }, name);
    const chips = Object.keys(kinds).filter((kind) => list.categories[kind] || wanted.category === kind).map((kind) =>
        chip(kinds[kind], wanted.category === kind, () => {
            wanted.category = wanted.category === kind ? null : kind;
            drawChips();
            load();
        }));
    if (wanted.isPopular || everything.some(({ recent }) => recent)) {
        chips.unshift(chip(text.popular, wanted.isPopular, () => {
            wanted.isPopular = !wanted.isPopular;
            drawChips();
            load();
        }));
    }
    if (favouriteCount() || wanted.onlyFavourites) {
        chips.unshift(chip(text.favourites, wanted.onlyFavourites, () => {
            wanted.onlyFavourites = !wanted.onlyFavourites;
            redraw();
        }));
    }
    if (wanted.isMap || everything.some(({ position }) => position)) {
        chips.push(chip(text.map, wanted.isMap, () => {
            [wanted.isMap, wanted.pinned] = [!wanted.isMap, null];
            redraw();
        }));
    }
    chips.push(chip(text.month, wanted.month !== null, () => {
        [wanted.month, wanted.day] = [wanted.month ? null : new Date(), null];
        redraw();
    }));
    // The focus stays on the chip that was used.
    const place = [...find("chips").children].indexOf(document.activeElement);
    find("chips").replaceChildren(...chips);
    if (place >= 0) (chips[place] ?? chips[0]).focus();
}

function drawMonth() {
    find("month").hidden = !wanted.month;
    if (!wanted.month) return;
    const focused = document.activeElement;
    const [day, label] = [focused?.getAttribute("data-day"), focused?.getAttribute("aria-label")];
    const isInside = find("month").contains(focused);
    find("month").replaceChildren(...monthOf(everything, wanted.month, wanted.day, (month) => {
        [wanted.month, wanted.day] = [month, null];
        redraw();
    }, (chosen) => {
        wanted.day = chosen;
        redraw();
    }));
    if (isInside) [...find("month").querySelectorAll("button")].find((button) => day ? button.getAttribute("data-day") === day
        : button.getAttribute("aria-label") === label)?.focus();
}

/** Shows the map, which is loaded when it is asked for. */
async function drawMap() {
    find("map").hidden = !wanted.isMap;
    if (!wanted.isMap) return;
    try {
        map ??= await (await import("./map.js")).loadMap((ids) => {
            wanted.pinned = ids;
            drawMap();
            drawEvents();
        });
    } catch {
        find("map")?.replaceChildren(make("p", { role: "alert" }, text.mapFailed));
        wanted.isMap = false;
        if (!open) drawChips();
        return;
    }
    if (open || !wanted.isMap) return;
    if (!find("map").contains(map.element)) find("map").replaceChildren(map.element);
    map.draw(found(), wanted.pinned);
}

function redraw() {
    if (wanted.pinned && !shown().length) wanted.pinned = null;
    drawChips();
    drawMonth();
    drawMap();
    drawEvents();
}

function showList() {
    const from = open;
    open = null;
    document.title = text.title;
    /** @type {number} */
    let timer = 0;
    find("board").replaceChildren(
        make("h1", { tabindex: -1, id: "board-title" }, text.title), make("p", {}, text.intro),
        make("p", { id: "soon", role: "status" }),
        make("label", { for: "search" }, text.search),
        make("input", { id: "search", type: "search", maxlength: 60, autocomplete: "off", input: (/** @type {any} */ event) => {
            wanted.search = event.target.value.trim();
            clearTimeout(timer);
            timer = setTimeout(load, typing);
        } }),
        make("div", { id: "chips", role: "group", "aria-label": text.filters }),
        make("section", { id: "map", "aria-label": text.map, hidden: true }),
        make("section", { id: "month", "aria-label": text.month, hidden: true }),
        make("h2", { id: "found", "aria-live": "polite" }), make("ul", { id: "events", "aria-labelledby": "found" }),
        make("a", { class: "button wide", href: "/" }, text.door));
    find("search").value = wanted.search;
    redraw();
    remind();
    const back = from && find("events").querySelector(`[data-event="${from}"] a`);
    if (from) (back ?? find("board-title")).focus();
}

/** @param {string} id */
async function showEvent(id) {
    open = id;
    const place = make("div", { id: "event" });
    find("board").replaceChildren(make("a", { class: "plain back", href: "#", id: "back" }, icon("left"), text.back),
        make("p", { id: "soon", role: "status" }), place);
    remind();
    try {
        const details = await call("GET", `/api/board/${id}`);
        if (open !== id) return;
        place.replaceChildren(...detailsOf(details));
        document.title = details.event.name;
        find("event-title").focus();
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (open !== id) return;
        place.replaceChildren(make("p", { role: "alert" }, error.status === 404 ? text.gone : error.sentence));
    }
}

function route() {
    const [, id] = /^#([0-9a-f]{64})$/.exec(location.hash) ?? [];
    if (id) showEvent(id); else showList();
}

async function load() {
    const mine = ++turn;
    const query = new URLSearchParams();
    if (wanted.search) query.set("q", wanted.search);
    if (wanted.category) query.set("category", wanted.category);
    const isWhole = !query.toString();
    if (wanted.isPopular) query.set("sort", "popular");
    try {
        const [found, all] = await Promise.all([call("GET", `/api/board?${query}`.replace(/\+/g, "%20")),
            isWhole ? null : call("GET", "/api/board")]);
        if (mine !== turn) return;
        const isSame = !failure && JSON.stringify([found, all ?? found]) === latest;
        latest = JSON.stringify([found, all ?? found]);
        // A list that is read is not drawn again without need.
        if (isSame) return remind();
        list = { rows: found.events, categories: found.categories, count: found.count };
        everything = (all ?? found).events;
        failure = "";
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (mine !== turn) return;
        failure = error.sentence;
    }
    if (!open) redraw();
    remind();
}

/** Calls out the favourites that start soon. */
function remind() {
    const words = !notices || !wants("starts") ? ""
        : startingSoon(everything).map((row) => notices?.soon(row.name, minutesTo(row))).join(" ");
    tellSoon(everything, true);
    const place = find("soon");
    if (place.textContent === words) return;
    place.textContent = words;
    if (words) say(words);
}

fillTexts(document);
route();
listeners.push(remind);
loadTexts("notices").then((words) => {
    notices = words;
    remind();
}, () => { /* then nothing is called out */ });
addEventListener("hashchange", route);
load();
setInterval(() => { if (!document.hidden) load(); }, pause);
setInterval(remind, 10_000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) load(); });
