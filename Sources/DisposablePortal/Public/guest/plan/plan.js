// SPDX-License-Identifier: Apache-2.0
// The plan of the party: photos on it as pins, a card for one of them, and a strip of those nearby. Loaded on its first use.
import { ApiError, call, photoURL } from "../../shared/api.js";
import { daysOf, openCalendar } from "../../shared/calendar.js";
import { find, icon, make } from "../../shared/dom.js";
import { frame, loadPlan, planText, whole } from "./planframe.js";
import { language, text } from "../../shared/text.js";
import { altOf } from "../gallery/tiles.js";
import { currentView, go } from "../views.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */
/** @typedef {import("../../shared/chart.js").Point} Point */
/** @typedef {import("./planframe.js").Spot} Spot */
/** @typedef {{list: import("../../shared/photos.js").PhotoList, open?: (photo: Photo) => void, shown?: Photo}} Visit
 *     `shown`: the photo whose card is open at first */

/** Pins that are nearer to each other than this are one. Pixels. */
const cell = 56;
/** The photos of the strip. */
const stripMax = 60;
/** The time after which a part of the plan that was moved is asked for, and one that was scrolled is chosen. Milliseconds. */
const rest = 200;

/** @param {Spot} spot @returns {Point} */
const placeOf = ({ x, y }) => ({ x: x / whole, y: y / whole });

/**
 * Shows the plan in front of the page, until it is closed.
 * @param {Visit} visit
 */
export async function openPlan(visit) {
    const plan = await loadPlan();
    if (plan) new Plan(visit, plan).open();
}

class Plan {
    /** @param {Visit} visit @param {import("./planframe.js").Loaded} plan */
    constructor(visit, { id, chart, spots }) {
        this.visit = visit;
        this.id = id;
        /** The photos of the visible part; with a card, those around it, too. */
        this.spots = spots;
        this.count = spots.length;
        /** @type {Spot|null} the one whose card is open */
        this.chosen = null;
        /** The pins by what they stand for: the photos' ids. @type {Map<string, HTMLElement>} */
        this.pins = new Map();
        this.chart = chart({ moved: () => this.moved(), tapped: () => this.clear() });
        this.note = make("p", { class: "note", role: "status" });
        this.live = make("p", { class: "offscreen", "aria-live": "polite" });
        this.card = make("section", { class: "card", "aria-label": planText.card.title, hidden: true });
        this.strip = make("ul", { class: "strip", "aria-label": planText.strip,
            scroll: () => this.scrolled(), pointerdown: () => { this.isScrolled = true; },
            wheel: () => { this.isScrolled = true; } });
        this.isScrolled = false;
        /** Whether a tap has closed the strip; one without photos is hidden, too, until there are some. */
        this.isClosed = false;
        this.scrollTimer = 0;
        this.askTimer = 0;
        /** The number of questions so far: an answer that a later question has overtaken is about another part. */
        this.asked = 0;
        this.person = make("select", { id: "plan-person", change: () => this.search() },
            make("option", { value: "" }, planText.everyone), ...this.people(spots));
        /** The chosen day, in milliseconds since 1970. @type {{from: number, to: number}|null} */
        this.day = null;
        this.dayButton = make("button", { type: "button", class: "button small", "aria-haspopup": "dialog", hidden: true,
            click: () => openCalendar("", (to, from) => this.show({ from, to })) });
        this.allDays = make("button", { type: "button", class: "plain bare", "aria-label": planText.allDays, hidden: true,
            click: () => {
                this.dayButton.focus();
                this.show(null);
            } }, icon("close"));
        this.follow = () => { if (find("plan")) this.askSoon(); };
    }

    /** @param {Spot[]} spots @returns {HTMLElement[]} an option for each person with a photo on the plan */
    people(spots) {
        const names = new Map(spots.map(({ author, authorName }) => [author, authorName ?? text.guest]));
        const all = [...names.values()];
        return [...names].sort(([, one], [, other]) => one.localeCompare(other, language)).map(([author, name]) =>
            make("option", { value: author }, all.filter((other) => other === name).length > 1
                ? `${name} · ${author.slice(0, 4)}` : name));
    }

