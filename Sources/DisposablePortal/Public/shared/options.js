// SPDX-License-Identifier: Apache-2.0
// The host's options for this page (protocol/disposable-v1.md §9.17). An older node says nothing of it: then everything
// is offered.
import { ApiError } from "./api.js";
import { ask, make, toast } from "./dom.js";
import * as session from "./session.js";
import { text } from "./text.js";

/** @typedef {{names: "optional"|"required"|"never", isCameraOnly: boolean, downloads: "everyone"|"own"|"organizers",
 *     videoSecondsMax: number|null, theme: string, wallCode?: boolean, photosAtOnce?: number|null}} Options */

/** @type {Options} */
const open = { names: "optional", isCameraOnly: false, downloads: "everyone", videoSecondsMax: null, theme: "film" };

/** @returns {Options} */
export const options = () => ({ ...open, ...session.me?.event.options });

/** @returns {number} how many photos the host has made highlights */
export const highlightCount = () => session.me?.event.highlightCount ?? 0;

/** @returns {{id: number, text: string}[]} the photos that the host asks for */
export const missions = () => session.me?.event.missions ?? [];

/** Gives the page the event's colours, also before anything is painted the next time (look.js). */
export function dress() {
    // The cover comes behind the first screen.
    const { cover } = session.me?.event ?? {};
    if (cover || document.querySelector(".cover")) setTimeout(() => import("./cover.js").then(({ show }) => show(cover), () => null), 300);
    const root = document.documentElement;
    const { theme } = options();
    if (!/^[a-z]+$/.test(theme) || (root.dataset.colours ?? "film") === theme) return;
    try { localStorage.setItem("disposable.colours", theme); } catch { /* then the next page begins in the usual ones */ }
    const set = () => {
        root.dataset.colours = theme;
        const bar = getComputedStyle(root).getPropertyValue("--amber").trim();
        document.getElementById("bar-color")?.setAttribute("content", bar);
    };
    // The sheet of an event with the usual colours is not loaded. The wall has its own.
    if (theme === "film" || document.getElementById("theme-sheet") || document.getElementById("wall")) return set();
    document.head.append(make("link", { rel: "stylesheet", href: "/shared/themes.css", id: "theme-sheet", load: set }));
}

/** @param {{isMine: boolean}} photo or a gallery of such @returns {boolean} whether this guest may save it */
export function maySave({ isMine }) {
    const { downloads } = options();
    return downloads === "everyone" || (downloads === "own" && isMine);
}

/** How the party's saving is told where everyone's data is told. @returns {string} */
export const savingRule = () => text.welcome.shared[options().downloads];

/** Every type that the page sends, and those of pictures: for the buttons that choose files. */
const types = { all: "image/jpeg,image/png,video/mp4,video/quicktime", pictures: "image/jpeg,image/png" };
export const acceptedTypes = () => options().videoSecondsMax === 0 ? types.pictures : types.all;

/** Seconds by which the node lets a video be longer. */
const tolerance = 1;

/**
 * Leaves out videos that the node would refuse, and says so, before a byte of them is sent.
 * @param {File[]} files
 * @returns {Promise<File[]>}
 */
export async function withoutLongVideos(files) {
    const { videoSecondsMax } = options();
    if (videoSecondsMax === null) return files;
    const lengths = await Promise.all(files.map((file) =>
        !file.type.startsWith("video/") ? 0 : videoSecondsMax === 0 ? Infinity : lengthOf(file)));
    const left = files.filter((_, place) => lengths[place] <= videoSecondsMax + tolerance);
    const reasons = text.mine.reason;
    if (left.length < files.length) {
        toast(videoSecondsMax ? reasons["video-too-long"](videoSecondsMax) : reasons["no-videos"], null, 10_000);
    }
    return left;
}

/**
 * Reads the length that an MP4 or QuickTime file, as phones make them, states in its head (`mvhd` in `moov`). The policy
 * of this page lets no video play that the node has not sent.
 * @param {File} file
 * @returns {Promise<number>} seconds; 0 where this page does not know, and the node measures
 */
async function lengthOf(file) {
    try {
        const movie = await boxOf(file, 0, file.size, "moov");
        const head = movie && await boxOf(file, movie.start, movie.end, "mvhd");
        if (!head) return 0;
        const view = new DataView(await file.slice(head.start, head.start + 32).arrayBuffer());
        const isLong = view.getUint8(0) === 1;
        const scale = view.getUint32(isLong ? 20 : 12);
        const length = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
        return scale ? length / scale : 0;
    } catch {
        return 0;
    }
}

/**
 * @param {File} file @param {number} start @param {number} end @param {string} kind
 * @returns {Promise<{start: number, end: number}|null>} the payload of the first box of the kind
 */
async function boxOf(file, start, end, kind) {
    for (let count = 0; count < 1000 && start + 8 <= end; count += 1) {
        const view = new DataView(await file.slice(start, start + 16).arrayBuffer());
        const isLong = view.getUint32(0) === 1;
        const size = isLong ? Number(view.getBigUint64(8)) : view.getUint32(0) || end - start;
        const name = String.fromCharCode(...[4, 5, 6, 7].map((place) => view.getUint8(place)));
        if (size < 8) return null;
        if (name === kind) return { start: start + (isLong ? 16 : 8), end: Math.min(start + size, end) };
        start += size;
    }
    return null;
}

/** @type {Promise<boolean>|null} */
let asking = null;

/**
 * Asks for a name where the host requires one and this guest has none.
 * @returns {Promise<boolean>} whether photos may be sent
 */
export function named() {
    asking ??= question().finally(() => { asking = null; });
    return asking;
}

async function question() {
    const field = make("input", { id: "ask-name", name: "name", autocomplete: "nickname", maxlength: 40, required: true });
    while (options().names === "required" && session.me?.guest && !session.me.guest.name) {
        const { title, body, yes } = text.names;
        const more = [make("label", { for: "ask-name" }, text.welcome.nameRequired), field];
        if (!await ask({ title, body: [body], yes, more })) return false;
        const name = field.value.trim();
        if (!name) continue;
        try {
            await session.rename(name);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            toast(error.sentence);
            // The photos wait, and the node asks for the name before it takes them.
            if (error.code === "unreachable") return true;
        }
    }
    return true;
}
