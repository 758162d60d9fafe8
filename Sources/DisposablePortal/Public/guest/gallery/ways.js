// SPDX-License-Identifier: Apache-2.0
// The ways through a gallery: by missions, to an hour, to a day, and over the plan. Each is loaded on its first use.
import { icon, make, toast } from "../../shared/dom.js";
import { me } from "../../shared/session.js";
import { text } from "../../shared/text.js";

/** The icon of the plan. The others are in index.html, which every guest loads. */
export function planIcon() {
    const picture = icon("plan");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", "m3 6 6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.replaceChildren(path);
    return picture;
}

/** @returns {boolean} whether the host has given the party a plan */
export const hasPlan = () => !!me?.event.plan;

/**
 * @param {Element} symbol @param {string} label
 * @param {() => Promise<any>} open loads a module and shows its dialog
 */
const way = (symbol, label, open) => make("button", { type: "button", class: "button small", "aria-haspopup": "dialog",
    click: () => open().catch(() => toast(text.errors.unreachable)) }, symbol, label);

/**
 * Buttons for the tools of a gallery.
 * @param {import("../../shared/photos.js").PhotoList} list
 * @param {(before: number) => Promise<void>} jump goes to the newest photo that was added before a time
 * @param {(photo: import("../../shared/photos.js").Photo) => void} open
 */
export const ways = (list, jump, open) => ({
    missions: way(icon("camera"), text.missions, async () => (await import("../missions.js")).openMissions()),
    hours: way(icon("clock"), text.hours.choose, async () => (await import("./hours.js")).openHours(jump)),
    calendar: way(icon("calendar"), text.calendar.choose, async () => (await import("../../shared/calendar.js")).openCalendar(list.query, jump)),
    plan: way(planIcon(), text.plan, async () => (await import("../plan/plan.js")).openPlan({ list, open })),
});
