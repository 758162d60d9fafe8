// SPDX-License-Identifier: Apache-2.0
// The identity of this browser at the event: the exchange of token or code for a session, the storage of the seed, and
// the two signatures that give a session its guest (protocol/guest-api.md §2, §3). The seed never leaves the page,
// except in its owner's hands.
import { ApiError, base, call, setBase } from "./api.js";

/** @typedef {{id: string, name: string, organizer: string, words: string[], startsAt: number, endsAt: number, isOpened: boolean, isClosed: boolean,
 *     acceptsUntil?: number|null, retentionHours: number, expiresAt: number, frames: number|null, sealed: Sealed|null, veils?: boolean, notice: Notice|null,
 *     highlightCount?: number, missions?: {id: number, text: string}[], cover?: import("./cover.js").Picture|null,
 *     plan?: import("./cover.js").Picture|null,
 *     options?: import("./options.js").Options}} EventFacts the last five: since nodes have them */
/** @typedef {{id: string, text: string, saidAt: number}} Notice the host's message to all guests */
/** @typedef {{count: number, revealsAt: number|null, forOrganizers: boolean, organizerCount?: number, pageKey?: string|null}} Sealed photos that only their authors see */
/** @typedef {{id: string, name: string|null, framesUsed: number, frames: number|null}} Guest */
/** @typedef {{id: string, statement: string, organizersText: string|null, isGiven: boolean}} Consent */
/** @typedef {{event: EventFacts, node: string, challenge: string, consent: Consent, guest: Guest|null, link: string,
 *     code: string, secure?: import("../guest/secure.js").Secure|null, vote?: {id: string, isOpen: boolean}|null,
 *     isOutside?: boolean, wall?: {token: string, code: string|null, pass: string|null, remaining: number}|null, others: import("./others.js").Other[]}} Me */
/** @typedef {{kind: "guest"|"welcome", me: Me, stranger?: boolean}
 *     | {kind: "code", error?: ApiError, ended?: boolean, code?: string, once?: string, because?: string}} Arrival */

/**
 * The latest answer of api/me; `null` without a session.
 * @type {Me|null}
 */
export let me = null;

/** Local storage if available, memory otherwise: private windows, full disks, blocked cookies. */
const memory = new Map();
let persists = true;
/** @param {string} name */
function recall(name) {
    if (memory.has(name)) return memory.get(name);
    try { return localStorage.getItem(`disposable.${name}`); } catch { return null; }
}
/** @param {string} name @param {string|null} value */
function keep(name, value) {
    try {
        if (value === null) localStorage.removeItem(`disposable.${name}`);
        else localStorage.setItem(`disposable.${name}`, value);
        memory.delete(name);
    } catch {
        persists = false;
        if (value === null) memory.delete(name);
        else memory.set(name, value);
    }
}

/** Whether this browser still knows its guest after a restart. */
export const isKept = () => persists;

export const utf8 = new TextEncoder();
/** @param {...Uint8Array} parts */
export function join(...parts) {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
}
/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
/** @param {Uint8Array} bytes */
export const base64url = (bytes) =>
    btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
/** @param {string} text */
export const unbase64url = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** The ticket of the code that was scanned for this event, until it is used (ticket.js). */
export function scannedTicket() {
    const [place, ticket] = recall("ticket")?.split("~") ?? [];
    return place === base ? ticket : null;
}
export const forgetTicket = () => keep("ticket", null);

/**
 * This guest's seed, or `null` if this browser does not have it.
 * @returns {Uint8Array|null}
 */
export function seed() {
    const kept = me && recall(`${me.event.id}.seed`);
    return kept ? unbase64url(kept) : null;
}

/** @returns {string|null} the link that brings this guest to another browser */
export function returnLink() {
    const mine = seed();
    return me && mine ? `${me.link}.${base64url(mine)}` : null;
}

/**
 * Reads the key in the address bar, and determines the state of this browser.
 * @param {() => Promise<boolean>} mayChangeGuest called if a return link is that of another guest than this browser's
 * @returns {Promise<Arrival>} throws `ApiError` if nothing answers
 */
