// SPDX-License-Identifier: Apache-2.0
// The event's cover and plan: files that are added for them, and photos that are used or used no longer.
import { call } from "../shared/api.js";
import { make, say, toast } from "../shared/dom.js";
import { mapPart } from "./map.js";
import { send } from "./sending.js";
import { text } from "./words.js";

const words = text.pictures;
/** @type {("cover"|"plan")[]} */
const roles = ["cover", "plan"];

/**
 * Uses a photo as the cover or the plan.
 * @param {import("./desk.js").Place} place @param {"cover"|"plan"} role @param {string|null} photo `null` for no picture
 */
export async function setPicture(place, role, photo) {
    const done = await place.attempt(() => call("POST", `${place.path}pictures/${role}`, { photo }));
    if (!done) return;
    const sentence = photo ? words.used[role] : words.takenOff[role];
    say(sentence);
    toast(sentence, null, 4_000);
}

/**
 * The part of the settings about the pictures.
 * @param {import("./desk.js").Place} place @param {boolean} isFree whether they can be changed here
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
export function pictures(place, isFree) {
    const rows = make("div", { class: "flow" });
    const map = mapPart(place, isFree, load);
    const element = make("section", { class: "panel flow", id: "pictures" }, make("h2", {}, words.title), rows, map.element);

    async function load() {
        const now = await place.attempt(() => call("GET", `${place.path}pictures`));
        if (!now) return;
        rows.replaceChildren(...roles.map((role) => row(role, now[role] ?? null)));
        await map.load(now.plan ?? null);
    }
    /** @param {"cover"|"plan"} role @param {string|null} photo */
    function row(role, photo) {
        const file = make("input", { type: "file", id: `add-${role}`, class: "offscreen", accept: "image/jpeg,image/png,image/webp,application/pdf",
            disabled: !isFree, change: () => add(role, file) });
        const off = make("button", { type: "button", class: "button small", disabled: !isFree, id: `no-${role}`,
            click: async () => {
                await setPicture(place, role, null);
                await load();
            } }, words.no[role]);
        return make("div", { class: "picture" },
            photo ? make("img", { src: `${place.path}photos/${photo}/preview`, alt: words.alt[role] }) : null,
            make("div", { class: "flow" }, make("p", {}, make("span", { class: "strong" }, words.name[role]), " ", words.about[role]),
                make("div", { class: "row" }, file, make("label", { for: `add-${role}`, class: "button small" }, photo ? words.change[role] : words.add[role]),
                    photo ? off : null)));
    }
    /** @param {"cover"|"plan"} role @param {any} field */
    async function add(role, field) {
        const [file] = field.files;
        if (!file) return;
        toast(words.adding, null, 60_000);
        if (await place.attempt(() => send(`${place.path}pictures/${role}/file`, file))) {
            say(words.used[role]);
            toast(words.used[role], null, 4_000);
        }
        field.value = "";
        await load();
    }
    return { element, load };
}
