// SPDX-License-Identifier: Apache-2.0
// The guests' page: who is there, which view is shown, and what the updates mean for it.
import { ApiError } from "./api.js";
import { agreed } from "./consent.js";
import { ask, find, keepToastsAbove, make, say, toast } from "./dom.js";
import { Grid, savedAt } from "./gallery.js";
import { canKeep } from "./kept.js";
import { setKeeping, setUpInputs, showArrived, showUpload, takeBack, wasCameraLost } from "./mine.js";
import { showMe, setUpMe } from "./me.js";
import { reach as reachOrMove, setUpMoving } from "./moving.js";
import { know } from "./others.js";
import { drawPhase } from "./phase.js";
import { closePhoto, setUpPhoto, showPhoto } from "./photo.js";
import { PhotoList } from "./photos.js";
import { sealedBox } from "./sealed.js";
import * as session from "./session.js";
import { fillTexts, text } from "./text.js";
import { follow, unfollow } from "./updates.js";
import * as queue from "./uploads.js";
import { setUpDoor, showCode, showWelcome } from "./welcome.js";
import { currentView, go, onView } from "./views.js";

const everyone = new PhotoList(false);
const mine = new PhotoList(true);
const lists = [everyone, mine];
const showSealed = sealedBox(find("sealed"));
/** @type {Grid[]} */
let grids = [];
/** New photos since somebody last looked. */
let unseen = 0;
let isIn = false;

/** @param {import("./session.js").Arrival} arrival */
async function arrived(arrival) {
    if (arrival.kind === "code") {
        showCode(arrival.error ? (arrival.error.code === "wrong-token" ? text.code.wrongLink : arrival.error.sentence)
            : arrival.ended ? text.code.ended : "");
    } else if (arrival.kind === "welcome") {
        showWelcome();
    } else {
        await enterParty();
        if (arrival.stranger) toast(text.words.stranger, null, 10_000);
    }
    drawTitle();
}

async function enterParty() {
    go("everyone");
    drawHeader();
    if (isIn) {
        queue.resume();
        return;
    }
    isIn = true;
    const me = /** @type {import("./session.js").Me} */ (session.me);
    // The buttons are in sight from here on: what is chosen before all is looked at has its tile, too.
    const started = queue.start(me.event.id, {
        onChange: showUpload,
        onDone: (photo) => { showArrived(lists, photo); refreshSoon(); },
        onSessionLost: comeBackIn,
        onConsentMissing: askAgain,
        isSaving: () => Date.now() - savedAt < 3000,
    });
    await follow({
        photo: (photo) => {
            const isNew = everyone.put(photo);
            mine.put(photo);
            if (isNew && document.hidden) unseen += 1;
            if (photo.isMine) refreshSoon();
            drawPhase(everyone.visibleCount, drawHeader);
            drawTitle();
        },
        removed: ({ id }) => {
            // Of what is sealed nothing more comes than that something did.
            if (session.me?.event.sealed || everyone.byID.get(id)?.isMine || mine.byID.has(id)) refreshSoon();
            for (const list of lists) list.drop(id);
        },
        event: refreshSoon,
        reset: () => {
            refreshSoon();
            for (const grid of grids) grid.reload();
        },
        reach,
        sessionLost: comeBackIn,
    });
    // What the node has said of the event is from before that, and no update tells what happened in between.
    await Promise.all([refresh(), started, ...grids.map((grid) => grid.reload())]);
    drawHeader();
    setKeeping(await canKeep());
    if (wasCameraLost()) toast(text.party.cameraLost, null, 20_000);
}

/** The node does not know this session any more: perhaps it knows the guest. */
let isReturning = false;
async function comeBackIn() {
    if (isReturning || session.isLeaving || currentView() === "code") return;
    isReturning = true;
    try {
        const arrival = await session.arrive(async () => false);
        if (arrival.kind === "guest") queue.resume();
        else await arrived(arrival);
    } catch { /* out of reach: the next poll comes here again */ }
    isReturning = false;
}

/** The host has asked for something else since this page last looked. */
async function askAgain() {
    try {
        await session.refresh();
        if (await agreed()) queue.resume();
    } catch { /* out of reach: the next upload asks again */ }
}

/** What the host says to all, until it is taken away or this guest has read it. */
let readNotice = "";
let shownNotice = "";
function drawNotice() {
    const notice = session.me?.event.notice ?? null;
    const isNew = notice !== null && notice.id !== readNotice;
    find("notice").hidden = !isNew;
    if (!isNew || notice.id === shownNotice) return;
    shownNotice = notice.id;
    find("notice-text").textContent = notice.text;
    say(notice.text);
}