export async function arrive(mayChangeGuest) {
    const [, token, carried, ticket] = /^#([\w-]{22})(?:\.([\w-]{22}))?(?:~([\w-]{22}))?$/.exec(location.hash) ?? [];
    // The token must not stay in the address, where it would be shared and photographed with the page.
    const clean = () => { if (location.hash) history.replaceState(history.state, "", location.pathname); };
    if (token) {
        try {
            if (!await isOpen(token, carried)) await open({ token });
            if (ticket) keep("ticket", `${base}~${ticket}`);
        } catch (error) {
            // Until the result is known the address keeps its key, for a reload that tries again.
            if (!(error instanceof ApiError) || error.status !== 403) throw error;
            clean();
            return { kind: "code", error };
        }
    }
    // From `/clip/CODE`, or with a token from another phone. Only a tap enters it: a wrong code counts against this address.
    const [, code, once] = /^#(\w{4}-\w{4})(?:\.([\w-]{22}))?$/.exec(location.hash) ?? [];
    clean();
    if (code) return { kind: "code", code, once };
    if (!token && base === "/") {
        const last = recall("last");
        if (!last || !/^\/e\/[0-9a-f]{8}\/$/.test(last)) return { kind: "code" };
        setBase(last);
    }
    return settle(carried ? unbase64url(carried) : null, mayChangeGuest, !token);
}

/**
 * Whether this browser has a session with its guest at the event of a link. Another session would not find the uploads of
 * this one.
 * @param {string} token @param {string|undefined} carried
 */
async function isOpen(token, carried) {
    if (carried || !recall("last")) return false;
    const path = await import("./again.js").then(({ pathOf }) => pathOf(token)).catch(() => null);
    if (!path) return false;
    const { guest } = await call("GET", `${path}api/me`).catch((error) => {
        if (!error.status) throw error;
        return {};
    });
    if (!guest) return false;
    setBase(path);
    keep("last", path);
    return true;
}

/**
 * For a screen without a guest: opens a session with the key in the address, or uses an earlier one.
 * @returns {Promise<Me|null>} `null` if there is neither; throws `ApiError`
 */
export async function look() {
    const [, token] = /^#([\w-]{22})/.exec(location.hash) ?? [];
    if (token) {
        await open({ token });
        history.replaceState(null, "", location.pathname + location.search);
    } else {
        const last = recall("last");
        if (!last || !/^\/e\/[0-9a-f]{8}\/$/.test(last)) return null;
        setBase(last);
    }
    me = await call("GET", "api/me");
    return me;
}

/** @param {{token: string}|{code: string}} key as typed or scanned @returns {Promise<Arrival>} throws `ApiError` */
export async function openWith(key) {
    const isHandover = await open(key);
    if (!isHandover) return settle(null, async () => false, false);
    const { seed: carried, mayChange } = await (await import("./handover.js")).receive();
    return settle(carried, mayChange, false);
}

/** @param {{token: string}|{code: string}} key @returns {Promise<boolean|undefined>} whether it is a code of another phone */
async function open(key) {
    const { path, handover } = await call("POST", "/api/session", key);
    setBase(path);
    keep("last", path);
    return handover;
}

/** @param {Uint8Array|null} carried @param {() => Promise<boolean>} mayChangeGuest @param {boolean} mayHaveEnded
 *  @returns {Promise<Arrival>} */
async function settle(carried, mayChangeGuest, mayHaveEnded) {
    try {
        me = await call("GET", "api/me");
    } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        const ended = mayHaveEnded && recall("last") === base;
        // Another node may have this address now: it knows the event and not the session.
        const again = ended && await (await import("./again.js")).reopen(open, error.code === "session-ended" ? forget : null);
        if (again === true) return settle(carried, mayChangeGuest, false);
        setBase("/");
        return { kind: "code", ended, because: again || "" };
    }
    if (!me) throw new ApiError(200, "other", "an empty answer");
    history.replaceState(history.state, "", base);
    const own = seed();
    if (carried && own && base64url(carried) !== base64url(own) && !await mayChangeGuest()) carried = null;
    if (me.isOutside) return (await import("./outside.js")).pass(carried ?? (recall(`${me.event.id}.entered`) && own), enter);
    if (carried) return { kind: "guest", me: await enter(carried), stranger: isStranger() };
    if (me.guest) return { kind: "guest", me };
    // A known browser enters without a question.
    if (own && recall(`${me.event.id}.entered`)) return { kind: "guest", me: await enter(own) };
    return { kind: "welcome", me };
}

/** Whether the event did not know this guest's key before. */
const isStranger = () => me?.guest?.name === null && me.guest.framesUsed === 0;

/** @type {Promise<any>|null} */
let signingLibrary = null;

/** @returns {Promise<any>} TweetNaCl, loaded when it is needed; throws `ApiError` where it does not load */
export function signing() {
    const { nacl } = /** @type {any} */ (window);
    if (nacl) return Promise.resolve(nacl);
    signingLibrary ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.onload = () => resolve(/** @type {any} */ (window).nacl);
        script.onerror = () => {
            signingLibrary = null;
            reject(new ApiError(0, "no-signing", "the signing library is not loaded"));
        };
        script.src = "/nacl.js";
        document.head.append(script);
    });
    return signingLibrary;
}

