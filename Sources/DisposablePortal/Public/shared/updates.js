// SPDX-License-Identifier: Apache-2.0
// Live updates (protocol/guest-api.md §6): the event stream, and polling while it is interrupted.
//
// One tab of a browser holds the stream and repeats it to the others (lead.js). The node sends a heartbeat every 5
// seconds, so 12 seconds of silence mean that the stream is dead. The photo box counts as unreachable when the stream
// is silent and polling fails, too.
import { ApiError, base, call } from "./api.js";
import { join, leave, repeat } from "./lead.js";
import { isLeaving } from "./session.js";

/** @typedef {{photo: (photo: any) => void, removed: (gone: {id: string}) => void, event: () => void, reset: () => void,
 *     moment?: (now: import("../guest/moments.js").Moments) => void, wall?: (asked: {act: string, photo: string|null}) => void,
 *     early: (early: import("./early.js").Early) => void, gone: (gone: {id: string, photo: string|null}) => void,
 *     reach: (isReachable: boolean) => void, sessionLost: () => void}} Listener */

const silence = 12_000;
const interval = 5_000;
const names = /** @type {const} */ (["hello", "photo", "removed", "event", "reset", "beat", "early", "gone", "moment", "wall"]);

/** @type {EventSource|null} */
let source = null;
/** Whether another tab holds the stream. */
let isFollowing = true;
let heardAt = 0;
let nextTry = 0;
let failures = 0;
let isPolling = false;
/** @type {string|null} */
let last = null;
/** @type {Listener} */
let listener;
let timer = 0;

/**
 * Starts now: data loaded after this promise resolves misses no update.
 * @param {Listener} to
 */
export async function follow(to) {
    listener = to;
    await poll();
    if (timer) return;
    join(`disposable${base}`, {
        onLead: () => { isFollowing = false; open(); },
        // The leader's earlier messages are fetched by polling.
        onFollow: () => { rest(); poll(); },
        onRest: rest,
        onMessage: (message) => hear(message),
    });
    timer = setInterval(tick, interval);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) hurry(); });
    addEventListener("online", hurry);
}

/** Stops permanently: the guest has left. */
export function unfollow() {
    clearInterval(timer);
    timer = 0;
    leave();
    rest();
    last = null;
}

// Without a session the page has no event, and the node ends the stream of a guest who signs out.
const isOut = () => isLeaving || base === "/";

const isAlive = () => (isFollowing || source !== null) && Date.now() - heardAt < silence;

function tick() {
    if (source && !isAlive() && Date.now() - Math.max(heardAt, nextTry) > silence) drop();
    if (!isAlive()) poll();
    if (!source && !isFollowing && Date.now() >= nextTry) open();
}

/** The phone woke up, or changed its network: earlier streams may be dead without an error. */
function hurry() {
    if (!timer || (isAlive() && Date.now() - heardAt < interval + 1000)) return;
    failures = 0;
    close();
    poll();
    if (!isFollowing) open();
}

function open() {
    close();
    if (isOut()) return;
    // From here on the watchdog detects a stream that never sends anything.
    nextTry = Date.now();
    source = new EventSource(`${base}api/updates${last ? `?last=${encodeURIComponent(last)}` : ""}`);
    source.onerror = drop;
    for (const name of names) {
        source.addEventListener(name, (event) => {
            const { data, lastEventId } = /** @type {MessageEvent} */ (event);
            const message = { name, data, id: lastEventId };
            repeat(message);
            hear(message);
        });
    }
}

/**
 * Handles a message of the node, to this tab or to the leading one.
 * @param {{name: typeof names[number], data: string, id: string}} message
 */
function hear({ name, data, id }) {
    heardAt = Date.now();
    failures = 0;
    listener.reach(true);
    if (id) last = id;
    handle(name, data);
}

// Another tab holds the stream, or none does.
function rest() {
    isFollowing = true;
    close();
}

function close() {
    source?.close();
    source = null;
}

/** Handles a lost stream: checks whether the node is reachable, and retries with growing pauses. */
function drop() {
    close();
    failures += 1;
    nextTry = Date.now() + Math.min(2 ** failures, 30) * 1000;
    poll();
}

async function poll() {
    if (isPolling || isOut()) return;
    isPolling = true;
    try {
        const since = last ? `?since=${encodeURIComponent(last)}` : "";
        const answer = await call("GET", `api/changes${since}`, undefined, 8000);
        last = answer.id;
        if (answer.reset) listener.reset();
        for (const { event, data } of answer.changes) handle(event, JSON.stringify(data));
        listener.reach(true);
        if (failures > 2) nextTry = Math.min(nextTry, Date.now() + interval);
    } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.code === "wall-code-needed")) listener.sessionLost();
        else if (error instanceof ApiError && error.status === 0 && !isAlive()) listener.reach(false);
    }
    isPolling = false;
}

/** @param {string} name @param {string} data JSON */
function handle(name, data) {
    let value;
    try { value = JSON.parse(data); } catch { return; }
    if (name === "photo") listener.photo(value);
    else if (name === "removed") listener.removed(value);
    else if (name === "event") listener.event();
    else if (name === "reset") listener.reset();
    else if (name === "early") listener.early(value);
    else if (name === "gone") listener.gone(value);
    else if (name === "moment") listener.moment?.(value);
    else if (name === "wall") listener.wall?.(value);
}
