// SPDX-License-Identifier: Apache-2.0
// The photos that wait for approval, or for a decision about a veil, the oldest first: one large, the others below it. What
// another device decides disappears here by itself.
import { ApiError, call } from "../shared/api.js";
import { icon, make, say, toast } from "../shared/dom.js";
import { recentVeils } from "./recent.js";
import { sentence, text } from "./words.js";
import { mediaOf } from "./viewer.js";

/** @typedef {{which: string, waits: (photo: any) => boolean, words: typeof text.queue|typeof text.veils, id: string, key: string,
 *     shows: string, hideID: string, hideKey: string}} Kind `shows`: the field of the decision that shows a photo */

/** @type {Kind} */
const approvals = { which: "pending", waits: (photo) => photo.isPending, words: text.queue, id: "approve", key: "a", shows: "approved",
    hideID: "decline", hideKey: "d" };
/** @type {Kind} */
const veils = { which: "veiled", waits: (photo) => photo.isVeiled, words: text.veils, id: "lift", key: "s", shows: "lifted",
    hideID: "keep", hideKey: "h" };

const pageCount = 60;
/** How many at once the node takes. */
const approvedAtOnceMax = 100;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export const showQueue = (place, main) => show(place, main, approvals);

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export const showVeils = (place, main) => show(place, main, veils);

