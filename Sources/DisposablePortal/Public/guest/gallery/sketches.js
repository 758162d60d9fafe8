// SPDX-License-Identifier: Apache-2.0
// Small pictures of picked files, if they are cheap to draw.
import { make } from "../../shared/dom.js";

const limits = { count: 24, bytes: 16e6, pixels: 256 };
/** Sequential, since each needs a whole decoded photo in memory for a moment. */
let turn = Promise.resolve();
let count = 0;

/**
 * Draws the middle of a photo as a square in `place`; if it cannot be drawn, `place` stays unchanged.
 * @param {File|null} file
 * @param {HTMLElement} place
 * @param {() => Promise<boolean>} isWanted called when its turn has come
 */
export function sketch(file, place, isWanted) {
    if (!file || typeof createImageBitmap !== "function" || count >= limits.count || file.size > limits.bytes
        || !/^image\/(jpeg|png|webp)$/.test(file.type)) return;
    count += 1;
    turn = turn.then(async () => {
        if (!await isWanted()) return;
        const bitmap = await createImageBitmap(file, { resizeWidth: limits.pixels, resizeQuality: "low" });
        const canvas = make("canvas", { width: limits.pixels, height: limits.pixels, "aria-hidden": "true" });
        const scale = limits.pixels / Math.min(bitmap.width, bitmap.height);
        const [width, height] = [bitmap.width * scale, bitmap.height * scale];
        canvas.getContext("2d").drawImage(bitmap, (limits.pixels - width) / 2, (limits.pixels - height) / 2, width, height);
        bitmap.close();
        place.replaceChildren(canvas);
    }).catch(() => { /* a neutral tile does as well */ }).finally(() => { count -= 1; });
}
