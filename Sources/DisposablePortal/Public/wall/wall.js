// SPDX-License-Identifier: Apache-2.0
// The wall, for a projector: new photos are shown at once, and otherwise the photos of the party one after the other.
// It has no guest. At most four pictures are decoded at a time, in an event of any length.
import { ApiError, call } from "../shared/api.js";
import { lastMinute, reveal as ceremony } from "./ceremony.js";
import { drawCode } from "../shared/codes.js";
import { find, make } from "../shared/dom.js";
import { toggleClock } from "./clock.js";
import { allEarly } from "../shared/early.js";
import { loadMoment, showMoment, showsMosaic } from "./flash.js";
import { sealedBox } from "../shared/sealed.js";
import { dress, missions } from "../shared/options.js";
import { findOther, know } from "../shared/others.js";
import { belongs, filter, repeats, stayAwake, wifi } from "./screen.js";
import { isOver, look, refresh } from "../shared/session.js";
import { added, float, isHigh, isToSee, label, remove, slideOf, stay } from "./stage.js";
import { fillTexts, loadTexts, pageText as words, text } from "../shared/text.js";
import { Turns } from "./turns.js";
import { follow } from "../shared/updates.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */

/** The minimum duration of a photo while new ones wait. Milliseconds. */
const stayAtLeast = 4_000;
/** The number of photos after which the code fills the screen once. */
const cardEvery = 20;
/** The time after which a paused wall continues. Milliseconds. */
const pauseMax = 300_000;
/** The page size of the list, which has ids and authors and no pictures. */
const pageSize = 200;
/** The time of an outage before the search for another node, and between two searches. Milliseconds. */
const patience = 10_000;

let isLastMinute = false;
const showSealed = sealedBox(find("sealed"), (wait) => {
    if (isLastMinute === (wait > 0 && wait <= lastMinute)) return;
    isLastMinute = !isLastMinute;
    told();
});

const turns = new Turns(isToSee, repeats);
/** @type {import("./stage.js").Slide|null} */
let slide = null;
let shownAt = 0;
/** The number of photos since the code filled the screen, and whether it does now. */
let sinceCard = 0;
let isCard = false;
/** Whether there are sealed photos, and their number. */
let isSealed = false;
let sealedCount = 0;
/** The time of the pause; 0 while the wall runs. */
let pausedAt = 0;
/** Whether the curtain of the reveal is shown. */
let isCeremony = false;
let isTurning = false;
/**
 * Changes during a load: the answer may be older.
 * @type {(() => void)[]|null}
 */
let missed = null;

/** Loads the list of all photos. Throws `ApiError`. */
async function load() {
    /** @type {(() => void)[]} */
    const since = [];
    missed = since;
    const all = [];
    let before = "";
    do {
        const path = `api/photos?limit=${pageSize}${before ? `&before=${before}` : ""}${filter}`;
        const page = await call("GET", path).catch((error) => {
            if (missed === since) missed = null;
            throw error;
        });
        all.push(...page.photos);
        before = page.next;
    } while (before);
    const early = await allEarly();
    if (missed !== since) return;
    missed = null;
    turns.reset([...all, ...early.map(photoOf).filter(belongs)].sort((one, other) => other.addedAt - one.addedAt));
    if (slide) {
        const still = slide.photos.flatMap((photo) => turns.find(photo.id) ?? []);
        if (still.length < slide.photos.length) clear();
        else slide.photos = still;
    }
    for (const again of since) again();
    told();
}

// Retries until it succeeds: no update would report what is missing.
function reload() {
    load().catch(() => setTimeout(reload, 5_000));
}

/** @param {Photo} photo */
function put(photo) {
    if (photo.state === "veiled" || !belongs(photo)) return drop(photo.id);
    missed?.push(() => put(photo));
    const before = turns.find(photo.id)?.reactions;
    const isNew = turns.put(photo);
    if (slide?.photos.some((one) => one.id === photo.id)) {
        label(slide);
        if (before) for (const emoji of added(before, photo.reactions)) float(find("hearts"), emoji);
    }
    if (isNew && mayTurn() && Date.now() - shownAt >= stayAtLeast) turn();
    told();
}

/** @param {string} id */
function drop(id) {
    missed?.push(() => drop(id));
    turns.drop(id);
    if (slide?.photos.some((photo) => photo.id === id)) {
        clear();
        turn();
    }
    told();
}

/**
 * The preview of a photo whose original is on its way, shown like a photo.
 * @param {import("../shared/early.js").Early} early
 * @returns {Photo}
 */
const photoOf = ({ id, author, authorName, isMine, addedAt, width, height }) => ({ id, author, authorName, isMine, addedAt,
    width, height, caption: null, state: "frame", frame: null, takenAt: null, mediaType: "image/jpeg", byteCount: null,
    has: ["thumbnail", "preview"], commentCount: 0, reactions: [], isEarly: true });

