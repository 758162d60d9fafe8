// SPDX-License-Identifier: Apache-2.0
// A list of photos, newest first, that loads page by page and changes live.
import { call } from "./api.js";

/** @typedef {{id: string, author: string, authorName: string|null, isMine: boolean, caption: string|null,
 *     state: "frame"|"plan"|"sealed"|"pending"|"veiled"|"waiting", frame: number|null, addedAt: number, takenAt: number|null, width: number,
 *     height: number, mediaType: string, byteCount: number|null, has: string[], commentCount: number,
 *     reactions: {emoji: string, count: number, isMine: boolean}[], isHighlight?: boolean,
 *     moment?: {day: number, late: boolean}|null, mission?: {id: number, text: string}|null, zone?: string|null,
 *     spot?: {x: number, y: number}|null, turn?: number, isEarly?: boolean, event?: string}} Photo
 *     `isEarly`: its original is on its way, and `id` is that of its preview; `event`: the name of the other event that it is of */
/** @typedef {{type: "reset"}|{type: "append", photos: Photo[]}|{type: "insert", photo: Photo, index: number}
 *     |{type: "change", photo: Photo}|{type: "remove", photo: Photo}} Change */

/** @typedef {"newest"|"taken"|"loved"|"highlights"} Order by arrival, by the time of the camera, by hearts */

/** @param {Photo} photo the time at which it was taken, as far as that is known; milliseconds since 1970 */
const timeOf = ({ takenAt, addedAt }) => takenAt ?? addedAt;

/** Whether the order of arrival is not that in which photos were taken. @param {Photo[]} photos newest first */
export const isMixed = (photos) => photos.some((photo, index) => index > 0 && timeOf(photo) > timeOf(photos[index - 1]));

/** Whether the page sorts the photos itself, which takes all of them. @param {Order} order */
const isOwn = (order) => order === "loved" || order === "taken";

/** @param {Photo} photo */
export const isVideo = (photo) => photo.mediaType.startsWith("video/");

/** @param {Photo} photo */
const heart = (photo) => photo.reactions.find(({ emoji }) => emoji === "\u2764");

/** @param {Photo} photo */
export const heartsOf = (photo) => heart(photo)?.count ?? 0;

/** @param {Photo} photo */
export const isLovedByMe = (photo) => heart(photo)?.isMine === true;

/** What selects the photos of a moment, in place of an author. @param {number} day */
export const momentOf = (day) => `moment-${day}`;

/** The same of a mission. @param {number} id */
export const missionOf = (id) => `mission-${id}`;

/** The same of a zone. @param {string} name */
export const zoneOf = (name) => `zone-${encodeURIComponent(name)}`;

export class PhotoList {
    /**
     * @param {boolean} isMine only this guest's own, with those that wait for a frame
     * @param {string|null} [author] only those of the author with this id, of the moment (`momentOf`), of the mission
     *     (`missionOf`), or of the zone (`zoneOf`); "" for nobody yet
     */
    constructor(isMine, author = null) {
        this.isMine = isMine;
        this.author = author;
        /** @type {Photo[]} */
        this.photos = [];
        /** @type {Map<string, Photo>} */
        this.byID = new Map();
        /** The number of all photos, loaded or not. */
        this.count = 0;
        /** The time of the first of all photos, loaded or not. @type {number|null} */
        this.earliest = null;
        /** The number of all photos while only the highlights are listed. */
        this.wholeCount = 0;
        /** @type {Order} The last one has the host's highlights only, newest first. */
        this.order = "newest";
        /** Whether every photo is loaded. */
        this.isComplete = false;
        /**
         * Photos whose deletion is pending: removed for this guest, still there for the node.
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
         * Changes during a reload: the answer may be older.
         * @type {(() => void)[]|null}
         */
        this.missed = null;
    }

    /** @param {Change} change */
    tell(change) {
        for (const listener of this.listeners) listener(change);
    }

    /** @param {string} author an id, a moment, a mission or a zone; the next reload loads these photos */
    of(author) {
        this.author = author;
        this.generation += 1;
        this.loading = null;
        this.photos = [];
        this.byID.clear();
        [this.count, this.next, this.isComplete] = [0, null, false];
        this.order = "newest";
        this.tell({ type: "reset" });
    }

    /** The part of a query that selects these photos. */
    get query() {
        if (this.isMine) return "&mine=1";
        if (this.author?.includes("-")) return `&${this.author.replace("-", "=")}`;
        return this.author ? `&author=${this.author}` : this.order === "highlights" ? "&highlights=1" : "";
    }

    /** Whether the photo is one of the author, the moment, the mission or the zone. @param {Photo} photo */
    selects(photo) {
        return this.author === null || photo.author === this.author
            || (photo.moment != null && momentOf(photo.moment.day) === this.author)
            || (photo.mission != null && missionOf(photo.mission.id) === this.author)
            || (photo.zone != null && zoneOf(photo.zone) === this.author);
    }

