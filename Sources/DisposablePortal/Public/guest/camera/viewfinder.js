// SPDX-License-Identifier: Apache-2.0
// A viewfinder in the page, where browsers let pages use the camera: over HTTPS or on this very machine. Loaded with
// the first tap that needs it; everywhere else the phone's own camera opens.
import { Camera } from "./camera.js";
import { find, icon, loadStyle, make, say } from "../../shared/dom.js";
import { loadTexts, text } from "../../shared/text.js";
import { back } from "../views.js";

/** Milliseconds: the film is wound after each shot. */
const winding = 1_000;

/**
 * What takes the photos: `shot` takes one into the queue, and says whether it is sent; `left` is how many fit; `other`
 * opens the phone's own camera.
 * @typedef {{shot: (file: File) => Promise<boolean>, left: () => number|null, counter: () => string,
 *     other: () => void}} Owner
 */

/** @type {Owner} */
let owner;
/** @type {Camera} */
let camera;
/** @type {typeof import("../../texts/camera/en.js").english.finder} */
let words;
let hasFlash = false;
/** Whether a photo is taken with the cameras of both sides. */
let isOfBoth = false;
let isWinding = false;
/** What the camera has to say; a full film is more important. */
let trouble = "";

/** Loads what the viewfinder says. Throws where it does not load. */
export async function prepareFinder() {
    words ??= (await loadTexts("camera")).finder;
}

/** Opens the camera in the view "finder". @param {Owner} to */
export async function openFinder(to) {
    owner = to;
    if (!find("finder-video")) setUp();
    draw();
    await Promise.all([start(), loadStyle("guest/camera/viewfinder")]);
}

export const closeFinder = () => camera.close();

/** Shows how many photos are left, after a change: a photo is there, or the host has given more. */
export function drawFinder() {
    if (!find("finder").hidden) draw();
}

function setUp() {
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ symbol,
        /** @type {() => void} */ click, properties = {}) => make("button", { id: `finder-${name}`, type: "button",
        class: "plain bare", "aria-label": label, title: label, click, ...properties }, icon(symbol));
    const close = button("close", text.common.close, "close", back);
    find("finder").append(
        make("header", {}, close, make("p", { id: "finder-counter", role: "status" })),
        make("div", { class: "finder-stage" },
            make("video", { id: "finder-video", playsinline: true, autoplay: true, "aria-label": text.finder.title,
                // The camera may show its first picture late: before that there is none to take.
                loadeddata: draw }),
            make("p", { id: "finder-note", role: "status", hidden: true })),
        make("footer", {},
            make("div", { class: "row spread nowrap" },
                button("flash", words.flash, "flash", () => {
                    hasFlash = !hasFlash;
                    draw();
                }, { "aria-pressed": "false" }),
                make("button", { id: "finder-shutter", type: "button", class: "finder-shutter",
                    "aria-label": words.shutter, click: shoot }),
                button("flip", words.flip, "retry", () => {
                    camera.turn();
                    start();
                })),
            make("div", { class: "row" },
                make("button", { id: "finder-both", type: "button", class: "plain", "aria-pressed": "false", hidden: true,
                    click: () => {
                        isOfBoth = !isOfBoth;
                        draw();
                    } }, words.both),
                make("button", { id: "finder-other", type: "button", class: "plain", click: () => {
                    owner.other();
                    back();
                } }, words.other))),
        make("div", { id: "finder-light", hidden: true }));
    const video = find("finder-video");
    video.muted = true;
    camera = new Camera(video);
    close.focus({ preventScroll: true });
    addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !find("finder").hidden && !find("ask").open) back();
    });
    document.addEventListener("visibilitychange", () => {
        if (find("finder").hidden) return;
        // A phone that sleeps, or another app, gets the camera back.
        if (document.hidden) camera.stop();
        else start();
    });
}

async function start() {
    tell(words.starting);
    try {
        if (!await camera.open()) return;
        tell("");
    } catch (error) {
        const isRefused = error instanceof DOMException && ["NotAllowedError", "SecurityError"].includes(error.name);
        tell(isRefused ? words.denied : text.finder.broken);
    }
    const cameras = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    const isAlone = cameras.filter(({ kind }) => kind === "videoinput").length < 2;
    for (const name of ["finder-flip", "finder-both"]) find(name).hidden = isAlone;
    draw();
}

/** @param {string} sentence */
function tell(sentence) {
    trouble = sentence;
    draw();
}

function draw() {
    const isFull = owner.left() === 0;
    write("finder-counter", owner.counter());
    write("finder-note", isFull ? text.full.title : trouble);
    find("finder-note").hidden = !isFull && !trouble;
    find("finder-flash").setAttribute("aria-pressed", String(hasFlash));
    find("finder-both").setAttribute("aria-pressed", String(isOfBoth));
    find("finder-shutter").disabled = !camera.hasPicture || isWinding || isFull;
    // The front camera's preview is mirrored; the photo is not.
    find("finder-video").classList.toggle("is-mirror", camera.facing === "user");
}

/** Only what is new, since both places are read out. @param {"finder-counter"|"finder-note"} id @param {string} sentence */
function write(id, sentence) {
    if (find(id).textContent !== sentence) find(id).textContent = sentence;
}

/** One photo for one tap: while the film is wound a second tap takes none. */
async function shoot() {
    if (isWinding || !camera.hasPicture) return;
    isWinding = true;
    tell("");
    const wound = new Promise((resolve) => { setTimeout(resolve, winding); });
    const light = { hasFlash, light: (/** @type {boolean} */ isOn) => { find("finder-light").hidden = !isOn; } };
    try {
        const file = await (isOfBoth ? camera.takeBoth(light, () => tell(words.turning)) : camera.take(light));
        tell("");
        if (await owner.shot(file)) say(words.taken);
    } catch {
        tell(text.finder.broken);
    }
    await wound;
    isWinding = false;
    draw();
    if (!find("finder").hidden) find("finder-shutter").focus({ preventScroll: true });
}
