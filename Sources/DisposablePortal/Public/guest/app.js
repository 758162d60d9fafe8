// SPDX-License-Identifier: Apache-2.0
// The party: its galleries, which view of it is shown, and what the updates mean for it.
import { agreed } from "./consent.js";
import { find, keepToastsAbove, make, say, toast } from "../shared/dom.js";
import { arrived } from "./door.js";
import { EarlyTiles } from "../shared/early.js";
import { Grid, savedAt } from "./gallery/gallery.js";
import { canKeep } from "./sending/kept.js";
import {
    closeFinder, drawFinder, framesUsed, roomLeft, setKeeping, setUpInputs, showArrived, showFinder, showUpload, takeBack,
    wasCameraLost,
} from "./gallery/mine.js";
import { drawIntroduction, setUpIntroduction } from "./introduction.js";
import { openMe, setUpMe, showMe } from "./me/me.js";
import { loadMoments, setUpMoments, showMoments } from "./moments.js";
import { reach as reachOrMove, setUpMoving } from "./moving.js";
import { listeners, tell, wants } from "../shared/notices.js";
import { dress, highlightCount, maySave, missions, named, options } from "../shared/options.js";
import { know } from "../shared/others.js";
import { peopleButton, personList, setUpPeople, showPerson } from "./gallery/people.js";
import { drawPhase } from "./phase.js";
import { closePhoto, setUpPhoto, showPhoto } from "./photo/photo.js";
import { PhotoList } from "../shared/photos.js";
import { compare } from "./praise.js";
import { sealedBox } from "../shared/sealed.js";
import { forgetPictures } from "./sending/sent.js";
import * as session from "../shared/session.js";
import { text } from "../shared/text.js";
import { follow, unfollow } from "../shared/updates.js";
import * as queue from "./sending/uploads.js";
import { currentPerson, currentTab, currentView, go, onView } from "./views.js";
import { hasPlan } from "./gallery/ways.js";

const everyone = new PhotoList(false);
const mine = new PhotoList(true);
const lists = [everyone, mine, personList];
const showSealed = sealedBox(find("sealed"));
/** @type {Grid[]} */
let grids = [];
/** @type {EarlyTiles} */
let early;
/** New photos since somebody last looked. */
let unseen = 0;
let isIn = false;
/** Whether the photos of the guest have been loaded. */
let isLoaded = false;

/** Shows the party to somebody who is in, and follows it from the first time on. */
export async function enterParty() {
    go("everyone");
    drawHeader();
    if (isIn) {
        queue.resume();
        return;
    }
    isIn = true;
    const me = /** @type {import("../shared/session.js").Me} */ (session.me);
    // The buttons are visible from here on: a file picked before the gallery is loaded has its tile, too.
    const started = queue.start(me.event.id, {
        onChange: (upload) => { showUpload(upload); drawCounter(); },
        onDone: (photo) => { showArrived(lists, photo); refreshSoon(); },
        onSessionLost: comeBackIn,
        onConsentMissing: askAgain,
        isSaving: () => Date.now() - savedAt < 3000,
        isShownAtOnce: () => session.me?.event.sealed === null,
    });
    await follow({
        photo: (photo) => {
            // The answer about the event contains the number of highlights.
            if (!!photo.isHighlight !== !!everyone.byID.get(photo.id)?.isHighlight) refreshSoon();
            const known = photo.isMine ? mine.byID.get(photo.id) : null;
            if (known) compare({ ...known }, photo);
            const isNew = everyone.put(photo);
            putMine(photo);
            personList.put(photo);
            early.arrived(photo.id);
            if (isNew && document.hidden) unseen += 1;
            if (photo.isMine) {
                refreshSoon();
                queue.askSoon(0);
            }
            drawPhase(everyone.partyCount, drawHeader);
            drawTitle();
        },
        removed: ({ id }) => {
            // Sealed photos cause only this update.
            if (session.me?.event.sealed || everyone.byID.get(id)?.isMine || mine.byID.has(id)) refreshSoon();
            held.delete(id);
            for (const list of lists) list.drop(id);
        },
        event: () => {
            refreshSoon();
            loadMoments();
        },
        early: (one) => early.show(one),
        gone: (one) => early.gone(one),
        moment: showMoments,
        reset: () => {
            refreshSoon();
            loadMoments();
            early.reload();
            for (const grid of grids) grid.reload();
        },
        reach,
        sessionLost: comeBackIn,
    });
    // What the node has said of the event is from before that, and no update tells what happened in between.
    await Promise.all([refresh(), started, early.reload(), loadMoments(), ...grids.map((grid) => grid.reload())]);
    drawHeader();
    isLoaded = true;
    drawBadges();
    import("./events.js").then(({ remember }) => remember(), () => { /* then it is not in the list */ });
    import("../shared/soon.js").then(({ watchFavourites }) => watchFavourites(me.event.id), () => { /* the board tells it */ });
    setKeeping(await canKeep());
    if (wasCameraLost()) toast(options().isCameraOnly ? text.party.shotLost : text.party.cameraLost, null, 20_000);
}

