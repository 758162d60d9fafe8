// SPDX-License-Identifier: Apache-2.0
// Moving to another node: when this page's node is gone and another one proves its identity, the guest continues there
// with the waiting photos (protocol/guest-api.md §8). It is automatic if nothing waits and no input is in progress;
// otherwise a button is needed, since only a tap may open the window to which photos can be transferred: no other
// origin can read the storage of this one.
import { find } from "../shared/dom.js";
import { findOther, hearProof, isBarred, nextOther, proves } from "../shared/others.js";
import * as session from "../shared/session.js";
import { text } from "../shared/text.js";
import { unfollow } from "../shared/updates.js";
import * as queue from "./sending/uploads.js";
import { currentView, go, inTurn } from "./views.js";

/** Milliseconds: a node that restarts, or a phone between two rooms, returns earlier. */
const patience = 10_000;
const lookAgain = { first: 5_000, last: 30_000 };
/** The time without a message from the other window after which it counts as closed. */
const silence = 60_000;

let isGone = false;
let timer = 0;
let interval = lookAgain.first;
/** @type {import("../shared/others.js").Place|null} */
let place = null;
/**
 * The window that receives the photos, during the transfer.
 * @type {Handover|null}
 */
let handover = null;
let problem = "";

/** @param {boolean} isReachable whether this page's node answers */
export function reach(isReachable) {
    if (isReachable !== isGone) return;
    isGone = !isReachable;
    clearTimeout(timer);
    place = null;
    problem = "";
    interval = lookAgain.first;
    if (isGone) timer = setTimeout(seek, patience);
    draw();
}

export function setUpMoving() {
    find("moving-go").addEventListener("click", move);
    document.addEventListener("visibilitychange", () => {
        if (document.hidden || !isGone || !place) return;
        clearTimeout(timer);
        seek();
    });
}

async function seek() {
    const found = isBarred ? nextOther() : await findOther();
    if (!isGone || handover) return;
    place = found;
    draw();
    // A place that could not be asked proves itself in its window.
    if (place && isIdle() && !isBarred) return leave(place);
    clearTimeout(timer);
    timer = setTimeout(seek, interval);
    interval = Math.min(interval * 2, lookAgain.last);
}

/** Whether nothing waits to be sent, and the guest has no input in progress. */
function isIdle() {
    const typing = /** @type {any} */ (document.activeElement)?.value;
    return !queue.movable().length && session.seed() !== null && !document.hidden && document.hasFocus()
        && (currentView() === "everyone" || currentView() === "mine") && !typing && !find("ask").open;
}

const token = () => session.me ? new URL(session.me.link).hash.slice(1) : "";

/** After the "#", which is not sent to servers: the page there removes it from its address. @param {string} origin */
function linkTo(origin) {
    const seed = session.seed();
    return `${origin}/#${token()}${seed ? `.${session.base64url(seed)}` : ""}`;
}

/** @param {import("../shared/others.js").Place} to */
function leave(to) {
    // The node of a page that moves is gone; from a warning of the browser there is a way back.
    // The dialog that offered it may still be closing.
    inTurn(() => to.box ? location.assign(linkTo(to.origin)) : location.replace(linkTo(to.origin)));
}

/** Moves to this page's own node at another origin. @param {string} origin @param {string} box what is there */
export function moveTo(origin, box) {
    if (!session.me || handover) return;
    place = { node: session.me.node, name: null, origin, box };
    move();
}

function move() {
    if (!place || handover) return;
    if ((!queue.movable().length || !session.seed()) && (place.box || !isBarred)) return leave(place);
    const other = open(`${place.origin}/takeover#${token()}`, "_blank");
    problem = other ? "" : text.moving.blocked;
    if (other) {
        clearTimeout(timer);
        handover = new Handover(other, place);
    }
    draw();
}

