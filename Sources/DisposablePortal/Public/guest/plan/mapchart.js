// SPDX-License-Identifier: Apache-2.0
// A plan whose points have places on the Earth: with its scale, and with the tiles of a map that its node serves. The page
// loads this module if the node serves a map.
import { base } from "../../shared/api.js";
import { Chart } from "../../shared/chart.js";
import { loadStyle, make } from "../../shared/dom.js";

/** @typedef {import("../../shared/chart.js").Point} Point */
/** @typedef {{x: number, y: number, latitude: number, longitude: number}} MapPoint `x` and `y` as those of a spot */
/**
 * @typedef {{id: string, isPlanTile: boolean, points: MapPoint[],
 *     tiles: {zoomMin: number, zoomMax: number, attribution: string}|null}} PlanMap
 * `isPlanTile`: the plan is a tile of the map, which the others cover
 */
/** @typedef {{only: string, length: (metres: number) => string, source: (name: string) => string}} MapText */
/** @typedef {{level: number, column: number, row: number, image: HTMLImageElement}} Tile */

/** Spots are numbers up to this one. */
const whole = 65_535;
/** The side of a tile, and the same with an overlap that hides seams. Pixels. */
const [side, drawnSide] = [256, 256.5];
/** The tiles of a screen; where it would need more, there are none. */
const tilesMax = 90;
/** The length of the equator in metres, and of the longest bar of the scale in pixels. */
const [equator, barMax] = [40_075_017, 96];

// Points of a plane as complex numbers: a product turns and stretches.
/** @param {Point} one @param {Point} other @returns {Point} */
const times = (one, other) => ({ x: one.x * other.x - one.y * other.y, y: one.x * other.y + one.y * other.x });
/** @param {Point} one @param {Point} other @returns {Point} */
const over = (one, other) => {
    const square = other.x ** 2 + other.y ** 2;
    return { x: (one.x * other.x + one.y * other.y) / square, y: (one.y * other.x - one.x * other.y) / square };
};
/** @param {Point} one @param {Point} other @returns {Point} */
const plus = (one, other) => ({ x: one.x + other.x, y: one.y + other.y });
/** @param {Point} one @param {Point} other @returns {Point} */
const minus = (one, other) => ({ x: one.x - other.x, y: one.y - other.y });

/** Mercator's projection: the Earth is the square from 0 to 1. @param {MapPoint} point @returns {Point} */
const project = ({ latitude, longitude }) => ({ x: longitude / 360 + .5,
    y: (1 - Math.asinh(Math.tan(latitude * Math.PI / 180)) / Math.PI) / 2 });
/** @param {number} down of Mercator's projection @returns {number} radians */
const latitudeOf = (down) => Math.atan(Math.sinh(Math.PI * (1 - 2 * down)));

/**
 * Loads what a chart on a map needs beside this file.
 * @returns {Promise<void>}
 */
export const loadMapStyle = () => loadStyle("guest/plan/mapchart");

export class MapChart extends Chart {
    /**
     * @param {HTMLImageElement} image the plan, loaded
     * @param {string} label
     * @param {{moved: () => void, tapped: (place: Point) => void}} told as of `Chart`
     * @param {PlanMap} map
     * @param {MapText} words
     */
    constructor(image, label, told, map, words) {
        super(image, label, told);
        this.map = map;
        this.words = words;
        const { naturalWidth: width, naturalHeight: height } = image;
        const [first, second] = map.points.map(({ x, y }) => ({ x: x / whole * width, y: y / whole * height }));
        const [from, to] = map.points.map(project);
        /** The map is the plan, turned and stretched by this, and moved by the other. @type {Point} */
        this.turned = over(minus(to, from), minus(second, first));
        this.moved = minus(from, times(this.turned, first));
        this.layer = make("div", { class: "tiles", "aria-hidden": "true" });
        this.bar = make("span", { class: "bar" });
        this.length = make("span", {});
        // Tiles cover a plan that is itself a tile. Any other plan covers the tiles.
        if (map.isPlanTile) image.after(this.layer);
        else image.before(this.layer);
        this.element.append(make("div", { class: "legend" }, make("p", { class: "scale" }, this.bar, this.length),
            map.tiles?.attribution ? make("p", {}, words.source(map.tiles.attribution)) : null));
        /** The tiles by their names. @type {Map<string, Tile>} */
        this.known = new Map();
        /** The names of tiles that the map lacks, at the level that is shown. @type {Set<string>} */
        this.missing = new Set();
        this.level = -1;
    }

    get zoomMax() {
        const { clientWidth, clientHeight } = this.element;
        const { width, height } = this.whole;
        const first = Math.min(clientWidth / width, clientHeight / height);
        if (!this.map.tiles || !first) return super.zoomMax;
        // Twice as near as the nearest tiles.
        const last = Math.hypot(this.turned.x, this.turned.y) * side * 2 ** (this.map.tiles.zoomMax + 1);
        return Math.max(super.zoomMax, last / first);
    }

    /** A button that shows the map without the plan, where the plan hides it. @returns {HTMLElement[]} */
    get tools() {
        if (!this.map.tiles || this.map.isPlanTile) return [];
        const button = make("button", { type: "button", class: "zoom", "aria-label": this.words.only, "aria-pressed": "false",
            click: () => button.setAttribute("aria-pressed", String(this.element.classList.toggle("bare"))) },
        make("span", { "aria-hidden": "true" }, "◱"));
        return [button];
    }

