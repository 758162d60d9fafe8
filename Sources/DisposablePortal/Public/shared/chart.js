// SPDX-License-Identifier: Apache-2.0
// A picture that is moved and zoomed by fingers, mouse, wheel and keys, with marks that keep their size. Places on it are
// fractions of its width and height.
import { make } from "./dom.js";

/** @typedef {{x: number, y: number}} Point */

/** How often the smallest zoom may be doubled. */
const doublings = 4;
/** A pointer that moves less than this has tapped. Pixels. */
const slack = 8;
/** The part of the screen by which a key moves the picture. */
const keyStep = .2;

export class Chart {
    /**
     * @param {HTMLImageElement} image loaded
     * @param {string} label
     * @param {{moved: () => void, tapped: (place: Point) => void}} told `moved`: the visible part may be another one
     */
    constructor(image, label, told) {
        this.image = image;
        this.told = told;
        this.marks = make("div", { class: "marks" });
        this.element = make("div", { class: "chart", tabindex: 0, role: "group", "aria-label": label,
            wheel: (/** @type {WheelEvent} */ event) => this.wheel(event),
            keydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
            pointerdown: (/** @type {PointerEvent} */ event) => this.press(event),
            pointermove: (/** @type {PointerEvent} */ event) => this.drag(event),
            pointerup: (/** @type {PointerEvent} */ event) => this.release(event),
            pointercancel: (/** @type {PointerEvent} */ event) => this.release(event) }, image, this.marks);
        /** The place in the middle of the screen, and how often the whole picture is enlarged. */
        this.centre = { x: .5, y: .5 };
        this.zoom = 1;
        /** The pointers that are down. @type {Map<number, Point>} */
        this.pointers = new Map();
        this.isTap = false;
        this.isDragged = false;
        /** Where the first of them went down. @type {Point} */
        this.start = { x: 0, y: 0 };
        /** Each mark with its place. @type {Map<HTMLElement, Point>} */
        this.places = new Map();
        if (typeof ResizeObserver === "function") new ResizeObserver(() => this.draw()).observe(this.element);
    }

    /** The largest zoom. */
    get zoomMax() {
        return 2 ** doublings;
    }

    /** The size of the whole picture, in units of its own. */
    get whole() {
        return { width: this.image.naturalWidth, height: this.image.naturalHeight };
    }

    /** The size of the screen's part, and of the picture in it. Pixels. */
    get sizes() {
        const { clientWidth: width, clientHeight: height } = this.element;
        const { whole } = this;
        const scale = Math.min(width / whole.width, height / whole.height) * this.zoom;
        return { width, height, across: whole.width * scale, down: whole.height * scale };
    }

    /** @param {Point} place @returns {Point} pixels from the corner of the element */
    toScreen({ x, y }) {
        const { width, height, across, down } = this.sizes;
        return { x: width / 2 + (x - this.centre.x) * across, y: height / 2 + (y - this.centre.y) * down };
    }

    /** @param {Point} point pixels @returns {Point} a place, which may be outside of the picture */
    toPlace({ x, y }) {
        const { width, height, across, down } = this.sizes;
        return { x: this.centre.x + (x - width / 2) / across, y: this.centre.y + (y - height / 2) / down };
    }

    /** The places at the edges of the visible part. */
    get part() {
        const { width, height } = this.sizes;
        const [from, to] = [this.toPlace({ x: 0, y: 0 }), this.toPlace({ x: width, y: height })];
        const bound = (/** @type {number} */ value) => Math.min(1, Math.max(0, value));
        return { left: bound(from.x), top: bound(from.y), right: bound(to.x), bottom: bound(to.y) };
    }

    /**
     * @param {Point} centre
     * @param {number} [zoom]
     */
    show(centre, zoom = this.zoom) {
        const bound = (/** @type {number} */ value) => Math.min(1, Math.max(0, value));
        this.centre = { x: bound(centre.x), y: bound(centre.y) };
        this.zoom = Math.min(this.zoomMax, Math.max(1, zoom));
        this.draw();
    }

    /** Shows a part, enlarged as far as it fits. @param {{left: number, top: number, right: number, bottom: number}} part */
    fit({ left, top, right, bottom }) {
        const { width, height, across, down } = this.sizes;
        // A fifth of the screen remains around it.
        const more = Math.min(width / Math.max((right - left) * across, 1), height / Math.max((bottom - top) * down, 1)) * .8;
        this.show({ x: (left + right) / 2, y: (top + bottom) / 2 }, this.zoom * more);
    }

    /** Buttons of its own, beside those for the zoom. @returns {HTMLElement[]} */
    get tools() {
        return [];
    }

