// SPDX-License-Identifier: Apache-2.0
// A grid of photos: pages load as they come near, new ones come in live, and some or all can be chosen and saved.
import { ApiError, base, photoURL } from "./api.js";
import { ask, icon, make, say, toast } from "./dom.js";
import { heartsOf, isVideo, PhotoList } from "./photos.js";
import { sectionsOf, Sheet } from "./sheet.js";
import { text } from "./text.js";
import { scrollOf } from "./views.js";

/** @typedef {import("./photos.js").Photo} Photo */

/** @param {Photo} photo */
export const altOf = (photo) => text.gallery.alt(photo.authorName ?? text.guest, photo.takenAt ?? photo.addedAt,
    isVideo(photo));

/** When a form was last sent, since a download leaves no page although the browser says so. */
export let savedAt = 0;

/**
 * Has the node send a ZIP, as the answer to a form: the page never holds it.
 * @param {Record<string, string>} fields
 */
function saveZip(fields) {
    const form = make("form", { method: "post", action: `${base}zip`, hidden: true },
        ...Object.entries(fields).map(([name, value]) => {
            const field = make("input", { type: "hidden", name });
            field.value = value;
            return field;
        }));
    document.body.append(form);
    savedAt = Date.now();
    form.submit();
    form.remove();
}

/**
 * A photo comes up as in a tray of developer, once: not again whenever its gallery is shown.
 * @param {HTMLElement} tile
 */
function develop(tile) {
    tile.classList.add("new");
    for (const name of ["animationend", "animationcancel"]) {
        tile.addEventListener(name, () => tile.classList.remove("new"), { once: true });
    }
}

export class Grid {
    /**
     * @param {HTMLElement} place an empty element
     * @param {PhotoList} list
     * @param {{open: (photo: Photo) => void, remove?: (photos: Photo[]) => Promise<boolean>, empty: string}} options
     */
    constructor(place, list, options) {
        this.list = list;
        this.options = options;
        /** @type {Map<string, HTMLElement>} */
        this.tiles = new Map();
        /**
         * Chosen photos; `null` while nothing is being chosen.
         * @type {Map<string, Photo>|null}
         */
        this.chosen = null;
        /** @type {string|null} */
        this.lastChosen = null;
        /**
         * New ones that wait above, so that what somebody looks at stays where it is.
         * @type {Set<string>}
         */
        this.fresh = new Set();
        /**
         * Tiles in front of the photos: files on their way.
         * @type {HTMLElement[]}
         */
        this.head = [];
        /** The timer of the next attempt, where reloading has failed. */
        this.again = 0;
        this.status = make("p", { class: "quiet" });
        this.selectButton = make("button", { type: "button", class: "button small", click: () => this.startChoosing() },
            icon("select"), text.gallery.select);
        this.allButton = make("button", { type: "button", class: "button small", click: () => this.saveAll() },
            icon("save"), text.gallery.saveAll);
        this.bar = make("div", { class: "row spread toolbar" }, this.status,
            make("div", { class: "row" }, this.selectButton, this.allButton));
        this.chooser = make("div", { class: "chooser", hidden: true, role: "toolbar" });
        this.pill = make("button", { type: "button", class: "pill", hidden: true, click: () => this.showFresh() });
        this.sheet = new Sheet();
        this.orders = /** @type {const} */ (["newest", "loved"]).map((order) => make("button",
            { type: "button", class: "button small", click: () => this.sort(order) }, text.gallery[order]));
        this.sorter = make("div", { class: "row", role: "group", "aria-label": text.gallery.order, hidden: true },
            ...this.orders);
        this.note = make("p", { class: "note" });
        this.moreButton = make("button", { type: "button", class: "button", hidden: true, click: () => this.more() },
            text.gallery.more);
        place.append(this.bar, this.sorter, this.chooser, this.pill, this.sheet.element, this.note, this.moreButton);
        if ("IntersectionObserver" in window) {
            const observer = new IntersectionObserver((seen) => {
                if (seen.some((one) => one.isIntersecting)) this.more();
            }, { rootMargin: "1200px" });
            observer.observe(this.moreButton);
        }
        list.listeners.push((change) => this.apply(change));
        this.say(text.gallery.loading);
    }

