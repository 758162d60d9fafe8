// SPDX-License-Identifier: Apache-2.0
// Moments on the wall: words and a countdown over everything when one begins, the countdown in a corner while it runs,
// and afterwards the photos of the same instant side by side.
import { call, photoURL } from "../shared/api.js";
import { find, make } from "../shared/dom.js";
import { text } from "../shared/text.js";

/** How long the words fill the wall, and how long the photos do. Milliseconds. */
const wordsStay = 10_000;
const mosaicStays = 20_000;
/** The most photos side by side, and the time that the last ones have to arrive. */
const photosMax = 30;
const arrival = 5_000;

/** @type {import("../guest/moments.js").Moments|null} */
let before = null;
let endsAt = 0;
let timer = 0;
let isMosaic = false;

/** Whether the wall is filled with photos of a moment. */
export const showsMosaic = () => isMosaic;

/** Loads the present state. */
export async function loadMoment() {
    const now = await call("GET", "api/moment").catch(() => null);
    if (now) showMoment(now);
}

/** @param {import("../guest/moments.js").Moments} now */
export function showMoment(now) {
    const { running } = now;
    const was = before?.running ?? null;
    before = now;
    endsAt = running ? performance.now() + running.remainingMilliseconds : 0;
    clearInterval(timer);
    draw();
    if (running) timer = setInterval(draw, 500);
    if (running && was?.day !== running.day) flash();
    if (was && !running) setTimeout(() => mosaic(was.day), arrival);
}

function draw() {
    const left = Math.max(0, endsAt - performance.now());
    find("moment").hidden = left <= 0;
    find("moment-left").textContent = text.moment.left(left);
}

function flash() {
    const place = find("moment");
    place.classList.add("large");
    setTimeout(() => place.classList.remove("large"), wordsStay);
}

/** @param {number} day */
async function mosaic(day) {
    const page = await call("GET", `api/photos?limit=${photosMax}&moment=${day}`).catch(() => null);
    const photos = (page?.photos ?? []).filter((/** @type {any} */ photo) => photo.has.includes("thumbnail"));
    if (!photos.length) return;
    const columns = Math.ceil(Math.sqrt(photos.length * innerWidth / innerHeight));
    const place = find("mosaic");
    place.style.setProperty("--columns", String(columns));
    place.replaceChildren(
        make("p", {}, text.moment.title(before?.past.find((one) => one.day === day)?.startsAt ?? Date.now())),
        make("ul", {}, ...photos.map((/** @type {any} */ photo) => make("li", {},
            make("img", { src: photoURL(photo.id, "thumbnail"), alt: photo.authorName ?? text.guest, "data-turn": photo.turn || null }),
            photo.moment?.late ? make("span", {}, text.moment.late) : null))));
    place.hidden = false;
    isMosaic = true;
    setTimeout(() => {
        place.hidden = true;
        place.replaceChildren();
        isMosaic = false;
    }, mosaicStays);
}
