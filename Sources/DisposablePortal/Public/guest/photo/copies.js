// SPDX-License-Identifier: Apache-2.0
// Copies of a photo for saving, beside the original: a JPEG of what is in another format, and one in the colours of an old
// film, as the page shows it (style.css). The file of the party stays as it was taken. Loaded with the first photo of which
// there is a copy.
import { photoURL } from "../../shared/api.js";
import { find, make, toast } from "../../shared/dom.js";
import { maySave } from "../../shared/options.js";
import { isVideo } from "../../shared/photos.js";
import { loadTexts } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @type {typeof import("../../texts/copies/en.js").english} */
let words;
/** The longest side of a copy: phones refuse to draw on more. Pixels. */
const sideMax = 4096;
/** The rows that are coloured at once. */
const strip = 256;

/**
 * Shows the ways to the copies beside "Save": of a picture that is no JPEG, and while the page has the colours of an old film.
 * @param {Photo} photo
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showCopies(photo, isShown) {
    words ??= await loadTexts("copies");
    if (!isShown()) return;
    find("photo-copies")?.remove();
    if (isVideo(photo) || !maySave(photo)) return;
    const name = photo.id.slice(0, 8);
    const copies = [];
    if (photo.mediaType !== "image/jpeg" && photo.has.includes("preview")) {
        copies.push(make("a", { class: "plain", href: photoURL(photo.id, "preview"), download: `${name}.jpg` }, words.jpeg));
    }
    if (document.documentElement.dataset.film && photo.has.includes("original")) copies.push(filmCopy(photo, `${name}-film.jpg`));
    if (copies.length) find("photo-save").after(make("span", { id: "photo-copies", class: "row" }, ...copies));
}

/** @param {Photo} photo @param {string} name of the file */
function filmCopy(photo, name) {
    const button = make("button", { type: "button", class: "plain", click: async () => {
        button.disabled = true;
        try {
            save(await developed(photo), name);
        } catch { toast(words.failed); }
        button.disabled = false;
    } }, words.film);
    return button;
}

/**
 * One matrix for sepia(.35) contrast(1.08) saturate(1.3), by the tables of the Filter Effects specification, and what is added.
 * @returns {{rows: number[][], added: number}} `added`: to each colour, of 255
 */
export function colours() {
    const [sepia, contrast, saturation] = [.35, 1.08, 1.3];
    const between = (/** @type {number[][]} */ matrix, /** @type {number} */ part) => matrix.map((row, index) =>
        row.map((value, column) => value * part + (index === column ? 1 - part : 0)));
    const brown = between([[.393, .769, .189], [.349, .686, .168], [.272, .534, .131]], sepia);
    const grey = [.213, .715, .072];
    const vivid = between([grey, grey, grey], 1 - saturation);
    const rows = vivid.map((row) => [0, 1, 2].map((column) =>
        contrast * row.reduce((sum, value, index) => sum + value * brown[index][column], 0)));
    // Each row of `vivid` adds up to one.
    return { rows, added: 255 * (1 - contrast) / 2 };
}

/** @param {Photo} photo @returns {Promise<Blob>} a JPEG file, turned as the page shows it */
async function developed(photo) {
    const image = make("img", { src: photoURL(photo.id, "original"), alt: "" });
    await image.decode();
    const turn = photo.turn ?? 0;
    const scale = Math.min(1, sideMax / Math.max(image.naturalWidth, image.naturalHeight));
    const [across, down] = [image.naturalWidth, image.naturalHeight].map((side) => Math.round(side * scale));
    const [width, height] = turn % 180 ? [down, across] : [across, down];
    const canvas = make("canvas", { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.translate(width / 2, height / 2);
    context.rotate(turn * Math.PI / 180);
    context.drawImage(image, -across / 2, -down / 2, across, down);
    const { rows: [red, green, blue], added } = colours();
    for (let top = 0; top < height; top += strip) {
        const part = context.getImageData(0, top, width, Math.min(strip, height - top));
        const { data } = part;
        for (let at = 0; at < data.length; at += 4) {
            const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
            data[at] = red[0] * r + red[1] * g + red[2] * b + added;
            data[at + 1] = green[0] * r + green[1] * g + green[2] * b + added;
            data[at + 2] = blue[0] * r + blue[1] * g + blue[2] * b + added;
        }
        context.putImageData(part, 0, top);
    }
    return new Promise((resolve, reject) => canvas.toBlob((/** @type {Blob|null} */ blob) => blob ? resolve(blob) : reject(new Error("no file")),
        "image/jpeg", .92));
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
    const href = URL.createObjectURL(blob);
    make("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
