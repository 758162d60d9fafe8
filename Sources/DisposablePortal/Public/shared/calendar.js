// SPDX-License-Identifier: Apache-2.0
// The calendar of a gallery: a month at a time, each day with one of its photos and how many there are. It is a grid of
// dates as the ARIA Authoring Practices describe it: the tab key stops at one day, and keys move between the days.
import { ApiError, call, photoURL } from "./api.js";
import { find, icon, loadStyle, make, openDialog, toast } from "./dom.js";
import { text } from "./text.js";

/** @typedef {{from: number, count: number, photo?: string|null}} Quarter of an hour, the latest first */
/** @typedef {{count: number, photo: string|null}} Day */

/** The names of the days of a week from its first one, and the number of that: 0 is Sunday. */
export function weekOf(/** @type {string} */ locale) {
    /** @type {any} */
    const region = typeof Intl.Locale === "function" ? new Intl.Locale(locale).maximize() : {};
    // If the browser does not know the first day of the week, Monday is used, as in ISO 8601.
    const start = (region.getWeekInfo?.() ?? region.weekInfo ?? { firstDay: 1 }).firstDay % 7;
    const names = [0, 1, 2, 3, 4, 5, 6].map((day) => {
        // The fourth of January of 1970 was a Sunday.
        const date = new Date(1970, 0, 4 + start + day);
        const name = (/** @type {"short"|"long"} */ weekday) => new Intl.DateTimeFormat(locale, { weekday }).format(date);
        return { short: name("short"), long: name("long") };
    });
    return { start, names };
}

/** @param {Date} date */
const monthOf = (date) => date.getFullYear() * 12 + date.getMonth();

/** The date some days later, in this browser's time zone. @param {Date} date @param {number} days */
const plus = (date, days) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** @param {Quarter[]} quarters @returns {Map<string, Day>} the days of this browser's time zone, the latest first */
export function daysOf(quarters) {
    /** @type {Map<string, Day>} */
    const days = new Map();
    for (const { from, count, photo } of quarters) {
        const key = new Date(from).toDateString();
        const day = days.get(key);
        if (day) day.count += count;
        else days.set(key, { count, photo: photo ?? null });
        if (day && photo) day.photo ??= photo;
    }
    return days;
}

/**
 * Asks the node for the days of a gallery, and shows them.
 * @param {string} query the part of a query that selects the photos
 * @param {(to: number, from: number) => void} choose called with the end and the beginning of the chosen day
 */
export async function openCalendar(query, choose) {
    try {
        // An earlier node does not say which photos are turned.
        const [{ times, turned = {} }] = await Promise.all([call("GET", `api/times${query.replace("&", "?")}`), loadStyle("shared/calendar")]);
        const days = daysOf(times);
        if (days.size && !find("calendar").open) new Calendar(days, turned, choose).open();
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
    }
}

