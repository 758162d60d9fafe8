// SPDX-License-Identifier: Apache-2.0
// The guest continues on another phone (protocol/guest-api.md §22). The first phone shows a one-time code under "Me", and
// seals the guest's key for the phone that has typed it; the other phone opens it. Loaded for either.
import { ApiError, base, call } from "./api.js";
import { drawCode } from "./codes.js";
import { ask, find, make, openDialog, say, toast } from "./dom.js";
import * as session from "./session.js";
import { loadTexts, text } from "./text.js";

/** @typedef {{state: "none"|"open"|"used"|"sealed", seconds: number, key: string|null, phones: {id: string, since: number}[]}} Handover */

/** Milliseconds between two questions to the node. */
const interval = 1_500;
/** Milliseconds in which the first phone answers; the node waits as long. */
const patience = 120_000;
/** Further things of the event in this browser that are worth having there. */
const things = ["badges", "gifts", "introduction", "vote"];
const lengthMax = 2_000;

/** @type {typeof import("../texts/handover/en.js").english} */
let words;
/** The box under "Me". @type {HTMLElement} */
let place;
/** The dialog with the code. @type {HTMLElement|null} */
let panel = null;
/** @type {Handover["state"]} */
let state = "none";
/** The phones that continued before the code was used. @type {Set<string>} */
let before = new Set();
let timer = 0;

/** A number that two people can compare. @param {any} nacl @param {Uint8Array} key of the other phone */
function numberOf(nacl, key) {
    const [first, second] = nacl.hash(session.join(session.utf8.encode("disposable/1 handover number"), new Uint8Array(1), key));
    return String((first * 256 + second) % 10_000).padStart(4, "0");
}

/** @param {unknown} error @returns {string} */
const sentence = (error) => error instanceof ApiError
    ? words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence : text.errors.other(String(error));

// The first phone

/** @param {HTMLElement} box */
export async function fill(box) {
    if (!session.seed()) return box.remove();
    const [loaded, { phones }] = await Promise.all([loadTexts("handover"), call("GET", "api/handover")]);
    [words, place] = [loaded, box];
    // Keep what the guest has in hand.
    if (!panel && !box.contains(document.activeElement)) draw(phones);
}

/** @param {Handover["phones"]} phones */
function draw(phones) {
    place.replaceChildren(make("h2", {}, words.title), make("p", { class: "quiet" }, words.about),
        make("button", { type: "button", class: "button wide", id: "handover-show", "aria-haspopup": "dialog", click: show }, words.show),
        ...phones.length ? [make("h3", {}, words.phones), make("ul", { id: "handover-phones" }, ...phones.map((phone) =>
            make("li", { class: "row spread" }, make("span", {}, words.phone(phone.since)),
                make("button", { type: "button", class: "button", click: () => end(phone) }, words.end))))] : []);
}

/** @param {Handover["phones"][number]} phone */
async function end({ id }) {
    if (!await ask({ title: words.sure, body: [words.sureBody], yes: words.endYes, danger: true })) return;
    try {
        await call("DELETE", `api/handover/${id}`);
    } catch (error) {
        toast(sentence(error));
    }
    await redraw();
}

async function redraw() {
    const now = await call("GET", "api/handover").catch(() => null);
    if (now) draw(now.phones);
    find("handover-show")?.focus();
}

/** Shows a new code. */
async function show() {
    const button = find("handover-show");
    button.disabled = true;
    try {
        const { code, token, seconds } = await call("POST", "api/handover");
        const typed = text.code.shown(code);
        const address = `${session.me?.link.split("#")[0]}#${typed}.${token}`;
        const canvas = make("canvas", { class: "code-picture", id: "handover-picture", role: "img", "aria-label": words.picture, hidden: true });
        put(make("p", { id: "handover-how" }, words.how), canvas, make("p", { class: "address" }, new URL(address).host),
            make("p", { class: "address", id: "handover-code" }, typed), make("p", { class: "quiet", id: "handover-left", role: "timer" },
                words.left(seconds)),
            make("p", { class: "quiet" }, words.unsent), row(words.close, close));
        drawCode(canvas, address);
        state = "open";
        watch();
    } catch (error) {
        toast(sentence(error));
    }
    button.disabled = false;
}