    /** Loads the newest, and asks again where that fails. Never throws: what went wrong stands on the page. */
    async reload() {
        clearTimeout(this.again);
        try {
            await this.list.reload();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (!this.list.photos.length) this.trouble(error);
            // What is shown may be from before, and no update would say so.
            const seconds = error.retryAfter ?? 5;
            if (error.status !== 401) this.again = setTimeout(() => this.reload(), seconds * 1_000);
        }
    }

    /** What is there and what comes within the next seconds comes up as in the tray. */
    develop() {
        this.sheet.element.classList.add("developing");
        setTimeout(() => this.sheet.element.classList.remove("developing"), 10_000);
    }

    async more() {
        if (this.list.isComplete || this.list.loading) return;
        try {
            await this.list.loadMore();
            this.settle();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.trouble(error);
        }
    }

    /** @param {ApiError} error */
    trouble(error) {
        this.say(`${text.gallery.failed} ${error.sentence}`);
        this.note.append(" ", make("button", { type: "button", class: "button small", click: () => {
            this.say("");
            if (this.list.photos.length) this.more();
            else this.reload();
        } }, text.common.retry));
    }

    /** @param {string} sentence */
    say(sentence) {
        this.note.textContent = sentence;
        this.note.hidden = !sentence;
    }

    /** @param {import("./photos.js").Change} change */
    apply(change) {
        if (change.type === "reset") {
            this.tiles.clear();
            this.fresh.clear();
            for (const photo of this.list.photos) this.tile(photo);
        } else if (change.type === "append") {
            for (const photo of change.photos) this.tile(photo);
        } else if (change.type === "insert") {
            this.insert(change.photo);
        } else if (change.type === "change") {
            const tile = this.tiles.get(change.photo.id);
            if (tile) this.fill(tile, change.photo);
        } else {
            this.tiles.get(change.photo.id)?.remove();
            this.tiles.delete(change.photo.id);
            this.fresh.delete(change.photo.id);
            this.chosen?.delete(change.photo.id);
        }
        this.settle();
    }

    /**
     * Puts a tile in front of the photos.
     * @param {HTMLElement} tile
     * @param {HTMLElement|null} before the tile of the same kind that follows it; `null` for the last of them
     */
    putHead(tile, before) {
        const place = before ? this.head.indexOf(before) : this.head.length;
        this.head.splice(place, 0, tile);
        this.settle();
    }

    /** @param {HTMLElement} tile */
    dropHead(tile) {
        this.head = this.head.filter((other) => other !== tile);
        tile.remove();
        this.settle();
    }

    /** Brings words and buttons in line with the photos. */
    settle() {
        const count = this.list.visibleCount;
        this.status.textContent = count ? text.gallery.count(count) : "";
        this.selectButton.hidden = this.allButton.hidden = !count;
        this.bar.hidden = !count || this.chosen !== null;
        this.moreButton.hidden = this.list.isComplete;
        this.say(!count && !this.head.length && this.list.isComplete ? this.options.empty : "");
        this.pill.hidden = !this.fresh.size;
        this.pill.textContent = `↑ ${text.party.fresh(this.fresh.size)}`;
        // A switch for nothing is left out.
        this.sorter.hidden = this.list.isMine || count < 2
            || (this.list.order === "newest" && !this.list.photos.some((photo) => heartsOf(photo)));
        this.orders.forEach((button, index) =>
            button.setAttribute("aria-pressed", String(this.list.order === (index ? "loved" : "newest"))));
        this.lay();
        this.drawChooser();
    }

    /** Brings the sheet in line with the tiles. */
    lay() {
        const photos = this.list.photos.filter((photo) => this.tiles.has(photo.id));
        const hasDays = !this.list.isMine && this.list.order === "newest";
        const all = photos.length ? [{ key: "", day: null, hour: null, photos }] : [];
        this.sheet.lay(this.head, hasDays ? sectionsOf(photos) : all, this.tiles);
    }