    open() {
        const { shown, list } = this.visit;
        this.dialog = frame(this.chart, { title: planText.title, above: [this.card, this.live],
            tools: make("div", { class: "search" }, make("label", { for: "plan-person" }, planText.person), this.person,
                make("div", { class: "row nowrap" }, this.dayButton, this.allDays)),
            footer: make("footer", {}, this.note, this.strip),
            cancel: (event) => this.cancel(event), closed: () => this.end() });
        list.listeners.push(this.follow);
        this.drawDay();
        // Without an answer there is no choice of a day.
        call("GET", "api/times").then(({ times }) => { this.dayButton.hidden = daysOf(times).size < 2; }, () => null);
        this.draw();
        const spot = shown && this.spots.find(({ photo }) => photo === shown.id);
        if (spot) this.choose(spot);
        else this.chart.element.focus();
    }

    end() {
        clearTimeout(this.askTimer);
        clearTimeout(this.scrollTimer);
        const { listeners } = this.visit.list;
        listeners.splice(listeners.indexOf(this.follow), 1);
    }

    /** Escape closes the card first. @param {Event} event */
    cancel(event) {
        if (this.card.hidden) return;
        event.preventDefault();
        this.clear();
        this.chart.element.focus();
    }

    // The visible part

    moved() {
        if (!this.dialog?.open) return;
        this.drawPins();
        this.askSoon();
    }

    askSoon() {
        clearTimeout(this.askTimer);
        this.askTimer = setTimeout(() => this.ask(), rest);
    }

    /** @param {Spot} spot */
    isVisible(spot) {
        const { left, top, right, bottom } = this.chart.part;
        const { x, y } = placeOf(spot);
        return x >= left && x <= right && y >= top && y <= bottom;
    }

    /**
     * Asks for the photos of the visible part. A card's photo is in its middle, which moves those beside it out of a small
     * screen: for the strip, those within the size of the screen around it are asked for, too.
     */
    async ask() {
        if (this.chosen && !this.isVisible(this.chosen)) this.close();
        const { width, height, across, down } = this.chart.sizes;
        const [aside, above] = this.chosen ? [width / across, height / down] : [0, 0];
        const { left, top, right, bottom } = this.chart.part;
        const box = [...[left - aside, top - above].map((edge) => Math.floor(Math.max(0, edge) * whole)),
            ...[right + aside, bottom + above].map((edge) => Math.ceil(Math.min(1, edge) * whole))];
        const asked = ++this.asked;
        try {
            const { plan, spots, count } = await call("GET", `api/spots?box=${box}${this.filter}`);
            if (!this.dialog.open || asked !== this.asked) return;
            if (plan?.photo !== this.id) return this.dialog.close();
            [this.spots, this.count] = [spots, count];
            if (!spots.some((/** @type {Spot} */ { photo }) => photo === this.chosen?.photo)) this.close();
            this.draw();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.note.textContent = error.sentence;
        }
    }

    /** The part of a query that selects the photos of the chosen person and day. */
    get filter() {
        const author = this.person.value;
        return `${author ? `&author=${author}` : ""}${this.day ? `&from=${this.day.from}&to=${this.day.to}` : ""}`;
    }

    /** Shows the photos of a day, or of all. @param {{from: number, to: number}|null} day */
    show(day) {
        this.day = day;
        this.drawDay();
        this.search();
    }

    drawDay() {
        this.dayButton.replaceChildren(icon("calendar"), this.day ? text.day(this.day.from) : planText.allDays);
        this.allDays.hidden = !this.day;
    }

    /** Shows all photos of the chosen person and day. */
    async search() {
        this.clear();
        const asked = ++this.asked;
        const { spots } = await call("GET", `api/spots${this.filter.replace("&", "?")}`).catch(() => ({ spots: [] }));
        if (!this.dialog.open || asked !== this.asked) return;
        [this.spots, this.count] = [spots, spots.length];
        this.isClosed = false;
        if (this.person.value && spots.length) this.chart.fit(boundsOf(spots));
        else this.chart.show({ x: .5, y: .5 }, 1);
        this.draw();
    }

    draw() {
        this.drawPins();
        if (!this.isScrolled) this.drawStrip();
        this.note.textContent = !this.count ? planText.none : this.count > this.spots.length
            ? planText.more(this.spots.length, this.count) : planText.count(this.count);
    }

