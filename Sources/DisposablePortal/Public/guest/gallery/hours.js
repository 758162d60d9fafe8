// SPDX-License-Identifier: Apache-2.0
// The way to an hour of a gallery: the hours with photos are listed by day, each with how many there are.
import { ApiError, call } from "../../shared/api.js";
import { find, icon, make, openDialog, toast } from "../../shared/dom.js";
import { hourOf } from "./sheet.js";
import { text } from "../../shared/text.js";

const HOUR = 3_600_000;

/**
 * @param {{from: number, count: number}[]} times quarters of an hour, the latest first
 * @returns {{day: string, hour: number, count: number}[]} hours of this browser's time zone, the latest first
 */
function hoursOf(times) {
    /** @type {{day: string, hour: number, count: number}[]} */
    const hours = [];
    for (const { from, count } of times) {
        const { day, hour } = hourOf(from);
        const last = hours[hours.length - 1];
        if (last?.hour === hour) last.count += count;
        else hours.push({ day, hour, count });
    }
    return hours;
}

/** @param {(before: number) => Promise<void>} jump goes to the newest photo that was added before a time */
export async function openHours(jump) {
    let hours;
    try {
        hours = hoursOf((await call("GET", "api/times")).times);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(error.sentence);
        return;
    }
    const dialog = find("hours");
    /** @type {HTMLElement[]} */
    const parts = [];
    let lastDay = "";
    for (const { day, hour, count } of hours) {
        if (day !== lastDay) parts.push(make("h3", {}, text.day(hour)), make("ul", {}));
        lastDay = day;
        parts[parts.length - 1].append(make("li", {}, make("button", { type: "button", class: "plain", click: () => {
            dialog.close();
            jump(hour + HOUR);
        } }, make("span", {}, text.clock(hour)), make("span", { class: "quiet" }, text.gallery.count(count)))));
    }
    dialog.replaceChildren(
        make("div", { class: "row spread nowrap" }, make("h2", { id: "hours-title" }, text.hours.title),
            make("button", { type: "button", class: "plain bare", "aria-label": text.common.close,
                click: () => dialog.close() }, icon("close"))), ...parts);
    openDialog(dialog);
}
