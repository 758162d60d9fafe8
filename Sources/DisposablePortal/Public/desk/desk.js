// SPDX-License-Identifier: Apache-2.0
// The organizer's desk: opens with the key in the address, then shows one section of one event at a time.
//
// Addresses are /desk#EVENT/SECTION. A key, 43 letters, is exchanged at once and removed from the address.
import { ApiError, call } from "../shared/api.js";
import { find, hideToast, icon, make, say, toast } from "../shared/dom.js";
import { fillTexts } from "../shared/text.js";
import { showCreate } from "./create.js";
import { showInvite } from "./invite.js";
import { countMessages, showMessages } from "./messages.js";
import { showOverview } from "./overview.js";
import { showPeople } from "./people.js";
import { showPhotos } from "./photos.js";
import { showQueue, showVeils } from "./queue.js";
import { showSettings } from "./settings.js";
import { sentence, text } from "./words.js";

/**
 * The visible section.
 * @typedef {{changed?: (name: string, data: any) => void, key?: (event: KeyboardEvent) => void,
     leave?: () => void}} View
 * @typedef {{id: string, name: string, phase: string|null, isOpened: boolean,
 *   approve: string, pendingCount: number, veils: boolean, veiledCount: number, tickets: boolean, messageCount?: number|null,
 *   isArchived: boolean}} Event
 * @typedef {{id: string, name: string, here: boolean, path: string, detail: string, event: () => Event,
 *   refresh: () => Promise<void>, countMessages: () => Promise<void>, go: (section: string) => void,
 *   attempt: (work: () => Promise<any>) => Promise<any>}} Place `event` returns the present state, `detail` is from the
 * address
 */

/** @type {Record<string, (place: Place, main: HTMLElement) => View|Promise<View>>} */
const sections = { photos: showPhotos, queue: showQueue, veils: showVeils, messages: showMessages, overview: showOverview,
    invite: showInvite, people: showPeople, settings: showSettings };

let here = false;
/** The interval of loading the phase, which also changes with time. Milliseconds. */
const interval = 30_000;
/** @type {{events: Event[], presets: any[], standard: any}} */
let table = { events: [], presets: [], standard: {} };
/** @type {View|null} */
let view = null;
let shownCount = 0;
/** The id of the visible event; an address without one shows the first. */
let shownEvent = "";
/** Whether something has changed while no view was there to be notified. */
let hasMissed = false;
/** @type {{id: string, source: EventSource|null, timer: number, begun: Promise<void>}} */
const live = { id: "", source: null, timer: 0, begun: Promise.resolve() };

/** Runs work that may be refused, and shows the error. Resolves to `undefined` then. @param {() => Promise<any>} work
 * */
async function attempt(work) {
    try {
        return await work();
    } catch (error) {
        if (error instanceof ApiError && error.status === 401) return showClosed();
        if (!(error instanceof ApiError)) throw error;
        toast(sentence(error), null, 12_000);
        say(sentence(error));
    }
}

async function start() {
    const key = /^#([A-Za-z0-9_-]{43})$/.exec(location.hash)?.[1];
    if (key) {
        history.replaceState(null, "", `/desk${location.search}`);
        try {
            await call("POST", "/desk/api/session", { key });
        } catch (error) {
            if (!(error instanceof ApiError) || error.status === 0) return showClosed(text.unreachable);
            // A session with an outdated address in the address bar still works.
            if (error.code !== "wrong-key") return showClosed(sentence(error));
        }
    }
    try {
        here = (await call("GET", "/desk/api/session")).here;
        table = await call("GET", "/desk/api/events");
    } catch (error) {
        if (error instanceof ApiError && error.status === 401) return showClosed(key ? text.closed.used : "");
        return showClosed(sentence(error));
    }
    addEventListener("hashchange", show);
    document.addEventListener("keydown", (event) => {
        const target = /** @type {HTMLElement} */ (event.target);
        if (event.ctrlKey || event.metaKey || event.altKey || find("ask").open) return;
        if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
        view?.key?.(event);
    });
    find("events").addEventListener("change", () => go(`${find("events").value}/overview`));
    find("another").addEventListener("click", () => go("new"));
    find("skip").addEventListener("click", (/** @type {Event} */ event) => {
        event.preventDefault();
        find("main").focus();
    });
    setInterval(() => { if (!document.hidden && shownEvent) look().catch(() => { /* again later */ }); }, interval);
    await show();
}

