// SPDX-License-Identifier: Apache-2.0
// One photo of a gallery in front of it: what is known of it, the way to its neighbours, and deleting it.
import { photoURL } from "./api.js";
import { find, say } from "./dom.js";
import { altOf } from "./gallery.js";
import { PhotoList } from "./photos.js";
import { setUpRemarks, showRemarks } from "./remarks.js";
import { clearStage, setUpStage, showOnStage } from "./picture.js";
import { text } from "./text.js";
import { back, currentView, go } from "./views.js";

/** @typedef {import("./photos.js").Photo} Photo */

/** @type {PhotoList} */
let list;
/** @type {Photo|null} */
let current = null;
/**
 * The photo in front when it was deleted: undoing that brings it back to the front.
 * @type {string|null}
 */
let deleted = null;
/** @type {(photo: Photo) => void} */
let remove;

/** @param {PhotoList[]} lists @param {(photo: Photo) => void} onRemove */
export function setUpPhoto(lists, onRemove) {
    remove = onRemove;
    find("photo-close").addEventListener("click", back);
    find("photo-previous").addEventListener("click", () => step(-1));
    find("photo-next").addEventListener("click", () => step(1));
    find("photo-remove").addEventListener("click", () => { if (current) remove(current); });
    addEventListener("keydown", (event) => {
        if (currentView() !== "photo" || find("ask").open || event.altKey || event.ctrlKey || event.metaKey) return;
        find("photo").classList.remove("is-bare");
        if (event.target instanceof HTMLVideoElement && event.key !== "Escape") return;
        // Keys move within a text that is being written; the first Escape leaves it.
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

/** @param {PhotoList} from the gallery that it is seen in @param {string} id */
export function showPhoto(from, id) {
    list = from;
    const photo = from.byID.get(id);
    if (photo) show(photo);
    else go(from.isMine ? "mine" : "everyone");
}

/** Nothing large stays in memory while the gallery, or the camera, is in front. */
export function closePhoto() {
    if (!current) return;
    current = null;
    deleted = null;
    clearStage();
    find("photo").classList.remove("is-bare");
    showRemarks(null);
}

/** @param {import("./photos.js").Change} change */
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
    // Deleted: its neighbour comes in its place.
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

/** @param {Photo} photo */
function show(photo) {
    const isOther = current?.id !== photo.id;
    current = photo;
    const photos = list.visible;
    const at = photos.findIndex((one) => one.id === photo.id);
    const count = Math.max(list.visibleCount, photos.length);
    const alt = altOf(photo);
    find("photo-place").textContent = text.photo.of(at + 1, count);
    find("photo-author").textContent = photo.authorName ?? text.guest;
    find("photo-caption").textContent = photo.caption ?? "";
    find("photo-caption").hidden = !photo.caption;
    const time = find("photo-time");
    time.textContent = text.time(photo.takenAt ?? photo.addedAt);
    time.dateTime = new Date(photo.takenAt ?? photo.addedAt).toISOString();
    const save = find("photo-save");
    save.hidden = !photo.has.includes("original");
    save.href = photoURL(photo.id, "original?download");
    find("photo-size").textContent = photo.byteCount === null ? "" : text.size(photo.byteCount);
    find("photo-remove").hidden = !photo.isMine;
    // Buttons that do nothing keep their place, so that the thumb finds the other one where it was.
    find("photo-previous").disabled = at <= 0;
    find("photo-next").disabled = at === photos.length - 1 && list.isComplete;
    if (isOther) say(text.photo.announce(alt, at + 1, count));
    showOnStage(photo);
    showRemarks(photo);
}
