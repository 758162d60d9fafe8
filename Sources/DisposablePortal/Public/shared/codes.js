// SPDX-License-Identifier: Apache-2.0
// QR codes, drawn in the page: the content of a return link never leaves it.
import { make } from "./dom.js";

/** Modules that stay white on each side (ISO/IEC 18004). */
const QUIET = 4;

let loading = null;

/** The encoder is large and rarely needed, so it is loaded on demand. */
function encoder() {
    loading ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = "/qrcode.js";
        script.onload = () => resolve(globalThis.qrcode);
        script.onerror = () => {
            loading = null;
            reject(new Error("qrcode.js"));
        };
        document.head.append(script);
    });
    return loading;
}

/**
 * Draws `link` on the canvas, black on white in either theme; hides it if this node has no encoder.
 * @param {HTMLCanvasElement} canvas
 * @param {string} link
 */
export async function drawCode(canvas, link) {
    canvas.hidden = true;
    let code;
    try {
        code = (await encoder())(0, "M");
        code.addData(link);
        code.make();
    } catch {
        return;
    }
    const count = code.getModuleCount();
    const scale = Math.max(3, Math.floor(480 / (count + 2 * QUIET)));
    canvas.width = canvas.height = (count + 2 * QUIET) * scale;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#000";
    for (let y = 0; y < count; y += 1) {
        for (let x = 0; x < count; x += 1) {
            if (code.isDark(y, x)) pen.fillRect((x + QUIET) * scale, (y + QUIET) * scale, scale, scale);
        }
    }
    canvas.hidden = false;
}

/**
 * A code that is drawn once somebody unfolds it, for another phone, or for later.
 * @param {string} address @param {string} label
 */
export function foldedCode(address, label) {
    const canvas = make("canvas", { class: "code-picture", role: "img", "aria-label": `${label}: ${address}`, hidden: true });
    return make("details", { toggle: () => drawCode(canvas, address) }, make("summary", {}, label), canvas);
}
