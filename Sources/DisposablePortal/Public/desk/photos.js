// SPDX-License-Identifier: Apache-2.0
// The contact sheet: new photos appear live, and keys move through them, hide, select and mark.
import { call } from "../shared/api.js";
import { ask, find, icon, make, say, toast } from "../shared/dom.js";
import { adding } from "./adding.js";
import { goToAlbum } from "./album.js";
import { text } from "./words.js";
import { makeViewer } from "./viewer.js";
import { tellWalls } from "./wall.js";

const words = text.photos;
const pageCount = 60;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showPhotos(place, main) {
    /** The photos on the sheet, in order. @type {{photo: any, tile: HTMLElement}[]} */
    let items = [];
    let which = "all", author = place.detail, total = 0, sealedCount = 0, current = -1, turn = 0;
    /** @type {string|null} */
    let next = null;
    let isLoading = false;
    /** Ids of the selected photos; `null` outside of selecting. @type {Set<string>|null} */
    let selected = null;

    const grid = make("ul", { class: "sheet-grid", id: "grid" });
    const note = make("p", { class: "note", hidden: true });
    const count = make("p", { class: "quiet", id: "photo-count" });
    const more = make("button", { type: "button", class: "button", hidden: true, click: () => load() }, text.more);
    const filters = Object.entries(words.which).map(([name, label]) => make("button", {
        type: "button", class: "filter", "data-which": name, "aria-pressed": String(name === which),
            click: () => choose(name),
    }, label));
    const by = make("select", { id: "by", "aria-label": words.byWhom, change: () => {
        author = by.value;
        reload();
    } }, make("option", { value: "" }, words.everyone));
    const selectButton = make("button", { type: "button", class: "button small", id: "select", "aria-pressed": "false",
        click: () => setSelecting(!selected) }, words.select);
    const hideSelected = make("button", { type: "button", class: "button small", id: "hide-selected", hidden: true,
        click: () => markSelected(true) });
    const showSelected = make("button", { type: "button", class: "button small", id: "show-selected", hidden: true,
        click: () => markSelected(false) });
    const share = make("button", { type: "button", class: "button small", id: "share-favourites", hidden: true,
        click: shareFavourites }, words.share);
    const home = make("a", { class: "button small", id: "save-photos", download: "", hidden: true }, words.saveAll);
    const album = make("button", { type: "button", class: "button small", id: "to-album", hidden: true, click: () => goToAlbum(place) },
        words.album);
    const files = adding(place);
    const large = makeViewer({ place, photo: () => items[current]?.photo, step: (by) => select(current + by), hide, favour, approve,
        closed: () => focusTile() });
    main.replaceChildren(make("h1", { class: "offscreen" }, words.title),
        make("div", { class: "sheet-bar" }, make("div", { class: "filters" }, ...filters), by, count,
            make("div", { class: "row" }, files.button, home, album, share, hideSelected, showSelected, selectButton),
            make("button", { type: "button", class: "button small", id: "keys", click: showKeys }, words.keys,
                make("kbd", {}, "?"))),
        files.element, grid, note, more, files.area, large.element);
    const watcher = new IntersectionObserver((seen) => { if (seen.some((entry) => entry.isIntersecting)) load(); },
        { rootMargin: "600px" });
    watcher.observe(more);
    // Keys and changes reach the sheet as soon as it has photos: the list of people may take longer.
    fillPeople();
    await load();

    // The sheet

    /** Loads the people with photos, by name. */
    async function fillPeople() {
        const limit = 100;
        for (let offset = 0, count = 1; offset < count; offset += limit) {
            const page = await place.attempt(() => call("GET", `${place.path}people?offset=${offset}&limit=${limit}`));
            if (!page) return;
            ({ count } = page);
            const people = page.people.map((/** @type {any} */ entry) => entry.person)
                .filter((/** @type {any} */ person) => person.framesUsed > 0 || person.key === author);
            by.append(...people.map((/** @type {any} */ person) => make("option", { value: person.key,
                selected: person.key === author }, person.name ?? text.noName)));
        }
    }

    /** Shows the marked photos to guests as highlights. */
    async function shareFavourites() {
        share.disabled = true;
        const done = await place.attempt(() => call("POST", `${place.path}highlights`, { isOn: true }, 300_000));
        share.disabled = false;
        if (done) toast(words.shared(done.count));
    }
    async function choose(/** @type {string} */ name) {
        which = name;
        share.hidden = name !== "favourites";
        for (const button of filters) button.setAttribute("aria-pressed", String(button.dataset.which === name));
        await reload();
    }
    async function reload() {
        turn += 1;
        isLoading = false;
        const page = await fetchPage(null);
        if (!page) return;
        // Checked only now: the focus may have moved while the page was loading.
        const id = items[current]?.photo.id;
        const hadFocus = grid.contains(document.activeElement);
        items = page.photos.map(item);
        grid.replaceChildren(...items.map((item) => item.tile));
        current = items.findIndex((item) => item.photo.id === id);
        settle(page);
        if (!hadFocus) return;
        /** @type {HTMLElement|null} */ (items[current]?.tile.firstElementChild)?.focus({ preventScroll: true });
    }
    async function load() {
        if (isLoading || (items.length && next === null)) return;
        isLoading = true;
        const page = await fetchPage(next);
        isLoading = false;
        if (!page) return;
        const known = new Set(items.map((item) => item.photo.id));
        const fresh = page.photos.filter((/** @type {any} */ photo) => !known.has(photo.id)).map(item);
        items.push(...fresh);
        grid.append(...fresh.map((/** @type {any} */ item) => item.tile));
        settle(page);
    }
    /** Returns `undefined` if another list was requested meanwhile. @param {string|null} before */
    async function fetchPage(before) {
        const now = turn;
        const page = await place.attempt(() => call("GET",
            `${place.path}photos?which=${which}&limit=${pageCount}${author ? `&by=${author}` : ""}${before ? `&before=${before}` : ""}`));
        return now === turn ? page : undefined;
    }
    function settle(/** @type {any} */ page) {
        next = page.next ?? null;
        total = page.count;
        sealedCount = page.sealedCount;
        refresh();
    }
    function refresh() {
        count.textContent = words.count(total);
        home.hidden = total === 0;
        album.hidden = total === 0 || !place.here;
        home.setAttribute("href", `${place.path}zip?which=${which}${author ? `&by=${author}` : ""}`);
        more.hidden = next === null;
        note.hidden = items.length > 0 && sealedCount === 0;
        note.textContent = sealedCount > 0 ? words.sealed(sealedCount)
            : words.none[/** @type {keyof typeof words.none} */ (which)];
        if (current >= items.length) current = items.length - 1;
        items.forEach((item, index) => { item.tile.firstElementChild?.setAttribute("tabindex",
            index === Math.max(0, current) ? "0" : "-1"); });
        for (const { photo, tile } of items) {
            tile.firstElementChild?.setAttribute("aria-pressed", String(selected?.has(photo.id) ?? false));
            if (!selected) tile.firstElementChild?.removeAttribute("aria-pressed");
        }
        drawSelection();
        large.draw();
    }
    function drawSelection() {
        const chosen = items.filter(({ photo }) => selected?.has(photo.id));
        const hiddenCount = chosen.filter(({ photo }) => photo.isHidden).length;
        selectButton.setAttribute("aria-pressed", String(selected !== null));
        selectButton.textContent = selected ? words.selectDone : words.select;
        hideSelected.hidden = chosen.length === hiddenCount;
        hideSelected.textContent = words.hideCount(chosen.length - hiddenCount);
        showSelected.hidden = hiddenCount === 0;
        showSelected.textContent = words.unhideCount(hiddenCount);
    }
    function item(/** @type {any} */ photo) {
        const tile = make("li", { "data-id": photo.id });
        const made = { photo, tile };
        drawTile(made);
        return made;
    }
    function drawTile(/** @type {{photo: any, tile: HTMLElement}} */ made) {
        const { photo, tile } = made;
        const hadFocus = tile.contains(document.activeElement);
        const index = () => items.indexOf(made);
        const button = make("button", {
            type: "button", class: `shot${photo.isHidden || photo.isPending ? " is-hidden" : ""}`, "aria-label": words.label(photo),
                tabindex: "-1",
            click: () => { select(index()); selected ? toggle() : large.open(); }, focus: () => { current = index(); },
        }, photo.has.includes("thumbnail")
            ? make("img", { src: `${place.path}photos/${photo.id}/thumbnail`, alt: "", loading: "lazy",
                decoding: "async", "data-turn": photo.turn || null })
            : make("span", { class: "missing" }, icon(photo.mediaType.startsWith("video/") ? "play" : "film")),
        photo.isHidden ? make("span", { class: "mark hidden-mark" }, icon("hidden")) : null,
        photo.isPending ? make("span", { class: "mark hidden-mark" }, icon("clock")) : null,
        photo.isFavourite ? make("span", { class: "mark star" }, icon("star")) : null,
        photo.mediaType.startsWith("video/") && photo.has.includes("thumbnail")
            ? make("span", { class: "mark video-mark" }, icon("play")) : null,
        photo.commentCount ? make("span", { class: "mark comment-mark" }, icon("comment"), String(photo.commentCount)) : null,
        make("span", { class: "by" }, words.by(photo.authorName ?? null)));
        tile.replaceChildren(button);
        if (hadFocus) button.focus({ preventScroll: true });
    }
    function belongs(/** @type {any} */ photo) {
        if (author && photo.author !== author) return false;
        return which === "all" || (which === "shown" && !photo.isHidden && !photo.isSealed && !photo.isPending)
            || (which === "hidden" && photo.isHidden)
            || (which === "favourites" && photo.isFavourite);
    }

    // Changes

    function changed(/** @type {string} */ name, /** @type {any} */ data) {
        if (name === "reset") return void reload();
        if (name === "photo") put(data);
        if (name === "removed") take(data.id);
    }
    function put(/** @type {any} */ photo) {
        const index = items.findIndex((item) => item.photo.id === photo.id);
        if (index >= 0) {
            items[index].photo = photo;
            // It stays on the sheet until another list is chosen, so that a mistake can be undone at once.
            drawTile(items[index]);
            return refresh();
        }
        if (!belongs(photo)) return;
        const at = items.findIndex((item) => item.photo.addedAt <= photo.addedAt);
        if (at < 0 && next !== null) return;  // older than the loaded photos
        const made = item(photo);
        const place = at < 0 ? items.length : at;
        items.splice(place, 0, made);
        grid.insertBefore(made.tile, grid.children[place] ?? null);
        made.tile.classList.add("is-new");
        if (current >= place) current += 1;
        total += 1;
        refresh();
    }
    function take(/** @type {string} */ id) {
        const index = items.findIndex((item) => item.photo.id === id);
        if (index < 0) return;
        items[index].tile.remove();
        items.splice(index, 1);
        if (current > index) current -= 1;
        total -= 1;
        refresh();
    }
    async function mark(/** @type {object} */ body, /** @type {string} */ sentence,
        /** @type {object|null} */ undo = null) {
        const photo = items[current]?.photo;
        if (!photo) return;
        const send = async (/** @type {object} */ body) => {
            const after = await place.attempt(() => call("POST", `${place.path}photos/${photo.id}`, body));
            if (after) put(after);
            return after;
        };
        if (!await send(body)) return;
        say(sentence);
        toast(sentence, undo ? { label: words.undo, run: () => send(undo) } : null, 5_000);
    }
    /** Marks a photo as selected, or not. */
    function toggle() {
        const id = items[current]?.photo.id;
        if (id === undefined) return;
        selected ??= new Set();
        if (!selected.delete(id)) selected.add(id);
        refresh();
    }
    /** @param {boolean} isOn */
    function setSelecting(isOn) {
        selected = isOn ? new Set() : null;
        refresh();
    }
    /** Hides the selected photos, or shows them again. @param {boolean} hidden */
    async function markSelected(hidden) {
        const ids = items.filter(({ photo }) => selected?.has(photo.id) && photo.isHidden !== hidden)
            .map(({ photo }) => photo.id);
        const done = await markAll(ids, hidden);
        setSelecting(false);
        if (!done.length) return;
        const sentence = hidden ? words.hidCount(done.length) : words.putBackCount(done.length);
        say(sentence);
        toast(sentence, { label: words.undo, run: () => markAll(done, !hidden) }, 8_000);
    }
    /** Sends one after the other, up to the first refusal. @param {string[]} ids @param {boolean} hidden */
    async function markAll(ids, hidden) {
        /** @type {string[]} */
        const done = [];
        for (const id of ids) {
            const after = await place.attempt(() => call("POST", `${place.path}photos/${id}`, { hidden }));
            if (!after) break;
            put(after);
            done.push(id);
        }
        return done;
    }
    function hide() {
        if (items[current]?.photo.isHidden) mark({ hidden: false }, words.putBack);
        else mark({ hidden: true }, words.hid, { hidden: false });
    }
    function approve() {
        mark({ approved: true }, text.queue.approved, { approved: false });
    }
    function favour() {
        if (items[current]?.photo.isFavourite) mark({ favourite: false }, words.unmarked);
        else mark({ favourite: true }, words.marked);
    }

    // Keys

    function focusTile() {
        /** @type {HTMLElement|null} */ (items[current]?.tile.firstElementChild)?.focus();
    }
    function select(/** @type {number} */ index) {
        if (!items.length) return;
        current = Math.min(items.length - 1, Math.max(0, index));
        if (current >= items.length - 8) load();
        refresh();
        if (!large.isOpen) focusTile();
        else items[current].tile.scrollIntoView({ block: "nearest" });
    }
    const columns = () => {
        const top = items[0]?.tile.offsetTop;
        const end = items.findIndex((item) => item.tile.offsetTop !== top);
        return end < 0 ? items.length : end;
    };
    function key(/** @type {KeyboardEvent} */ event) {
        // A video uses the arrow keys itself.
        if (/** @type {HTMLElement} */ (event.target).matches("video") && event.key.startsWith("Arrow")) return;
        const steps = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1, ArrowDown: columns(), ArrowUp: -columns() };
        const step = steps[/** @type {keyof typeof steps} */ (event.key)];
        if (step !== undefined) select(current < 0 ? 0 : large.isOpen ? current + Math.sign(step) : current + step);
        else if (event.key === "h") hide();
        else if (event.key === "f") favour();
        else if (event.key === "w" && items[current]) tellWalls(place, "show", items[current].photo.id);
        else if (event.key === "x" && !large.isOpen) toggle();
        else if (event.key === "?") showKeys();
        else if (event.key === "Escape" && large.isOpen) large.close();
        else if (event.key === "Enter" && (large.isOpen || document.activeElement === document.body)
            && !/** @type {HTMLElement} */ (event.target).matches("button, a")) large.isOpen ? large.close()
                : large.open();
        else return;
        event.preventDefault();
    }

    return {
        changed, key,
        leave() {
            watcher.disconnect();
            files.leave();
            large.leave();
        },
    };
}

function showKeys() {
    ask({ title: words.keysTitle, body: [], yes: text.photos.close, no: "" });
    const form = find("ask").querySelector("form");
    form.querySelector("button[value='']")?.remove();
    form.querySelector("h2").after(make("dl", { class: "keys" }, ...words.keysAre.flatMap(([key, does]) =>
        [make("dt", {}, make("kbd", {}, key)), make("dd", {}, does)])));
}