    /** @param {"newest"|"loved"} order */
    async sort(order) {
        try {
            await this.list.sort(order);
        } catch (error) {
            toast(error instanceof ApiError ? error.sentence : String(error));
        }
    }

    /** @param {Photo} photo */
    insert(photo) {
        if (!this.list.isMine && scrollOf("everyone") > 120) {
            this.fresh.add(photo.id);
            return;
        }
        develop(this.tile(photo));
    }

    /** Puts those in that waited above. */
    showFresh() {
        for (const photo of this.list.photos) if (this.fresh.delete(photo.id)) develop(this.tile(photo));
        this.settle();
        scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
        this.sheet.buttons()[0]?.focus({ preventScroll: true });
    }

    /** @param {Photo} photo */
    tile(photo) {
        const tile = make("li", { class: "tile" });
        this.tiles.set(photo.id, tile);
        this.fill(tile, photo);
        return tile;
    }

    /** @param {HTMLElement} tile @param {Photo} photo */
    fill(tile, photo) {
        const alt = altOf(photo);
        tile.hidden = this.list.hidden.has(photo.id);
        const hasThumbnail = photo.has.includes("thumbnail");
        const state = `${alt}|${hasThumbnail}|${photo.state}|${photo.frame}`;
        let button = /** @type {any} */ (tile.firstChild);
        if (button && tile.dataset.state === state) return this.markTile(button, photo);
        tile.dataset.state = state;
        if (!button) {
            button = make("button", { type: "button", tabindex: -1 });
            button.addEventListener("click", (/** @type {MouseEvent} */ event) => {
                if (this.chosen) this.choose(photo, event.shiftKey);
                else this.options.open(photo);
            });
            tile.append(button);
        }
        button.replaceChildren(hasThumbnail ? this.picture(photo, alt, button) : this.neutral(photo, alt));
        if (isVideo(photo)) button.append(make("span", { class: "badge" }, icon("play")));
        if (this.list.isMine) {
            button.append(make("span", { class: photo.state === "waiting" ? "frame waiting" : "frame" },
                photo.state === "waiting" ? text.mine.waiting : String(photo.frame ?? "")));
        }
        this.markTile(button, photo);
    }

    /** @param {Photo} photo @param {string} alt @param {HTMLElement} button */
    picture(photo, alt, button) {
        const image = make("img", { src: photoURL(photo.id, "thumbnail"), alt, loading: "lazy", decoding: "async",
            width: photo.width || 320, height: photo.height || 320 });
        image.addEventListener("error", () => image.replaceWith(this.neutral(photo, alt)), { once: true });
        return image;
    }

    /**
     * What stands for a photo that cannot be shown, yet or here.
     * @param {Photo} photo
     * @param {string} alt
     */
    neutral(photo, alt) {
        const isComing = !isVideo(photo) && photo.mediaType !== "image/heic" && photo.mediaType.startsWith("image/");
        return make("span", { class: "neutral", role: "img", "aria-label": alt },
            icon(isVideo(photo) ? "film" : isComing ? "camera" : "file"),
            make("span", { "aria-hidden": "true" },
                isVideo(photo) ? text.gallery.video : isComing ? text.gallery.developing : text.gallery.file));
    }

    /** @param {HTMLElement} button @param {Photo} photo */
    markTile(button, photo) {
        const count = heartsOf(photo);
        button.querySelector(".hearts")?.remove();
        if (count) {
            button.append(make("span", { class: "hearts" }, make("span", { "aria-hidden": "true" }, `♥\uFE0E ${count}`),
                make("span", { class: "offscreen" }, text.gallery.hearts(count))));
        }
        if (this.chosen) button.setAttribute("aria-pressed", String(this.chosen.has(photo.id)));
        else button.removeAttribute("aria-pressed");
    }

    markTiles() {
        for (const photo of this.list.photos) {
            const tile = this.tiles.get(photo.id);
            if (tile?.firstChild) this.markTile(/** @type {HTMLElement} */ (tile.firstChild), photo);
        }
    }

