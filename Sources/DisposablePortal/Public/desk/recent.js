// SPDX-License-Identifier: Apache-2.0
// The veiled photos that only devices ask for which were let in lately, and a button that shows all of them again: somebody with
// the nodes' invitation may have many devices ask.
import { call } from "../shared/api.js";
import { make } from "../shared/dom.js";
import { moment } from "./fields.js";
import { text } from "./words.js";

const hour = 3_600_000;

/** @param {import("./desk.js").Place} place @param {(ids: string[]) => void} whenLifted */
export function recentVeils(place, whenLifted) {
    const words = text.veils;
    const since = moment();
    since.value = Date.now() - hour;
    since.input.id = "veils-since";
    since.input.addEventListener("change", () => count());
    const button = make("button", { type: "button", class: "button small", id: "lift-all", hidden: true, click: () => lift() });
    const none = make("span", { class: "quiet", id: "veils-recent-none" }, words.recentNone);
    const element = make("p", { class: "queue-recent", hidden: true },
        make("label", { for: since.input.id }, words.recent), since.input, button, none);
    /** @type {ReturnType<typeof setTimeout>|null} */
    let timer = null;
    let turn = 0;

    async function count() {
        const [now, from] = [++turn, since.value];
        const found = from === null ? null
            : await place.attempt(() => call("GET", `${place.path}veils?since=${Math.max(0, from)}`));
        if (now !== turn) return;
        const photoCount = found?.photoCount ?? 0;
        button.hidden = photoCount === 0;
        none.hidden = photoCount > 0;
        button.textContent = words.liftAll(photoCount, found?.deviceCount ?? 0);
    }
    async function lift() {
        const from = since.value;
        if (from === null) return;
        button.disabled = true;
        /** @type {string[]} */
        const lifted = [];
        // The node lifts a part of many at once.
        for (;;) {
            const done = await place.attempt(() => call("POST", `${place.path}veils`, { since: Math.max(0, from) }));
            if (!done) break;
            lifted.push(...done.photos);
            if (done.photos.length >= done.photoCount) break;
        }
        button.disabled = false;
        if (lifted.length) whenLifted(lifted);
        await count();
    }
    return {
        element,
        /** @param {number} total how many photos are veiled */
        follow(total) {
            // One or two are looked at.
            element.hidden = total < 3;
            if (element.hidden || timer !== null) return;
            timer = setTimeout(() => {
                timer = null;
                count();
            }, 1_000);
        },
    };
}