/** New photos of the guest that replace tiles of uploads, until it is known which. @type {Map<string, any>} */
const held = new Map();
/** @param {import("../shared/photos.js").Photo} photo */
function putMine(photo) {
    if (!photo.isMine || mine.byID.has(photo.id) || !queue.uploads.some(queue.isOnItsWay)) return mine.put(photo);
    if (!held.has(photo.id)) setTimeout(() => {
        const latest = held.get(photo.id);
        held.delete(photo.id);
        if (!latest || mine.byID.has(photo.id)) return;
        mine.put(latest);
        drawHeader();
    }, 3_000);
    held.set(photo.id, photo);
}

/** Handles a session that the node no longer knows: it may know the guest. */
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

/** Handles a consent text, or a rule about names, that has changed since this page loaded it. */
async function askAgain() {
    try {
        await session.refresh();
        if (await agreed() && await named()) queue.resume();
    } catch { /* out of reach: the next upload asks again */ }
}

/** Shows the host's notice until it is deleted or this guest has dismissed it. */
let readNotice = "";
let shownNotice = "";
function drawNotice() {
    const notice = session.me?.event.notice ?? null;
    const isNew = notice !== null && notice.id !== readNotice && wants("host");
    find("notice").hidden = !isNew;
    if (!isNew || notice.id === shownNotice) return;
    shownNotice = notice.id;
    find("notice-text").textContent = notice.text;
    say(notice.text);
    tell("host", () => notice.text, { isShown: true });
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

/** Loads api/me once after a burst of changes. */
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
/** Whether missions and a vote that appear from now on are new. */
let isDrawn = false;
let hadVote = false;
function drawHeader() {
    const { me } = session;
    if (!me?.guest) return;
    know(me);
    if (me.secure && !isSecureContext) import("./secure.js").then((module) => module.offerSecure(), () => { /* as before */ });
    dress();
    find("event-name").textContent = me.event.name;
    drawNotice();
    // All photos at once, like a film that comes back from the laboratory.
    if (!me.event.sealed && !find("sealed").hidden) {
        grids[0].develop();
        tell("revealed", (words) => words.revealed);
    }
    if (!me.event.sealed) forgetPictures();
    showSealed(me.event.sealed);
    drawPhase(everyone.partyCount, drawHeader);
    const { empty, first, emptyMine, firstMine } = text.gallery;
    const mayTake = !find("shutters").hidden;
    grids[0].options.empty = me.event.sealed ? "" : mayTake ? `${empty} ${first}` : empty;
    // A deleted photo has used a frame.
    grids[1].options.empty = me.guest.framesUsed ? empty : mayTake ? `${emptyMine} ${firstMine}` : emptyMine;
    // The last one was taken off.
    if (everyone.order === "highlights" && !highlightCount()) grids[0].sort("newest");
    for (const grid of grids) grid.settle();
    const { frames } = me.guest;
    const more = knownFrames && frames ? frames - knownFrames : 0;
    if (more > 0) import("./me/gift.js").then(({ tellMore }) => tellMore(more), () => { /* the counter shows it */ });
    knownFrames = frames;
    const begins = isDrawn && !hadVote;
    hadVote = Boolean(me.vote);
    if (me.vote) import("./vote.js").then(({ followVote }) => followVote(begins), () => null);
    drawCounter();
    find("pending-hint").hidden = !mine.photos.some((photo) => photo.state === "pending");
    find("waiting-hint").hidden = !mine.photos.some((photo) => photo.state === "waiting");
    // The plan was taken away while a photo is open.
    if (!hasPlan()) find("spot")?.remove();
    drawIntroduction();
    drawTitle();
    drawFinder();
    drawBadges();
    const announces = isDrawn;
    isDrawn = true;
    if (frames === 0 || session.scannedTicket() || find("ticket")) import("./me/ticket.js").then(({ follow }) => follow()).catch(() => { /* the next time */ });
    if (missions().length) import("./missions.js").then((module) => module.followMissions(announces), () => { /* as before */ });
}

/** Counts what is on its way, too. */
function drawCounter() {
    const frames = session.me?.guest?.frames ?? 0;
    const [used, left] = [framesUsed(), roomLeft()];
    find("counter").replaceChildren(
        make("span", { class: "digits", "aria-hidden": "true" }, String(left ?? used).padStart(2, "0")),
        make("span", { class: "of", "aria-hidden": "true" },
            left === null ? text.party.counterUsed : text.party.counterLeft(frames, left)),
        make("span", { class: "offscreen" }, left === null ? text.party.used(used) : text.party.left(left, frames)));
    find("counter").classList.toggle("is-empty", left === 0);
}

function drawBadges() {
    if (isLoaded) import("./me/badges.js").then(({ announce }) => announce(mine.photos), () => { /* "Me" shows them */ });
}

function drawTitle() {
    const name = session.me?.event.name ?? text.product;
    find("home-title").content = name;
    document.title = unseen && document.hidden ? `(${unseen}) ${name}` : name;
}

keepToastsAbove(find("bottom"));
setUpMoving();
setUpIntroduction();
setUpMoments();
listeners.push(drawNotice);
setUpMe(() => {
    unfollow();
    // All data of this page is removed with it.
    location.replace("/");
}, () => everyone.partyCount);
const remove = (/** @type {import("../shared/photos.js").Photo[]} */ photos) => takeBack(lists, photos);
const open = (/** @type {import("../shared/photos.js").Photo} */ photo) => go("photo", { push: true, id: photo.id });
grids = [
    new Grid(find("everyone-grid"), everyone, { open, empty: "", people: peopleButton() }),
    new Grid(find("mine-grid"), mine, { open, remove, empty: "" }),
    setUpPeople(open),
];
early = new EarlyTiles(grids[0], (photo) => everyone.byID.has(photo));
setUpInputs(grids[1]);
setUpPhoto(lists, (photo) => remove([photo]));
find("instead-save").addEventListener("click", () => grids[maySave({ isMine: false }) ? 0 : 1].saveAll());
find("instead-mine").addEventListener("click", () => go("mine"));
find("tab-everyone").addEventListener("click", () => go("everyone"));
find("tab-mine").addEventListener("click", () => go("mine"));
// Without a hash in the address.
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
onView((view, id) => {
    if (view === "me") openMe(mine);
    find("progress-show").hidden = view === "mine";
    const person = currentPerson();
    if (currentTab() === "person" && person) showPerson(grids[2], person);
    if (view === "everyone") grids[0]?.shown();
    if (view === "finder") showFinder();
    else closeFinder();
    if (view !== "photo") closePhoto();
    else if (id) showPhoto({ everyone, mine, person: personList }[currentTab()], id);
});
document.addEventListener("visibilitychange", () => {
    if (!document.hidden) unseen = 0;
    drawTitle();
});
