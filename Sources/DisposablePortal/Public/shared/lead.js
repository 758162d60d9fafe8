// SPDX-License-Identifier: Apache-2.0
// The leader among a browser's tabs: it alone holds the event stream and repeats its events to the others.
//
// A browser opens six connections to one host, and each event stream holds one of them for as long as its tab is open.
// Tabs use a BroadcastChannel; Web Locks need a secure context, which plain HTTP is not. Of two leaders the visible tab
// stays, of equals the one with the smaller name. Without BroadcastChannel, every tab leads.

/** Milliseconds: between two messages of a leader; until a tab without a leader leads; until a hidden one does. */
const times = { beat: 2_000, answer: 250, silence: 6_000, silenceBehind: 90_000 };
const name = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @type {BroadcastChannel|null} */
let channel = null;
let isLeading = false;
let isFollowing = false;
let heardAt = 0;
let timer = 0;
let election = 0;
/** @type {{onLead: () => void, onFollow: () => void, onRest: () => void, onMessage: (message: any) => void}} */
let owner;

/**
 * Elects the leading tab, and reports it now and after every change.
 * @param {string} topic the tabs of one topic share a leader
 * @param {typeof owner} to `onFollow` is called when another tab leads, `onRest` when this page is frozen, `onMessage`
 * with the leader's messages
 */
export function join(topic, to) {
    owner = to;
    if (typeof BroadcastChannel !== "function") return take();
    channel = new BroadcastChannel(topic);
    channel.onmessage = ({ data }) => hear(data);
    channel.postMessage({ kind: "ask" });
    elect(times.answer);
    timer = setInterval(watch, times.beat);
    addEventListener("pagehide", resign);
    document.addEventListener("visibilitychange", watch);
}

/** Leaves the election: this page no longer needs updates. */
export function leave() {
    resign();
    clearInterval(timer);
    clearTimeout(election);
    removeEventListener("pagehide", resign);
    document.removeEventListener("visibilitychange", watch);
    channel?.close();
    channel = null;
}

/**
 * Repeats a message to the following tabs; does nothing if this one follows.
 * @param {any} message
 */
export function repeat(message) {
    if (isLeading) channel?.postMessage({ kind: "message", message });
}

const claim = () => channel?.postMessage({ kind: "lead", name, isHidden: document.hidden });

/** @param {any} data */
function hear(data) {
    if (data.kind === "ask") {
        if (isLeading) claim();
    } else if (data.kind === "bye") {
        // The visible tab is the first to lead.
        elect(document.hidden ? 2 * times.answer : Math.random() * times.answer);
    } else if (data.kind === "message") {
        heardAt = Date.now();
        clearTimeout(election);
        if (!isLeading) owner.onMessage(data.message);
    } else if (data.kind === "lead") {
        if (isLeading && isBefore(data)) return claim();
        heardAt = Date.now();
        clearTimeout(election);
        if (!isFollowing) obey();
        // A hidden tab may be suspended.
        else if (data.isHidden && !document.hidden) elect(Math.random() * times.answer);
    }
}

/** @param {{name: string, isHidden: boolean}} other @returns {boolean} whether this tab leads rather than that one */
const isBefore = (other) => other.isHidden === document.hidden ? name < other.name : other.isHidden;

/** @param {number} wait milliseconds */
function elect(wait) {
    clearTimeout(election);
    election = setTimeout(take, wait);
}

function take() {
    if (isLeading) return;
    isLeading = true;
    isFollowing = false;
    claim();
    owner.onLead();
}

function obey() {
    isLeading = false;
    isFollowing = true;
    owner.onFollow();
}

function watch() {
    if (isLeading) return claim();
    const patience = document.hidden ? times.silenceBehind : times.silence;
    if (Date.now() - heardAt <= patience) return;
    channel?.postMessage({ kind: "ask" });
    elect(times.answer);
    heardAt = Date.now();
}

// The page is closed, or frozen until it is shown again: then `watch` elects a leader.
function resign() {
    if (!isLeading) return;
    channel?.postMessage({ kind: "bye" });
    isLeading = false;
    owner.onRest();
}