    /** Photos near each other are one pin: each joins the first one that is near enough. */
    drawPins() {
        const { across, down } = this.chart.sizes;
        /** Each with the place of its first photo. @type {{at: Point, spots: Spot[]}[]} */
        const groups = [];
        for (const spot of this.spots.filter((one) => this.isVisible(one))) {
            const at = { x: spot.x / whole * across, y: spot.y / whole * down };
            // The chosen photo is not hidden among others.
            const near = spot.photo === this.chosen?.photo ? undefined : groups.find((group) =>
                Math.hypot(group.at.x - at.x, group.at.y - at.y) < cell && group.spots[0].photo !== this.chosen?.photo);
            if (near) near.spots.push(spot);
            else groups.push({ at, spots: [spot] });
        }
        /** @type {Map<string, HTMLElement>} */
        const pins = new Map();
        /** @type {Map<HTMLElement, Point>} */
        const places = new Map();
        for (const { spots: group } of groups) {
            const name = group.map(({ photo }) => photo).join(" ");
            const pin = this.pins.get(name) ?? this.pin(group);
            mark(pin, group.length === 1 && group[0].photo === this.chosen?.photo);
            pins.set(name, pin);
            const mean = (/** @type {"x"|"y"} */ side) => group.reduce((sum, spot) => sum + spot[side], 0) / group.length / whole;
            places.set(pin, { x: mean("x"), y: mean("y") });
        }
        this.pins = pins;
        this.chart.setMarks(places);
    }

    /** @param {Spot[]} group */
    pin(group) {
        const [spot] = group;
        const picture = make("img", { src: photoURL(spot.photo, "thumbnail"), alt: "", draggable: "false", "data-turn": spot.turn || null,
            error: () => picture.remove() });
        const isOne = group.length === 1;
        return make("button", { type: "button", class: "pin", "data-count": isOne ? null : group.length,
            "aria-label": isOne ? planText.pin(spot.authorName ?? text.guest) : planText.cluster(group.length),
            click: () => isOne ? this.choose(spot) : this.enlarge(group) }, picture,
            isOne ? null : make("span", { class: "number", "aria-hidden": "true" }, String(group.length)));
    }

    /** Shows the photos of a pin apart; at the nearest, or at the same spot, the first of them. @param {Spot[]} group */
    enlarge(group) {
        const { left, top, right, bottom } = boundsOf(group);
        if (this.chart.isNearest || (left === right && top === bottom)) return this.choose(group[0]);
        const { zoom } = this.chart;
        this.chart.fit({ left, top, right, bottom });
        if (this.chart.zoom <= zoom) this.chart.show({ x: (left + right) / 2, y: (top + bottom) / 2 }, zoom * 2);
        this.chart.element.focus();
    }

    // The card and the strip

    /**
     * Opens the card of a photo, in the middle of the visible part.
     * @param {Spot} spot
     * @param {boolean} [isFromStrip] whether its place in the strip stays as it is
     */
    async choose(spot, isFromStrip = false) {
        this.chosen = spot;
        this.isScrolled = isFromStrip;
        this.chart.show(placeOf(spot));
        this.draw();
        this.markStrip();
        let photo;
        try {
            photo = /** @type {Photo} */ (await call("GET", `api/photos/${spot.photo}`));
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.note.textContent = error.sentence;
            return;
        }
        if (this.chosen?.photo !== spot.photo || !this.dialog.open) return;
        this.showCard(photo);
        // The pin is in the middle of what the card leaves free.
        const { height, down } = this.chart.sizes;
        const covered = this.card.offsetWidth > this.chart.element.clientWidth / 2 ? this.card.offsetHeight : 0;
        const place = placeOf(spot);
        if (covered < height) this.chart.show({ x: place.x, y: place.y + covered / 2 / down });
        this.live.textContent = altOf(photo);
    }

    /** @param {Photo} photo */
    showCard(photo) {
        const reactions = photo.reactions.reduce((sum, { count }) => sum + count, 0);
        const size = photo.has.includes("preview") ? "preview" : "thumbnail";
        const position = photo.spot && this.chart.positionOf(placeOf(/** @type {Spot} */ (photo.spot)));
        this.card.replaceChildren(
            make("img", { src: photoURL(photo.id, size), alt: altOf(photo), "data-turn": photo.turn || null,
                width: photo.width || null, height: photo.height || null }),
            make("div", {},
                make("h3", {}, photo.authorName ?? text.guest),
                make("p", {}, planText.card.added(photo.takenAt ?? photo.addedAt)),
                make("p", {}, `${planText.card.reactions(reactions)} · ${planText.card.comments(photo.commentCount)}`),
                position && make("p", { class: "quiet" }, planText.card.position(position.latitude, position.longitude)),
                make("div", { class: "row" }, make("button", { type: "button", class: "button small", click: () => this.goTo(photo) },
                    planText.card.open))),
            make("button", { type: "button", class: "plain bare", "aria-label": text.common.close, click: () => {
                this.clear();
                this.chart.element.focus();
            } }, icon("close")));
        this.card.hidden = false;
    }