    startChoosing() {
        this.chosen = new Map();
        this.lastChosen = null;
        this.settle();
        this.markTiles();
        this.chooser.querySelector("button")?.focus();
    }

    stopChoosing() {
        this.chosen = null;
        this.settle();
        this.markTiles();
        this.selectButton.focus({ preventScroll: true });
    }

    /** @param {Photo} photo @param {boolean} toHere everything between the last one and this */
    choose(photo, toHere) {
        const chosen = /** @type {Map<string, Photo>} */ (this.chosen);
        const shown = this.list.visible;
        const from = shown.findIndex((one) => one.id === this.lastChosen);
        if (toHere && from >= 0) {
            const to = shown.indexOf(photo);
            for (const one of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) chosen.set(one.id, one);
        } else if (!chosen.delete(photo.id)) {
            chosen.set(photo.id, photo);
        }
        this.lastChosen = photo.id;
        this.drawChooser();
        this.markTiles();
    }

    drawChooser() {
        const { chosen } = this;
        this.chooser.hidden = chosen === null;
        if (!chosen) return;
        const last = this.lastChosen ? chosen.get(this.lastChosen) : undefined;
        const isFocused = this.chooser.contains(document.activeElement);
        const focused = isFocused ? /** @type {HTMLElement} */ (document.activeElement).dataset.name : null;
        /**
         * @param {string} name
         * @param {string} label
         * @param {string} symbol
         * @param {() => void} run
         */
        const button = (name, label, symbol, run, isOff = false) =>
            make("button", { type: "button", class: "button small", "data-name": name, disabled: isOff, click: run },
                icon(symbol), label);
        const isOff = !chosen.size;
        this.chooser.replaceChildren(
            make("p", { role: "status" }, text.gallery.selected(chosen.size)),
            make("div", { class: "row" },
                last && !this.list.isMine ? button("all", text.gallery.allOf(last.authorName ?? text.guest), "person",
                    () => this.chooseAllOf(last)) : null,
                button("save", text.gallery.save, "save", () => this.saveChosen(), isOff),
                this.options.remove
                    ? button("remove", text.gallery.remove, "trash", () => this.removeChosen(), isOff) : null),
            button("done", text.gallery.done, "close", () => this.stopChoosing()));
        if (focused) /** @type {HTMLElement|null} */ (this.chooser.querySelector(`[data-name="${focused}"]`))?.focus();
    }

    /** @param {Photo} like */
    async chooseAllOf(like) {
        try {
            while (!this.list.isComplete) await this.list.loadMore(200);
        } catch (error) {
            toast(error instanceof ApiError ? error.sentence : String(error));
        }
        for (const photo of this.list.visible) if (photo.author === like.author) this.chosen?.set(photo.id, photo);
        this.drawChooser();
        this.markTiles();
    }

    async saveChosen() {
        const photos = [...this.chosen?.values() ?? []];
        if (photos.length && await this.confirmZip(photos, photos.length)) {
            saveZip({ ids: photos.map((photo) => photo.id).join(" ") });
            this.stopChoosing();
        }
    }

    async saveAll() {
        const photos = this.list.isComplete ? this.list.visible : [];
        if (!await this.confirmZip(photos, this.list.visibleCount)) return;
        saveZip(this.list.isMine ? { mine: "1" } : { all: "1" });
    }

    async removeChosen() {
        if (await this.options.remove?.([...this.chosen?.values() ?? []])) this.stopChoosing();
    }

    /** @param {Photo[]} photos whose sizes are known @param {number} count */
    confirmZip(photos, count) {
        const bytes = photos.length === count && photos.every((photo) => photo.byteCount !== null)
            ? photos.reduce((sum, photo) => sum + (photo.byteCount ?? 0), 0) : null;
        say("");
        return ask({ title: text.gallery.zipTitle(count), body: [text.gallery.zipBody(bytes), text.gallery.zipPhone],
            yes: text.gallery.zipYes });
    }
}
