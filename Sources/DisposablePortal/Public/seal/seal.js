// SPDX-License-Identifier: Apache-2.0
// A photo, sealed on this phone before the node gets it (protocol/guest-api.md §19). The browser draws it again, which
// leaves out what a camera writes beside the picture; a worker seals it. Loaded with the first such photo.
import { ApiError } from "../shared/api.js";
import { keepPicture } from "../guest/sending/sent.js";
import { me, seed, unhex } from "../shared/session.js";
import { importSecret, sealPhoto } from "./sealing.js";

export const sealedType = "application/vnd.disposable.sealed";

/** Pixels that a canvas may have in every browser; the long sides and bytes of the smaller pictures (§8.4, §11.1). */
const limits = { pixels: 16_777_216, preview: { side: 1600, bytes: 524_288 }, thumbnail: { side: 320, bytes: 24_576 } };

/** Photos are drawn and sealed one after the other, as each is whole in memory for a moment. @type {Promise<unknown>} */
let turn = Promise.resolve();

/**
 * @param {File} file
 * @param {string} print of the file (sent.js), under which its author finds a small picture of it
 * @returns {Promise<Blob>} the package; throws `ApiError` with `cannot-seal` where this browser cannot decode the
 *     file, or does not have the guest's seed
 */
export function sealed(file, print) {
    const result = turn.then(() => seal(file, print));
    turn = result.catch(() => null);
    return result;
}

/** @param {File} file @param {string} print */
async function seal(file, print) {
    const key = me?.event.sealed?.pageKey;
    const mine = seed();
    if (!me || !key) throw new ApiError(0, "unreachable", "nothing to seal to");
    if (!mine) throw cannot("this browser does not have the guest's seed");
    const { files, size } = await draw(file).catch(() => { throw cannot("the browser does not decode it"); });
    const [secret, recipient] = [importSecret(mine, unhex(me.event.id)), unhex(key)];
    const { nacl } = /** @type {any} */ (window);
    // If the worker does not load, the page seals the photo itself and is slow meanwhile. Some browsers have no such workers.
    const result = await inWorker({ files, size, secret, recipient })
        .catch(() => sealPhoto(nacl, files, size, secret, recipient))
        .catch((error) => { throw new ApiError(-1, "unreadable", String(error)); });
    await keepPicture(print, files.thumbnail);
    return result.slice(0, result.size, sealedType);
}

/** @param {string} why */
const cannot = (why) => new ApiError(422, "cannot-seal", why);

/** @param {File} file @returns {Promise<{files: import("./sealing.js").Files, size: {width: number, height: number}}>} */
async function draw(file) {
    if (file.type.startsWith("video/")) throw cannot("a video");
    const picture = await createImageBitmap(file);
    try {
        const scale = Math.min(1, Math.sqrt(limits.pixels / (picture.width * picture.height)));
        const whole = drawn(picture, Math.floor(picture.width * scale), Math.floor(picture.height * scale));
        checkCanvas();
        const original = await jpegOf(whole, .92);
        const preview = await smaller(whole, limits.preview);
        const thumbnail = await smaller(whole, limits.thumbnail);
        const size = { width: whole.width, height: whole.height };
        whole.width = whole.height = 0;
        return { files: { thumbnail, preview, original }, size };
    } finally {
        picture.close();
    }
}

/** @param {CanvasImageSource} picture @param {number} width @param {number} height */
function drawn(picture, width, height) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, width);
    canvas.height = Math.max(1, height);
    const pen = canvas.getContext("2d", { alpha: false });
    if (!pen) throw cannot("no canvas");
    pen.fillStyle = "white";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
}

/** Throws where the browser gives out noise in place of what was drawn, against fingerprints of it. */
function checkCanvas() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
    if (!pen) throw cannot("no canvas");
    pen.fillStyle = "rgb(200, 100, 50)";
    pen.fillRect(0, 0, 1, 1);
    const { data } = pen.getImageData(0, 0, 1, 1);
    if ([200, 100, 50].some((value, index) => Math.abs(data[index] - value) > 8)) throw cannot("no canvas that can be read");
}

/** @param {HTMLCanvasElement} canvas @param {number} quality @returns {Promise<Blob>} */
const jpegOf = (canvas, quality) => new Promise((resolve, reject) => canvas.toBlob((jpeg) =>
    jpeg?.type === "image/jpeg" ? resolve(jpeg) : reject(cannot("no JPEG")), "image/jpeg", quality));

/** @param {HTMLCanvasElement} whole @param {{side: number, bytes: number}} limit */
async function smaller(whole, { side, bytes }) {
    for (let most = side; most >= 16; most = Math.floor(most * .75)) {
        const scale = Math.min(1, most / Math.max(whole.width, whole.height));
        const canvas = drawn(whole, Math.round(whole.width * scale), Math.round(whole.height * scale));
        for (const quality of [.8, .65, .5]) {
            const jpeg = await jpegOf(canvas, quality);
            if (jpeg.size <= bytes) return jpeg;
        }
    }
    throw cannot("too large");
}

/** @type {{worker: Worker, waiting: Map<number, {resolve: (sealed: Blob) => void, reject: () => void}>}|null} */
let open = null;
let number = 0;

function opened() {
    if (open) return open;
    const waiting = new Map();
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onerror = () => {
        open = null;
        worker.terminate();
        for (const { reject } of waiting.values()) reject();
        waiting.clear();
    };
    worker.onmessage = ({ data }) => {
        const one = waiting.get(data.number);
        waiting.delete(data.number);
        if (data.sealed) one?.resolve(data.sealed);
        else one?.reject();
    };
    open = { worker, waiting };
    return open;
}

/** @param {object} photo @returns {Promise<Blob>} */
const inWorker = (photo) => new Promise((resolve, reject) => {
    const { worker, waiting } = opened();
    number += 1;
    waiting.set(number, { resolve, reject });
    worker.postMessage({ number, ...photo });
});
