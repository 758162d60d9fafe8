// SPDX-License-Identifier: Apache-2.0
// A grid of photos: pages load as they come near, new ones come in live, and some or all can be chosen and saved.
import { ApiError, base } from "../../shared/api.js";
import { ask, hideToast, icon, make, say, toast } from "../../shared/dom.js";
import { highlightCount, maySave, missions } from "../../shared/options.js";
import { heartsOf, isLovedByMe, isMixed, PhotoList } from "../../shared/photos.js";
import { hourOf, sectionsOf, Sheet } from "./sheet.js";
import { text } from "../../shared/text.js";
import { Tiles } from "./tiles.js";
import { scrollOf } from "../views.js";
import { hasPlan, ways } from "./ways.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** When a form was last sent, since a download leaves no page although the browser says so. */
export let savedAt = 0;

/**
 * Requests a ZIP from the node as the answer to a form: the page does not buffer it.
 * @param {Record<string, string>} fields
 */
export function saveZip(fields) {
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

/** A gallery with more photos than this is not seen at one glance. */
const HOURS_MIN = 60;

const orders = /** @type {const} */ (["newest", "taken", "loved", "highlights"]);

export class Grid {
    /**
     * @param {HTMLElement} place an empty element
     * @param {PhotoList} list
     * @param {{open: (photo: Photo) => void, remove?: (photos: Photo[]) => Promise<boolean>, empty: string,
     *     people?: HTMLElement}} options `people`: a button that narrows the gallery to one person
     */
    constructor(place, list, options) {
        this.list = list;
        this.options = options;
        this.tiles = new Tiles(list, {
            open: (photo, event) => this.chosen ? this.choose(photo, event.shiftKey) : options.open(photo),
            chosen: () => this.chosen,
        });
        /**
         * Selected photos; `null` outside of selecting.
         * @type {Map<string, Photo>|null}
         */
        this.chosen = null;
        /** @type {string|null} */
        this.lastChosen = null;
        /**
         * New photos that wait above, so that the visible ones do not move.
         * @type {Set<string>}
         */
        this.fresh = new Set();
        /**
         * Tiles in front of the photos: files being sent.
         * @type {HTMLElement[]}
         */
        this.head = [];
        /** The timer of the next attempt after a failed reload. */
        this.again = 0;
        /** Whether photos have arrived in another order than they were taken in. */
        this.hasTaken = false;
        this.status = make("p", { class: "quiet" });
        this.selectButton = make("button", { type: "button", class: "button small", click: () => this.startChoosing() },
            icon("select"), text.gallery.select);
        this.allButton = make("button", { type: "button", class: "button small", click: () => this.saveAll() },
            icon("save"), text.gallery.saveAll);
        this.bar = make("div", { class: "row spread toolbar" }, this.status,
            make("div", { class: "row" }, this.selectButton, this.allButton));
        this.chooser = make("div", { class: "chooser", hidden: true, role: "toolbar" });
        this.pill = make("button", { type: "button", class: "pill", hidden: true, click: () => this.showFresh() });
        this.sheet = new Sheet(this.tiles, (photo) => list.hidden.has(photo.id));
        this.ways = ways(list, (before) => this.jump(before), options.open);
        this.orders = orders.map((order) => make("button",
            { type: "button", class: "button small", click: () => this.sort(order) }, text.gallery[order]));
        this.sorter = make("div", { class: "row", role: "group", "aria-label": text.gallery.order, hidden: true },
            ...this.orders);
        this.tools = make("div", { class: "row tools", hidden: true }, options.people ?? null, ...Object.values(this.ways),
            this.sorter);
        this.note = make("p", { class: "note" });
        this.moreButton = make("button", { type: "button", class: "button", hidden: true, click: () => this.more() },
            text.gallery.more);
        place.append(this.bar, this.tools, this.chooser, this.pill, this.sheet.element, this.note, this.moreButton);
        this.observer = "IntersectionObserver" in window ? new IntersectionObserver((seen) => {
            if (seen.some((one) => one.isIntersecting)) this.more();
        }, { rootMargin: "1200px" }) : null;
        this.observer?.observe(this.moreButton);
        list.listeners.push((change) => this.apply(change));
        this.say(text.gallery.loading);
    }

    /** Loads the newest photos, and retries after an error. Never throws: the page shows the error. */
    async reload() {
        clearTimeout(this.again);
        try {
            await this.list.reload();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (!this.list.photos.length) this.trouble(error);
            // The loaded photos may be outdated, and no update would report it.
            const seconds = error.retryAfter ?? 5;
            if (error.status !== 401) this.again = setTimeout(() => this.reload(), seconds * 1_000);
        }
    }

    // Photos of this load and of the next seconds fade in.
    develop() {
        this.sheet.element.classList.add("developing");
        setTimeout(() => this.sheet.element.classList.remove("developing"), 10_000);
    }

    async more() {
        if (this.list.isComplete || this.list.loading) return;
        try {
            await this.list.loadMore();
            this.settle();
            // An observer reports changes only; on a large screen the end is still near.
            this.observer?.unobserve(this.moreButton);
            this.observer?.observe(this.moreButton);
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

    /** @param {import("../../shared/photos.js").Change} change */
    apply(change) {
        if (change.type === "reset") {
            this.tiles.clear();
            this.fresh.clear();
        } else if (change.type === "insert") {
            this.insert(change.photo);
        } else if (change.type === "change") {
            this.tiles.refresh(change.photo);
        } else if (change.type === "remove") {
            this.tiles.drop(change.photo.id);
            this.fresh.delete(change.photo.id);
            this.chosen?.delete(change.photo.id);
        }
        this.settle();
    }

    /**
     * Inserts a tile in front of the photos.
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

    /** Updates texts and buttons to the photos. */
    settle() {
        const count = this.list.visibleCount;
        this.status.textContent = count ? text.gallery.count(count) : "";
        this.allButton.hidden = !count || !maySave(this.list);
        // Nothing can be done with chosen photos but saving, or deleting, them.
        this.selectButton.hidden = this.allButton.hidden && (!count || !this.options.remove);
        this.bar.hidden = !count || this.chosen !== null;
        this.moreButton.hidden = this.list.isComplete;
        this.say(!count && !this.head.length && this.list.isComplete ? this.options.empty : "");
        // The pill would cover the selection bar.
        this.pill.hidden = !this.fresh.size || this.chosen !== null;
        this.pill.textContent = `↑ ${text.party.fresh(this.fresh.size)}`;
        // A switch without effect is hidden.
        const { order } = this.list;
        const isAll = !this.list.isMine && this.list.author === null;
        const hasHighlights = isAll && (highlightCount() > 0 || order === "highlights");
        const hasLoved = order === "loved" || count > 1 && this.list.photos.some((photo) => heartsOf(photo));
        if (order === "newest") this.hasTaken = isMixed(this.list.photos);
        this.orders[1].hidden = !this.hasTaken;
        this.orders[2].hidden = !hasLoved;
        this.orders[3].hidden = !hasHighlights;
        this.sorter.hidden = this.list.isMine || !hasHighlights && !hasLoved && !this.hasTaken;
        const { people } = this.options;
        if (people) people.hidden = !this.list.photos.some((photo, _, [first]) => photo.author !== first.author || photo.zone != first.zone);
        const { hours, calendar, missions: missionsWay, plan } = this.ways;
        hours.hidden = this.list.isMine || this.list.author !== null || this.list.order !== "newest" || count <= HOURS_MIN;
        missionsWay.hidden = !people || !missions().length;
        // A moment has one day, and no times of a mission are known; only the order "newest" groups photos by day.
        calendar.hidden = !this.hasDays || this.list.author?.includes("-") === true;
        plan.hidden = !isAll || !hasPlan();
        this.tools.hidden = ![...this.tools.children].some((tool) => !tool.hidden);
        this.orders.forEach((button, index) => button.setAttribute("aria-pressed", String(order === orders[index])));
        this.lay();
        this.drawChooser();
    }

    /** Whether the photos are listed by time, and were added on more than one day; loaded or not. */
    get hasDays() {
        const { order, photos, since } = this.list;
        return order === "newest" && since !== null && hourOf(since).day !== hourOf(photos[0].addedAt).day;
    }

    /** Updates the sheet to the tiles. */
    lay() {
        const photos = this.list.photos.filter((photo) => !this.fresh.has(photo.id));
        const hasDays = this.list.isMine ? this.hasDays : this.list.order === "newest";
        const all = photos.length ? [{ key: "", day: null, hour: null, photos }] : [];
        this.sheet.lay(this.head, hasDays ? sectionsOf(photos) : all);
    }

    /**
     * Goes to the newest photo that was added before a time; pages up to there are loaded.
     * @param {number} before milliseconds since 1970
     */
    async jump(before) {
        const wanted = () => this.list.visible.find((photo) => photo.addedAt < before);
        try {
            if (!wanted()) toast(text.gallery.loading);
            while (!wanted() && !this.list.isComplete) await this.list.loadMore(200);
        } catch (error) {
            toast(error instanceof ApiError ? error.sentence : String(error));
        }
        const photo = wanted();
        hideToast();
        if (!photo) return;
        if (this.fresh.size) this.showFresh();
        this.sheet.reveal(photo.id);
    }

    /** @param {import("../../shared/photos.js").Order} order */
    async sort(order) {
        try {
            await this.list.sort(order);
        } catch (error) {
            toast(error instanceof ApiError ? error.sentence : String(error));
        }
    }

    /** @param {Photo} photo */
    insert(photo) {
        const others = this.list.visible.length - this.fresh.size - 1;
        if (!this.list.isMine && others > 0 && scrollOf(this.list.author === null ? "everyone" : "person") > 120) {
            this.fresh.add(photo.id);
            return;
        }
        this.tiles.developing.add(photo.id);
    }

    /** A gallery that is shown from its top holds no photo back. */
    shown() {
        if (this.fresh.size && scrollY <= 120) this.takeFresh();
    }

    takeFresh() {
        for (const id of this.fresh) this.tiles.developing.add(id);
        this.fresh.clear();
        this.settle();
    }

    /** Inserts the photos that waited above. */
    showFresh() {
        this.takeFresh();
        scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
        this.sheet.buttons()[0]?.focus({ preventScroll: true });
    }

    startChoosing() {
        this.chosen = new Map();
        this.lastChosen = null;
        this.settle();
        this.tiles.mark();
        this.chooser.querySelector("button")?.focus();
    }

    stopChoosing() {
        this.chosen = null;
        this.settle();
        this.tiles.mark();
        this.selectButton.focus({ preventScroll: true });
    }

    /** @param {Photo} photo @param {boolean} toHere whether to select everything between the last one and this */
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
        this.tiles.mark();
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
                last && !this.list.isMine && this.list.author === null ? button("all", text.gallery.allOf(last.authorName ?? text.guest), "person",
                    () => this.chooseAll(({ author }) => author === last.author)) : null,
                this.list.photos.some(isLovedByMe) ? button("loved", text.gallery.myHearts, "select",
                    () => this.chooseAll(isLovedByMe)) : null,
                maySave(this.list) ? button("save", text.gallery.save, "save", () => this.saveChosen(), isOff) : null,
                this.options.remove
                    ? button("remove", text.gallery.remove, "trash", () => this.removeChosen(), isOff) : null),
            button("done", text.gallery.done, "close", () => this.stopChoosing()));
        if (focused) /** @type {HTMLElement|null} */ (this.chooser.querySelector(`[data-name="${focused}"]`))?.focus();
    }

    /** @returns {Promise<boolean>} whether all pages are loaded */
    async loadAll() {
        try {
            while (!this.list.isComplete) await this.list.loadMore(200);
        } catch (error) {
            toast(error instanceof ApiError ? error.sentence : String(error));
        }
        return this.list.isComplete;
    }

    /** @param {(photo: Photo) => boolean} isWanted */
    async chooseAll(isWanted) {
        await this.loadAll();
        for (const photo of this.list.visible) if (isWanted(photo)) this.chosen?.set(photo.id, photo);
        this.drawChooser();
        this.tiles.mark();
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
        if (this.list.isMine) return saveZip({ mine: "1" });
        if (!this.list.author && this.list.order !== "highlights") return saveZip({ all: "1" });
        if (await this.loadAll()) saveZip({ ids: this.list.visible.map((photo) => photo.id).join(" ") });
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