    /** Closes the card. */
    close() {
        this.chosen = null;
        this.isScrolled = false;
        this.card.hidden = true;
    }

    /** Closes card and strip. */
    clear() {
        this.close();
        this.isClosed = this.strip.hidden = true;
        this.drawPins();
    }

    /** Leaves the plan for a photo, which is loaded with those after it. @param {Photo} photo */
    async goTo(photo) {
        const { list, open } = this.visit;
        try {
            while (!list.byID.has(photo.id) && !list.isComplete) await list.loadMore(200);
        } catch (error) {
            this.note.textContent = error instanceof ApiError ? error.sentence : String(error);
            return;
        }
        this.dialog.close();
        const known = list.byID.get(photo.id);
        if (!known) return;
        if (currentView() === "photo") go("photo", { id: known.id });
        else open?.(known);
    }

    /** The photos nearest to the chosen one, or to the middle, come first. */
    drawStrip() {
        if (this.isClosed && !this.chosen) return;
        this.isClosed = false;
        const { across, down } = this.chart.sizes;
        const middle = this.chosen ? placeOf(this.chosen) : this.chart.centre;
        const distance = (/** @type {Spot} */ spot) => {
            const place = placeOf(spot);
            return Math.hypot((place.x - middle.x) * across, (place.y - middle.y) * down);
        };
        const near = [...this.spots].sort((one, other) => distance(one) - distance(other)).slice(0, stripMax);
        this.strip.hidden = !near.length;
        const known = new Map([...this.strip.children].map((item) => [item.dataset.id, item]));
        const items = near.map((spot) => known.get(spot.photo) ?? this.thumbnail(spot));
        if (items.every((item, index) => this.strip.children[index] === item) && items.length === this.strip.childElementCount) return;
        const focused = document.activeElement;
        this.strip.replaceChildren(...items);
        this.strip.scrollLeft = 0;
        if (focused instanceof HTMLElement && this.strip.contains(focused)) focused.focus({ preventScroll: true });
        this.markStrip();
    }

    /** @param {Spot} spot */
    thumbnail(spot) {
        return make("li", { "data-id": spot.photo }, make("button", { type: "button",
            "aria-label": planText.pin(spot.authorName ?? text.guest), click: () => this.choose(spot, true) },
            make("img", { src: photoURL(spot.photo, "thumbnail"), alt: "", loading: "lazy", draggable: "false",
                "data-turn": spot.turn || null })));
    }

    /** Marks the chosen photo in the strip. */
    markStrip() {
        for (const item of this.strip.children) {
            mark(item.firstChild, item.dataset.id === this.chosen?.photo);
        }
    }

    /** The plan follows the strip: when it rests, the photo at its middle is chosen. */
    scrolled() {
        if (!this.isScrolled) return;
        clearTimeout(this.scrollTimer);
        this.scrollTimer = setTimeout(() => {
            const box = this.strip.getBoundingClientRect();
            // At its ends the first and the last one are reached, too.
            const part = this.strip.scrollLeft / Math.max(this.strip.scrollWidth - this.strip.clientWidth, 1);
            const middle = box.left + box.width * Math.min(1, Math.abs(part));
            const gap = (/** @type {Element} */ item) => {
                const { left, width } = item.getBoundingClientRect();
                return Math.abs(left + width / 2 - middle);
            };
            const item = [...this.strip.children].sort((one, other) => gap(one) - gap(other))[0];
            const spot = this.spots.find(({ photo }) => photo === item?.dataset.id);
            if (spot && spot.photo !== this.chosen?.photo) this.choose(spot, true);
        }, rest);
    }
}

/** @param {any} element @param {boolean} isChosen */
function mark(element, isChosen) {
    if (isChosen) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
}

/** @param {Spot[]} spots at least one */
function boundsOf(spots) {
    const [across, down] = [spots.map(({ x }) => x / whole), spots.map(({ y }) => y / whole)];
    return { left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) };
}
