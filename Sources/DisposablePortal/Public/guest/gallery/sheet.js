// SPDX-License-Identifier: Apache-2.0
// The contact sheet of a gallery: tiles in lists, each under its day and hour. The tab key stops at one tile, and arrow
// keys move between them. Of a large gallery only lists near the screen have tiles; the others keep their height.
import { make } from "../../shared/dom.js";
import { text } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {{key: string, day: string|null, hour: string|null, photos: Photo[]}} Section */
/** @typedef {{list: HTMLElement, heading: HTMLElement|null, head: HTMLElement[], photos: Photo[], isFilled: boolean}} Block */

/** A day with more photos than this is divided into hours. */
const DAY_MAX = 12;
/** Photos of a list: full rows at every width. */
const BLOCK = 30;
/** A gallery with more photos than this has tiles only near the screen. */
const TILES_MAX = 300;
/** How far beyond the screen there are tiles. */
const MARGIN = "1000px";
/** Milliseconds: days and hours begin at a full quarter in every time zone. */
export const QUARTER = 900_000;

/**
 * The day and the hour of a time, in this browser's time zone.
 * @param {number} at
 */
export function hourOf(at) {
    const date = new Date(at);
    return { day: date.toDateString(), hour: date.setMinutes(0, 0, 0) };
}

/**
 * Groups consecutive photos by day, and by hour if a day has many; by the time that sorts the list.
 * @param {Photo[]} photos
 * @returns {Section[]} with a `day` or an `hour` if it differs from the previous one
 */
export function sectionsOf(photos) {
    // Dates are slow, and thousands of photos share an hour.
    /** @type {Map<number, {day: string, hour: number}>} */
    const quarters = new Map();
    const times = photos.map(({ addedAt }) => {
        const quarter = Math.floor(addedAt / QUARTER);
        const known = quarters.get(quarter) ?? hourOf(addedAt);
        quarters.set(quarter, known);
        return known;
    });
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { day } of times) counts.set(day, (counts.get(day) ?? 0) + 1);
    /** @type {Section[]} */
    const sections = [];
    let lastDay = "";
    photos.forEach((photo, index) => {
        const { day, hour } = times[index];
        const hasHours = (counts.get(day) ?? 0) > DAY_MAX;
        const key = hasHours ? `${day} ${hour}` : day;
        if (sections[sections.length - 1]?.key !== key) {
            sections.push({ key, day: day === lastDay ? null : text.day(photo.addedAt),
                hour: hasHours ? text.clock(hour) : null, photos: [] });
            lastDay = day;
        }
        sections[sections.length - 1].photos.push(photo);
    });
    return sections;
}

