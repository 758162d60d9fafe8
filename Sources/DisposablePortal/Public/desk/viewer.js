// SPDX-License-Identifier: Apache-2.0
// One photo or video large, over everything, with its buttons and comments.
import { call } from "../shared/api.js";
import { icon, make, say, toast } from "../shared/dom.js";
import { copiesOf, erase } from "./erasing.js";
import { setPicture } from "./pictures.js";
import { tellWalls } from "./wall.js";
import { text } from "./words.js";

const words = text.photos;

/**
 * @typedef {{place: import("./desk.js").Place, photo: () => any, step: (by: number) => void, hide: () => void,
 *   favour: () => void, approve: () => void, closed: () => void}} Desk `photo` returns the visible one in its present state
 * @param {Desk} desk
 */
export function makeViewer(desk) {
    const stage = make("div", { class: "stage" });
    const caption = make("p", { class: "caption" });
    const comments = commentList(desk);
    const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ run) =>
        make("button", { type: "button", class: "plain", "aria-label": label, click: run }, icon(name),
            make("span", {}, label));
    const approveButton = button("queue", text.queue.approve, desk.approve);
    approveButton.id = "approve";
    const hideButton = button("hidden", words.hide, desk.hide), starButton = button("star", words.favourite, desk.favour);
    const commentButton = button("comment", words.comments(0), () => unfold(!comments.isOpen));
    function unfold(/** @type {boolean} */ isOpen) {
        comments.unfold(isOpen);
        commentButton.setAttribute("aria-expanded", String(isOpen));
    }
    unfold(false);
    const wallButton = button("wall", words.toWall, () => tellWalls(desk.place, "show", desk.photo().id));
    wallButton.id = "to-wall";
    // Only where the command is accepted.
    const pictureButtons = !desk.place.here ? [] : /** @type {const} */ (["cover", "plan"]).map((role) => ({ role,
        button: button(role === "cover" ? "film" : "plan", text.pictures.use[role], () => {
            const photo = desk.photo();
            setPicture(desk.place, role, photo.pictures.includes(role) ? null : photo.id);
        }) }));
    const copies = make("span", { class: "copies-of" });
    const eraseButton = !desk.place.here ? null : make("button", { type: "button", class: "plain", id: "erase",
        click: () => erase(desk.place, desk.photo()) }, icon("bin"), make("span", {}, text.erasing.button));
    const save = make("a", { class: "plain", download: "" }, icon("save"), make("span", {}, words.save));
    const closeButton = make("button", { type: "button", class: "plain bare", "aria-label": words.close, click: close },
        icon("close"));
    const turn = (/** @type {string} */ side, /** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ by) =>
        make("button", { type: "button", class: `plain bare ${side}`, "aria-label": label, click: () => desk.step(by) },
            icon(name));
    const element = make("section", { class: "viewer", hidden: true, role: "dialog", "aria-modal": "true",
        "aria-label": words.large }, make("header", {}, caption, closeButton),
    turn("before", "left", words.previous, -1), stage, turn("after", "right", words.next, 1),
    comments.element, make("footer", {}, approveButton, hideButton, starButton, commentButton, wallButton,
        ...pictureButtons.map(({ button }) => button), save, eraseButton));
    let shown = "";

    function open() {
        if (!desk.photo()) desk.step(1);
        if (!desk.photo()) return;
        element.hidden = false;
        document.documentElement.classList.add("photo-open");
        draw();
        closeButton.focus();
    }
    function leave() {
        element.hidden = true;
        // A video stops when the viewer closes.
        stage.replaceChildren();
        shown = "";
        // Over the next video they would cover its controls.
        unfold(false);
        document.documentElement.classList.remove("photo-open");
    }
    function close() {
        leave();
        desk.closed();
    }
    function draw() {
        if (element.hidden) return;
        const photo = desk.photo();
        if (!photo) return close();
        const key = `${photo.id} ${photo.has}`;
        if (shown !== key) {
            shown = key;
            stage.replaceChildren(mediaOf(photo, desk.place));
            copies.textContent = "";
            copiesOf(desk.place, photo.id).then((found) => { if (shown === key && found) copies.textContent = ` · ${found}`; });
        }
        // The focused button is about to be hidden.
        if (!photo.isPending && document.activeElement === approveButton) hideButton.focus();
        approveButton.hidden = !photo.isPending;
        // A wall shows what guests see.
        wallButton.hidden = photo.isPending || photo.isHidden || photo.isVeiled || photo.isSealed;
        caption.replaceChildren(...photo.isPending ? [make("span", { class: "tag" }, words.waiting), " "] : [], make("span", { class: "strong" }, words.by(photo.authorName ?? null)),
            ` ${text.time(photo.takenAt ?? photo.addedAt)} ${photo.caption ? `– ${photo.caption}` : ""}`, copies);
        stage.classList.toggle("is-hidden", photo.isHidden);
        label(hideButton, photo.isHidden ? "shown" : "hidden", photo.isHidden ? words.unhide : words.hide);
        label(starButton, "star", photo.isFavourite ? words.unfavourite : words.favourite);
        starButton.classList.toggle("is-on", photo.isFavourite);
        for (const { role, button } of pictureButtons) {
            const isUsed = photo.pictures.includes(role);
            label(button, role === "cover" ? "film" : "plan", isUsed ? text.pictures.no[role] : text.pictures.use[role]);
            button.classList.toggle("is-on", isUsed);
        }
        label(commentButton, "comment", words.comments(photo.commentCount));
        comments.draw(photo);
        save.hidden = !photo.has.includes("original");
        save.setAttribute("href", `${desk.place.path}photos/${photo.id}/original?download`);
    }
    // The focus stays inside the viewer.
    element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Tab") return;
        const stops = [...element.querySelectorAll("button, a[href], video")]
            .filter((stop) => /** @type {any} */ (stop).checkVisibility?.() ?? !(/** @type {any} */ (stop).hidden));
        const at = stops.indexOf(/** @type {any} */ (document.activeElement));
        const to = stops[(at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length];
        /** @type {HTMLElement} */ (to).focus();
        event.preventDefault();
    });
    return { element, open, close, leave, draw, get isOpen() { return !element.hidden; } };
}

