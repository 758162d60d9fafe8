// SPDX-License-Identifier: Apache-2.0
// A clock over the wall for a camera: from one photo of it the node knows how far the camera's own clock is off.
import { find, make } from "../shared/dom.js";
import { pageText as words } from "../shared/text.js";

const padded = (/** @type {number} */ number) => String(number).padStart(2, "0");

/** Shows the clock, or removes it. */
export function toggleClock() {
    if (find("clock")) return find("clock").remove();
    const time = make("time", {}), day = make("p", {}), date = make("p", {});
    const clock = make("div", { id: "clock", role: "timer" }, make("p", { class: "hint" }, words.clock), time, day, date);
    find("wall").append(clock);
    const draw = () => {
        const now = new Date();
        time.textContent = [now.getHours(), now.getMinutes(), now.getSeconds()].map(padded).join(":");
        day.textContent = words.day(now.getTime());
        // In the form of the command for the camera's clock.
        date.textContent = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(padded).join("-");
        // To the next full second, so that the photo shows the right one.
        if (clock.isConnected) setTimeout(draw, 1_000 - now.getMilliseconds());
    };
    draw();
}