/** Loads the phase of the event, and notifies the section if it has changed. */
async function look() {
    const before = current()?.phase;
    await refresh();
    if (current()?.phase !== before) view?.changed?.("event", {});
}

const current = () => table.events.find((event) => event.id === shownEvent);

/** @param {string} address */
function go(address) {
    if (location.hash === `#${address}`) return void show();
    location.hash = address;
}

async function show() {
    const [, id, section, detail = ""] = /^#([0-9a-f]{8})\/([a-z]+)(?:\/([0-9a-f]{64}))?$/.exec(location.hash) ?? [];
    const event = table.events.find((event) => event.id === id) ?? (location.hash === "#new" ? undefined
        : table.events[0]);
    const before = current() ?? table.events[0];
    shownEvent = event?.id ?? "";
    const name = section && section in sections ? section : "overview";
    const number = ++shownCount;
    view?.leave?.();
    view = null;
    hideToast();
    // A section that answers late writes into the element that it was given, which is no longer in the page.
    const main = /** @type {HTMLElement} */ (find("main").cloneNode(false));
    find("main").replaceWith(main);
    main.className = "";
    main.replaceChildren(make("p", { class: "note late" }, text.working));
    showSide(event, name);
    scrollTo(0, 0);
    if (!event) {
        listen(null);
        document.title = text.create.title;
        view = showCreate({ table, here, from: before, created, attempt }, main);
        return;
    }
    document.title = `${event.name} – ${text.sections[/** @type {keyof typeof text.sections} */ (name)]}`;
    const place = {
        id: event.id, name: event.name, here, path: `/desk/api/e/${event.id}/`, detail, refresh, attempt,
        countMessages: () => showUnread(),
        event: () => current() ?? event,
        go: (/** @type {string} */ section) => go(`${event.id}/${section}`),
    };
    // Data loaded after this misses no update.
    await listen(event.id);
    if (number !== shownCount) return;
    showUnread().catch(() => { /* the next change asks again */ });
    main.dataset.section = name;
    hasMissed = false;
    const made = await attempt(async () => await sections[name](place, main));
    // The person may have moved on meanwhile.
    if (number !== shownCount) return void made?.leave?.();
    view = made ?? null;
    if (hasMissed) view?.changed?.("reset", {});
}

/** @param {string} id of the created event */
async function created(id) {
    await refresh();
    go(`${id}/invite`);
}

/** Reloads the list: names and phases may have changed, or events may be new. */
async function refresh() {
    table = await call("GET", "/desk/api/events");
    showEvent();
    showEvents();
}

/** The state of the menu of events. */
let listed = "";

/** Shows the events to switch between, those of the archive last. */
function showEvents() {
    find("switch").hidden = table.events.length < 2;
    // An open menu would close.
    const now = JSON.stringify([shownEvent, table.events.map(({ id, name, isArchived }) => [id, name, isArchived])]);
    if (now === listed) return;
    listed = now;
    const options = (/** @type {boolean} */ isArchived) => table.events.filter((one) => one.isArchived === isArchived)
        .map(({ id, name }) => make("option", { value: id, selected: id === shownEvent }, name));
    const archived = options(true);
    find("events").replaceChildren(...options(false),
        ...archived.length ? [make("optgroup", { label: text.archive }, ...archived)] : []);
}

/** The unread messages of the event at the last look. @type {{event: string, unread: number, count: number}} */
let mail = { event: "", unread: 0, count: 0 };

/** @param {boolean} [isNews] whether messages have just come */
async function showUnread(isNews = false) {
    const event = current();
    if (!event) return;
    const found = here && event.messageCount ? await countMessages(event.id) : null;
    if (event.id !== shownEvent) return;
    const before = mail.event === event.id ? mail.unread : Infinity;
    mail = { event: event.id, unread: 0, count: 0, ...found };
    showMail();
    if (isNews && mail.unread > before && find("main").dataset.section !== "messages") {
        toast(text.messages.news, { label: text.messages.show, run: () => go(`${event.id}/messages`) }, 12_000);
        say(text.messages.news);
    }
}

const showMail = () => showCount("messages", mail.unread, mail.event === shownEvent && mail.count > 0, text.messages.tab);

/** Updates the one element with the event's name and state. */
function showEvent() {
    const event = current();
    find("event-name").textContent = event?.name ?? "";
    find("event-state").textContent = event ? text.phase(event) : "";
    if (!event) return;
    showCount("queue", event.pendingCount, event.approve !== "none", text.queue.tab);
    showCount("veils", event.veiledCount, event.veils, text.veils.tab);
    showMail();
}