    /**
     * The place on the Earth.
     * @param {Point} _place
     * @returns {{latitude: number, longitude: number}|null} degrees; `null` if the picture has none
     */
    positionOf(_place) {
        return null;
    }

    /** Whether the picture cannot be enlarged further. */
    get isNearest() {
        return this.zoom >= this.zoomMax;
    }

    /** @param {number} factor @param {Point} [fixed] the point in pixels that keeps its place; the middle without one */
    zoomBy(factor, fixed) {
        const { width, height } = this.sizes;
        const point = fixed ?? { x: width / 2, y: height / 2 };
        const place = this.toPlace(point);
        this.show(this.centre, this.zoom * factor);
        const now = this.toPlace(point);
        this.show({ x: this.centre.x + place.x - now.x, y: this.centre.y + place.y - now.y });
    }

    /** @param {number} x pixels @param {number} y */
    moveBy(x, y) {
        const { across, down } = this.sizes;
        this.show({ x: this.centre.x - x / across, y: this.centre.y - y / down });
    }

    draw() {
        const { across, down } = this.sizes;
        this.drawImage(this.toScreen({ x: 0, y: 0 }), across, down);
        for (const mark of this.places.keys()) this.put(mark);
        this.told.moved();
    }

    /**
     * Puts the picture to its place. All in pixels.
     * @param {Point} corner of the picture on the screen
     * @param {number} across
     * @param {number} down
     */
    drawImage(corner, across, down) {
        this.image.style.setProperty("transform", `translate(${corner.x}px, ${corner.y}px)`);
        this.image.style.setProperty("width", `${across}px`);
        this.image.style.setProperty("height", `${down}px`);
    }

    /** @param {HTMLElement} mark */
    put(mark) {
        const point = this.toScreen(/** @type {Point} */ (this.places.get(mark)));
        mark.style.setProperty("transform", `translate(${point.x}px, ${point.y}px)`);
    }

    /** Replaces all marks; one that stays keeps the focus. @param {Map<HTMLElement, Point>} places */
    setMarks(places) {
        for (const mark of this.places.keys()) if (!places.has(mark)) mark.remove();
        this.places = places;
        for (const mark of places.keys()) {
            if (mark.parentElement !== this.marks) this.marks.append(mark);
            this.put(mark);
        }
    }

    // Fingers, mouse, keys

    /** @param {PointerEvent|WheelEvent} event @returns {Point} pixels from the corner of the element */
    point(event) {
        const box = this.element.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    /** @param {WheelEvent} event */
    wheel(event) {
        event.preventDefault();
        // Lines and pages are about as many pixels.
        const pixels = event.deltaY * [1, 30, 300][event.deltaMode];
        this.zoomBy(2 ** (-pixels / 300), this.point(event));
    }

    /** @param {PointerEvent} event */
    press(event) {
        if (event.button > 0) return;
        this.isTap = this.pointers.size === 0 && event.target instanceof Element && !event.target.closest("button");
        this.start = this.point(event);
        this.pointers.set(event.pointerId, this.start);
    }

    /** @param {PointerEvent} event */
    drag(event) {
        const before = this.pointers.get(event.pointerId);
        if (!before) return;
        const point = this.point(event);
        const isFar = Math.hypot(point.x - this.start.x, point.y - this.start.y) > slack;
        if (this.pointers.size === 1 && !isFar && !this.isDragged) return;
        // A tap on a mark stays one until the pointer moves.
        this.isTap = false;
        this.isDragged = true;
        if (!this.element.hasPointerCapture(event.pointerId)) this.element.setPointerCapture(event.pointerId);
        const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        if (other) {
            const [was, is] = [before, point].map((at) => Math.hypot(at.x - other.x, at.y - other.y));
            this.moveBy((point.x - before.x) / 2, (point.y - before.y) / 2);
            this.zoomBy(is / Math.max(was, 1), { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
        } else this.moveBy(point.x - before.x, point.y - before.y);
        this.pointers.set(event.pointerId, point);
    }

    /** @param {PointerEvent} event */
    release(event) {
        if (!this.pointers.delete(event.pointerId)) return;
        if (this.pointers.size) return;
        this.isDragged = false;
        const place = this.toPlace(this.point(event));
        if (this.isTap && event.type === "pointerup") this.told.tapped(place);
        this.isTap = false;
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const { width, height } = this.sizes;
        const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1],
            ArrowDown: [0, -1] });
        if (event.key in steps) this.moveBy(steps[event.key][0] * width * keyStep, steps[event.key][1] * height * keyStep);
        else if (event.key === "+" || event.key === "=") this.zoomBy(2);
        else if (event.key === "-") this.zoomBy(.5);
        else if (event.key === "0") this.show({ x: .5, y: .5 }, 1);
        else return;
        event.preventDefault();
    }
}