/**
 * Sets the children of an element. Children in the right place are not moved, and so keep the focus.
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
    /**
     * @param {import("./tiles.js").Tiles} tiles
     * @param {(photo: Photo) => boolean} isHidden
     */
    constructor(tiles, isHidden) {
        this.tiles = tiles;
        this.isHidden = isHidden;
        this.element = make("div", { class: "film", hidden: true,
            focusin: (/** @type {FocusEvent} */ event) => this.stopAt(this.tileButton(event.target)),
            keydown: (/** @type {KeyboardEvent} */ event) => this.move(event) });
        /**
         * The present headings and lists, by their keys.
         * @type {Map<string, HTMLElement>}
         */
        this.parts = new Map();
        /** @type {Block[]} */
        this.blocks = [];
        /**
         * Lists that are near the screen.
         * @type {Set<Element>}
         */
        this.near = new Set();
        /**
         * Lists of which it is known whether they are near.
         * @type {WeakSet<Element>}
         */
        this.seen = new WeakSet();
        this.isLarge = false;
        /** Pixels of a row with the gap below it, tiles of a row, and the width that they are for. */
        this.rows = { height: 0, gap: 0, columns: 3, width: 0 };
        /**
         * The tile that is the tab stop.
         * @type {HTMLElement|null}
         */
        this.stop = null;
        this.observer = "IntersectionObserver" in window
            ? new IntersectionObserver((seen) => this.see(seen), { rootMargin: MARGIN }) : null;
        if ("ResizeObserver" in window) new ResizeObserver(() => this.measure()).observe(this.element);
    }

    /**
     * @param {HTMLElement[]} head tiles in front of the photos
     * @param {Section[]} sections
     */
    lay(head, sections) {
        const focused = document.activeElement;
        const before = new Map(this.blocks.map((block) => [block.list, block]));
        /** @type {Map<string, HTMLElement>} */
        const parts = new Map();
        const part = (/** @type {string} */ key, /** @type {string} */ tag, /** @type {string|null} */ title) => {
            const element = this.parts.get(key) ?? make(tag, tag === "ul" ? { class: "grid" } : {}, title);
            parts.set(key, element);
            return element;
        };
        this.isLarge = this.observer !== null && sections.reduce((sum, one) => sum + one.photos.length, 0) > TILES_MAX;
        this.blocks = [];
        this.element.hidden = !head.length && sections.every((one) => one.photos.every(this.isHidden));
        /** @type {HTMLElement|null} */
        let day = null;
        for (const section of head.length && !sections.length ? [{ key: "", day: null, hour: null, photos: [] }] : sections) {
            const isHidden = section.photos.every(this.isHidden);
            /** @type {HTMLElement|null} */
            let heading = null;
            if (section.day) {
                heading = day = part(`day ${section.key}`, "h3", section.day);
                day.hidden = true;
            }
            if (section.hour) {
                const hour = part(`hour ${section.key}`, "h4", section.hour);
                hour.hidden = isHidden;
                heading ??= hour;
            }
            if (day && !isHidden) day.hidden = false;
            for (let start = 0; start === 0 || start < section.photos.length; start += BLOCK) {
                const list = part(`${section.key} ${start}`, "ul", null);
                const photos = this.isLarge ? section.photos.slice(start, start + BLOCK) : section.photos;
                const isFilled = before.get(list)?.isFilled ?? false;
                this.blocks.push({ list, heading, head: this.blocks.length ? [] : head, photos, isFilled });
                if (!this.isLarge) break;
            }
        }
        this.parts = parts;
        arrange(this.element, [...parts.values()]);
        this.watch(new Set(before.keys()));
        this.fill(true);
        // A tile whose day has got hours is in another list now.
        if (focused !== document.activeElement && focused instanceof HTMLElement && this.element.contains(focused)) {
            focused.focus({ preventScroll: true });
        }
        this.keepStop();
    }

    /** @param {Set<Element>} before the lists that were there */
    watch(before) {
        if (!this.observer) return;
        const lists = new Set(this.blocks.map(({ list }) => list));
        for (const list of before) {
            if (lists.has(/** @type {HTMLElement} */ (list))) continue;
            this.observer.unobserve(list);
            this.near.delete(list);
        }
        for (const list of lists) if (!before.has(list)) this.observer.observe(list);
    }

    /** @param {IntersectionObserverEntry[]} seen */
    see(seen) {
        // Behind another view everything is far away, and comes back as it was.
        if (!this.element.getClientRects().length) return;
        for (const { target, isIntersecting } of seen) {
            this.seen.add(target);
            if (isIntersecting) this.near.add(target);
            else this.near.delete(target);
        }
        if (!this.isLarge) return;
        this.fill(false);
        this.keepStop();
    }

    /**
     * Gives lists near the screen their tiles, and takes them from the others.
     * @param {boolean} isChanged whether the photos of lists may be others than before
     */
    fill(isChanged) {
        const far = [];
        for (const [index, block] of this.blocks.entries()) {
            const { list } = block;
            // A new list with photos that were shown in another one keeps them until its place is known.
            const isWanted = !this.isLarge || index === 0 || this.near.has(list) || list.contains(document.activeElement)
                || (!this.seen.has(list) && block.photos.some(({ id }) => this.tiles.find(id)));
            if (!isWanted) {
                if (isChanged || block.isFilled) far.push(block);
                continue;
            }
            if (isChanged || !block.isFilled) arrange(list, [...block.head, ...block.photos.map((photo) => this.tiles.of(photo))]);
            block.isFilled = true;
            list.style.height = "";
        }
        // Tiles that another list wants have left these by now.
        for (const block of far) {
            block.isFilled = false;
            block.list.replaceChildren();
            this.hold(block);
        }
        if (far.length) this.tiles.sweep();
    }

    /** @param {Block} block keeps the height that its tiles would have */
    hold({ list, photos }) {
        if (!this.rows.width) this.measure();
        const { height, gap, columns } = this.rows;
        const count = photos.reduce((sum, photo) => sum + (this.isHidden(photo) ? 0 : 1), 0);
        list.style.height = `${Math.max(0, Math.ceil(count / columns) * height - gap)}px`;
    }

    /** Looks at how wide the rows are, and holds the lists without tiles to that. */
    measure() {
        const list = this.blocks[0]?.list;
        const width = list?.clientWidth ?? 0;
        if (!width || width === this.rows.width) return;
        const style = getComputedStyle(list);
        const columns = style.gridTemplateColumns.split(" ").length;
        const gap = Number.parseFloat(style.rowGap) || 0;
        const { width: exact } = list.getBoundingClientRect();
        this.rows = { height: (exact - (columns - 1) * gap) / columns + gap, gap, columns, width };
        for (const block of this.blocks) if (!block.isFilled) this.hold(block);
    }

    /**
     * Brings a photo's place onto the screen, under its heading, and moves the focus there.
     * @param {string} id
     */
    reveal(id) {
        const block = this.blocks.find(({ photos }) => photos.some((photo) => photo.id === id));
        if (!block) return;
        this.near.add(block.list);
        this.fill(false);
        const button = /** @type {HTMLElement|null} */ (this.tiles.find(id)?.firstElementChild);
        const target = block.photos[0].id === id && block.heading ? block.heading : button;
        const align = () => target?.scrollIntoView({ block: "start" });
        align();
        button?.focus({ preventScroll: true });
        // The lists around it get their tiles with the next frame.
        requestAnimationFrame(() => requestAnimationFrame(align));
    }

    /** @returns {HTMLElement[]} those of the photos that have tiles in sight */
    buttons() {
        return [...this.element.querySelectorAll(".tile:not([hidden]):not(.upload) > button")];
    }

    /** @param {EventTarget|null} target */
    tileButton(target) {
        return target instanceof HTMLElement && target.matches(".tile:not(.upload) > button") ? target : null;
    }

    /** The tab key always finds a tile: where the last one has gone, the first near the screen. */
    keepStop() {
        if (this.stop?.isConnected && !this.stop.parentElement?.hidden) return;
        const list = this.blocks.find(({ list, isFilled }) => isFilled && this.near.has(list))?.list;
        this.stopAt(list?.querySelector(".tile:not([hidden]):not(.upload) > button") ?? this.buttons()[0] ?? null);
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
        if (event.key === "End" && this.isLarge) {
            this.near.add(this.blocks[this.blocks.length - 1].list);
            this.fill(false);
        }
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