/** @param {{id: string, photo: string|null}} gone a preview that is shown no more */
function become({ id, photo }) {
    missed?.push(() => become({ id, photo }));
    if (!photo) return drop(id);
    const shown = slide?.photos.find((one) => one.id === id);
    turns.become(id, photo);
    const now = turns.find(photo);
    if (slide && shown && now) slide.photos = slide.photos.map((one) => one === shown ? now : one);
    told();
}

/** How many there are, and what the screen is for. */
function told() {
    const count = find("count");
    count.textContent = words.count(turns.photos.length);
    count.hidden = !turns.photos.length;
    const isEmpty = !turns.photos.some(isToSee);
    find("wall").dataset.state = !isEmpty ? (isCard ? "card" : "photos") : isLastMinute ? "last-minute" : "waiting";
}

function clear() {
    remove(slide);
    slide = null;
    find("stage").replaceChildren();
    find("hearts").replaceChildren();
}

/** Whether the photo of the night fills the wall; it is loaded with the first closed vote. */
let showsWinner = () => false;
const mayTurn = () => !pausedAt && !isCeremony && !showsMosaic() && !showsWinner();

/** Shows the next photo once it is decoded. */
async function turn() {
    if (sinceCard >= cardEvery && slide) return showCard();
    await show(turns.next(slide?.photos ?? [], isHigh));
}

/** Fills the screen with the code, for people at the back. */
function showCard() {
    sinceCard = 0;
    isCard = true;
    shownAt = Date.now();
    told();
    ask();
}

/** Names on the card the mission that the fewest photos answer. */
async function ask() {
    const counts = missions().map(({ id, text: mission }) => ({ mission,
        count: turns.photos.filter((photo) => photo.mission?.id === id).length }));
    const asking = counts.length && !isOver() ? await loadTexts("missions").catch(() => null) : null;
    const [{ mission }] = [...counts.sort((one, other) => one.count - other.count), { mission: "" }];
    find("call").textContent = asking ? asking.wanted(mission) : calling();
}

/** @param {Photo[]} photos */
async function show(photos) {
    if (isTurning) return;
    isTurning = true;
    const next = photos.length ? await slideOf(photos).catch(() => null) : null;
    // Photos that failed to load are retried after all others were shown.
    turns.pass(photos);
    // Meanwhile a photo may have been deleted, and the list reloaded.
    const still = next?.photos.flatMap((photo) => turns.find(photo.id) ?? []) ?? [];
    if (next && still.length === next.photos.length) reveal({ ...next, photos: still });
    else remove(next);
    isCard = false;
    shownAt = Date.now();
    isTurning = false;
    told();
}

/** @param {import("./stage.js").Slide} next */
function reveal(next) {
    const [stage, before] = [find("stage"), slide];
    // The previous slide stays under the new one until that has faded in; earlier ones are removed at once.
    for (const element of [...stage.children]) if (element !== before?.element) element.remove();
    stage.append(next.element);
    next.element.getBoundingClientRect();
    next.element.classList.add("shown");
    before?.element.classList.replace("shown", "past");
    setTimeout(() => remove(before), 1_000);
    for (const video of next.element.querySelectorAll("video")) video.play().catch(() => { /* it stays a picture */ });
    find("hearts").replaceChildren();
    slide = next;
    turns.show(next.photos);
    sinceCard += next.photos.length;
}

/** Whether new guests need the code that the wall shows. */
let hasOwnCode = false;
let codeTimer = 0;

const calling = () => hasOwnCode ? words.callCode : isSealed ? words.callSealed : words.call;

/** Shows the guests' link and code; or the wall's own code, until the next one. @param {import("../shared/session.js").Me} me */
function showCode({ link: guests, code: printed, wall }) {
    const code = wall?.code ?? printed;
    hasOwnCode = Boolean(wall?.code);
    if (wall) own = `#${wall.token}`;
    find("typed").textContent = text.code.shown(code);
    find("code").setAttribute("aria-label", text.me.qr);
    drawCode(find("code"), wall?.pass ? `${guests.split("#")[0]}#${wall.pass}` : guests);
    clearTimeout(codeTimer);
    if (wall?.code) codeTimer = setTimeout(renew, Math.min(wall.remaining, 600_000) + 500);
}

/** Loads the next code. The one that is shown is still valid for a while. */
async function renew() {
    try { showWayIn(await refresh()); } catch { codeTimer = setTimeout(renew, 5_000); }
}

/** @param {import("../shared/session.js").Me} me */
function showWayIn(me) {
    know(me);
    dress();
    link = me.link;
    document.title = me.event.name;
    find("name").textContent = me.event.name;
    find("address").textContent = new URL(me.link).host;
    showCode(me);
    find("words").replaceChildren(...me.event.words.map((word) => make("li", {}, word)));
    find("way-in").hidden = false;
    const isRevealed = isSealed && !me.event.sealed && sealedCount > 0;
    isSealed = me.event.sealed !== null;
    find("call").textContent = calling();
    showSealed(me.event.sealed);
    if (isRevealed) celebrate(sealedCount);
    sealedCount = me.event.sealed?.count ?? 0;
    if (me.vote && !me.vote.isOpen) {
        import("./winner.js").then((module) => {
            showsWinner = module.showsWinner;
            return module.showWinner((id) => turns.find(id));
        }).catch(() => { /* the next change shows it */ });
    }
}