function draw() {
    const count = queue.movable().length;
    find("moving-offer").hidden = !place && !handover;
    find("moving-go").hidden = handover !== null;
    // If another node answers, the Wi-Fi is not the problem.
    find("out-of-reach-hint").hidden = place !== null;
    if (!place) return;
    const box = boxOf(place);
    find("moving-text").textContent = handover ? text.moving.handing(count, box)
        : `${text.moving.offer(box)} ${problem || (count ? text.moving.along(count) : "")}`;
    find("moving-go").textContent = text.moving.go(box);
}

/** @param {import("../shared/others.js").Place} place */
const boxOf = ({ box, name }) => box ?? text.moving.box(name);

/** The transfer of photos to another window: one at a time, each removed here only once that window has stored it. */
class Handover {
    /** @param {Window} other @param {import("../shared/others.js").Place} to */
    constructor(other, to) {
        this.other = other;
        this.to = to;
        this.isGreeted = false;
        this.heardAt = Date.now();
        /** @type {queue.Upload|null} */
        this.underWay = null;
        /** @type {Set<queue.Upload>} those that the other window refused */
        this.left = new Set();
        this.listener = (/** @type {MessageEvent} */ event) => this.hear(event);
        addEventListener("message", this.listener);
        this.watch = setInterval(() => {
            // A warning of the browser may be read for a long time.
            const isSilent = (this.isGreeted || !to.box) && Date.now() - this.heardAt > silence;
            if (other.closed || isSilent) this.end(text.moving.broken);
        }, 1_000);
        queue.setMoving(true);
    }

    /** @param {object} message */
    say(message) {
        // A window that has navigated to another page gets nothing.
        this.other.postMessage(message, this.to.origin);
    }

    /** @param {MessageEvent} event */
    async hear({ source, origin, data }) {
        if (source !== this.other || origin !== this.to.origin || typeof data !== "object" || !data) return;
        this.heardAt = Date.now();
        if (data.type === "ready" && !this.isGreeted) {
            this.isGreeted = true;
            const seed = session.seed();
            // The address may belong to another machine since the button was drawn.
            if (!session.me || !await this.isProven()) return this.end(text.moving.broken);
            if (!seed || !queue.movable().length) {
                this.other.location.replace(linkTo(this.to.origin));
                return this.finish();
            }
            this.say({ type: "guest", event: session.me.event.id, seed: session.base64url(seed),
                name: session.me.guest?.name ?? null, consent: session.agreedTo(), count: queue.movable().length });
        } else if (data.type === "proof") {
            hearProof(data);
        } else if (data.type === "next" && this.isGreeted) {
            this.next();
        } else if (data.type === "taken" && this.underWay) {
            queue.discard(this.underWay);
            this.underWay = null;
            this.next();
        } else if (data.type === "left" && this.underWay) {
            this.left.add(this.underWay);
            this.underWay = null;
            this.next();
        } else if (data.type === "refused" || data.type === "failed") {
            this.end(data.type === "refused" ? text.moving.otherGuest : text.moving.broken);
        }
    }

    /** This page's own node needs no proof: everything here is from it. */
    async isProven() {
        if (this.to.box) return true;
        return isBarred ? proves(this.to, ({ challenge }) => this.say({ type: "prove", challenge })) : proves(this.to);
    }

    async next() {
        draw();
        if (this.underWay) return;
        const upload = queue.movable().find((one) => !this.left.has(one));
        if (!upload) return this.finish();
        this.underWay = upload;
        try {
            this.say({ type: "photo", file: await queue.fileOf(upload), name: upload.name, source: upload.source,
                mission: upload.mission });
        } catch {
            this.left.add(upload);
            this.underWay = null;
            this.next();
        }
    }

    finish() {
        this.say({ type: "end" });
        if (this.left.size) return this.end(text.moving.some(this.left.size));
        this.close();
        unfollow();
        find("moved-text").textContent = text.moving.moved(boxOf(this.to));
        go("moved");
    }

    /** @param {string} reason why photos stay here */
    end(reason) {
        this.close();
        problem = reason;
        queue.setMoving(false);
        if (isGone) timer = setTimeout(seek, lookAgain.last);
        draw();
    }

    close() {
        clearInterval(this.watch);
        removeEventListener("message", this.listener);
        handover = null;
    }
}
