// SPDX-License-Identifier: Apache-2.0
// A photo booth for people without a phone: a laptop or a tablet shows what its camera sees, with one large button, a
// countdown, and each photo for a moment. Loaded when it is opened.
import { Camera, pause } from "./camera.js";
import { ask, icon, loadStyle, make, openDialog } from "../../shared/dom.js";
import { loadTexts, text } from "../../shared/text.js";

/** @typedef {import("./viewfinder.js").Owner} Owner */

const countdown = 3;
/** Milliseconds: of each number of the countdown; for which a photo is shown. */
const times = { number: 1_000, photo: 4_000 };

/**
 * Opens the booth in front of the page, until somebody closes it and confirms that.
 * @param {Owner} owner
 * @param {string} event its name
 */
export async function openBooth(owner, event) {
    /** @type {typeof import("../../texts/camera/en.js").english} */
    const words = await loadTexts("camera");
    const video = make("video", { playsinline: true, autoplay: true, "aria-label": text.finder.title });
    video.muted = true;
    const light = make("div", { class: "booth-light", hidden: true });
    const photo = make("img", { class: "booth-photo", alt: words.booth.photo, hidden: true });
    const number = make("p", { class: "booth-number", role: "status" });
    const note = make("p", { class: "booth-note", role: "status" });
    const shutter = make("button", { type: "button", class: "button main", click: shoot }, words.finder.shutter);
    const dialog = make("dialog", { id: "booth", "aria-label": words.booth.title, cancel: leave, leave },
        video, photo, number,
        make("header", {}, make("h2", {}, event),
            make("button", { type: "button", class: "plain bare", "aria-label": text.common.close, click: leave }, icon("close"))),
        make("footer", {}, note, shutter), light);
    const camera = new Camera(video);
    camera.facing = "user";
    /** @type {any} */
    let lock = null;
    let isBusy = false;

    function draw(sentence = words.booth.intro) {
        const isFull = owner.left() === 0;
        note.textContent = isFull ? text.full.title : sentence;
        shutter.disabled = isBusy || isFull || !camera.hasPicture;
    }

    async function start() {
        try {
            await camera.open();
            draw();
        } catch {
            draw(text.finder.broken);
        }
        // A screen that goes dark ends the booth for everybody.
        const wanted = await /** @type {any} */ (navigator).wakeLock?.request("screen").catch(() => null);
        lock?.release();
        lock = wanted;
        if (!dialog.open) lock?.release();
    }

    async function shoot() {
        if (isBusy) return;
        isBusy = true;
        draw(words.booth.look);
        try {
            for (let left = countdown; left > 0; left -= 1) {
                number.textContent = String(left);
                await pause(times.number);
            }
            number.textContent = "";
            const file = await camera.take({ hasFlash: true, light: (isOn) => { light.hidden = !isOn; } });
            photo.src = URL.createObjectURL(file);
            photo.hidden = false;
            const isSent = await owner.shot(file);
            draw(isSent ? words.booth.sent : words.booth.intro);
            if (isSent) await pause(times.photo);
            photo.hidden = true;
            URL.revokeObjectURL(photo.src);
            isBusy = false;
            draw();
        } catch {
            isBusy = false;
            draw(text.finder.broken);
        } finally {
            number.textContent = "";
        }
        if (dialog.open) shutter.focus();
    }

    /** @param {Event} event */
    async function leave(event) {
        event.preventDefault();
        if (await ask({ title: words.booth.closeTitle, body: [], yes: text.common.close })) dialog.close();
    }

    const wake = () => {
        if (document.hidden) camera.stop();
        else start();
    };
    video.addEventListener("loadeddata", () => draw());
    document.addEventListener("visibilitychange", wake);
    dialog.addEventListener("close", () => {
        document.removeEventListener("visibilitychange", wake);
        lock?.release();
        if (document.fullscreenElement) document.exitFullscreen();
        camera.close().then(() => dialog.remove());
    });
    document.body.append(dialog);
    await loadStyle("guest/camera/booth");
    openDialog(dialog);
    document.documentElement.requestFullscreen?.().catch(() => { /* then in the window */ });
    draw();
    await start();
}
