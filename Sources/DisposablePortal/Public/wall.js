// SPDX-License-Identifier: Apache-2.0
// The wall, for a projector: what comes in is shown at once, and else the photos of the party one after the other. It
// only looks: nobody enters here. At most three pictures are decoded at one time, however long the party is.
import { ApiError, call, photoURL } from "./api.js";
import { lastMinute, reveal as ceremony } from "./ceremony.js";
import { drawCode } from "./codes.js";
import { find, make } from "./dom.js";
import { sealedBox } from "./sealed.js";
import { findOther, know } from "./others.js";
import { look, refresh } from "./session.js";
import { fillTexts, text } from "./text.js";
import { follow } from "./updates.js";

/** @typedef {import("./photos.js").Photo} Photo */

/** How long a photo stays, and how long at least while others wait. Milliseconds. */
const stay = 8_000;
const stayAtLeast = 4_000;
/** New photos that wait to be shown; of more the oldest come in their turn. */
const freshMax = 50;
/** Pages of the list, which holds ids and authors and no pictures. */
const pageSize = 200;
/** How long the node may be away before another is looked for, and between two looks. Milliseconds. */
const patience = 10_000;

let isLastMinute = false;
const showSealed = sealedBox(find("sealed"), (wait) => {
    if (isLastMinute === (wait > 0 && wait <= lastMinute)) return;
    isLastMinute = !isLastMinute;
    told();
});

/**
 * Newest first.
 * @type {Photo[]}
 */
let photos = [];
/** @type {Photo[]} */
let fresh = [];
let at = -1;
/** @type {Photo|null} */
let shown = null;
let shownAt = 0;
/** Whether photos come that nobody is shown yet, and how many there are. */
let isSealed = false;
let sealedCount = 0;
let isPaused = false;
/** Whether the curtain of the reveal is drawn. */
let isCeremony = false;
let isTurning = false;
/**
 * What happens while everything is looked at anew: the answer may be from before it.
 * @type {(() => void)[]|null}
 */
let missed = null;

/** @param {Photo} photo */
const isToSee = (photo) => photo.state === "frame" && photo.has.some((what) => what !== "original");

/** Looks at everything anew. Throws `ApiError`. */
async function load() {
    /** @type {(() => void)[]} */
    const since = [];
    missed = since;
    const all = [];
    let before = "";
    do {
        const path = `api/photos?limit=${pageSize}${before ? `&before=${before}` : ""}`;
        const page = await call("GET", path).catch((error) => {
            if (missed === since) missed = null;
            throw error;
        });
        all.push(...page.photos);
        before = page.next;
    } while (before);
    if (missed !== since) return;
    missed = null;
    photos = all;
    const still = photos.find((photo) => photo.id === shown?.id);
    if (shown && !still) clear();
    shown = still ?? null;
    at = still ? photos.indexOf(still) : -1;
    for (const again of since) again();
    told();
}

/** The same, as often as it takes: no update would say what is missing. */
function reload() {
    load().catch(() => setTimeout(reload, 5_000));
}

/** @param {Photo} photo */
function put(photo) {
    missed?.push(() => put(photo));
    const known = photos.find((other) => other.id === photo.id);
    if (known) {
        const could = isToSee(known);
        Object.assign(known, photo);
        if (!could && isToSee(known)) arrived(known);
    } else if (photo.state === "frame") {
        let index = photos.findIndex((other) => other.addedAt <= photo.addedAt);
        if (index < 0) index = photos.length;
        photos.splice(index, 0, photo);
        if (index <= at) at += 1;
        if (isToSee(photo)) arrived(photo);
    }
    told();
}

/** @param {Photo} photo */
function arrived(photo) {
    fresh.push(photo);
    if (fresh.length > freshMax) fresh.shift();
    if (!isPaused && !isCeremony && Date.now() - shownAt >= stayAtLeast) turn();
}

/** @param {string} id */
function drop(id) {
    missed?.push(() => drop(id));
    fresh = fresh.filter((photo) => photo.id !== id);
    const index = photos.findIndex((photo) => photo.id === id);
    if (index >= 0) photos.splice(index, 1);
    if (index >= 0 && index <= at) at -= 1;
    if (shown?.id === id) {
        clear();
        turn();
    }
    told();
}

/** How many there are, and the waiting screen while there is nothing to see. */
function told() {
    const count = find("count");
    count.textContent = text.wall.count(photos.length);
    count.hidden = !photos.length;
    find("wall").dataset.state = photos.some(isToSee) ? "photos" : isLastMinute ? "last-minute" : "waiting";
}

function clear() {
    shown = null;
    find("stage").replaceChildren();
    find("by").hidden = true;
}

/** @returns {Photo|null} what comes next, `step` photos further where nothing new waits; never what is shown already */
function next(step = 1) {
    while (step === 1 && fresh.length) {
        const photo = fresh.shift();
        if (photo && photo !== shown && photos.includes(photo)) return photo;
    }
    for (let tries = 0; tries < photos.length; tries += 1) {
        at = (at + step + photos.length) % photos.length;
        if (isToSee(photos[at]) && photos[at] !== shown) return photos[at];
    }
    return null;
}