/** @param {boolean} isReachable */
function reach(isReachable) {
    const banner = find("out-of-reach");
    if (banner.hidden === isReachable) return;
    banner.hidden = isReachable;
    reachOrMove(isReachable);
    say(isReachable ? "" : text.party.unreachable);
    if (isReachable) queue.wake();
}

/** Asks api/me after a burst of changes, once. */
let refreshTimer = 0;
function refreshSoon() {
    clearTimeout(refreshTimer);
    refreshTimer = setTimeout(refresh, 400);
}

async function refresh() {
    try {
        await session.refresh();
        drawHeader();
        if (currentView() === "me" && !find("me").contains(document.activeElement)) showMe();
    } catch { /* the next change asks again */ }
}

/** @type {number|null} */
let knownFrames = null;
function drawHeader() {
    const { me } = session;
    if (!me?.guest) return;
    know(me);
    find("event-name").textContent = me.event.name;
    drawNotice();
    // Like a film that comes back from the laboratory, all at once.
    if (!me.event.sealed && !find("sealed").hidden) grids[0].develop();
    showSealed(me.event.sealed);
    grids[0].options.empty = me.event.sealed ? "" : text.gallery.empty;
    grids[0].settle();
    const { frames, framesUsed } = me.guest;
    const left = session.framesLeft() ?? framesUsed;
    if (knownFrames && frames && frames > knownFrames) toast(text.party.more(frames - knownFrames), null, 10_000);
    knownFrames = frames;
    find("counter").replaceChildren(
        make("span", { class: "digits", "aria-hidden": "true" }, String(left).padStart(2, "0")),
        make("span", { class: "of", "aria-hidden": "true" },
            frames === null ? text.party.counterUsed : text.party.counterLeft(frames)),
        make("span", { class: "offscreen" },
            frames === null ? text.party.used(framesUsed) : text.party.left(left, frames)));
    find("counter").classList.toggle("is-empty", frames !== null && left === 0);
    find("waiting-hint").hidden = !mine.photos.some((photo) => photo.state === "waiting");
    drawPhase(everyone.visibleCount, drawHeader);
    drawTitle();
}

function drawTitle() {
    const name = session.me?.event.name ?? text.product;
    document.title = unseen && document.hidden ? `(${unseen}) ${name}` : name;
}

/** Nothing can be shown before the box answers. */
async function begin() {
    go("boot");
    try {
        await arrived(await session.arrive(() => ask(
            { title: text.words.otherGuest.title, body: [text.words.otherGuest.body],
            yes: text.words.otherGuest.yes, no: text.words.otherGuest.no })));
    } catch (error) {
        find("trouble-text").textContent = error instanceof ApiError ? error.sentence
            : text.errors.other(String(error));
        go("trouble");
        if (!(error instanceof ApiError)) throw error;
    }
}

fillTexts(document);
keepToastsAbove(find("bottom"));
setUpDoor(arrived);
setUpMoving();
setUpMe(() => {
    unfollow();
    // Everything this page knew goes with it.
    location.replace("/");
});
const remove = (/** @type {import("./photos.js").Photo[]} */ photos) => takeBack(lists, photos);
const open = (/** @type {import("./photos.js").Photo} */ photo) => go("photo", { push: true, id: photo.id });
grids = [
    new Grid(find("everyone-grid"), everyone, { open, empty: text.gallery.empty }),
    new Grid(find("mine-grid"), mine, { open, remove, empty: text.gallery.emptyMine }),
];
setUpInputs(grids[1]);
setUpPhoto(lists, (photo) => remove([photo]));
find("instead-save").addEventListener("click", () => grids[0].saveAll());
find("instead-mine").addEventListener("click", () => go("mine"));
find("tab-everyone").addEventListener("click", () => go("everyone"));
find("tab-mine").addEventListener("click", () => go("mine"));
// Without leaving a hash in the address.
find("skip").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    find("galleries").focus();
});
find("notice-close").addEventListener("click", () => {
    readNotice = shownNotice;
    drawNotice();
    find("event-name").focus();
});
find("open-me").addEventListener("click", () => go("me", { push: true }));
find("progress-show").addEventListener("click", () => { go("mine"); scrollTo(0, 0); });
find("trouble-retry").addEventListener("click", begin);
onView((view, id) => {
    if (view === "me") showMe();
    find("progress-show").hidden = view === "mine";
    if (view !== "photo") closePhoto();
    else if (id) showPhoto(find("tab-mine").hasAttribute("aria-current") ? mine : everyone, id);
});
document.addEventListener("visibilitychange", () => {
    if (!document.hidden) unseen = 0;
    drawTitle();
});
// Another code scanned into this very page.
addEventListener("hashchange", () => { if (location.hash.length > 20) location.reload(); });
begin();
