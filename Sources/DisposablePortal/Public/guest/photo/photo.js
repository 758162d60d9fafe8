// SPDX-License-Identifier: Apache-2.0
// One photo in front of its gallery: its details, the way to its neighbours, and deleting it.
import { photoURL } from "../../shared/api.js";
import { setUpCaption, showCaption } from "./caption.js";
import { copy, find, loadStyle, make, say } from "../../shared/dom.js";
import { maySave, missions } from "../../shared/options.js";
import { openPerson } from "../gallery/people.js";
import { PhotoList, isVideo } from "../../shared/photos.js";
import { setUpRemarks, showRemarks } from "./remarks.js";
import { me } from "../../shared/session.js";
import { clearStage, setUpStage, showOnStage } from "./picture.js";
import { text } from "../../shared/text.js";
import { altOf } from "../gallery/tiles.js";
import { back, currentView, go } from "../views.js";
import { hasPlan } from "../gallery/ways.js";

/** @typedef {import("../../shared/photos.js").Photo} Photo */

/** How many photos are loaded for the number of one. */
const numberedMax = 2_000;

/** @type {PhotoList} */
let list;
/**
 * The gallery that numbers the photos of the event.
 * @type {PhotoList}
 */
let everyone;
/** @type {Photo|null} */
let current = null;
/**
 * The visible photo when it was deleted: undoing the deletion shows it again.
 * @type {string|null}
 */
let deleted = null;
/** @type {(photo: Photo) => void} */
let remove;

/** @param {PhotoList[]} lists that of everyone first @param {(photo: Photo) => void} onRemove */
export function setUpPhoto(lists, onRemove) {
    loadStyle("guest/photo/photo");
    [everyone] = lists;
    remove = onRemove;
    find("photo-close").addEventListener("click", back);
    find("photo-previous").addEventListener("click", () => step(-1));
    find("photo-next").addEventListener("click", () => step(1));
    find("photo-remove").addEventListener("click", () => { if (current) remove(current); });
    find("photo-author").addEventListener("click", () => { if (current) openPerson(current.author); });
    const save = find("photo-save");
    const row = make("div", { class: "row saving" });
    save.before(row);
    row.append(save, make("button", { id: "photo-copy", type: "button", class: "plain",
        click: () => { if (current) copy(creditOf(current)); } }, text.photo.copy));
    setUpCaption();
    addEventListener("keydown", (event) => {
        if (currentView() !== "photo" || document.querySelector("dialog[open]") || event.altKey || event.ctrlKey || event.metaKey) return;
        find("photo").classList.remove("is-bare");
        // Keys of a video and of a choice are theirs.
        if (/** @type {Element} */ (event.target).matches?.("video,select") && event.key !== "Escape") return;
        // Keys move the caret in a text field; the first Escape leaves it.
        if (event.target instanceof HTMLTextAreaElement) {
            if (event.key === "Escape") event.target.blur();
            return;
        }
        if (event.key === "ArrowLeft") step(-1);
        else if (event.key === "ArrowRight") step(1);
        else if (event.key === "Escape") back();
    });
    setUpRemarks();
    setUpStage({
        turn: step,
        neighbour: (direction) => {
            const photos = list.visible;
            return photos[photos.findIndex((one) => one.id === current?.id) + direction];
        },
        close: back,
        tap: () => find("photo").classList.toggle("is-bare"),
    });
    for (const one of lists) {
        one.listeners.push((change) => {
            if (one === list && current && currentView() === "photo") follow(change);
        });
    }
}

/** Returns the text that belongs beside the photo elsewhere: its caption, its author, the event and the day. @param {Photo} photo */
function creditOf({ caption, authorName, takenAt, addedAt, event }) {
    const credit = text.photo.credit(authorName ?? text.guest, event ?? me?.event.name ?? "", takenAt ?? addedAt);
    return [caption, credit].filter(Boolean).join("\n");
}

/** @param {PhotoList} from the gallery of the photo @param {string} id */
export function showPhoto(from, id) {
    list = from;
    const photo = from.byID.get(id);
    if (photo) show(photo);
    else go(from.isMine ? "mine" : from.author ? "person" : "everyone", { id: from.author });
}

// No large picture stays in memory while the gallery, or the camera, is visible.
export function closePhoto() {
    if (!current) return;
    current = null;
    deleted = null;
    clearStage();
    find("photo").classList.remove("is-bare");
    showCaption(null);
    showRemarks(null);
}