/** @param {string} label @param {() => void} run @param {...Node} more */
const row = (label, run, ...more) => make("div", { class: "row" },
    make("button", { type: "button", class: "button", id: "handover-close", click: run }, label), ...more);

/** Shows these in front of the page, or in the box where the browser has no dialogs. @param {...Node} parts */
function put(...parts) {
    const isNew = !panel;
    panel ??= find("handover") ?? make("dialog", { id: "handover", "aria-labelledby": "handover-title", close: closed });
    panel.replaceChildren(make("h2", { id: "handover-title", tabindex: -1 }, words.title), ...parts);
    if (!isNew) return find("handover-title").focus();
    const canOpen = typeof /** @type {any} */ (panel).showModal === "function";
    if (!canOpen) panel.setAttribute("open", "");
    if (!panel.isConnected) (canOpen ? document.body : place).append(panel);
    if (canOpen) openDialog(/** @type {HTMLDialogElement} */ (panel));
    find("handover-title").focus();
}

function close() {
    const open = /** @type {any} */ (panel);
    if (typeof open?.close === "function") open.close();
    else {
        open?.remove();
        closed();
    }
}

/** The dialog is closed, by a button or by the browser's own way: a code that nobody sees is withdrawn. */
async function closed() {
    clearTimeout(timer);
    panel = null;
    const isOpen = state === "open" || state === "used";
    state = "none";
    if (isOpen) await call("DELETE", "api/handover").catch(() => { /* then it ends by itself */ });
    await redraw();
}

async function watch() {
    clearTimeout(timer);
    if (!panel) return;
    const now = await call("GET", "api/handover").catch(() => null);
    if (!panel) return;
    if (now) follow(now);
    if (state !== "none") timer = setTimeout(watch, interval);
}

/** @param {Handover} now */
function follow({ state: next, seconds, key, phones }) {
    if (next === "open") {
        before = new Set(phones.map(({ id }) => id));
        if (find("handover-left")) find("handover-left").textContent = words.left(seconds);
    }
    if (next === "used" && key && !find("handover-number")) return question(key);
    if (next === "used" && state === "open") put(make("p", { role: "status" }, words.opening), row(words.close, close));
    if (next === "none" && state !== "none") finish(state === "sealed" && phones.some(({ id }) => !before.has(id)));
    else state = next;
}

/** @param {boolean} isDone */
function finish(isDone) {
    state = "none";
    if (isDone) {
        toast(words.done, null, 10_000);
        say(words.done);
        return close();
    }
    put(make("p", { role: "alert" }, words.over), row(words.close, close,
        make("button", { type: "button", class: "button main", id: "handover-again", click: show }, words.again)));
}

/** Asks whether it is the right phone. @param {string} key of the other phone */
async function question(key) {
    state = "used";
    const nacl = await session.signing().catch(() => null);
    if (!nacl || !panel || find("handover-number")) return;
    const yes = make("button", { type: "button", class: "button main", id: "handover-yes", click: async () => {
        yes.disabled = true;
        try {
            await seal(nacl, session.unhex(key));
            state = "sealed";
            put(make("p", { role: "status" }, words.passing), row(words.close, close));
            watch();
        } catch (error) {
            find("handover-error").textContent = sentence(error);
            yes.disabled = false;
        }
    } }, words.yes);
    put(make("p", {}, words.isIt), make("p", { class: "address", id: "handover-number" }, numberOf(nacl, session.unhex(key))),
        make("p", { class: "error", id: "handover-error", role: "alert" }), row(words.no, () => {
            toast(words.refused, null, 10_000);
            say(words.refused);
            close();
        }, yes));
    say(words.isIt);
}