/**
 * The link of a queue is hidden if nothing can get into it.
 * @param {string} section @param {number} count @param {boolean} isUsed @param {(count: number) => string} label
 */
function showCount(section, count, isUsed, label) {
    const link = /** @type {HTMLElement|null} */ (document.querySelector(`#nav [data-section=${section}]`));
    if (!link) return;
    link.hidden = !isUsed && count === 0 && link.getAttribute("aria-current") !== "page";
    const badge = /** @type {HTMLElement} */ (link.querySelector(".count"));
    badge.hidden = count === 0;
    badge.textContent = count > 999 ? "999+" : String(count);
    link.setAttribute("aria-label", label(count));
}

/** The number of photos that wait changes with photos; asked for after a burst of changes, once. */
let countTimer = 0;
function refreshSoon() {
    clearTimeout(countTimer);
    countTimer = setTimeout(() => refresh().catch(() => { /* the next change asks again */ }), 300);
}

/** @param {Event|undefined} event @param {string} section */
function showSide(event, section) {
    find("side").hidden = !event;
    document.body.classList.toggle("has-side", Boolean(event));
    if (!event) return;
    find("nav").replaceChildren(...Object.entries(text.sections).map(([name, label]) => make(
        "a", { href: `#${event.id}/${name}`, "data-section": name, "aria-current": name === section ? "page" : null },
            icon(name), make("span", {}, label),
            ["queue", "veils", "messages"].includes(name) ? make("span", { class: "count", hidden: true, "aria-hidden": "true" }) : null)));
    showEvent();
    showEvents();
    // On a phone the sections are a bar that may be wider than the screen.
    const bar = find("nav"), link = bar.querySelector("[aria-current=page]");
    if (link) bar.scrollLeft += link.getBoundingClientRect().left - (bar.clientWidth - link.clientWidth) / 2;
    find("another").hidden = !here;
    find("place").hidden = here;
    find("place").textContent = text.away;
}

/**
 * Follows the changes of an event; `null` for none.
 * @param {string|null} id
 * @returns {Promise<void>} resolves once it does, or if it cannot now
 */
function listen(id) {
    if (id === live.id) return live.begun;
    live.source?.close();
    clearTimeout(live.timer);
    live.id = id ?? "";
    live.source = null;
    live.begun = Promise.resolve();
    if (!id) return live.begun;
    const source = new EventSource(`/desk/api/e/${id}/updates`);
    live.source = source;
    live.begun = new Promise((resolve) => {
        for (const name of ["hello", "error"]) source.addEventListener(name, () => resolve(), { once: true });
        setTimeout(resolve, 2_000);
    });
    let isNew = true;
    for (const type of ["hello", "photo", "removed", "event", "messages", "reset"]) {
        source.addEventListener(type, (event) => {
            const data = JSON.parse(/** @type {MessageEvent} */ (event).data || "{}");
            const isFirst = type === "hello" && isNew;
            isNew = false;
            if (isFirst) return;
            // After a gap, everything may have changed.
            tell(type === "hello" ? "reset" : type, data);
        });
    }
    source.onerror = () => {
        isNew = false;
        // Browsers reconnect automatically, unless the answer was not a stream: the event may be too new for one.
        if (source.readyState !== EventSource.CLOSED) return;
        live.id = "";
        live.timer = setTimeout(() => {
            if (live.source !== source) return;
            listen(id).then(() => tell("reset", {}));
        }, 2_000);
    };
    return live.begun;
}

/** @param {string} name of a change @param {object} data */
async function tell(name, data) {
    if (name === "photo" || name === "removed") refreshSoon();
    if (["event", "messages", "reset"].includes(name)) {
        await refresh().then(() => showUnread(name === "messages")).catch(() => { /* the next change asks again */ });
    }
    if (view) view.changed?.(name, data);
    else hasMissed = true;
}

/** @param {string} [why] */
function showClosed(why = "") {
    listen(null);
    view = null;
    showSide(undefined, "");
    document.title = text.closed.title;
    find("main").className = "sheet";
    find("main").replaceChildren(
        make("img", { class: "emblem", src: "/icon.svg", alt: "", width: 96, height: 96 }),
        make("h1", {}, text.closed.title), ...why ? [make("p", { role: "alert" }, why)] : [],
        make("p", {}, text.closed.how), make("p", { class: "address" }, text.closed.command));
}

fillTexts(document);
start();