/** @param {HTMLElement} button @param {string} name @param {string} word */
function label(button, name, word) {
    button.setAttribute("aria-label", word);
    button.replaceChildren(icon(name), make("span", {}, word));
}

/** The largest that is here. @param {any} photo @param {import("./desk.js").Place} place */
export function mediaOf(photo, place) {
    const path = `${place.path}photos/${photo.id}/`;
    const size = ["preview", "thumbnail"].find((name) => photo.has.includes(name));
    const isVideo = photo.mediaType.startsWith("video/");
    if (isVideo && photo.has.includes("original")) {
        const video = make("video", { controls: true, playsinline: true, preload: "metadata", src: `${path}original`,
            poster: size ? path + size : null, "aria-label": words.label(photo) });
        video.addEventListener("error", () => video.replaceWith(make("p", {}, words.unplayable)));
        return video;
    }
    return size ? make("img", { src: path + size, alt: words.label(photo), "data-turn": photo.turn || null })
        : make("p", {}, isVideo ? words.videoNotHere : words.notHere);
}

/** The comments on the visible photo, each with a button that hides it. @param {Desk} desk */
function commentList({ place }) {
    const list = make("ul", { class: "rows" });
    const note = make("p", { class: "quiet" });
    const element = make("aside", { class: "comments", hidden: true, "aria-label": words.commentsTitle }, note, list);
    let shown = "";
    /** @type {any} */
    let photo = null;
    async function load() {
        const now = photo, state = `${now?.id} ${now?.commentCount}`;
        if (element.hidden || !now || shown === state) return;
        shown = state;
        const page = await place.attempt(() => call("GET", `${place.path}photos/${now.id}/comments`));
        if (!page) shown = "";
        if (!page || shown !== state) return;
        note.textContent = page.comments.length ? words.earlier(page.earlierCount) : words.noComments;
        list.replaceChildren(...page.comments.map(row));
    }
    function row(/** @type {any} */ comment) {
        return make("li", {}, make("div", {}, make("p", {}, make("span", { class: "strong" },
            comment.authorName ?? text.noName), " ", make("span", { class: "quiet" }, text.time(comment.saidAt))),
        make("p", { class: "prose" }, comment.text)),
        make("button", { type: "button", class: "plain small", "aria-label": words.hideComment(comment.text),
            click: () => hide(comment.id) }, words.hide));
    }
    async function hide(/** @type {string} */ id) {
        if (!await mark(id, true)) return;
        say(words.commentHidden);
        toast(words.commentHidden, { label: words.undo, run: () => mark(id, false) }, 8_000);
    }
    async function mark(/** @type {string} */ id, /** @type {boolean} */ hidden) {
        const done = await place.attempt(() => call("POST", `${place.path}remarks/${id}`, { hidden }));
        shown = "";
        await load();
        return done;
    }
    return {
        element,
        get isOpen() { return !element.hidden; },
        unfold(/** @type {boolean} */ isOpen) {
            element.hidden = !isOpen;
            load();
        },
        draw(/** @type {any} */ now) {
            if (now.id !== photo?.id) list.replaceChildren();
            photo = now;
            load();
        },
    };
}