/** Seals the guest's key for the other phone: a listener cannot open the box. @param {any} nacl @param {Uint8Array} key */
async function seal(nacl, key) {
    const { me } = session;
    const seed = session.seed();
    if (!me || !seed) throw new ApiError(0, "no-handover", "there is no key");
    const kept = Object.fromEntries(things.flatMap((name) => {
        const value = stored(me.event.id, name);
        return value && value.length <= lengthMax ? [[name, value]] : [];
    }));
    const message = session.utf8.encode(JSON.stringify({ event: me.event.id, seed: session.base64url(seed), kept }));
    const own = nacl.box.keyPair();
    const nonce = nacl.randomBytes(nacl.box.nonceLength);
    const sealed = nacl.box(message, nonce, key, own.secretKey);
    await call("POST", "api/handover/box", { key: session.hex(own.publicKey), box: session.base64url(session.join(nonce, sealed)) });
}

/** @param {string} event @param {string} name @returns {string|null} */
function stored(event, name) {
    try { return localStorage.getItem(`disposable.${event}.${name}`); } catch { return null; }
}

// The other phone

/** An error with a sentence for the guest. */
class HandoverError extends ApiError {
    get sentence() { return this.message; }
}

/**
 * Waits for the first phone, in the session that its code has opened.
 * @returns {Promise<{seed: Uint8Array, mayChange: () => Promise<boolean>}>} throws `ApiError`
 */
export async function receive() {
    words = await loadTexts("handover");
    const nacl = await session.signing();
    const { publicKey, secretKey } = nacl.box.keyPair();
    const shown = make("p", { class: "strong", id: "handover-mine", role: "status" }, words.number(numberOf(nacl, publicKey)));
    find("code-form").after(shown);
    shown.scrollIntoView({ block: "center" });
    try {
        await call("POST", "api/handover/key", { key: session.hex(publicKey) });
        const { otherGuest } = text.words;
        return { seed: open(nacl, secretKey, await answer()),
            mayChange: () => ask({ title: otherGuest.title, body: [otherGuest.body], yes: otherGuest.yes }) };
    } catch (error) {
        throw error instanceof ApiError ? new HandoverError(error.status, error.code, sentence(error)) : error;
    } finally {
        shown.remove();
    }
}

/** @returns {Promise<{key: string, box: string}>} throws `ApiError` */
async function answer() {
    for (const end = Date.now() + patience; Date.now() < end;) {
        await new Promise((resolve) => setTimeout(resolve, interval));
        try {
            const { key, box } = await call("GET", "api/handover/box");
            if (key && box) return { key, box };
        } catch (error) {
            // Out of reach for a moment: the node keeps the answer.
            if (!(error instanceof ApiError) || error.status !== 0) throw error;
        }
    }
    throw new ApiError(0, "no-handover", "");
}

/**
 * @param {any} nacl
 * @param {Uint8Array} secretKey
 * @param {{key: string, box: string}} sealed
 * @returns {Uint8Array} the seed; throws `ApiError`
 */
function open(nacl, secretKey, { key, box }) {
    try {
        const bytes = session.unbase64url(box);
        const { nonceLength } = nacl.box;
        const message = nacl.box.open(bytes.subarray(nonceLength), bytes.subarray(0, nonceLength), session.unhex(key), secretKey);
        const { event, seed, kept } = JSON.parse(new TextDecoder().decode(message));
        if (!/^[0-9a-f]{64}$/.test(event) || base !== `/e/${event.slice(0, 8)}/` || !/^[\w-]{22}$/.test(seed)) throw new Error(event);
        keep(event, kept ?? {});
        return session.unbase64url(seed);
    } catch {
        throw new ApiError(0, "damaged", "");
    }
}

/** @param {string} event @param {Record<string, unknown>} kept */
function keep(event, kept) {
    for (const name of things) {
        const value = kept[name];
        if (typeof value !== "string" || value.length > lengthMax || stored(event, name) !== null) continue;
        try { localStorage.setItem(`disposable.${event}.${name}`, value); } catch { return; }
    }
}