/**
 * Enters as the guest of a seed, or of a new one.
 * @param {Uint8Array|null} [own]
 * @param {string} [name] for guests that the event does not know yet
 * @returns {Promise<Me>} throws `ApiError`
 */
export async function enter(own = null, name = undefined) {
    const nacl = await signing();
    if (!me) throw new ApiError(0, "no-signing", "there is no event to enter");
    const mySeed = own ?? seed() ?? crypto.getRandomValues(new Uint8Array(16));
    const event = unhex(me.event.id);
    const zero = new Uint8Array(1);
    const secret = nacl.hash(join(utf8.encode("disposable/1 guest key"), zero, event, mySeed)).subarray(0, 32);
    const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(secret);
    const guest = hex(publicKey);
    // Stored before it is used: a guest known to the event but not to its own browser would be lost.
    keep(`${me.event.id}.seed`, base64url(mySeed));
    const { subKey } = await call("POST", "api/guest/key", { guest });
    /** @param {string} domain @param {...Uint8Array} more */
    const sign = (domain, ...more) => hex(nacl.sign.detached(
        join(utf8.encode(domain), zero, event, unhex(/** @type {Me} */ (me).node), unhex(subKey), ...more), secretKey));
    me = await call("POST", "api/guest", {
        guest, name,
        delegation: sign("disposable/1 delegation"),
        proof: sign("disposable/1 guest proof", unhex(me.challenge)),
    });
    keep(`${/** @type {Me} */ (me).event.id}.entered`, "yes");
    return /** @type {Me} */ (me);
}

/**
 * Enters with the seed of the twelve words.
 * @param {Uint8Array} own
 * @returns {Promise<Arrival>} throws `ApiError`
 */
export async function comeBack(own) {
    return { kind: "guest", me: await enter(own), stranger: isStranger() };
}

/**
 * The number of photos that this guest may still take; `null` without a limit.
 * @returns {number|null}
 */
export function framesLeft() {
    const guest = me?.guest;
    return !guest || guest.frames === null ? null : Math.max(0, guest.frames - guest.framesUsed);
}

/** @returns {boolean} whether the party is over: what the host has said counts before this phone's clock */
export function isOver() {
    const event = me?.event;
    return !!event && (event.isClosed || (event.isOpened && Date.now() > event.endsAt));
}

let askedCount = 0;
let answeredCount = 0;

/**
 * Loads api/me again.
 * @returns {Promise<Me>} throws `ApiError`
 */
export async function refresh() {
    askedCount += 1;
    const number = askedCount;
    const now = await call("GET", "api/me");
    // An answer that arrives after a later one is outdated.
    if (number > answeredCount) [me, answeredCount] = [now, number];
    return /** @type {Me} */ (me);
}

/** @param {string} name throws `ApiError` */
export async function rename(name) {
    await call("PUT", "api/guest/name", { name });
    await refresh();
}

/** The text to which the guest has agreed while the node did not answer. */
let unsaid = "";

/** @param {string} id of the text that the guest agrees to; throws `ApiError`, "other-text" if it is outdated */
export async function agree(id) {
    unsaid = id;
    await call("POST", "api/guest/consent", { id });
    unsaid = "";
    await refresh();
}

/** The present text if the guest has agreed to it, whether the node knows it or not. */
export const agreedTo = () => me && (me.consent.isGiven || me.consent.id === unsaid) ? me.consent.id : null;

/** Deletes everything that this guest has added. Throws `ApiError`. */
export async function erase() {
    await call("DELETE", "api/guest");
}

/** Whether the guest ends the session: then the page does not enter again. */
export let isLeaving = false;

/** Forgets what this browser keeps of an event. */
function forget(id = me?.event.id ?? "") {
    let names = ["seed", "entered"];
    try {
        names = Object.keys(localStorage).flatMap((name) => name.split(`disposable.${id}.`)[1] ?? []).concat(names);
    } catch { /* there is no storage */ }
    for (const name of names) keep(`${id}.${name}`, null);
}

/** Ends the session here and forgets the seed. Throws `ApiError`. */
export async function leave() {
    isLeaving = true;
    try {
        await call("DELETE", "api/session");
    } catch (error) {
        isLeaving = false;
        throw error;
    }
    if (me) forget(me.event.id);
    await navigator.serviceWorker?.getRegistration(base).then((worker) => worker?.unregister(), () => { /* it does nothing more */ });
    keep("last", null);
    me = null;
}
