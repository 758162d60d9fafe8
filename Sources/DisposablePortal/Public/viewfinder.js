// SPDX-License-Identifier: Apache-2.0
// A viewfinder in the page, where browsers let pages use the camera: over HTTPS or on this very machine. Loaded with
// the first tap that needs it; everywhere else the phone's own camera opens.
import { find, say } from "./dom.js";
import { text } from "./text.js";
import { back } from "./views.js";

/** Milliseconds: the film is wound after each shot; the screen is white before one; a camera may take for a photo. */
const times = { winding: 1_000, flash: 350, shot: 4_000 };

/** @typedef {{shot: (file: File) => Promise<boolean>, left: () => number|null, counter: () => string,
 *     other: () => void}} Owner */

/** @type {Owner} */
let owner;
/** @type {MediaStream|null} */
let stream = null;
/** @type {"environment"|"user"} */
let facing = "environment";
let hasFlash = false;
let isWinding = false;
let isSetUp = false;
/** What the camera has to say; a full film is more important. */
let trouble = "";
/**
 * The photo that is being taken: it gets the camera that it began with.
 * @type {Promise<unknown>}
 */
let taking = Promise.resolve();
/** Counts openings, so that a camera that starts after its view was closed is stopped. */
let generation = 0;

/**
 * Opens the camera in the view "finder".
 * @param {Owner} to `shot` takes a photo into the queue, and says whether it is sent; `left` is how many fit; `other`
 *     opens the phone's own camera
 */
export function openFinder(to) {
    owner = to;
    if (!isSetUp) setUp();
    isSetUp = true;
    draw();
    start();
}

export async function closeFinder() {
    generation += 1;
    const number = generation;
    await taking;
    if (number === generation) stop();
}

/** Shows how many photos are left, after a change: a photo is there, or the host has given more. */
export function drawFinder() {
    if (!find("finder").hidden) draw();
}

function setUp() {
    find("finder-close").addEventListener("click", back);
    // The camera may show its first picture late: before that there is none to take.
    find("finder-video").addEventListener("loadeddata", draw);
    find("finder-shutter").addEventListener("click", shoot);
    find("finder-flip").addEventListener("click", () => {
        facing = facing === "user" ? "environment" : "user";
        start();
    });
    find("finder-flash").addEventListener("click", () => {
        hasFlash = !hasFlash;
        draw();
    });
    find("finder-other").addEventListener("click", () => {
        owner.other();
        back();
    });
    addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !find("finder").hidden && !find("ask").open) back();
    });
    document.addEventListener("visibilitychange", () => {
        if (find("finder").hidden) return;
        // A phone that sleeps, or another app, gets the camera back.
        if (document.hidden) stop();
        else start();
    });
}

async function start() {
    generation += 1;
    const number = generation;
    await taking;
    if (number !== generation) return;
    stop();
    tell(text.finder.starting);
    try {
        const opened = await navigator.mediaDevices.getUserMedia({ audio: false,
            video: { facingMode: facing, width: { ideal: 4096 }, height: { ideal: 3072 } } });
        if (number !== generation) {
            for (const track of opened.getTracks()) track.stop();
            return;
        }
        stream = opened;
        const video = find("finder-video");
        video.srcObject = opened;
        await video.play().catch(() => { /* it plays when it is in sight */ });
        if (number !== generation) return;
        tell("");
    } catch (error) {
        if (number !== generation) return;
        const isRefused = error instanceof DOMException && ["NotAllowedError", "SecurityError"].includes(error.name);
        tell(isRefused ? text.finder.denied : text.finder.broken);
    }
    const cameras = await navigator.mediaDevices.enumerateDevices().catch(() => []);
    find("finder-flip").hidden = cameras.filter(({ kind }) => kind === "videoinput").length < 2;
    draw();
}

function stop() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    find("finder-video").srcObject = null;
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
    find("finder-shutter").disabled = !hasPicture() || isWinding || isFull;
    // The front camera's preview is mirrored; the photo is not.
    find("finder-video").classList.toggle("is-mirror", facing === "user");
}

/** Only what is new, since both places are read out. @param {"finder-counter"|"finder-note"} id @param {string} sentence */
function write(id, sentence) {
    if (find(id).textContent !== sentence) find(id).textContent = sentence;
}

/** Whether the camera shows a picture: right after it was opened, or turned round, it does not. */
function hasPicture() {
    const video = find("finder-video");
    return stream !== null && video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 0;
}

/** One photo for one tap: while the film is wound a second tap takes none. */
async function shoot() {
    if (isWinding || !hasPicture()) return;
    isWinding = true;
    tell("");
    const wound = pause(times.winding);
    try {
        const file = picture();
        taking = file.catch(() => { /* told below */ });
        if (await owner.shot(await file)) say(text.finder.taken);
    } catch {
        tell(text.finder.broken);
    }
    await wound;
    isWinding = false;
    draw();
    if (!find("finder").hidden) find("finder-shutter").focus({ preventScroll: true });
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** @returns {Promise<File>} a JPEG, with the light of the phone's lamp, or of its screen, where the guest wants it */
async function picture() {
    const track = /** @type {MediaStream} */ (stream).getVideoTracks()[0];
    const lamp = hasFlash && /** @type {any} */ (track.getCapabilities?.() ?? {}).torch === true;
    const light = (/** @type {boolean} */ isOn) => track.applyConstraints(/** @type {any} */ ({ advanced: [{ torch: isOn }] }))
        .catch(() => { /* then without it */ });
    find("finder-light").hidden = !hasFlash || lamp;
    try {
        if (lamp) await light(true);
        if (hasFlash) await pause(times.flash);
        const blob = await still(track);
        return new File([blob], `photo-${Date.now()}.jpg`, { type: "image/jpeg", lastModified: Date.now() });
    } finally {
        if (lamp) await light(false);
        find("finder-light").hidden = true;
    }
}

/**
 * The camera's own photo where the browser gives it, which has more pixels than the film that it shows.
 * @param {MediaStreamTrack} track
 * @returns {Promise<Blob>}
 */
async function still(track) {
    const Capture = /** @type {any} */ (window).ImageCapture;
    if (Capture) {
        const late = pause(times.shot).then(() => { throw new Error("the camera takes too long"); });
        const blob = await Promise.race([new Capture(track).takePhoto(), late]).catch(() => null);
        if (blob?.type === "image/jpeg") return blob;
    }
    const video = find("finder-video");
    const canvas = make(video.videoWidth, video.videoHeight);
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("no picture")), "image/jpeg", 0.92);
    });
}

/** @param {number} width @param {number} height */
function make(width, height) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    return canvas;
}
