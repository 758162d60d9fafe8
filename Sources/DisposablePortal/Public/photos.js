// SPDX-License-Identifier: Apache-2.0
// A list of photos, newest first, that grows at its end page by page and changes live.
import { call } from "./api.js";

/** @typedef {{id: string, author: string, authorName: string|null, isMine: boolean, caption: string|null,
 *     state: "frame"|"sealed"|"waiting", frame: number|null, addedAt: number, takenAt: number|null, width: number,
 *     height: number, mediaType: string, byteCount: number|null, has: string[], commentCount: number,
 *     reactions: {emoji: string, count: number, isMine: boolean}[]}} Photo */
/** @typedef {{type: "reset"}|{type: "append", photos: Photo[]}|{type: "insert", photo: Photo, index: number}
 *     |{type: "change", photo: Photo}|{type: "remove", photo: Photo}} Change */

/** @param {Photo} photo */
export const isVideo = (photo) => photo.mediaType.startsWith("video/");

/** @param {Photo} photo */
export const heartsOf = (photo) => photo.reactions.find(({ emoji }) => emoji === "\u2764")?.count ?? 0;

export class PhotoList {
    /** @param {boolean} isMine only this guest's own, with those that wait for a frame */
    constructor(isMine) {
        this.isMine = isMine;
        /** @type {Photo[]} */
        this.photos = [];
        /** @type {Map<string, Photo>} */
        this.byID = new Map();
        /** All there are, loaded or not. */
        this.count = 0;
        /** @type {"newest"|"loved"} */
        this.order = "newest";
        /** Whether every photo is loaded. */
        this.isComplete = false;
        /**
         * Taken back a moment ago: gone for this guest, still there for the node.
         * @type {Set<string>}
         */
        this.hidden = new Set();
        /** @type {((change: Change) => void)[]} */
        this.listeners = [];
        /** @type {string|null} */
        this.next = null;
        /** @type {Promise<void>|null} */
        this.loading = null;
        this.generation = 0;
        /**
         * What happens while everything is looked at anew: the answer may be from before it.
         * @type {(() => void)[]|null}
         */
        this.missed = null;
    }

    /** @param {Change} change */
    tell(change) {
        for (const listener of this.listeners) listener(change);
    }

    /** Looks at everything anew. Throws `ApiError`. */
    async reload() {
        this.generation += 1;
        this.loading = null;
        const generation = this.generation;
        /** @type {(() => void)[]} */
        const missed = [];
        this.missed = missed;
        const page = await call("GET", `api/photos?limit=60${this.isMine ? "&mine=1" : ""}`).finally(() => {
            if (this.missed === missed) this.missed = null;
        });
        if (generation !== this.generation) return;
        this.photos = [];
        this.byID.clear();
        const { order } = this;
        this.order = "newest";
        this.take(page);
        this.tell({ type: "reset" });
        for (const again of missed) again();
        if (order !== this.order) await this.sort(order);
    }

    /**
     * The page sorts by hearts itself, once it has every photo: pages in an order that changes with every tap on a heart
     * would skip photos and bring others twice. What is said of a photo changes nothing's place until the next call, since
     * tiles would move away from under the finger. Throws `ApiError`.
     * @param {"newest"|"loved"} order
     */
    async sort(order) {
        const generation = this.generation;
        while (order === "loved" && this.next) {
            await this.loadMore(200);
            if (generation !== this.generation) return;
        }
        this.order = order;
        this.photos.sort((one, other) => this.goesBefore(one, other) ? this.goesBefore(other, one) ? 0 : -1 : 1);
        this.tell({ type: "reset" });
    }

    /**
     * Whether a photo stands before another, or may.
     * @param {Photo} photo
     * @param {Photo} other
     */
    goesBefore(photo, other) {
        const more = this.order === "loved" ? heartsOf(photo) - heartsOf(other) : 0;
        return more > 0 || (more === 0 && photo.addedAt >= other.addedAt);
    }

    /**
     * The next page. Throws `ApiError`.
     * @param {number} [limit]
     */
    loadMore(limit = 60) {
        if (this.isComplete || !this.next) return Promise.resolve();
        const generation = this.generation;
        this.loading ??= call("GET", `api/photos?limit=${limit}&before=${this.next}${this.isMine ? "&mine=1" : ""}`)
            .then((page) => {
            if (generation !== this.generation) return;
            this.loading = null;
            this.tell({ type: "append", photos: this.take(page) });
        }, (error) => {
            this.loading = null;
            throw error;
        });
        return this.loading;
    }

    /** @param {{photos: Photo[], next: string|null, count: number}} page @returns {Photo[]} those that were not here */
    take(page) {
        const fresh = page.photos.filter((photo) => !this.byID.has(photo.id));
        for (const photo of fresh) {
            this.photos.push(photo);
            this.byID.set(photo.id, photo);
        }
        this.next = page.next;
        this.isComplete = page.next === null;
        this.count = page.count;
        return fresh;
    }

    /**
     * A photo is new, or is not what it was.
     * @param {Photo} photo
     * @returns {boolean} whether it is new
     */
    put(photo) {
        this.missed?.push(() => this.put(photo));
        if (this.isMine && !photo.isMine) return false;
        if (!this.isMine && photo.state !== "frame") {
            this.drop(photo.id);
            return false;
        }
        const known = this.byID.get(photo.id);
        if (known) {
            Object.assign(known, photo);
            this.tell({ type: "change", photo: known });
            return false;
        }
        let index = this.photos.findIndex((other) => this.goesBefore(photo, other));
        if (index < 0) index = this.photos.length;
        // Older than all that is loaded: it comes with its page, which counts it.
        if (index === this.photos.length && !this.isComplete) return false;
        this.count += 1;
        this.photos.splice(index, 0, photo);
        this.byID.set(photo.id, photo);
        this.tell({ type: "insert", photo, index });
        return true;
    }

    /** @param {string} id */
    drop(id) {
        this.missed?.push(() => this.drop(id));
        this.hidden.delete(id);
        const photo = this.byID.get(id);
        if (!photo) return;
        this.count -= 1;
        this.byID.delete(id);
        this.photos.splice(this.photos.indexOf(photo), 1);
        this.tell({ type: "remove", photo });
    }

    /**
     * Hides a photo that is being taken back, or shows it again.
     * @param {string} id
     * @param {boolean} isHidden
     */
    hide(id, isHidden) {
        if (isHidden) this.hidden.add(id);
        else this.hidden.delete(id);
        const photo = this.byID.get(id);
        if (photo) this.tell({ type: "change", photo });
    }

    /** Those to be seen. */
    get visible() {
        return this.hidden.size ? this.photos.filter((photo) => !this.hidden.has(photo.id)) : this.photos;
    }

    /** How many there are to be seen, loaded or not. */
    get visibleCount() {
        return Math.max(0, this.count - [...this.hidden].filter((id) => this.byID.has(id)).length);
    }
}
