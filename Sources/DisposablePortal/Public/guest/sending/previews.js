// SPDX-License-Identifier: Apache-2.0
// A small picture of a photo, made on the phone: it is sent before the original, so that everybody sees the photo
// within a second also where the original takes a minute.

/** The long side in pixels; bytes aimed at, and at most; files and pictures that are decoded here at most. */
const limits = { side: 1280, bytes: 100e3, bytesMax: 250e3, fileBytes: 24e6, unknownBytes: 4e6, pixels: 26e6 };
/** So many bytes of a JPEG have its size in pixels, in front of which a camera may put its own preview. */
const headBytes = 256 * 1024;
const startOfFrame = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/**
 * The number of pixels of a JPEG or PNG, from its first bytes.
 * @param {Uint8Array} bytes
 * @returns {number|null} `null` where that is not known
 */
export function pixelsOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47) return view.getUint32(16) * view.getUint32(20);
    if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
    for (let place = 2; place + 9 <= bytes.length && bytes[place] === 0xff;) {
        const marker = bytes[place + 1];
        if (startOfFrame.has(marker)) return view.getUint16(place + 5) * view.getUint16(place + 7);
        place += marker === 0xff ? 1 : 2 + view.getUint16(place + 2);
    }
    return null;
}

/**
 * Whether the phone's memory is enough to decode a file: a picture of 26 million pixels takes 100 MB.
 * @param {File} file
 * @returns {Promise<boolean>}
 */
async function isSmallEnough(file) {
    if (file.size > limits.fileBytes) return false;
    const pixels = pixelsOf(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()));
    return pixels === null ? file.size <= limits.unknownBytes : pixels <= limits.pixels;
}

/**
 * Called for one file after the other, since each is a whole photo in memory for a moment.
 * @param {File} file
 * @param {() => boolean} isWanted whether it still is, asked before each step that takes long
 * @returns {Promise<Blob|null>} a JPEG; `null` where this browser cannot make one, or not cheaply, or it is not wanted
 */
export async function previewOf(file, isWanted) {
    if (typeof createImageBitmap !== "function" || file.type.startsWith("video/")) return null;
    try {
        if (!await isSmallEnough(file) || !isWanted()) return null;
        const bitmap = await createImageBitmap(file);
        if (!isWanted()) {
            bitmap.close();
            return null;
        }
        const scale = Math.min(1, limits.side / Math.max(bitmap.width, bitmap.height));
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(bitmap.width * scale));
        canvas.height = Math.max(1, Math.round(bitmap.height * scale));
        const pen = canvas.getContext("2d", { alpha: false });
        if (pen) {
            pen.fillStyle = "white";
            pen.fillRect(0, 0, canvas.width, canvas.height);
            pen.imageSmoothingQuality = "high";
            pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        }
        bitmap.close();
        let size = 0;
        for (const quality of pen ? [.75, .6, .45, .3] : []) {
            // More than half of the bytes of the first quality are left at this one.
            if (quality === .6 && size > 2 * limits.bytes) continue;
            /** @type {Blob|null} */
            const jpeg = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
            if (!jpeg || jpeg.type !== "image/jpeg" || !isWanted()) return null;
            ({ size } = jpeg);
            if (size <= limits.bytes || (quality === .3 && size <= limits.bytesMax)) return jpeg;
        }
    } catch { /* this browser does not decode it */ }
    return null;
}