    /** Loads everything again. Throws `ApiError`. */
    async reload() {
        if (this.author === "") return;
        this.generation += 1;
        this.loading = null;
        const generation = this.generation;
        /** @type {(() => void)[]} */
        const missed = [];
        this.missed = missed;
        const page = await call("GET", `api/photos?limit=60${this.query}&veiled=1`).finally(() => {
            if (this.missed === missed) this.missed = null;
        });
        if (generation !== this.generation) return;
        this.photos = [];
        this.byID.clear();
        const { order } = this;
        if (isOwn(order)) this.order = "newest";
        this.take(page);
        this.tell({ type: "reset" });
        for (const again of missed) again();
        if (order !== this.order) await this.sort(order);
    }

    /**
     * The page sorts by hearts and by times itself, once it has every photo: pages in an order that changes with every heart would
     * skip photos and repeat others. Changes of a photo do not move it until the next call, since tiles would move away
     * from under the finger. Throws `ApiError`.
     * @param {Order} order
     */
    async sort(order) {
        if ((order === "highlights") !== (this.order === "highlights")) {
            this.order = isOwn(order) ? "newest" : order;
            await this.reload();
            if (this.order === order) return;
        }
        const generation = this.generation;
        while (isOwn(order) && this.next) {
            await this.loadMore(200);
            if (generation !== this.generation) return;
        }
        this.order = order;
        this.photos.sort((one, other) => this.goesBefore(one, other) ? this.goesBefore(other, one) ? 0 : -1 : 1);
        this.tell({ type: "reset" });
    }

    /**
     * Whether a photo precedes another, or may.
     * @param {Photo} photo
     * @param {Photo} other
     */
    goesBefore(photo, other) {
        const more = this.order === "loved" ? heartsOf(photo) - heartsOf(other)
            : this.order === "taken" ? timeOf(photo) - timeOf(other) : 0;
        return more > 0 || (more === 0 && photo.addedAt >= other.addedAt);
    }

    /**
     * Loads the next page. Throws `ApiError`.
     * @param {number} [limit]
     */
    loadMore(limit = 60) {
        if (this.isComplete || !this.next) return Promise.resolve();
        const generation = this.generation;
        this.loading ??= call("GET", `api/photos?limit=${limit}&before=${this.next}${this.query}&veiled=1`)
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

    /** @param {{photos: Photo[], next: string|null, count: number, earliest?: number|null}} page @returns {Photo[]} the new ones */
    take(page) {
        const fresh = page.photos.filter((photo) => !this.byID.has(photo.id));
        for (const photo of fresh) {
            this.photos.push(photo);
            this.byID.set(photo.id, photo);
        }
        this.next = page.next;
        this.isComplete = page.next === null;
        this.count = page.count;
        this.earliest = page.earliest ?? null;
        if (this.order !== "highlights") this.wholeCount = page.count;
        return fresh;
    }

    /**
     * Adds or updates a photo.
     * @param {Photo} photo
     * @returns {boolean} whether it is new
     */
    put(photo) {
        this.missed?.push(() => this.put(photo));
        if (this.isMine && !photo.isMine) return false;
        if (!this.selects(photo)) {
            this.drop(photo.id);
            return false;
        }
        if (!this.isMine && photo.state !== "frame" && photo.state !== "veiled") {
            this.drop(photo.id);
            return false;
        }
        if (this.order === "highlights" && !photo.isHighlight) {
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
        // Older than all loaded ones: it arrives with its page, which counts it.
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
     * Hides a photo whose deletion is pending, or shows it again.
     * @param {string} id
     * @param {boolean} isHidden
     */
    hide(id, isHidden) {
        if (isHidden) this.hidden.add(id);
        else this.hidden.delete(id);
        const photo = this.byID.get(id);
        if (photo) this.tell({ type: "change", photo });
    }

    /**
     * The number of a photo in the order of arrival, from 1; `null` while the photo is not loaded. The node counts those
     * that are not loaded, which are older.
     * @param {Photo} photo
     */
    numberOf(photo) {
        const known = this.byID.get(photo.id);
        if (!known) return null;
        const at = this.photos.indexOf(known);
        const newer = this.photos.filter(({ addedAt }, index) => addedAt > known.addedAt
            || (addedAt === known.addedAt && index < at));
        return this.count - newer.length;
    }

    /** The visible photos. */
    get visible() {
        return this.hidden.size ? this.photos.filter((photo) => !this.hidden.has(photo.id)) : this.photos;
    }

    /** The number of photos of the whole party, loaded or not. */
    get partyCount() {
        return this.order === "highlights" ? this.wholeCount : this.visibleCount;
    }

    /** The time of the first photo, as far as it is known; `null` without photos. */
    get since() {
        const last = this.photos[this.photos.length - 1];
        return !last ? null : this.isComplete || this.earliest === null ? last.addedAt : Math.min(this.earliest, last.addedAt);
    }

    /** The number of visible photos, loaded or not. */
    get visibleCount() {
        return Math.max(0, this.count - [...this.hidden].filter((id) => this.byID.has(id)).length);
    }
}