    /** @param {Point} place @returns {{latitude: number, longitude: number}} degrees */
    positionOf(place) {
        const { width, height } = this.whole;
        const { x, y } = plus(times(this.turned, { x: place.x * width, y: place.y * height }), this.moved);
        return { latitude: latitudeOf(y) * 180 / Math.PI, longitude: (x - .5) * 360 };
    }

    /** The turn with a stretch, and the move, that take a place of the map to the screen. Pixels. */
    get view() {
        const { across } = this.sizes;
        const turned = over({ x: across / this.whole.width, y: 0 }, this.turned);
        return { turned, moved: minus(this.toScreen({ x: 0, y: 0 }), times(turned, this.moved)) };
    }

    /** @param {Point} corner @param {number} across @param {number} down */
    drawImage(corner, across, down) {
        super.drawImage(corner, across, down);
        if (!across) return;
        this.drawTiles();
        this.drawScale();
    }

    // Tiles

    drawTiles() {
        const { tiles } = this.map;
        if (!tiles) return;
        const { turned, moved } = this.view;
        const { width, height } = this.sizes;
        const ends = [[0, 0], [width, 0], [0, height], [width, height]].map(([x, y]) => over(minus({ x, y }, moved), turned));
        const nearest = Math.round(Math.log2(Math.hypot(turned.x, turned.y) / side));
        let level = Math.min(tiles.zoomMax, Math.max(tiles.zoomMin, nearest));
        let wanted = tilesOf(ends, level);
        while (wanted.length > tilesMax && level > tiles.zoomMin) wanted = tilesOf(ends, level -= 1);
        if (level !== this.level) this.missing.clear();
        this.level = level;
        const names = new Set(wanted.length > tilesMax ? [] : wanted.map(({ column, row }) => `${level}/${column}/${row}`));
        for (const { column, row } of wanted) {
            const name = `${level}/${column}/${row}`;
            if (names.has(name) && !this.known.has(name) && !this.missing.has(name)) this.load(name, { level, column, row });
        }
        // Tiles of another level stay until the tiles that replace them have loaded.
        const isWaiting = [...names].some((name) => this.known.get(name)?.image.complete === false);
        for (const [name, tile] of this.known) {
            const stays = names.has(name) || (isWaiting && tile.level !== level && tile.image.complete);
            if (stays) this.place(tile, turned, moved);
            else {
                tile.image.remove();
                this.known.delete(name);
            }
        }
    }

    /** @param {string} name @param {{level: number, column: number, row: number}} tile */
    load(name, tile) {
        const again = () => requestAnimationFrame(() => { if (this.element.isConnected) this.drawTiles(); });
        const image = make("img", { alt: "", draggable: "false", src: `${base}map/tiles/${name}?map=${this.map.id}`,
            load: again, error: () => {
                // Nothing is there, or the node did not answer: the next level asks again.
                this.missing.add(name);
                this.known.delete(name);
                image.remove();
                again();
            } });
        for (const edge of ["width", "height"]) image.style.setProperty(edge, `${drawnSide}px`);
        this.known.set(name, { ...tile, image });
        this.layer.append(image);
    }

    /** @param {Tile} tile @param {Point} turned @param {Point} moved of the view */
    place({ level, column, row, image }, turned, moved) {
        const part = 2 ** -level;
        const corner = plus(times(turned, { x: column * part, y: row * part }), moved);
        const { x, y } = times(turned, { x: part / side, y: 0 });
        image.style.setProperty("transform", `matrix(${x}, ${y}, ${-y}, ${x}, ${corner.x}, ${corner.y})`);
    }

    // Scale

    drawScale() {
        const { turned, moved } = this.view;
        const { width, height } = this.sizes;
        const { y } = over(minus({ x: width / 2, y: height / 2 }, moved), turned);
        const metres = equator * Math.cos(latitudeOf(y)) / Math.hypot(turned.x, turned.y);
        const most = metres * barMax;
        const power = 10 ** Math.floor(Math.log10(most));
        const shown = ([5, 2].find((factor) => factor * power <= most) ?? 1) * power;
        this.bar.style.setProperty("width", `${shown / metres}px`);
        const words = this.words.length(shown);
        if (this.length.textContent !== words) this.length.textContent = words;
    }
}

/** @param {Point[]} ends corners of the screen on the map @param {number} level @returns {{column: number, row: number}[]} */
function tilesOf(ends, level) {
    const count = 2 ** level;
    const bound = (/** @type {number} */ value) => Math.min(count - 1, Math.max(0, Math.floor(value * count)));
    const [columns, rows] = [ends.map(({ x }) => x), ends.map(({ y }) => y)];
    const [left, right] = [bound(Math.min(...columns)), bound(Math.max(...columns))];
    const [top, bottom] = [bound(Math.min(...rows)), bound(Math.max(...rows))];
    // Too many are not listed: only their number matters then.
    if ((right - left + 1) * (bottom - top + 1) > 16 * tilesMax) return Array(tilesMax + 1).fill({ column: 0, row: 0 });
    const found = [];
    for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) found.push({ column, row });
    return found;
}
