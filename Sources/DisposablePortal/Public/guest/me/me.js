// SPDX-License-Identifier: Apache-2.0
// The guest's name, return codes, the link for others, and signing out.
import { showAbout } from "./about.js";
import { setUpAppearance } from "./appearance.js";
import { ApiError } from "../../shared/api.js";
import { drawCode } from "../../shared/codes.js";
import { ask, copy, find, make, toast } from "../../shared/dom.js";
import { saveZip } from "../gallery/gallery.js";
import { canFind, showBooth } from "../gallery/mine.js";
import { options } from "../../shared/options.js";
import { showReport } from "./report.js";
import * as session from "../../shared/session.js";
import { loadTexts, text } from "../../shared/text.js";
import { discard, uploads } from "../sending/uploads.js";
import { loadWords, wordsOf } from "../words.js";
import { back } from "../views.js";

/** Modules that are loaded when this view is opened; each fills a box of its own. */
const boxes = {
    handover: () => import("../../shared/handover.js"), badges: () => import("./badges.js"), notices: () => import("./switches.js"), events: () => import("../events.js"),
    host: () => import("./message.js"), gift: () => import("./gift.js"),
    ticket: () => import("./ticket.js"), program: () => import("./program.js"),
};

/** @param {() => void} onLeft @param {() => number} photoCount how many photos the gallery shows */
export function setUpMe(onLeft, photoCount) {
    setUpAppearance();
    find("me-data").addEventListener("click", async () => {
        const { title, body, save } = text.data;
        if (await ask({ title, body: [body, text.gallery.zipPhone], yes: save })) saveZip({ mine: "1", me: "1" });
    });
    find("me-report").addEventListener("click", () => showReport(photoCount()));
    find("me-booth").hidden = !canFind;
    find("me-booth").addEventListener("click", showBooth);
    find("me-back").addEventListener("click", back);
    find("me-form").addEventListener("submit", rename);
    find("me-words-show").addEventListener("click", toggleWords);
    find("me-return-copy").addEventListener("click", () => copy(session.returnLink() ?? ""));
    find("me-link-copy").addEventListener("click", () => copy(session.me?.link ?? ""));
    // Only where it works: plain HTTP has no share sheet.
    find("me-link-share").hidden = typeof navigator.share !== "function";
    find("me-link-share").addEventListener("click", () => {
        navigator.share({ title: session.me?.event.name, url: session.me?.link })
            .catch(() => { /* the guest changed its mind */ });
    });
    find("me-leave").addEventListener("click", () => {
        const { leaveTitle, leaveBody, leaveYes } = text.me;
        go({ title: leaveTitle, body: [leaveBody], yes: leaveYes }, async () => {}, onLeft);
    });
    find("me-erase").addEventListener("click", () => {
        const { eraseTitle, eraseBody, eraseRemains, eraseYes } = text.me;
        go({ title: eraseTitle, body: [eraseBody, eraseRemains], yes: eraseYes }, session.erase, onLeft);
    });
}

/**
 * Asks for a confirmation, runs `first`, and leaves.
 * @param {{title: string, body: string[], yes: string}} question
 * @param {() => Promise<void>} first
 * @param {() => void} onLeft
 */
async function go({ title, body, yes }, first, onLeft) {
    const unsent = uploads.filter((one) => one.state !== "done" && one.state !== "saved");
    if (unsent.length) body[0] += text.me.leaveUnsent(unsent.length);
    if (!await ask({ title, body, yes, danger: true })) return;
    try {
        for (const upload of unsent) discard(upload);
        const [id, { forget }] = [session.me?.event.id ?? "", await import("../events.js")];
        await first();
        await session.leave();
        forget(id);
        onLeft();
    } catch (error) {
        toast(error instanceof ApiError ? error.sentence : String(error));
    }
}

/** @param {import("../../shared/photos.js").PhotoList} mine the guest's own photos */
export function openMe(mine) {
    showMe();
    for (const [name, load] of Object.entries(boxes)) {
        const box = find(`me-${name}`) ?? make("div", { class: "box", id: `me-${name}`, hidden: true });
        if (!box.isConnected) find("themes").closest(".box").before(box);
        load().then(({ fill }) => fill(box, mine)).then(() => { box.hidden = false; }, () => { /* the next time */ });
    }
}

export function showMe() {
    const { me } = session;
    if (!me?.guest) return;
    find("me-name").value = me.guest.name ?? "";
    find("me-naming").hidden = options().names === "never";
    find("me-name-label").textContent = options().names === "required" ? text.welcome.nameRequired : text.welcome.name;
    const { frames, framesUsed } = me.guest;
    find("me-frames").textContent = frames === null ? text.party.used(framesUsed)
        : text.party.leftOnFilm(session.framesLeft() ?? 0, frames);
    find("me-fingerprint").replaceChildren(...me.event.words.map((word) => make("li", {}, word)));
    find("me-link").textContent = me.link;
    find("me-link-code").setAttribute("aria-label", text.me.qr);
    drawCode(find("me-link-code"), me.link);
    find("me-address").textContent = location.host;
    if (options().wallCode) tellWall();
    find("me-code").textContent = text.code.shown(me.code);
    const hasSeed = session.seed() !== null;
    find("me-words-none").hidden = hasSeed;
    find("me-words-some").hidden = !hasSeed;
    find("me-unkept").hidden = session.isKept();
    hideWords();
    showAbout(find("about"), me.event);
}

/** Says that the link alone lets nobody new in. */
async function tellWall() {
    if (find("me-wall")) return;
    const { invite } = await loadTexts("outside");
    if (!find("me-wall")) find("me-address").before(make("p", { id: "me-wall" }, invite));
}

/** @param {Event} event */
async function rename(event) {
    event.preventDefault();
    const name = find("me-name").value.trim();
    const error = find("me-error");
    error.textContent = "";
    if (!name || [...name].length > 40) {
        error.textContent = name ? text.welcome.nameTooLong : text.me.nameMissing;
        return;
    }
    try {
        await session.rename(name);
        toast(text.me.nameSaved, null, 3000);
    } catch (problem) {
        error.textContent = problem instanceof ApiError ? problem.sentence : String(problem);
    }
}

function hideWords() {
    find("me-secret").hidden = true;
    find("me-words").replaceChildren();
    find("me-return").textContent = "";
    find("me-return-code").hidden = true;
    find("me-words-show").textContent = text.me.wordsShow;
    find("me-words-show").setAttribute("aria-expanded", "false");
}

async function toggleWords() {
    if (!find("me-secret").hidden) return hideWords();
    const seed = session.seed();
    if (!seed) return;
    try {
        find("me-words").replaceChildren(...wordsOf(seed, await loadWords()).map((word) => make("li", {}, word)));
    } catch {
        toast(text.words.offline);
        return;
    }
    find("me-return").textContent = session.returnLink();
    find("me-return-code").setAttribute("aria-label", text.me.returnCode);
    drawCode(find("me-return-code"), session.returnLink());
    find("me-secret").hidden = false;
    find("me-words-show").textContent = text.me.wordsHide;
    find("me-words-show").setAttribute("aria-expanded", "true");
}
