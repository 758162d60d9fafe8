// SPDX-License-Identifier: Apache-2.0
// The map of this computer's pages: a file with tiles, and the places of two points of the plan.
import { call } from "../shared/api.js";
import { make, say, toast } from "../shared/dom.js";
import { field } from "./fields.js";
import { send } from "./sending.js";
import { text } from "./words.js";

const words = text.map;

/**
 * The part of the settings about the map.
 * @param {import("./desk.js").Place} place @param {boolean} isFree whether it can be changed here
 * @param {() => Promise<void>} changed called when the plan may be another photo
 * @returns {{element: HTMLElement, load: (plan: string|null) => Promise<void>}}
 */
export function mapPart(place, isFree, changed) {
    const state = make("p", {});
    const file = make("input", { type: "file", id: "add-map", class: "offscreen", accept: ".mbtiles,.pmtiles", disabled: !isFree,
        change: () => add() });
    const off = make("button", { type: "button", class: "button small", id: "no-map", disabled: !isFree,
        click: () => act(() => call("DELETE", `${place.path}map`), words.removed) }, words.remove);
    const world = make("button", { type: "button", class: "button small", id: "world-map", disabled: !isFree,
        click: () => act(() => call("POST", `${place.path}map`, { isWorld: true }), words.worldAdded) }, words.world);
    const image = make("img", { alt: words.planAlt, click: (/** @type {MouseEvent} */ event) => pick(event) });
    const points = [0, 1].map((index) => pointFields(index));
    const save = make("button", { class: "button small", disabled: !isFree }, words.save);
    const form = make("form", { class: "flow", submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        act(() => call("POST", `${place.path}map`, { points: points.map(({ read }) => read()) }), words.saved);
    } }, make("p", { class: "quiet" }, words.pointsHint), image, ...points.map(({ element }) => element), save);
    const details = make("details", { id: "map-points", hidden: true }, make("summary", {}, words.points), form);
    const element = make("div", { class: "flow", id: "map" },
        make("p", {}, make("span", { class: "strong" }, words.name), " ", words.about), state,
        make("div", { class: "row" }, file, make("label", { for: "add-map", class: "button small" }, words.add), world, off), details);
    /** The plan, with the size of its original in pixels. @type {{id: string, width: number, height: number}|null} */
    let shown = null;
    /** The point that a click on the plan sets. */
    let current = 0;

    /** @param {number} index */
    function pointFields(index) {
        const number = () => make("input", { type: "number", min: 0, step: 1, required: true, inputmode: "numeric", disabled: !isFree });
        const [x, y] = [number(), number()];
        const position = make("input", { type: "text", required: true, autocomplete: "off", maxlength: 40,
            placeholder: "47.243012, 6.022114", disabled: !isFree });
        return { x, y, position, read: () => ({ x: Number(x.value), y: Number(y.value), position: position.value.trim() }),
            element: make("fieldset", { class: "field", focusin: () => { current = index; } },
                make("legend", {}, words.point(index + 1)),
                make("div", { class: "pair" }, field(words.x, x), field(words.y, y)), field(words.position, position)) };
    }

    /** Sets the current point to a place of the plan. @param {MouseEvent} event */
    function pick(event) {
        if (!shown || !isFree) return;
        const box = image.getBoundingClientRect();
        // The image is inside of its box with its own proportions.
        const scale = Math.min(box.width / shown.width, box.height / shown.height);
        const pixel = (/** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ count) =>
            Math.min(count - 1, Math.max(0, Math.round((offset - (length - count * scale) / 2) / scale)));
        const { x, y, position } = points[current];
        x.value = String(pixel(event.clientX - box.left, box.width, shown.width));
        y.value = String(pixel(event.clientY - box.top, box.height, shown.height));
        position.focus();
    }

    /** @param {() => Promise<any>} work @param {string} sentence */
    async function act(work, sentence) {
        if (await place.attempt(async () => await work() ?? {})) {
            say(sentence);
            toast(sentence, null, 4_000);
        }
        await changed();
    }

    async function add() {
        const [chosen] = file.files;
        if (!chosen) return;
        toast(words.adding, null, 600_000);
        await act(() => send(`${place.path}map/file`, chosen), words.added);
        file.value = "";
    }

    /** @param {string|null} plan the photo that is the plan */
    async function load(plan) {
        const answer = await place.attempt(() => call("GET", `${place.path}map`));
        if (!answer) return;
        const { map } = answer;
        off.hidden = !map;
        state.textContent = !map ? words.none : !map.isShown ? words.otherPlan
            : map.zooms ? words.tiles(map.zooms[0], map.zooms[1], map.attribution ?? "") : words.onlyPoints;
        details.hidden = !plan;
        if (!plan || plan === shown?.id) return;
        const photo = await place.attempt(() => call("GET", `${place.path}photos/${plan}`));
        if (!photo) return;
        shown = { id: plan, width: photo.width, height: photo.height };
        image.src = `${place.path}photos/${plan}/preview`;
    }
    return { element, load };
}
