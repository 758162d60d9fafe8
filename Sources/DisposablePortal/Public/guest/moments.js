// SPDX-License-Identifier: Apache-2.0
// Moments (protocol/guest-api.md §9): five minutes of a day in which everybody takes a photo. A banner while one runs,
// with the remaining time and the way to the camera; afterwards the photos of the same instant side by side.
import { call } from "../shared/api.js";
import { find, hideToast, icon, make, say, toast } from "../shared/dom.js";
import { listeners, tell, wants } from "../shared/notices.js";
import { momentOf } from "../shared/photos.js";
import { text } from "../shared/text.js";
import { currentPerson, currentView, go } from "./views.js";

/** @typedef {{day: number, startsAt: number, endsAt: number, remainingMilliseconds: number, count: number}} Running */
/** @typedef {{day: number, startsAt: number, endsAt: number, count: number, lateCount: number, link: string|null}} Past */
/** @typedef {{hours: {from: number, to: number, utcOffset: number}|null, commitment: string|null, isClockSet: boolean,
 *     running: Running|null, past: Past[]}} Moments */

/** @type {Moments|null} */
let moments = null;
/** When the running moment ends, by the clock of this page that no one sets. */
let endsAt = 0;
let timer = 0;
/** @type {AudioContext|null} plays after a tap only: browsers allow no sound before */
let sound = null;
/** Whether the last minute of the running moment has been said. */
let isLastMinuteSaid = false;

export function setUpMoments() {
    find("moment-take").addEventListener("click", () => find("take").click());
    find("moment-sound").addEventListener("click", toggleSound);
    drawSound();
    listeners.push(drawBanner);
}

/** Loads the present state; a page without it has no banner, and the next change brings it. */
export async function loadMoments() {
    const now = await call("GET", "api/moment").catch(() => null);
    if (now) showMoments(now);
}

/** @param {Moments} now */
export function showMoments(now) {
    const before = moments;
    moments = now;
    const { running } = now;
    const isNew = running && before?.running?.day !== running.day;
    endsAt = running ? performance.now() + running.remainingMilliseconds : 0;
    clearInterval(timer);
    if (running) timer = setInterval(tick, 500);
    if (isNew) begin();
    if (before?.running && !running) end(before.running.day);
    drawBanner();
    drawPast();
}

function begin() {
    isLastMinuteSaid = false;
    if (!wants("moment")) return;
    tell("moment", () => text.moment.begins, { isShown: true });
    say(text.moment.begins);
    ring();
    navigator.vibrate?.([200, 100, 200]);
}

/** @param {number} day of the moment that is over */
function end(day) {
    if (!wants("moment")) return;
    const isOpen = currentView() === "person" && currentPerson() === momentOf(day);
    const past = !isOpen && moments?.past.find((one) => one.day === day);
    say(text.moment.over);
    // The last photos of it are still on their way.
    toast(text.moment.over, past ? { label: text.moment.see, run: () => openMoment(day) } : null, 15_000);
}

function tick() {
    if (performance.now() >= endsAt) loadMoments();
    drawBanner();
}

function drawBanner() {
    const left = Math.max(0, endsAt - performance.now());
    const isRunning = moments?.running != null && left > 0 && wants("moment");
    find("moment").hidden = !isRunning;
    if (!isRunning) return;
    find("moment-left").textContent = text.moment.left(left);
    if (left < 60_000 && !isLastMinuteSaid) {
        isLastMinuteSaid = true;
        say(text.moment.lastMinute);
    }
}

/** The moments so far, the latest first, and the switch of the sound. */
function drawPast() {
    const past = [...moments?.past ?? [], ...moments?.running ? [moments.running] : []].reverse();
    find("moments").hidden = !moments?.hours;
    find("moments-past").replaceChildren(...past.map(({ day, startsAt, count }) => make("button",
        { type: "button", class: "button small", click: () => openMoment(day) },
        icon("camera"), text.moment.past(startsAt, count))));
}

/** @param {number} day */
function openMoment(day) {
    // The toast offers this view.
    if (find("toast").textContent.startsWith(text.moment.over)) hideToast();
    go("person", { push: true, id: momentOf(day) });
}

/** @param {string} id of a view @returns {string|null} the title of a moment's photos; `null` if it is no moment */
export function titleOf(id) {
    const all = [...moments?.past ?? [], ...moments?.running ? [moments.running] : []];
    const one = all.find(({ day }) => momentOf(day) === id);
    if (one) return text.moment.title(one.startsAt);
    return id.startsWith("moment-") ? text.moment.name : null;
}

// The sound

async function toggleSound() {
    if (sound) {
        sound.close();
        sound = null;
    } else {
        sound = new AudioContext();
        await sound.resume().catch(() => { /* then there is none */ });
        ring();
    }
    drawSound();
}

function drawSound() {
    const button = find("moment-sound");
    button.hidden = typeof AudioContext !== "function";
    button.setAttribute("aria-pressed", String(sound !== null));
    button.textContent = sound ? text.moment.soundOn : text.moment.soundOff;
}

/** Two notes, like a door bell. */
function ring() {
    if (!sound) return;
    for (const [index, pitch] of [880, 660].entries()) {
        const [note, volume] = [sound.createOscillator(), sound.createGain()];
        const at = sound.currentTime + index * 0.35;
        note.frequency.value = pitch;
        volume.gain.setValueAtTime(0.25, at);
        volume.gain.exponentialRampToValueAtTime(0.001, at + 0.6);
        note.connect(volume).connect(sound.destination);
        note.start(at);
        note.stop(at + 0.6);
    }
}
