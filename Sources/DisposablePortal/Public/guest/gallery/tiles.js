// SPDX-License-Identifier: Apache-2.0
// The tiles of a gallery's photos: made when their place comes near the screen, and let go of when it has gone.
import { photoURL } from "../../shared/api.js";
import { icon, make } from "../../shared/dom.js";
import { heartsOf, isVideo, PhotoList } from "../../shared/photos.js";
import { pictureOf } from "../sending/sent.js";
import { text } from "../../shared/text.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** @param {Photo} photo */
export const altOf = (photo) => text.gallery.alt(photo.authorName ?? text.guest, photo.takenAt ?? photo.addedAt,
    isVideo(photo));

/**
 * @param {Photo} photo
 * @returns {string|null} the address of its thumbnail: the node's, or that of this browser for a photo that it has sealed
 */
export const thumbnailOf = (photo) => photo.has.includes("thumbnail") ? photoURL(photo.id, "thumbnail")
    : photo.state === "sealed" ? pictureOf(photo.id) : null;

/** A thumbnail that did not load, as from a node that restarts, is requested again after these, up to twice as long. */
const retrySeconds = [1, 5, 30, 120];

export class Tiles {
    /**
     * @param {PhotoList} list
     * @param {{open: (photo: Photo, event: MouseEvent) => void, chosen: () => Map<string, Photo>|null}} owner
     *     `chosen`: the chosen photos, `null` while none can be chosen
     */
    constructor(list, owner) {
        this.list = list;
        this.owner = owner;
        /** @type {Map<string, HTMLElement>} */
        this.tiles = new Map();
        /**
         * Photos that come up as in a tray of developer, once.
         * @type {Set<string>}
         */
        this.developing = new Set();
    }

    /** @param {Photo} photo @returns {HTMLElement} its tile, as the photo is now */
    of(photo) {
        const known = this.tiles.get(photo.id);
        if (known) return known;
        const tile = make("li", { class: "tile" });
        this.tiles.set(photo.id, tile);
        this.fill(tile, photo);
        if (this.developing.delete(photo.id)) develop(tile);
        return tile;
    }

    /** @param {string} id @returns {HTMLElement|undefined} */
    find(id) {
        return this.tiles.get(id);
    }

    /** @param {Photo} photo that is not what it was */
    refresh(photo) {
        const tile = this.tiles.get(photo.id);
        if (tile) this.fill(tile, photo);
    }

    /** @param {string} id */
    drop(id) {
        this.tiles.get(id)?.remove();
        this.tiles.delete(id);
        this.developing.delete(id);
    }

    clear() {
        this.tiles.clear();
        this.developing.clear();
    }

    /** Forgets the tiles that are on no sheet any longer. */
    sweep() {
        for (const [id, tile] of this.tiles) if (!tile.isConnected) this.tiles.delete(id);
    }

    /** Shows on every tile whether its photo is chosen. */
    mark() {
        for (const [id, tile] of this.tiles) {
            const photo = this.list.byID.get(id);
            if (photo && tile.firstChild) this.markTile(/** @type {HTMLElement} */ (tile.firstChild), photo);
        }
    }

    /** @param {HTMLElement} tile @param {Photo} photo */
    fill(tile, photo) {
        const alt = altOf(photo);
        tile.hidden = this.list.hidden.has(photo.id);
        const thumbnail = thumbnailOf(photo);
        const state = `${alt}|${thumbnail}|${photo.state}|${photo.frame}|${photo.moment?.late}|${photo.turn}|${photo.event}`;
        let button = /** @type {any} */ (tile.firstChild);
        if (button && tile.dataset.state === state) return this.markTile(button, photo);
        tile.dataset.state = state;
        if (!button) {
            button = make("button", { type: "button", tabindex: -1 });
            button.addEventListener("click", (/** @type {MouseEvent} */ event) => this.owner.open(photo, event));
            tile.append(button);
        }
        button.replaceChildren(thumbnail ? this.picture(photo, alt, thumbnail) : this.neutral(photo, alt));
        if (isVideo(photo)) button.append(make("span", { class: "badge" }, icon("play")));
        if (photo.moment) {
            button.append(make("span", { class: photo.moment.late ? "moment is-late" : "moment" },
                photo.moment.late ? text.moment.late : text.moment.name));
        }
        // A photo of another event, whose gallery is joined with this one.
        if (photo.event) button.append(make("span", { class: "frame origin" }, photo.event));
        if (this.list.isMine) {
            const isHeld = ["waiting", "pending", "veiled"].includes(photo.state);
            button.append(make("span", { class: isHeld ? "frame waiting" : "frame" }, photo.state === "waiting"
                ? text.mine.waiting : photo.state === "pending" ? text.mine.pending : photo.state === "veiled" ? text.mine.veiled : String(photo.frame ?? "")));
        }
        this.markTile(button, photo);
    }

    /** @param {Photo} photo @param {string} alt @param {string} src @param {number} failures so far */
    picture(photo, alt, src, failures = 0) {
        const image = make("img", { src, alt, loading: "lazy", decoding: "async",
            "data-turn": photo.turn || null, width: photo.width || 320, height: photo.height || 320 });
        image.addEventListener("error", () => {
            const neutral = this.neutral(photo, alt);
            image.replaceWith(neutral);
            if (failures === retrySeconds.length) return;
            setTimeout(() => {
                if (neutral.isConnected) neutral.replaceWith(this.picture(photo, alt, src, failures + 1));
            }, 1000 * retrySeconds[failures] * (1 + Math.random()));
        }, { once: true });
        return image;
    }

    /**
     * What stands for a photo that cannot be shown, yet or here.
     * @param {Photo} photo
     * @param {string} alt
     */
    neutral(photo, alt) {
        if (photo.state === "veiled") return make("span", { class: "neutral" }, icon("close"), make("span", {}, text.gallery.veiled));
        if (photo.state === "sealed") {
            return make("span", { class: "neutral", role: "img", "aria-label": `${alt}. ${text.sealed.own}` }, icon("film"),
                make("span", { "aria-hidden": "true" }, text.sealed.own));
        }
        const isFilm = isVideo(photo);
        const isComing = !isFilm && photo.mediaType !== "image/heic" && photo.mediaType.startsWith("image/");
        const place = make("span", { class: "neutral", role: "img", "aria-label": alt },
            icon(isFilm ? "film" : isComing ? "camera" : "file"),
            make("span", { "aria-hidden": "true" },
                isFilm ? text.gallery.video : isComing ? text.gallery.developing : text.gallery.file));
        if (isFilm && photo.has.includes("original") && !/** @type {any} */ (navigator).connection?.saveData) {
            import("./stills.js").then(({ showStill }) => showStill(photo, place), () => null);
        }
        return place;
    }

    /** @param {HTMLElement} button @param {Photo} photo */
    markTile(button, photo) {
        const count = heartsOf(photo);
        button.querySelector(".hearts")?.remove();
        if (count) {
            button.append(make("span", { class: "hearts" }, make("span", { "aria-hidden": "true" }, `♥\uFE0E ${count}`),
                make("span", { class: "offscreen" }, text.gallery.hearts(count))));
        }
        const chosen = this.owner.chosen();
        if (chosen) button.setAttribute("aria-pressed", String(chosen.has(photo.id)));
        else button.removeAttribute("aria-pressed");
    }
}

/** @param {HTMLElement} tile */
function develop(tile) {
    tile.classList.add("new");
    for (const name of ["animationend", "animationcancel"]) {
        tile.addEventListener(name, () => tile.classList.remove("new"), { once: true });
    }
}