/** @param {import("../../shared/photos.js").Change} change */
function follow(change) {
    const photo = /** @type {Photo} */ (current);
    const restored = change.type === "change" && change.photo.id === deleted && !list.hidden.has(deleted)
        ? change.photo : null;
    if (restored) {
        deleted = null;
        step(0, restored);
        return;
    }
    const now = list.byID.get(photo.id);
    if (now && !list.hidden.has(photo.id)) {
        show(now);
        return;
    }
    // Deleted: its neighbour replaces it.
    deleted = photo.id;
    if (change.type === "remove" && change.photo.id === photo.id) say(text.photo.gone);
    const older = list.visible.find((other) => list.goesBefore(photo, other)) ?? list.visible[list.visible.length - 1];
    if (older) step(0, older);
    else back();
}

/** @param {number} direction @param {Photo} [photo] */
async function step(direction, photo) {
    const photos = list.visible;
    const at = photos.findIndex((one) => one.id === current?.id);
    if (!photo && direction > 0 && at === photos.length - 1 && !list.isComplete) {
        await list.loadMore().catch(() => null);
        if (currentView() !== "photo") return;
    }
    const next = photo ?? list.visible[at + direction];
    if (!next) return;
    go("photo", { id: next.id });
}

/**
 * Shows the number of a photo in the event. That of an old photo, among the guest's own or one person's, is known once
 * the gallery of everyone is loaded up to it.
 * @param {Photo} photo
 */
function showNumber(photo) {
    const number = everyone.numberOf(photo);
    find("photo-number").textContent = number === null ? text.photo.title : text.photo.numbered(number, isVideo(photo));
    const isWorthLoading = photo.state === "frame" && !everyone.isComplete && everyone.photos.length < numberedMax;
    if (number !== null || !isWorthLoading) return;
    everyone.loadMore(200).then(() => { if (current?.id === photo.id) showNumber(photo); }, () => { /* the title remains */ });
}

/** @param {Photo} photo */
function show(photo) {
    const isOther = current?.id !== photo.id;
    current = photo;
    const photos = list.visible;
    const at = photos.findIndex((one) => one.id === photo.id);
    const count = Math.max(list.visibleCount, photos.length);
    const alt = altOf(photo);
    find("photo-place").textContent = text.photo.of(at + 1, count);
    showNumber(photo);
    const author = photo.authorName ?? text.guest;
    find("photo-author").textContent = [text.photo.by(author), photo.event].filter(Boolean).join(" · ");
    find("photo-author").setAttribute("aria-label", text.people.all(author));
    // A photo that only its author sees, or of another event, has no link to the author's gallery.
    find("photo-author").disabled = photo.state !== "frame" || Boolean(photo.event);
    showCaption(photo);
    const time = find("photo-time");
    time.textContent = [photo.takenAt === null ? text.photo.added(photo.addedAt) : text.photo.taken(photo.takenAt),
        photo.zone && text.photo.zone(photo.zone)].filter(Boolean).join(" · ");
    time.parentElement?.classList.toggle("with-zone", !!photo.zone);
    time.dateTime = new Date(photo.takenAt ?? photo.addedAt).toISOString();
    const save = find("photo-save");
    save.hidden = !photo.has.includes("original") || !maySave(photo);
    save.href = photoURL(photo.id, "original?download");
    find("photo-copy").hidden = save.hidden;
    find("photo-size").textContent = photo.byteCount === null ? "" : text.size(photo.byteCount);
    find("photo-remove").hidden = !photo.isMine;
    // Buttons without effect keep their place, so that the other one does not move.
    find("photo-previous").disabled = at <= 0;
    find("photo-next").disabled = at === photos.length - 1 && list.isComplete;
    if (isOther) say(text.photo.announce(alt, at + 1, count));
    showOnStage(photo);
    showRemarks(photo);
    if (missions().length || find("photo-mission")) {
        import("../missions.js").then(({ showMission }) => showMission(current), () => { /* then it is not shown */ });
    }
    // The way to the plan is loaded where there is one.
    if (hasPlan() && photo.state === "frame" && (photo.isMine || photo.spot)) {
        import("../plan/spot.js").then(({ showSpot }) => showSpot(photo, list, () => current === photo)).catch(() => null);
    } else find("spot")?.remove();
    if (photo.isMine && !isVideo(photo) && photo.state !== "sealed") {
        import("./turn.js").then(({ showTurn }) => showTurn(photo, list, () => current === photo), () => null);
    } else find("turn")?.remove();
    if (me?.vote) import("../vote.js").then(({ showVote }) => showVote(photo, () => current === photo), () => null);
    if (document.documentElement.dataset.film || photo.mediaType !== "image/jpeg" || find("photo-copies")) {
        import("./copies.js").then(({ showCopies }) => showCopies(photo, () => current === photo), () => null);
    }
    // Browsers have this for pages over HTTPS and on this machine.
    if (isSecureContext && typeof navigator.canShare === "function") {
        import("./share.js").then(({ showShare }) => showShare(photo, () => current === photo), () => null);
    }
    if (me?.event.veils) import("./veil.js").then(({ showVeil }) => showVeil(photo, list, () => current === photo), () => null);
}
