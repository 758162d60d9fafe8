// SPDX-License-Identifier: Apache-2.0
// The cameras of this device, where browsers let pages use them. One is open at a time: most phones allow no more.

/** Milliseconds: the screen is white before a shot; a camera may take for a photo, and to show its first picture. */
const times = { flash: 350, shot: 4_000, picture: 8_000 };
/** Pixels of the longer side of a picture of two: phones limit what a page may draw. */
const sideMax = 4096;

/** @typedef {{hasFlash: boolean, light: (isOn: boolean) => void}} Light `light` makes the screen white */

export class Camera {
    /** @param {HTMLVideoElement} video shows what the camera sees */
    constructor(video) {
        this.video = video;
        /** @type {"environment"|"user"} */
        this.facing = "environment";
        /** @type {MediaStream|null} */
        this.stream = null;
        /** Counts openings, so that a camera that starts after it was closed is stopped. */
        this.generation = 0;
        /**
         * The photo that is being taken: it gets the camera that it began with.
         * @type {Promise<unknown>}
         */
        this.taking = Promise.resolve();
    }

    /** Whether the camera shows a picture: right after it was opened, or turned round, it does not. */
    get hasPicture() {
        const { video } = this;
        return this.stream !== null && video.readyState >= video.HAVE_CURRENT_DATA && video.videoWidth > 0;
    }

    /** Opens the camera on the other side next. */
    turn() {
        this.facing = this.facing === "user" ? "environment" : "user";
    }

    /** @returns {Promise<boolean>} whether it is open; no, if it was closed or opened again meanwhile; throws as browsers do */
    async open() {
        this.generation += 1;
        const number = this.generation;
        await this.taking;
        return number === this.generation && this.start(number);
    }

    async close() {
        this.generation += 1;
        const number = this.generation;
        await this.taking;
        if (number === this.generation) this.stop();
    }

    stop() {
        for (const track of this.stream?.getTracks() ?? []) track.stop();
        this.stream = null;
        this.video.srcObject = null;
    }

    /** @param {number} number the generation that this opening belongs to @returns {Promise<boolean>} */
    async start(number) {
        this.stop();
        const opened = await navigator.mediaDevices.getUserMedia({ audio: false,
            video: { facingMode: this.facing, width: { ideal: 4096 }, height: { ideal: 3072 } } });
        if (number !== this.generation) {
            for (const track of opened.getTracks()) track.stop();
            return false;
        }
        this.stream = opened;
        this.video.srcObject = opened;
        await this.video.play().catch(() => { /* it plays when it is in sight */ });
        return number === this.generation;
    }

    /** @param {Light} light @returns {Promise<File>} a JPEG; throws if the camera gives none */
    take(light) {
        return this.during(async () => fileOf(await this.still(light)));
    }

    /**
     * One picture of both sides: that of the open camera, with the other's in a corner. If the other does not open, the
     * picture is that of the first alone.
     * @param {Light} light
     * @param {() => void} turning is called when the first picture is taken
     * @returns {Promise<File>}
     */
    takeBoth(light, turning) {
        return this.during(async () => {
            const number = this.generation;
            const first = await this.still(light);
            turning();
            const second = await this.otherSide(number).catch(() => null);
            if (number === this.generation) await this.start(number).catch(() => { /* opening it again tells why */ });
            return fileOf(second ? await inset(first, second) : first);
        });
    }

    /** @param {number} number @returns {Promise<Blob>} */
    async otherSide(number) {
        this.turn();
        try {
            if (!await this.start(number)) throw new Error("the camera was closed");
            await within(times.picture, this.firstPicture());
            return await this.still({ hasFlash: false, light: () => {} });
        } finally {
            this.turn();
        }
    }

    /** @returns {Promise<void>} */
    firstPicture() {
        if (this.hasPicture) return Promise.resolve();
        return new Promise((resolve) => { this.video.addEventListener("loadeddata", () => resolve(), { once: true }); });
    }

    /** Keeps the camera open until the photo is there. @param {() => Promise<File>} take */
    during(take) {
        const file = take();
        this.taking = file.catch(() => { /* told to the one that takes it */ });
        return file;
    }

    /** @param {Light} light the phone's lamp is used, or else its screen @returns {Promise<Blob>} */
    async still({ hasFlash, light }) {
        const track = /** @type {MediaStream} */ (this.stream).getVideoTracks()[0];
        const lamp = hasFlash && /** @type {any} */ (track.getCapabilities?.() ?? {}).torch === true;
        const shine = (/** @type {boolean} */ isOn) => track.applyConstraints(
            /** @type {any} */ ({ advanced: [{ torch: isOn }] })).catch(() => { /* then without it */ });
        light(hasFlash && !lamp);
        try {
            if (lamp) await shine(true);
            if (hasFlash) await pause(times.flash);
            return await this.shot(track);
        } finally {
            if (lamp) await shine(false);
            light(false);
        }
    }

    /**
     * The camera's own photo where the browser gives it, which has more pixels than the film that it shows.
     * @param {MediaStreamTrack} track
     * @returns {Promise<Blob>}
     */
    async shot(track) {
        const Capture = /** @type {any} */ (window).ImageCapture;
        if (Capture) {
            const blob = await within(times.shot, new Capture(track).takePhoto()).catch(() => null);
            if (blob?.type === "image/jpeg") return blob;
        }
        const { video } = this;
        return draw(video.videoWidth, video.videoHeight, (context, width, height) => {
            context.drawImage(video, 0, 0, width, height);
        });
    }
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** @param {number} ms @param {Promise<any>} work @returns {Promise<any>} fails if the work takes longer */
const within = (ms, work) => Promise.race([work, pause(ms).then(() => { throw new Error("the camera takes too long"); })]);

/** @param {Blob} blob */
const fileOf = (blob) => new File([blob], `photo-${Date.now()}.jpg`, { type: "image/jpeg", lastModified: Date.now() });

/**
 * Two pictures as one: the second in the corner where text begins at the top left, in a frame like that of a slide.
 * @param {Blob} first
 * @param {Blob} second
 * @returns {Promise<Blob>}
 */
async function inset(first, second) {
    const [large, small] = await Promise.all([createImageBitmap(first), createImageBitmap(second)]);
    const scale = Math.min(1, sideMax / Math.max(large.width, large.height));
    return draw(large.width * scale, large.height * scale, (context, width, height) => {
        context.drawImage(large, 0, 0, width, height);
        const side = Math.min(width, height);
        const factor = side * .36 / Math.max(small.width, small.height);
        const [insetWidth, insetHeight, margin, frame] = [small.width * factor, small.height * factor, side * .03, side * .01];
        context.fillStyle = "#fff8ec";
        context.fillRect(margin, margin, insetWidth + 2 * frame, insetHeight + 2 * frame);
        context.drawImage(small, margin + frame, margin + frame, insetWidth, insetHeight);
    });
}

/**
 * @param {number} width pixels
 * @param {number} height pixels
 * @param {(context: CanvasRenderingContext2D, width: number, height: number) => void} paint
 * @returns {Promise<Blob>} a JPEG
 */
function draw(width, height, paint) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(width), Math.round(height)];
    const context = canvas.getContext("2d");
    if (context) paint(context, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("no picture")), "image/jpeg", 0.92);
    });
}
