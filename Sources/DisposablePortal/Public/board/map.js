// SPDX-License-Identifier: Apache-2.0
// The events of the board on an outline of the world, without the Internet. Pins are buttons that choose events of the list
// below, which has all that the map shows. Loaded on its first use.
import { Chart } from "../shared/chart.js";
import { make } from "../shared/dom.js";
import { pageText as text } from "../shared/text.js";

/** @typedef {import("./board.js").Row} Row */
/** @typedef {import("../shared/chart.js").Point} Point */
/** @typedef {{at: Point, rows: Row[]}} Group `at`: the place of the first one on the screen, in pixels */

/** Pins that are nearer to each other than this are one. Pixels. At the nearest zoom of a phone about four kilometres. */
const cell = 52;
/** The smallest part of the map's width that is shown at first: eight degrees, so that a coast or a border is in it. */
const least = 8 / 360;
/** The names that are read of a group. */
const namesMax = 3;

/**
 * Loads the outline.
 * @param {(events: Set<string>|null) => void} choose called with the ids of the events of a pin, or `null` for all
 */
export async function loadMap(choose) {
    const response = await fetch("/board/world.svg");
    if (!response.ok) throw new TypeError(`world.svg: ${response.status}`);
    const { documentElement } = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
    return new EventMap(/** @type {any} */ (document.importNode(documentElement, true)), choose);
}

/** A drawing of which a part is shown: no element is larger than the screen, however near the map is. */
class Outline extends Chart {
    get zoomMax() {
        return 2048;
    }

    get whole() {
        const { width, height } = this.image.dataset;
        return { width: Number(width), height: Number(height) };
    }

    /** @param {Point} corner @param {number} across @param {number} down */
    drawImage(corner, across, down) {
        if (!across || !down) return;
        const scale = this.whole.width / across;
        const { width, height } = this.sizes;
        this.image.setAttribute("viewBox", [-corner.x, -corner.y, width, height].map((each) => each * scale).join(" "));
    }

    /** The wheel alone scrolls the page. @param {WheelEvent} event */
    wheel(event) {
        if (event.ctrlKey || event.metaKey) super.wheel(event);
    }
}

