// SPDX-License-Identifier: Apache-2.0
// The events of a month: a table of days, of which those with events are buttons that choose their day.
import { weekOf } from "../shared/calendar.js";
import { icon, make } from "../shared/dom.js";
import { pageText as text } from "../shared/text.js";

/** @typedef {import("./board.js").Row} Row */

/** Whether an event is on a day of this browser's time zone. @param {Row} row @param {Date} date */
export function isOn(row, date) {
    const next = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
    return row.startsAt < next.getTime() && (row.endsAt > date.getTime() || row.startsAt >= date.getTime());
}

/**
 * @param {Row[]} rows
 * @param {Date} month any day of it
 * @param {Date|null} chosen the day whose events are listed
 * @param {(month: Date) => void} turn shows another month
 * @param {(day: Date|null) => void} choose
 */
export function monthOf(rows, month, chosen, turn, choose) {
    const { names, start } = weekOf(text.locale);
    const date = (/** @type {number} */ day) => new Date(month.getFullYear(), month.getMonth(), day);
    const other = (/** @type {number} */ step) => new Date(month.getFullYear(), month.getMonth() + step, 1);
    const length = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
    const cell = (/** @type {number} */ number) => {
        if (number < 1 || number > length) return make("td");
        const day = date(number);
        const count = rows.filter((row) => isOn(row, day)).length;
        if (!count) return make("td", {}, String(number));
        const isChosen = chosen?.toDateString() === day.toDateString();
        return make("td", {}, make("button", { type: "button", "aria-pressed": String(isChosen), "data-day": number,
            "aria-label": text.onDay(day.getTime(), count), click: () => choose(isChosen ? null : day) }, String(number)));
    };
    const weeks = [];
    for (let first = 1 - (date(1).getDay() - start + 7) % 7; first <= length; first += 7) {
        weeks.push(make("tr", {}, ...names.map((_, column) => cell(first + column))));
    }
    const arrow = (/** @type {string} */ label, /** @type {number} */ step) => make("button",
        { type: "button", class: "plain bare", "aria-label": label, click: () => turn(other(step)) },
        icon(step > 0 ? "right" : "left"));
    const title = new Intl.DateTimeFormat(text.locale, { month: "long", year: "numeric" }).format(month);
    return [
        make("div", { class: "row spread nowrap" }, arrow(text.previous, -1), arrow(text.next, 1)),
        make("table", {}, make("caption", { "aria-live": "polite" }, title),
            make("thead", {}, make("tr", {}, ...names.map(({ short, long }) => make("th", { scope: "col" },
                make("span", { "aria-hidden": "true" }, short), make("span", { class: "offscreen" }, long))))),
            make("tbody", {}, ...weeks)),
    ];
}