/** Shows the next photo once it is decoded. @param {number} [step] */
async function turn(step = 1) {
    if (isTurning) return;
    isTurning = true;
    const photo = next(step);
    if (photo) {
        const size = photo.has.includes("preview") ? "preview" : "thumbnail";
        const picture = make("img", { alt: "", src: photoURL(photo.id, size) });
        try {
            await picture.decode();
            if (photos.includes(photo)) reveal(photo, picture);
        } catch { /* taken back, or out of reach: the next one in its turn */ }
    }
    shownAt = Date.now();
    isTurning = false;
}

/** @param {Photo} photo @param {HTMLImageElement} picture */
function reveal(photo, picture) {
    const stage = find("stage");
    // The one before fades under the new one; those before it go at once.
    while (stage.children.length > 1) stage.firstElementChild.remove();
    stage.append(picture);
    picture.getBoundingClientRect();
    picture.classList.add("shown");
    const before = picture.previousElementSibling;
    before?.classList.remove("shown");
    setTimeout(() => before?.remove(), 1_000);
    shown = photo;
    fresh = fresh.filter((other) => other !== photo);
    const by = find("by");
    by.textContent = photo.authorName ?? text.guest;
    by.hidden = false;
}

/** @param {import("./session.js").Me} me */
function showWayIn(me) {
    know(me);
    link = me.link;
    document.title = me.event.name;
    find("name").textContent = me.event.name;
    find("call").textContent = text.wall.call;
    find("address").textContent = new URL(me.link).host;
    find("typed").textContent = text.code.shown(me.code);
    find("words").replaceChildren(...me.event.words.map((word) => make("li", {}, word)));
    find("code").setAttribute("aria-label", text.me.qr);
    drawCode(find("code"), me.link);
    find("way-in").hidden = false;
    const isRevealed = isSealed && !me.event.sealed && sealedCount > 0;
    isSealed = me.event.sealed !== null;
    showSealed(me.event.sealed);
    if (isRevealed) celebrate(sealedCount);
    sealedCount = me.event.sealed?.count ?? 0;
}

/** Once, when what was sealed is shown. @param {number} count */
async function celebrate(count) {
    isCeremony = true;
    await ceremony(find("ceremony"), count, async () => {
        if (!shown) await turn();
        return find("stage").querySelector("img.shown");
    });
    isCeremony = false;
    shownAt = Date.now();
}

/** Asks what is sealed after a burst of changes, once. */
let askTimer = 0;
function askSoon() {
    clearTimeout(askTimer);
    askTimer = setTimeout(async () => {
        try { showWayIn(await refresh()); } catch { /* the next change asks again */ }
    }, 400);
}

/** @param {string|null} sentence */
function trouble(sentence) {
    find("trouble").textContent = sentence ?? "";
    find("trouble").hidden = sentence === null;
}

/** This wall's own, of which the part behind the "#" opens it at any node. */
let link = "";
let goneTimer = 0;

/**
 * Nobody stands before a wall to press a button: where this node stays away it goes on at another by itself.
 * @param {boolean} isReachable
 */
function reach(isReachable) {
    trouble(isReachable ? null : text.wall.unreachable);
    if (isReachable) clearTimeout(goneTimer);
    if (isReachable || !goneTimer) goneTimer = isReachable ? 0 : setTimeout(moveOn, patience);
}

async function moveOn() {
    const place = await findOther();
    if (!goneTimer) return;
    if (place) location.replace(`${place.origin}/wall${new URL(link).hash}`);
    else goneTimer = setTimeout(moveOn, patience);
}

let helpTimer = 0;

/** The mouse and what the keys do are seen while somebody moves it. */
function wake() {
    find("wall").classList.remove("still");
    find("help").hidden = false;
    clearTimeout(helpTimer);
    helpTimer = setTimeout(() => {
        find("wall").classList.add("still");
        find("help").hidden = true;
    }, 3_000);
}

/** @param {KeyboardEvent} event */
function key(event) {
    if (event.key === " ") {
        isPaused = !isPaused;
        find("help").textContent = isPaused ? text.wall.paused : text.wall.keys;
        wake();
    } else if (event.key === "ArrowRight") turn();
    else if (event.key === "ArrowLeft") turn(-1);
    else if (event.key === "f" && document.fullscreenElement) document.exitFullscreen();
    else if (event.key === "f") document.documentElement.requestFullscreen();
    else return;
    event.preventDefault();
}

async function begin() {
    try {
        const me = await look();
        if (!me) return trouble(text.wall.closed);
        showWayIn(me);
        await follow({
            photo: put, event: askSoon,
            removed: ({ id }) => {
                if (isSealed) askSoon();
                drop(id);
            },
            reset: () => {
                askSoon();
                reload();
            },
            sessionLost: () => trouble(text.wall.closed),
            reach,
        });
        // What the node has said of the event is from before that.
        askSoon();
        await load();
    } catch (error) {
        trouble(error instanceof ApiError ? error.sentence : String(error));
        if (error instanceof ApiError && error.status !== 403) setTimeout(begin, 5_000);
        return;
    }
    trouble(null);
    turn();
    setInterval(() => {
        if (!isPaused && !isCeremony && Date.now() - shownAt >= (fresh.length ? stayAtLeast : stay)) turn();
    }, 500);
}

fillTexts(document);
find("help").textContent = text.wall.keys;
addEventListener("mousemove", wake);
addEventListener("keydown", key);
begin();
