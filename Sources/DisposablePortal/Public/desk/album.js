// SPDX-License-Identifier: Apache-2.0
// The photos of an event as one file: the photos alone, or an album with its progress, its download and, if it is encrypted,
// its passphrase.
import { call } from "../shared/api.js";
import { make, say } from "../shared/dom.js";
import { language } from "../shared/text.js";
import { chips, field } from "./fields.js";
import { sentence, text } from "./words.js";

const words = text.album;
/** Between two looks at an album that is being made. Milliseconds. */
const interval = 1_000;

/** Whether the organizer comes for the album. */
let isAwaited = false;
/** Shows the choice between the photos alone and the albums. @param {import("./desk.js").Place} place */
export function goToAlbum(place) {
    isAwaited = true;
    place.go("overview");
}

/** @param {import("./desk.js").Place} place where only the computer that runs the event makes albums */
export function albumPanel(place) {
    const kind = chips(words.kind, Object.entries(words.kinds), "plain", draw);
    const about = make("p", { class: "quiet", id: "album-about" });
    const favourites = make("input", { type: "checkbox", id: "album-favourites", change: draw });
    const previews = make("input", { type: "checkbox", id: "album-previews" });
    const passphrase = make("input", { id: "album-passphrase", autocomplete: "off", autocapitalize: "none",
        spellcheck: "false", maxlength: 200 });
    const forSealed = make("div", { class: "flow", hidden: true }, field(words.passphrase, passphrase, words.passphraseHint),
        make("label", { class: "check" }, previews, make("span", {}, words.previews)));
    const begin = make("button", { class: "button", id: "album-make" }, words.make);
    const photos = make("a", { class: "button", id: "album-photos", download: "" });
    const none = make("span", { class: "quiet", id: "album-none" }, words.none);
    const form = make("form", { class: "flow", id: "album-form", submit: start }, kind.element, about, forSealed,
        make("label", { class: "check" }, favourites, make("span", {}, words.favourites)),
        make("div", { class: "row" }, begin, photos, none));
    const bar = make("progress", { max: 1, value: 0, "aria-label": words.title });
    const step = make("p", { class: "quiet" });
    const making = make("div", { class: "flow", id: "album-making", hidden: true }, step, bar, make("div", { class: "row" },
        make("button", { type: "button", class: "button", id: "album-stop", click: remove }, words.stop)));
    const ready = make("div", { class: "flow", id: "album-ready", hidden: true });
    const problem = make("p", { role: "alert", id: "album-problem", hidden: true });
    const element = make("section", { class: "panel flow", id: "album", hidden: !place.here }, make("h2", {}, words.title),
        problem, form, making, ready);
    let timer = 0, isGone = false;
    /** @type {any} */
    let album = null;

    async function start(/** @type {Event} */ event) {
        event.preventDefault();
        begin.disabled = true;
        if (kind.value === "photos") return;
        const isSealed = kind.value === "sealed";
        await ask("POST", { isSealed, passphrase: isSealed ? passphrase.value : "", hasOriginals: !(isSealed && previews.checked),
            onlyFavourites: favourites.checked, language });
        begin.disabled = false;
        if (album) {
            passphrase.value = "";
            say(words.writing(0, 0));
        }
    }
    async function remove() {
        await ask("DELETE");
        if (!isGone) begin.focus();
    }
    /** @param {string} method @param {object} [body] */
    async function ask(method, body) {
        clearTimeout(timer);
        const before = album?.state;
        try {
            album = (await call(method, `${place.path}album`, body, 120_000)).album ?? null;
            problem.hidden = true;
        } catch (error) {
            // The program may answer again: what it makes goes on.
            if (/** @type {any} */ (error).status) album = null;
            problem.textContent = sentence(error);
            problem.hidden = false;
        }
        if (isGone) return;
        draw();
        if (album && before && before !== "ready" && album.state === "ready") say(words.ready);
        if (album && album.state !== "ready") timer = setTimeout(() => ask("GET"), interval);
    }
    function draw() {
        const isReady = album?.state === "ready";
        form.hidden = album !== null;
        forSealed.hidden = kind.value !== "sealed";
        about.textContent = words.abouts[/** @type {keyof typeof words.abouts} */ (kind.value)];
        begin.hidden = kind.value === "photos";
        drawPhotos();
        making.hidden = !album || isReady;
        ready.hidden = !isReady;
        if (album && !isReady) {
            step.textContent = album.state === "packing" ? words.packing : words.writing(album.done, album.total);
            bar.max = Math.max(1, album.total);
            bar.value = album.done;
        }
        if (!isReady) return ready.replaceChildren();
        ready.replaceChildren(...[
            make("p", {}, words.content(album.photoCount, album.byteCount)),
            album.leftOutCount ? make("p", {}, words.leftOut(album.leftOutCount)) : null,
            album.lacksSheet ? make("p", {}, words.lacksSheet) : null,
            album.passphrase ? make("p", {}, words.itsPassphrase, " ", make("strong", { class: "address", id: "album-words" }, album.passphrase)) : null,
            album.passphrase ? make("p", { class: "quiet" }, words.passphraseAdvice) : null,
            make("div", { class: "row" },
                make("a", { class: "button", id: "album-save", href: `${place.path}album/file`, download: "" }, words.save),
                make("button", { type: "button", class: "button", id: "album-remove", click: remove }, words.remove)),
            make("p", { class: "quiet" }, words.kept),
        ].filter((part) => part !== null));
    }
    /** Offers the photos alone, once it is known that there are some. */
    async function drawPhotos() {
        photos.hidden = none.hidden = true;
        if (kind.value !== "photos") return;
        const which = favourites.checked ? "favourites" : "all";
        const count = (await place.attempt(() => call("GET", `${place.path}photos?which=${which}&limit=1`)))?.count ?? 0;
        if (kind.value !== "photos" || which !== (favourites.checked ? "favourites" : "all")) return;
        photos.hidden = count === 0;
        none.hidden = count > 0;
        photos.textContent = words.savePhotos(count);
        photos.setAttribute("href", `${place.path}zip?which=${which}`);
    }
    function show() {
        element.scrollIntoView();
        element.querySelector("input:checked")?.focus({ preventScroll: true });
    }
    if (place.here) {
        draw();
        ask("GET");
    }
    return {
        element,
        /** Shows the panel to an organizer who comes for it. */
        arrive() {
            if (!isAwaited) return;
            isAwaited = false;
            show();
        },
        show,
        leave() {
            isGone = true;
            clearTimeout(timer);
        },
    };
}