/** Runs once, when sealed photos are shown. @param {number} count */
async function celebrate(count) {
    isCeremony = true;
    await ceremony(find("ceremony"), count, async () => {
        if (!slide) await turn();
        return slide?.element ?? null;
    });
    isCeremony = false;
    shownAt = Date.now();
}

/** Loads the sealed photos once after a burst of changes. */
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

/** The guests' link, whose part after the "#" opens a wall at any node, unless this wall has a link of its own. */
let link = "";
let own = "";
let goneTimer = 0;

/**
 * Moves to another node automatically if this one stays away, since nobody is there to press a button.
 * @param {boolean} isReachable
 */
function reach(isReachable) {
    trouble(isReachable ? null : words.unreachable);
    if (isReachable) clearTimeout(goneTimer);
    if (isReachable || !goneTimer) goneTimer = isReachable ? 0 : setTimeout(moveOn, patience);
}

async function moveOn() {
    const place = await findOther();
    if (!goneTimer) return;
    if (place) location.replace(`${place.origin}/wall${location.search}${own || new URL(link).hash}`);
    else goneTimer = setTimeout(moveOn, patience);
}

let helpTimer = 0;

// The mouse pointer, and the list of keys, are visible while the mouse moves.
function wake() {
    find("wall").classList.remove("still");
    find("help").hidden = pausedAt > 0;
    clearTimeout(helpTimer);
    helpTimer = setTimeout(() => {
        find("wall").classList.add("still");
        find("help").hidden = true;
    }, 3_000);
}

/** @param {boolean} isPaused */
function pause(isPaused) {
    pausedAt = isPaused ? Date.now() : 0;
    find("paused").hidden = !isPaused;
    for (const video of find("stage").querySelectorAll(".shown video")) {
        if (isPaused) video.pause();
        else video.play().catch(() => { /* it stays a picture */ });
    }
    wake();
}

/** @param {KeyboardEvent} event */
function key(event) {
    // Combinations with these keys belong to the browser, for example to copy or to search.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") pause(!pausedAt);
    else if (event.key === "ArrowRight") show(turns.next(slide?.photos ?? [], isHigh));
    else if (event.key === "ArrowLeft") show(turns.before());
    else if (event.key === "f" && document.fullscreenElement) document.exitFullscreen();
    else if (event.key === "f") document.documentElement.requestFullscreen();
    else if (event.key === "c") toggleClock();
    else return;
    event.preventDefault();
}

/** Does what the host's desk asks of all walls. @param {{act: string, photo: string|null}} asked */
function obey({ act, photo }) {
    const one = turns.find(photo ?? "");
    if (act === "pause" || act === "resume") pause(act === "pause");
    else if (act === "next") show(turns.next(slide?.photos ?? [], isHigh));
    else if (act === "back") show(turns.before());
    else if (act === "code" && slide) showCard();
    else if (act === "show" && one && isToSee(one)) show([one]);
}

function tick() {
    if (pausedAt && Date.now() - pausedAt >= pauseMax) pause(false);
    const isDue = Date.now() - shownAt >= (turns.fresh.length ? stayAtLeast : isCard ? stay : slide?.stay ?? stay);
    if (mayTurn() && isDue) turn();
}

async function begin() {
    try {
        const me = await look();
        if (!me || me.isOutside) return trouble(words.closed);
        showWayIn(me);
        await follow({
            photo: put, event: askSoon, early: (early) => put(photoOf(early)), gone: become,
            moment: showMoment, wall: obey,
            removed: ({ id }) => {
                if (isSealed) askSoon();
                drop(id);
            },
            reset: () => {
                askSoon();
                loadMoment();
                reload();
            },
            sessionLost: () => trouble(words.closed),
            reach,
        });
        // The node's earlier answer about the event is outdated.
        askSoon();
        await Promise.all([load(), loadMoment()]);
    } catch (error) {
        trouble(error instanceof ApiError ? error.sentence : String(error));
        if (error instanceof ApiError && error.status !== 403) setTimeout(begin, 5_000);
        return;
    }
    trouble(null);
    turn();
    setInterval(tick, 500);
}

fillTexts(document);
find("stage").setAttribute("aria-label", words.stage);
find("same-words").textContent = words.sameWords;
find("help").textContent = words.keys;
find("paused").textContent = words.paused;
find("wifi").textContent = wifi && words.wifi(wifi);
addEventListener("mousemove", wake);
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
addEventListener("keydown", key);
begin();
