// SPDX-License-Identifier: Apache-2.0
// Where else the party is: the nodes that this page's node names, and which of them is there (protocol/guest-api.md
// §8). The list and the worker that asks are here before they are needed: then this node answers nothing any more.
import { base } from "./api.js";
import { hex, join, unhex, utf8 } from "./session.js";

/** @typedef {{node: string, name: string|null, origins: string[]}} Other */
/** @typedef {{node: string, name: string|null, origin: string}} Place a node that has proved to be there */

/** Milliseconds for a proof; the worker gives up a little before. */
const patience = 6_000;
/** Milliseconds between two tries to load the worker. */
const interval = 5_000;

/** @type {Other[]} */
let others = [];
/** @type {string} */
let event = "";
let known = "";
/** @type {Worker|null} */
let worker = null;
/**
 * By challenge.
 * @type {Map<string, (signature: unknown) => void>}
 */
const waiting = new Map();

/** @param {import("./session.js").Me} me what the node has just said */
export function know(me) {
    event = me.event.id;
    others = me.others;
    const origins = others.flatMap((other) => other.origins).join(" ");
    if (origins === known) return;
    known = origins;
    worker?.terminate();
    worker = origins ? prober() : null;
}

/** The worker, which is loaded again until it is here: a node may go away just before it has given it. */
function prober() {
    const loading = new Worker(`${base}prober.js`);
    loading.addEventListener("message", ({ data }) => waiting.get(data.challenge)?.(data.signature));
    loading.addEventListener("error", () => setTimeout(() => {
        if (worker === loading) worker = prober();
    }, interval));
    return loading;
}

/**
 * Whether the node of a place is there, and not somebody else who has its address now.
 * @param {Place} place
 */
export async function proves(place) {
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const signature = await new Promise((resolve) => {
        waiting.set(hex(challenge), resolve);
        setTimeout(() => resolve(null), patience);
        worker?.postMessage({ origin: place.origin, path: base, challenge: hex(challenge) });
    });
    waiting.delete(hex(challenge));
    if (typeof signature !== "string" || !/^[0-9a-f]{128}$/.test(signature)) return false;
    const said = join(utf8.encode("disposable/1 page proof\0"), unhex(event), challenge,
        utf8.encode(new URL(place.origin).host));
    return /** @type {any} */ (window).nacl.sign.detached.verify(said, unhex(signature), unhex(place.node));
}

/** @returns {Promise<Place|null>} the first of the others that is there */
export async function findOther() {
    const places = others.flatMap(({ node, name, origins }) => origins.map((origin) => ({ node, name, origin })));
    const answers = await Promise.all(places.map(proves));
    return places.find((_, index) => answers[index]) ?? null;
}
