// SPDX-License-Identifier: Apache-2.0
// The ways through a gallery: by missions, to an hour, to a day, and over the plan. Each is loaded on its first use.
import { icon, make, toast } from "./dom.js";
import { text } from "./text.js";

/**
 * @param {string} symbol @param {string} label
 * @param {() => Promise<any>} open loads a module and shows its dialog
 */
const way = (symbol, label, open) => make("button", { type: "button", class: "button small", "aria-haspopup": "dialog",
    click: () => open().catch(() => toast(text.errors.unreachable)) }, icon(symbol), label);

/**
 * Buttons for the tools of a gallery.
 * @param {import("./photos.js").PhotoList} list
 * @param {(before: number) => Promise<void>} jump goes to the newest photo that was added before a time
 * @param {(photo: import("./photos.js").Photo) => void} open
 */
export const ways = (list, jump, open) => ({
    missions: way("camera", text.missions, async () => (await import("./missions.js")).openMissions()),
    hours: way("clock", text.hours.choose, async () => (await import("./hours.js")).openHours(jump)),
    calendar: way("calendar", text.calendar.choose, async () => (await import("./calendar.js")).openCalendar(list.query, jump)),
    plan: way("plan", text.plan, async () => (await import("./plan.js")).openPlan({ list, open })),
});
