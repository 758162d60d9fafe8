// SPDX-License-Identifier: Apache-2.0
// Placing one's own photo on the plan: by a tap, or by keys. Nothing is sent before the guest says so.
import { ApiError, call, photoURL } from "../../shared/api.js";
import { make, toast } from "../../shared/dom.js";
import { frame, loadPlan, planText, whole } from "./planframe.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {import("../../shared/chart.js").Point} Point */

/** By how much a key moves the mark, and with the shift key. Pixels. */
const [step, leap] = [8, 40];

/**
 * @param {import("../../shared/photos.js").PhotoList} list
 * @param {Photo} photo the guest's own
 */
export async function openPlacing(list, photo) {
    const plan = await loadPlan();
    if (plan) new Placing(list, photo, plan).open();
}

class Placing {
    /** @param {import("../../shared/photos.js").PhotoList} list @param {Photo} photo @param {import("./planframe.js").Loaded} plan */
    constructor(list, photo, { id, chart }) {
        this.list = list;
        this.photo = photo;
        this.id = id;
        const { spot } = photo;
        /** @type {Point} */
        this.place = spot ? { x: spot.x / whole, y: spot.y / whole } : { x: .5, y: .5 };
        this.mark = make("div", { class: "mark" }, make("img", { src: photoURL(photo.id, "thumbnail"), alt: "" }));
        this.where = make("p", { class: "offscreen", "aria-live": "polite" });
        this.chart = chart({ moved: () => {}, tapped: (place) => this.moveTo(place) });
        this.chart.element.addEventListener("keydown", (event) => this.key(event), true);
    }

    open() {
        const words = planText.place;
        const act = (/** @type {string} */ label, /** @type {string} */ kind, /** @type {() => Point|null} */ place) =>
            make("button", { type: "button", class: `button ${kind}`, click: () => this.send(place()) }, label);
        this.dialog = frame(this.chart, { title: words.title, tools: null, above: [], closed: () => {},
            footer: make("footer", { class: "placing" }, make("p", {}, words.intro),
                make("p", { class: "quiet" }, this.chart.positionOf(this.place) ? words.whoOnMap : words.who), this.where,
                make("div", { class: "row" }, this.photo.spot ? act(words.remove, "danger", () => null) : null,
                    act(words.save, "main", () => this.place))) });
        this.moveTo(this.place);
        this.chart.element.focus();
    }

    /** @param {Point} place */
    moveTo({ x, y }) {
        const bound = (/** @type {number} */ value) => Math.min(1, Math.max(0, value));
        this.place = { x: bound(x), y: bound(y) };
        this.chart.setMarks(new Map([[this.mark, this.place]]));
        this.where.textContent = planText.place.mark(Math.round(this.place.x * 100), Math.round(this.place.y * 100));
    }

    /** Arrow keys move the mark in place of the plan. @param {KeyboardEvent} event */
    key(event) {
        const { across, down } = this.chart.sizes;
        const pixels = event.shiftKey ? leap : step;
        const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
            ArrowDown: [0, 1] });
        if (!(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        const [right, below] = steps[event.key];
        this.moveTo({ x: this.place.x + right * pixels / across, y: this.place.y + below * pixels / down });
    }

    /** @param {Point|null} place `null` takes the photo off the plan */
    async send(place) {
        const spot = place && { x: Math.round(place.x * whole), y: Math.round(place.y * whole) };
        const path = `api/photos/${this.photo.id}/spot`;
        try {
            await (spot ? call("PUT", path, { ...spot, plan: this.id }) : call("DELETE", path));
        } catch (error) {
            this.dialog.close();
            if (!(error instanceof ApiError)) throw error;
            return toast(error.code === "other-plan" ? planText.place.changed : error.sentence);
        }
        this.dialog.close();
        // The node tells it to all lists, too.
        this.list.put({ ...this.photo, spot });
        toast(spot ? planText.place.saved : planText.place.removed);
    }
}