class EventMap {
    /** @param {SVGSVGElement} drawing @param {(events: Set<string>|null) => void} choose */
    constructor(drawing, choose) {
        this.choose = choose;
        // Mercator's projection between two latitudes.
        const height = (/** @type {number} */ latitude) => Math.log(Math.tan(Math.PI / 4 + latitude * Math.PI / 360));
        const [top, bottom] = [Number(drawing.dataset.top), Number(drawing.dataset.bottom)];
        this.down = (/** @type {number} */ latitude) =>
            (height(top) - height(Math.min(top, Math.max(bottom, latitude)))) / (height(top) - height(bottom));
        drawing.setAttribute("aria-hidden", "true");
        /** The events with a position. @type {Row[]} */
        this.rows = [];
        /** @type {Set<string>|null} */
        this.chosen = null;
        /** The pins by the events they stand for. @type {Map<string, HTMLElement>} */
        this.pins = new Map();
        this.isFitted = false;
        this.chart = new Outline(/** @type {any} */ (drawing), text.mapLabel,
            { moved: () => this.drawPins(), tapped: () => this.chosen && this.choose(null) });
        this.note = make("p", { role: "status" });
        const zoom = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ run) =>
            make("button", { type: "button", class: "zoom", "aria-label": label, click: run },
                make("span", { "aria-hidden": "true" }, sign));
        this.element = make("div", { class: "map" },
            make("div", { class: "stage" }, this.chart.element, make("div", { class: "zooms" },
                zoom(text.zoomIn, "+", () => this.chart.zoomBy(2)), zoom(text.zoomOut, "−", () => this.chart.zoomBy(.5)),
                zoom(text.allOnMap, "⤢", () => this.fit(this.rows)))),
            this.note, make("p", { class: "quiet" }, text.outline));
    }

    /** @param {Row} row with a position @returns {Point} */
    placeOf({ position }) {
        const { latitude, longitude } = /** @type {{latitude: number, longitude: number}} */ (position);
        return { x: (longitude / 1000 + 180) / 360, y: this.down(latitude / 1000) };
    }

    /**
     * Shows events; the part that is visible stays, as long as there are some in it.
     * @param {Row[]} rows
     * @param {Set<string>|null} chosen the events of a pin
     */
    draw(rows, chosen) {
        this.rows = rows.filter(({ position }) => position);
        this.chosen = chosen;
        const words = text.onMap(this.rows.length, rows.length - this.rows.length);
        if (this.note.textContent !== words) this.note.textContent = words;
        const { left, right, top, bottom } = this.chart.part;
        const isSome = this.rows.map((row) => this.placeOf(row))
            .some(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
        if (this.isFitted && (isSome || !this.rows.length)) return this.drawPins();
        this.isFitted = true;
        this.fit(this.rows);
    }

    /** Shows a part with these events, or the world if there are none. @param {Row[]} rows */
    fit(rows) {
        if (!rows.length) return this.chart.show({ x: .5, y: .5 }, 1);
        const places = rows.map((row) => this.placeOf(row));
        const { width, height } = this.chart.whole;
        const span = (/** @type {number[]} */ numbers, /** @type {number} */ size) => {
            const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
            const more = Math.max(0, size - (to - from)) / 2;
            return [from - more, to + more];
        };
        const [left, right] = span(places.map(({ x }) => x), least);
        const [top, bottom] = span(places.map(({ y }) => y), least * width / height);
        this.chart.fit({ left, right, top, bottom });
    }

    drawPins() {
        const { across, down } = this.chart.sizes;
        if (!across) return;
        /** @type {Group[]} */
        const groups = [];
        for (const row of this.rows) {
            const place = this.placeOf(row);
            const at = { x: place.x * across, y: place.y * down };
            const near = groups.find((group) => Math.hypot(group.at.x - at.x, group.at.y - at.y) < cell);
            if (near) near.rows.push(row);
            else groups.push({ at, rows: [row] });
        }
        /** @type {Map<string, HTMLElement>} */
        const pins = new Map();
        /** @type {Map<HTMLElement, Point>} */
        const places = new Map();
        for (const { rows } of groups) {
            const name = rows.map(({ id }) => id).join(" ");
            const pin = this.pins.get(name) ?? this.pin(rows.map(({ id }) => id));
            pin.setAttribute("aria-label", rows.length === 1 ? text.pin(rows[0].name, rows[0].place)
                : text.pins(rows.slice(0, namesMax).map((row) => row.name), Math.max(0, rows.length - namesMax)));
            pin.setAttribute("aria-pressed", String(rows.every(({ id }) => this.chosen?.has(id))));
            pins.set(name, pin);
            const all = rows.map((row) => this.placeOf(row));
            const mean = (/** @type {"x"|"y"} */ side) => all.reduce((sum, place) => sum + place[side], 0) / all.length;
            places.set(pin, { x: mean("x"), y: mean("y") });
        }
        this.pins = pins;
        this.chart.setMarks(places);
    }

    /** @param {string[]} ids */
    pin(ids) {
        const pin = make("button", { type: "button", class: "pin", focus: () => this.reveal(pin),
            click: () => this.isAllOfChosen(ids) ? this.choose(null) : this.pick(ids) },
        make("span", { "aria-hidden": "true" }, ids.length === 1 ? "" : String(ids.length)));
        return pin;
    }

    /** @param {string[]} ids whether these are the chosen events, all of them */
    isAllOfChosen(ids) { return ids.length === this.chosen?.size && ids.every((id) => this.chosen?.has(id)); }

    /** Moves the map to a pin that has the focus, if it is outside of the visible part. @param {HTMLElement} pin */
    reveal(pin) {
        const place = this.chart.places.get(pin);
        const { left, right, top, bottom } = this.chart.part;
        if (place && (place.x < left || place.x > right || place.y < top || place.y > bottom)) this.chart.show(place);
    }

    /** Chooses the events of a pin, and shows them apart if that is possible. @param {string[]} ids */
    pick(ids) {
        const rows = this.rows.filter(({ id }) => ids.includes(id));
        const isOne = rows.every(({ position }) => position?.latitude === rows[0].position?.latitude
            && position?.longitude === rows[0].position?.longitude);
        this.choose(new Set(ids));
        if (isOne || this.chart.isNearest) return;
        const { zoom } = this.chart;
        this.fit(rows);
        if (this.chart.zoom <= zoom) this.chart.show(this.chart.centre, zoom * 2);
        // The pin is gone where its events are apart now.
        if (!this.pins.has(ids.join(" "))) this.chart.element.focus();
    }
}
