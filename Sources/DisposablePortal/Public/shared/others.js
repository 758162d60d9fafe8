// SPDX-License-Identifier: Apache-2.0
// The other nodes of the party, as listed by this page's node, and the search for one that answers
// (protocol/guest-api.md §8). The list and the worker are loaded before they are needed: then this node no longer
// answers.
import { base } from "./api.js";
import { hex, join, signing, unhex, utf8 } from "./session.js";

/** @typedef {{node: string, name: string|null, origins: string[]}} Other */
/** @typedef {{node: string, name: string|null, origin: string, box?: string}} Place a node that has proved its identity, or this
 *     page's own node at another origin, which `box` names */

/** Milliseconds for a proof; the worker times out a little earlier. */
const patience = 6_000;
/** Whether the browser refuses requests to the others, which are plain HTTP. Their windows pass the question on. */
export const isBarred = location.protocol === "https:";
let next = 0;

/** Milliseconds between two attempts to load the worker. */
const interval = 5_000;

/** @type {Other[]} */
let others = [];
/** @type {string} */
let event = "";
let known = "";
/** @type {Worker|null} */
let worker = null;
/**
 * Resolvers by challenge.
 * @type {Map<string, (signature: unknown) => void>}
 */
const waiting = new Map();

/** @param {import("./session.js").Me} me the node's latest answer */
export function know(me) {
    event = me.event.id;
    others = me.others;
    const origins = others.flatMap((other) => other.origins).join(" ");
    if (origins === known) return;
    known = origins;
    worker?.terminate();
    worker = origins && !isBarred ? prober() : null;
    // It checks their proofs, when this node is no longer there to give it.
    if (origins) signing().catch(() => null);
}

/** Loads the worker, and retries: a node may disappear during the load. */
function prober() {
    const loading = new Worker(`${base}prober.js`);
    loading.addEventListener("message", ({ data }) => hearProof(data));
    loading.addEventListener("error", () => setTimeout(() => {
        if (worker === loading) worker = prober();
    }, interval));
    return loading;
}

/** @param {{challenge: string, signature: unknown}} answer */
export const hearProof = ({ challenge, signature }) => waiting.get(challenge)?.(signature);

/**
 * Whether the node of a place answers, and not another machine with its address.
 * @param {Place} place
 * @param {(question: {origin: string, path: string, challenge: string}) => void} [ask] takes the question there
 */
export async function proves(place, ask = (question) => worker?.postMessage(question)) {
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const signature = await new Promise((resolve) => {
        waiting.set(hex(challenge), resolve);
        setTimeout(() => resolve(null), patience);
        ask({ origin: place.origin, path: base, challenge: hex(challenge) });
    });
    waiting.delete(hex(challenge));
    if (typeof signature !== "string" || !/^[0-9a-f]{128}$/.test(signature)) return false;
    const said = join(utf8.encode("disposable/1 page proof\0"), unhex(event), challenge,
        utf8.encode(new URL(place.origin).host));
    return (await signing()).sign.detached.verify(said, unhex(signature), unhex(place.node));
}

const allPlaces = () => others.flatMap(({ node, name, origins }) => origins.map((origin) => ({ node, name, origin })));

/** @returns {Place|null} the others one after the other, none of which has proved anything yet */
export function nextOther() {
    const places = allPlaces();
    next += 1;
    return places[(next - 1) % places.length] ?? null;
}

/** @returns {Promise<Place|null>} the first of the others that answers */
export async function findOther() {
    const places = allPlaces();
    const answers = await Promise.all(places.map((one) => proves(one)));
    return places.find((_, index) => answers[index]) ?? null;
}
