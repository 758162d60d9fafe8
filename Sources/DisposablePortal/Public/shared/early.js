// SPDX-License-Identifier: Apache-2.0
// Photos whose originals are still on their way (protocol/guest-api.md §5): their previews stand in front of the
// gallery's photos until the photos themselves are there.
import { base, call } from "./api.js";
import { make } from "./dom.js";
import { text } from "./text.js";

/** @typedef {{id: string, author: string, authorName: string|null, isMine: boolean, addedAt: number, width: number,
 *     height: number}} Early */

/** How long a preview waits for its photo after the node has it. Milliseconds. */
const patience = 5_000;

/** @param {string} id @param {"thumbnail"|"preview"} what */
export const earlyURL = (id, what) => `${base}early/${id}/${what}`;

/** @returns {Promise<Early[]>} newest first; none where the node does not say */
export const allEarly = () => call("GET", "api/early").then((answer) => answer.photos, () => []);

export class EarlyTiles {
    /**
     * @param {import("../guest/gallery/gallery.js").Grid} grid
     * @param {(photo: string) => boolean} isThere whether a photo is in the gallery
     */
    constructor(grid, isThere) {
        this.grid = grid;
        this.isThere = isThere;
        /** @type {Map<string, HTMLElement>} */
        this.tiles = new Map();
        /**
         * Previews whose photos are there but not in this gallery yet, by photo.
         * @type {Map<string, string>}
         */
        this.replaced = new Map();
    }

    /** Asks for all of them. */
    async reload() {
        const all = await allEarly();
        for (const id of this.tiles.keys()) if (!all.some((one) => one.id === id)) this.drop(id);
        for (const early of all.reverse()) this.show(early);
    }

    /** @param {Early} early */
    show(early) {
        if (this.tiles.has(early.id)) return;
        const name = early.authorName ?? text.guest;
        const image = make("img", { src: earlyURL(early.id, "thumbnail"), alt: text.gallery.earlyAlt(name),
            decoding: "async", width: early.width || 320, height: early.height || 320 });
        image.addEventListener("error", () => this.drop(early.id), { once: true });
        const tile = make("li", { class: "tile upload early" }, image,
            make("span", { class: "frame waiting", "aria-hidden": "true" }, text.gallery.early));
        this.tiles.set(early.id, tile);
        this.grid.putHead(tile, this.grid.head[0] ?? null);
    }

    /** The preview is shown no more. @param {{id: string, photo: string|null}} gone */
    gone({ id, photo }) {
        if (!photo || this.isThere(photo)) return this.drop(id);
        this.replaced.set(photo, id);
        setTimeout(() => this.arrived(photo), patience);
    }

    /** A photo is in the gallery now. @param {string} photo */
    arrived(photo) {
        const id = this.replaced.get(photo);
        this.replaced.delete(photo);
        if (id) this.drop(id);
    }

    /** @param {string} id */
    drop(id) {
        const tile = this.tiles.get(id);
        this.tiles.delete(id);
        if (tile) this.grid.dropHead(tile);
    }
}