/** @param {import("./desk.js").Place} place @param {HTMLElement} main @param {Kind} kind */
async function show(place, main, kind) {
    const { words } = kind;
    /** What waits, in its order. @type {{photo: any, tile: HTMLElement}[]} */
    let items = [];
    let current = 0, total = 0, sealedCount = 0, turn = 0, shown = "";
    /** @type {string|null} */
    let next = null;
    let isLoading = false;
    /** What was decided here, the last at the end. @type {{ids: string[], body: object, sentence: string}[]} */
    const decided = [];
    /** The decision that is on its way to the node: a fast "undo" is about it. */
    let deciding = Promise.resolve();

    const stage = make("div", { class: "stage queue-stage" });
    const caption = make("p", { class: "queue-caption" });
    const grid = make("ul", { class: "sheet-grid", id: "queue" });
    const note = make("p", { class: "note", hidden: true, id: "queue-note" });
    const count = make("p", { class: "quiet", id: "queue-count" });
    const more = make("button", { type: "button", class: "button", hidden: true, click: () => load() }, text.more);
    const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ key,
        /** @type {() => void} */ run, style = "button") => make("button",
        { type: "button", class: style, id, click: run, "aria-keyshortcuts": key.toUpperCase() },
        make("span", {}, label), make("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    const approveButton = button(kind.id, words.approve, kind.key, () => decide(true), "button main");
    const declineButton = button(kind.hideID, words.decline, kind.hideKey, () => decide(false), "button danger");
    const undoButton = button("undo", words.undo, "u", undo);
    const allButton = make("button", { type: "button", class: "button small", id: "approve-all",
        click: () => approveAll() });
    const actions = make("div", { class: "queue-actions" }, approveButton, declineButton, undoButton);
    const large = make("section", { class: "queue-large", "aria-label": text.photos.large }, stage, caption);
    const intro = make("p", { class: "quiet", id: "queue-intro" }, words.intro);
    const recent = kind === veils ? recentVeils(place, (ids) => {
        for (const id of ids) drop(id);
        remember(ids, { lifted: false }, text.veils.liftedAll(ids.length));
    }) : null;
    main.replaceChildren(make("div", { class: "queue-head" }, make("h1", {}, words.title), count, allButton),
        ...recent ? [recent.element] : [], large, actions, note, grid, more, intro);
    await load();

    // The queue of pending photos

    async function load() {
        if (isLoading || (items.length && next === null)) return;
        isLoading = true;
        const now = turn;
        const page = await fetchPage(next);
        isLoading = false;
        if (!page || now !== turn) return;
        for (const photo of page.photos) insert(photo);
        settle(page);
    }
    async function reload() {
        const now = ++turn;
        isLoading = false;
        const id = items[current]?.photo.id;
        const page = await fetchPage(null);
        if (!page || now !== turn) return;
        items = [];
        grid.replaceChildren();
        for (const photo of page.photos) insert(photo);
        current = Math.max(0, items.findIndex((item) => item.photo.id === id));
        settle(page);
    }
    /** @param {string|null} before */
    function fetchPage(before) {
        return place.attempt(() => call("GET",
            `${place.path}photos?which=${kind.which}&limit=${pageCount}${before ? `&before=${before}` : ""}`));
    }
    function settle(/** @type {any} */ page) {
        next = page.next ?? null;
        total = page.count;
        sealedCount = page.sealedCount;
        draw();
    }
    /** Whether it is new. @param {any} photo */
    function insert(photo) {
        if (items.some((item) => item.photo.id === photo.id)) return false;
        const tile = make("li", { "data-id": photo.id });
        const made = { photo, tile };
        const at = items.findIndex((item) => item.photo.addedAt > photo.addedAt);
        const index = at < 0 ? items.length : at;
        items.splice(index, 0, made);
        if (index <= current && items.length > 1) current += 1;
        grid.insertBefore(tile, grid.children[index] ?? null);
        drawTile(made);
        return true;
    }
    function drawTile(/** @type {{photo: any, tile: HTMLElement}} */ made) {
        const { photo, tile } = made;
        tile.replaceChildren(make("button", { type: "button", class: "shot", "aria-label": text.photos.label(photo),
            click: () => select(items.indexOf(made)) }, photo.has.includes("thumbnail")
            ? make("img", { src: `${place.path}photos/${photo.id}/thumbnail`, alt: "", loading: "lazy",
                decoding: "async", "data-turn": photo.turn || null })
            : make("span", { class: "missing" }, icon(photo.mediaType.startsWith("video/") ? "play" : "film")),
        make("span", { class: "by" }, text.photos.by(photo.authorName ?? null))));
    }
    function drop(/** @type {string} */ id) {
        const index = items.findIndex((item) => item.photo.id === id);
        if (index < 0) return;
        const hadFocus = items[index].tile.contains(document.activeElement);
        items[index].tile.remove();
        items.splice(index, 1);
        total = Math.max(items.length, total - 1);
        if (index < current) current -= 1;
        draw();
        if (hadFocus) focus();
    }
    function draw() {
        current = Math.min(Math.max(0, current), Math.max(0, items.length - 1));
        const photo = items[current]?.photo;
        count.textContent = words.count(total);
        large.hidden = !photo;
        approveButton.disabled = declineButton.disabled = !photo;
        undoButton.disabled = !decided.length;
        // Veils are looked at one by one, but for those of devices that were let in lately.
        recent?.follow(total);
        allButton.hidden = items.length < 2 || kind !== approvals;
        allButton.textContent = text.queue.approveAll(items.length);
        more.hidden = next === null;
        note.hidden = Boolean(photo) && sealedCount === 0;
        note.textContent = sealedCount > 0 ? words.sealed(sealedCount) : words.none;
        for (const [index, { tile }] of items.entries()) {
            tile.firstElementChild?.setAttribute("aria-current", String(index === current));
        }
        const key = photo ? `${photo.id} ${photo.has}` : "";
        if (key === shown) return;
        shown = key;
        stage.replaceChildren(...photo ? [mediaOf(photo, place)] : []);
        caption.replaceChildren(...photo ? [make("span", { class: "strong" },
            text.photos.by(photo.authorName ?? null)),
        ` ${text.time(photo.takenAt ?? photo.addedAt)}${photo.caption ? ` – ${photo.caption}` : ""}`] : []);
    }
    function focus() {
        /** @type {HTMLElement|null} */ (items[current]?.tile.firstElementChild ?? undoButton)?.focus();
    }
    function select(/** @type {number} */ index) {
        if (!items.length) return;
        current = Math.min(items.length - 1, Math.max(0, index));
        if (current >= items.length - 8) load();
        draw();
        items[current].tile.scrollIntoView({ block: "nearest" });
    }

    // Decisions

    /** Whether the node has done it; not where another device was first. @param {string} id @param {object} body */
    async function send(id, body) {
        try {
            changed("photo", await call("POST", `${place.path}photos/${id}`, body));
            return true;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.code === "refused" || error.status === 404) drop(id);
            else {
                toast(sentence(error), null, 12_000);
                say(sentence(error));
            }
            return false;
        }
    }
    async function decide(/** @type {boolean} */ isShown) {
        const photo = items[current]?.photo;
        if (!photo) return;
        const field = isShown ? kind.shows : "hidden";
        deciding = send(photo.id, { [field]: true }).then((isDone) => {
            if (isDone) remember([photo.id], { [field]: false }, isShown ? words.approved : words.declined);
        });
        await deciding;
    }
    async function approveAll() {
        const ids = items.map((item) => item.photo.id);
        /** @type {string[]} */
        const approved = [];
        for (let start = 0; start < ids.length; start += approvedAtOnceMax) {
            const photos = ids.slice(start, start + approvedAtOnceMax);
            const done = await place.attempt(() => call("POST", `${place.path}approve`, { photos }));
            if (!done) break;
            approved.push(...photos);
            for (const id of photos) drop(id);
        }
        if (approved.length) remember(approved, { approved: false }, text.queue.approvedAll(approved.length));
    }
    /** @param {string[]} ids @param {object} body that undoes it @param {string} done */
    function remember(ids, body, done) {
        decided.push({ ids, body, sentence: done });
        draw();
        say(done);
        toast(done, { label: words.undo, run: undo }, 8_000);
    }
    async function undo() {
        await deciding.catch(() => { /* told by the decision */ });
        const last = decided.pop();
        if (!last) return;
        for (const id of last.ids) await send(id, last.body);
        const back = items.findIndex((item) => item.photo.id === last.ids[0]);
        if (back >= 0) select(back);
        draw();
        say(words.undone);
        toast(words.undone, null, 4_000);
    }

    /** A change of a photo, decided here or elsewhere. @param {string} name @param {any} data */
    function changed(name, data) {
        if (name === "reset" || name === "event") return void reload();
        if (name === "removed") return drop(data.id);
        if (name !== "photo") return;
        if (!kind.waits(data)) return drop(data.id);
        const known = items.find((item) => item.photo.id === data.id);
        if (known) {
            known.photo = data;
            drawTile(known);
        } else if (next === null || data.addedAt < (items.at(-1)?.photo.addedAt ?? 0)) {
            if (insert(data)) total += 1;
        } else {
            total += 1;
        }
        draw();
    }
    function columns() {
        const top = items[0]?.tile.offsetTop;
        const end = items.findIndex((item) => item.tile.offsetTop !== top);
        return end < 0 ? items.length : end;
    }
    function key(/** @type {KeyboardEvent} */ event) {
        if (/** @type {HTMLElement} */ (event.target).matches("video") && event.key.startsWith("Arrow")) return;
        const steps = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1, ArrowDown: columns(), ArrowUp: -columns() };
        const step = steps[/** @type {keyof typeof steps} */ (event.key)];
        const pressed = event.key.toLowerCase();
        if (step !== undefined) select(current + step);
        // A key that is held down decides once.
        else if (pressed === kind.key && !event.repeat) decide(true);
        else if (pressed === kind.hideKey && !event.repeat) decide(false);
        else if (pressed === "u" && !event.repeat) undo();
        else return;
        event.preventDefault();
    }
    return { changed, key };
}