class Calendar {
    /**
     * @param {Map<string, Day>} days
     * @param {Record<string, number>} turned the degrees of photos that are turned
     * @param {(to: number, from: number) => void} choose
     */
    constructor(days, turned, choose) {
        this.days = days;
        this.turned = turned;
        this.choose = choose;
        this.dialog = find("calendar");
        const { locale } = text.calendar;
        this.week = weekOf(locale);
        this.monthFormat = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });
        this.numberFormat = new Intl.NumberFormat(locale);
        /** The months with photos, the earliest first. */
        this.months = [...new Set([...days.keys()].map((key) => monthOf(new Date(key))))].sort((one, other) => one - other);
        /** The day that is the tab stop. */
        this.date = new Date([...days.keys()][0]);
        /** The elements of the shown days, by their number. @type {HTMLElement[]} */
        this.cells = [];
        const turn = (/** @type {"previous"|"next"} */ name, /** @type {number} */ step) => make("button",
            { type: "button", class: "plain bare", "aria-label": text.calendar[name], click: () => this.turn(step) },
            icon(name === "next" ? "right" : "left"));
        [this.previous, this.next] = [turn("previous", -1), turn("next", 1)];
        this.title = make("h3", { id: "calendar-month", "aria-live": "polite" });
        this.grid = make("table", { role: "grid", "aria-labelledby": "calendar-month",
            keydown: (/** @type {KeyboardEvent} */ event) => this.move(event) });
    }

    open() {
        this.draw();
        this.dialog.replaceChildren(
            make("div", { class: "row spread nowrap" }, make("h2", { id: "calendar-title" }, text.calendar.title),
                make("button", { type: "button", class: "plain bare", "aria-label": text.common.close,
                    click: () => this.dialog.close() }, icon("close"))),
            make("div", { class: "row spread nowrap" }, this.previous, this.title, this.next), this.grid);
        openDialog(this.dialog);
        this.focus();
    }

    /** Draws the month of `date`. */
    draw() {
        const month = monthOf(this.date);
        const first = new Date(Math.floor(month / 12), month % 12, 1);
        const length = plus(new Date(Math.floor(month / 12), month % 12 + 1, 1), -1).getDate();
        const { names, start } = this.week;
        this.title.textContent = this.monthFormat.format(first);
        const place = this.months.indexOf(month);
        [this.previous.disabled, this.next.disabled] = [place === 0, place === this.months.length - 1];
        this.previous.hidden = this.next.hidden = this.months.length === 1;
        this.cells = [];
        const rows = [];
        for (let number = 1 - (first.getDay() - start + 7) % 7; number <= length; number += 7) {
            rows.push(make("tr", {}, ...names.map((_, column) => number + column < 1 || number + column > length
                ? make("td") : this.cell(plus(first, number + column - 1)))));
        }
        this.grid.replaceChildren(
            make("thead", {}, make("tr", {}, ...names.map(({ short, long }) =>
                make("th", { scope: "col", abbr: long }, make("span", { "aria-hidden": "true" }, short),
                    make("span", { class: "offscreen" }, long))))),
            make("tbody", {}, ...rows));
        this.stop();
    }

    /** @param {Date} date @returns {HTMLElement} its cell: with a button, if there are photos */
    cell(date) {
        const day = this.days.get(date.toDateString());
        const label = text.calendar.day(date.getTime(), day?.count ?? 0);
        const today = date.toDateString() === new Date().toDateString() ? "date" : null;
        const number = make("span", { class: "number", "aria-hidden": "true" }, String(date.getDate()));
        if (!day) {
            const cell = make("td",
                { "aria-disabled": "true", "aria-label": label, "aria-current": today, tabindex: -1 }, number);
            this.cells[date.getDate()] = cell;
            return cell;
        }
        const button = make("button", { type: "button", "aria-label": label, "aria-current": today, tabindex: -1,
            click: () => {
                this.dialog.close();
                this.choose(plus(date, 1).getTime(), date.getTime());
            } }, this.picture(day), number,
            make("span", { class: "hearts", "aria-hidden": "true" }, this.numberFormat.format(day.count)));
        this.cells[date.getDate()] = button;
        return make("td", {}, button);
    }

    /** @param {Day} day */
    picture({ photo }) {
        const neutral = () => make("span", { class: "neutral" }, icon("camera"));
        if (!photo) return neutral();
        const image = make("img", { src: photoURL(photo, "thumbnail"), alt: "", loading: "lazy", decoding: "async",
            "data-turn": this.turned[photo] ?? null });
        image.addEventListener("error", () => image.replaceWith(neutral()), { once: true });
        return image;
    }

    /** Makes the day `date` the tab stop. */
    stop() {
        this.cells.forEach((cell, number) => { cell.tabIndex = number === this.date.getDate() ? 0 : -1; });
    }

    focus() {
        this.cells[this.date.getDate()].focus();
    }

    /** @param {Date} date of a month with photos */
    show(date) {
        const isSame = monthOf(date) === monthOf(this.date);
        this.date = date;
        if (isSame) this.stop();
        else this.draw();
    }

    /**
     * Shows an earlier or a later month with photos, at its latest day of them.
     * @param {number} step
     * @returns {boolean} whether there is one
     */
    turn(step) {
        const month = this.months[this.months.indexOf(monthOf(this.date)) + step];
        const key = [...this.days.keys()].find((day) => monthOf(new Date(day)) === month);
        if (!key) return false;
        const focused = document.activeElement;
        this.show(new Date(key));
        // A button that has become useless loses the focus.
        if (focused instanceof HTMLButtonElement && focused.disabled) this.focus();
        return true;
    }

    /** @param {KeyboardEvent} event */
    move(event) {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const forward = getComputedStyle(this.grid).direction === "rtl" ? -1 : 1;
        const column = (this.date.getDay() - this.week.start + 7) % 7;
        const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -forward, ArrowRight: forward, ArrowUp: -7,
            ArrowDown: 7, Home: -column, End: 6 - column });
        if (event.key === "PageUp" || event.key === "PageDown") {
            event.preventDefault();
            if (this.turn(event.key === "PageUp" ? -1 : 1)) this.focus();
        } else if (event.key in steps) {
            event.preventDefault();
            this.show(this.near(plus(this.date, steps[event.key]), event.key === "Home" || event.key === "End"));
            this.focus();
        }
    }

    /**
     * @param {Date} date
     * @param {boolean} isWithin whether to remain in the month that is shown
     * @returns {Date} the date; or the nearest one beyond the months without photos, or in the month that is shown
     */
    near(date, isWithin) {
        const [here, there] = [monthOf(this.date), monthOf(date)];
        if (here === there) return date;
        const next = isWithin ? undefined : this.months[this.months.indexOf(here) + Math.sign(there - here)];
        if (next === there) return date;
        const month = next ?? here;
        // Into a later month at its first day, into an earlier one at its last; at the ends of all months the other way.
        const isFirst = (there > here) === (next !== undefined);
        return new Date(Math.floor(month / 12), isFirst ? month % 12 : month % 12 + 1, isFirst ? 1 : 0);
    }
}
