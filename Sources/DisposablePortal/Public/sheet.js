// SPDX-License-Identifier: Apache-2.0
// The contact sheet of a gallery: tiles in lists, each under its day and hour. The tab key stops at one tile, and arrow
// keys move between them.
import { make } from "./dom.js";
import { text } from "./text.js";

/** @typedef {import("./photos.js").Photo} Photo */
/** @typedef {{key: string, day: string|null, hour: string|null, photos: Photo[]}} Section */

/** A day with more photos than this has hours. */
const DAY_MAX = 12;

/** @param {Photo} photo */
const dayOf = (photo) => new Date(photo.addedAt).toDateString();

/**
 * Photos that follow each other, by day, and by hour where a day has many; by the time that sorts the list.
 * @param {Photo[]} photos
 * @returns {Section[]} with a `day` or an `hour` where that is another one than before
 */
export function sectionsOf(photos) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const photo of photos) counts.set(dayOf(photo), (counts.get(dayOf(photo)) ?? 0) + 1);
    /** @type {Section[]} */
    const sections = [];
    let lastDay = "";
    for (const photo of photos) {
        const day = dayOf(photo);
        const hasHours = (counts.get(day) ?? 0) > DAY_MAX;
        const hour = new Date(photo.addedAt).setMinutes(0, 0, 0);
        const key = hasHours ? `${day} ${hour}` : day;
        if (sections[sections.length - 1]?.key !== key) {
            sections.push({ key, day: day === lastDay ? null : text.day(photo.addedAt),
                hour: hasHours ? text.clock(hour) : null, photos: [] });
            lastDay = day;
        }
        sections[sections.length - 1].photos.push(photo);
    }
    return sections;
}

/**
 * Leaves an element with these children. What is in its place is not moved, and so keeps its focus.
 * @param {Element} parent
 * @param {Element[]} wanted
 */
function arrange(parent, wanted) {
    const kept = new Set(wanted);
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
    let at = parent.firstElementChild;
    for (const child of wanted) {
        if (child === at) at = at.nextElementSibling;
        else parent.insertBefore(child, at);
    }
}

export class Sheet {
    constructor() {
        this.element = make("div", { class: "film",
            focusin: (/** @type {FocusEvent} */ event) => this.stopAt(this.tileButton(event.target)),
            keydown: (/** @type {KeyboardEvent} */ event) => this.move(event) });
        /**
         * Headings and lists of now, by what they are for.
         * @type {Map<string, HTMLElement>}
         */
        this.parts = new Map();
        /**
         * The tile that the tab key stops at.
         * @type {HTMLElement|null}
         */
        this.stop = null;
    }

    /**
     * @param {HTMLElement[]} head tiles in front of the photos
     * @param {Section[]} sections
     * @param {Map<string, HTMLElement>} tiles by photo
     */
    lay(head, sections, tiles) {
        const focused = document.activeElement;
        /** @type {Map<string, HTMLElement>} */
        const parts = new Map();
        const part = (/** @type {string} */ key, /** @type {string} */ tag, /** @type {string|null} */ title) => {
            const element = this.parts.get(key) ?? make(tag, tag === "ul" ? { class: "grid" } : {}, title);
            parts.set(key, element);
            return element;
        };
        /** @type {HTMLElement|null} */
        let day = null;
        for (const section of head.length && !sections.length ? [{ key: "", day: null, hour: null, photos: [] }] : sections) {
            const shown = section.photos.map((photo) => /** @type {HTMLElement} */ (tiles.get(photo.id)));
            const isHidden = shown.every((tile) => tile.hidden);
            if (section.day) {
                day = part(`day ${section.key}`, "h3", section.day);
                day.hidden = true;
            }
            if (section.hour) part(`hour ${section.key}`, "h4", section.hour).hidden = isHidden;
            if (day && !isHidden) day.hidden = false;
            arrange(part(section.key, "ul", null), parts.size === 1 ? [...head, ...shown] : shown);
        }
        this.parts = parts;
        arrange(this.element, [...parts.values()]);
        // A tile whose day has got hours is in another list now.
        if (focused !== document.activeElement && focused instanceof HTMLElement && this.element.contains(focused)) {
            focused.focus({ preventScroll: true });
        }
        if (!this.stop?.isConnected || this.stop.parentElement?.hidden) this.stopAt(this.buttons()[0] ?? null);
    }

    /** @returns {HTMLElement[]} those of the photos in sight */
    buttons() {
        return [...this.element.querySelectorAll(".tile:not([hidden]):not(.upload) > button")];
    }

    /** @param {EventTarget|null} target */
    tileButton(target) {
        return target instanceof HTMLElement && target.matches(".tile:not(.upload) > button") ? target : null;
    }

    /** @param {HTMLElement|null} button */
    stopAt(button) {
        if (!button || button === this.stop) return;
        if (this.stop) this.stop.tabIndex = -1;
        this.stop = button;
        button.tabIndex = 0;
    }

    /** @param {KeyboardEvent} event */
    move(event) {
        const from = this.tileButton(event.target);
        if (!from || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const buttons = this.buttons();
        const at = buttons.indexOf(from);
        const forward = getComputedStyle(this.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
        const to = event.key === "ArrowLeft" || event.key === "ArrowRight" ? buttons[at + (event.key === forward ? 1 : -1)]
            : event.key === "ArrowDown" ? nextRow(buttons.slice(at), from)
            : event.key === "ArrowUp" ? nextRow(buttons.slice(0, at + 1).reverse(), from)
            : event.key === "Home" ? buttons[0] : event.key === "End" ? buttons[buttons.length - 1] : null;
        if (!to) return;
        event.preventDefault();
        this.stopAt(to);
        to.focus();
    }
}

/**
 * @param {HTMLElement[]} buttons from `from` on, in the direction of the move
 * @param {HTMLElement} from
 * @returns {HTMLElement|null} the one of the next row that is nearest to the column of `from`
 */
function nextRow(buttons, from) {
    const start = from.getBoundingClientRect();
    /** @type {number|null} */
    let row = null;
    let best = null;
    let distance = Infinity;
    for (const button of buttons) {
        const place = button.getBoundingClientRect();
        if (Math.abs(place.top - start.top) < 2) continue;
        row ??= place.top;
        if (Math.abs(place.top - row) >= 2) break;
        if (Math.abs(place.left - start.left) < distance) [best, distance] = [button, Math.abs(place.left - start.left)];
    }
    return best;
}
