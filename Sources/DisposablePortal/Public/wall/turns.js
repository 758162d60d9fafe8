// SPDX-License-Identifier: Apache-2.0
// The order of photos on the wall: new photos first, then the one that was shown least recently.

/** @typedef {import("../shared/photos.js").Photo} Photo */

/** The limit of new photos that wait; beyond it the oldest are shown in the usual order. */
const freshMax = 50;
/** The number of turns in the history. */
const pastMax = 50;

export class Turns {
    /**
     * @param {(photo: Photo) => boolean} isToSee
     * @param {(photos: Photo[]) => (photo: Photo) => boolean} repeats which of all photos are shown more than once
     */
    constructor(isToSee, repeats) {
        this.isToSee = isToSee;
        this.repeats = repeats;
        /**
         * All of them, newest first.
         * @type {Photo[]}
         */
        this.photos = [];
        /** @type {Photo[]} */
        this.fresh = [];
        /**
         * Ids of photos that were shown, the least recently shown first.
         * @type {Set<string>}
         */
        this.order = new Set();
        /**
         * The ids of photos that were shown together, the latest last.
         * @type {string[][]}
         */
        this.past = [];
    }

    /** @param {string} id */
    find(id) {
        return this.photos.find((photo) => photo.id === id);
    }

    /**
     * Replaces the list after a reload.
     * @param {Photo[]} photos
     */
    reset(photos) {
        this.photos = photos;
        const ids = new Set(photos.map((photo) => photo.id));
        this.order = new Set([...this.order].filter((id) => ids.has(id)));
        this.fresh = this.fresh.flatMap((photo) => this.find(photo.id) ?? []);
    }

    /**
     * Adds or updates a photo.
     * @param {Photo} photo
     * @returns {boolean} whether it can be shown since now
     */
    put(photo) {
        const known = this.find(photo.id);
        if (!known && photo.state !== "frame") return false;
        const could = known !== undefined && this.isToSee(known);
        if (known) Object.assign(known, photo);
        else {
            const index = this.photos.findIndex((other) => other.addedAt <= photo.addedAt);
            this.photos.splice(index < 0 ? this.photos.length : index, 0, photo);
        }
        const now = known ?? photo;
        if (could || !this.isToSee(now)) return false;
        this.fresh.push(now);
        if (this.fresh.length > freshMax) this.fresh.shift();
        return true;
    }

    /**
     * A preview has become a photo: it keeps its place and its turn.
     * @param {string} id of the preview
     * @param {string} photo
     */
    become(id, photo) {
        const early = this.find(id);
        if (!early) return;
        const known = this.find(photo);
        if (known) {
            this.drop(photo);
            Object.assign(early, known, { isEarly: false });
        } else {
            Object.assign(early, { id: photo, isEarly: false });
        }
        if (this.order.delete(id)) this.order.add(photo);
        this.past = this.past.map((ids) => ids.map((one) => one === id ? photo : one));
    }

    /** @param {string} id */
    drop(id) {
        this.photos = this.photos.filter((photo) => photo.id !== id);
        this.fresh = this.fresh.filter((photo) => photo.id !== id);
        this.order.delete(id);
    }

    /** @param {Photo[]} photos that have been shown */
    pass(photos) {
        for (const { id } of photos) {
            this.order.delete(id);
            this.order.add(id);
        }
        this.fresh = this.fresh.filter((photo) => !photos.includes(photo));
    }

    /** @param {Photo[]} photos that are on the wall now */
    show(photos) {
        this.pass(photos);
        this.past.push(photos.map((photo) => photo.id));
        if (this.past.length > pastMax) this.past.shift();
    }

    /**
     * @param {Photo[]} shown photos on the wall, which are not repeated at once
     * @param {(photo: Photo) => boolean} isHigh whether a photo leaves room for another one beside it
     * @returns {Photo[]} one, two beside each other, or none
     */
    next(shown, isHigh) {
        const isFree = (/** @type {Photo} */ photo) => this.isToSee(photo) && !shown.includes(photo);
        const queue = this.fresh.some(isFree) ? this.fresh.filter(isFree) : this.turn().filter(isFree);
        const first = queue[0];
        if (!first || !isHigh(first)) return queue.slice(0, 1);
        const second = queue.slice(1).find(isHigh);
        return second ? [first, second] : [first];
    }

    /** @returns {Photo[]} the previous photos, if they still exist */
    before() {
        this.past.pop();
        while (this.past.length) {
            const photos = (this.past.pop() ?? []).flatMap((id) => this.find(id) ?? []).filter(this.isToSee);
            if (photos.length) return photos;
        }
        return [];
    }

    /** The photos to repeat, all if there are none: those that were not shown yet, then the least recently shown first. */
    turn() {
        const repeated = this.photos.filter(this.repeats(this.photos));
        const photos = repeated.some(this.isToSee) ? repeated : this.photos;
        const unseen = photos.filter((photo) => !this.order.has(photo.id));
        const byID = new Map(photos.map((photo) => [photo.id, photo]));
        return [...unseen, ...[...this.order].flatMap((id) => byID.get(id) ?? [])];
    }
}
