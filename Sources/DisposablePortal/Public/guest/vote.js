// SPDX-License-Identifier: Apache-2.0
// The vote for the photo of the night (protocol/guest-api.md §20): what it is about above the photos, the button of the photo
// in front, and the result. Loaded where organizers have opened a vote.
import { ApiError, call, photoURL } from "../shared/api.js";
import { find, loadStyle, make, say, toast } from "../shared/dom.js";
import { me } from "../shared/session.js";
import { loadTexts, text } from "../shared/text.js";
import { go } from "./views.js";

/** @typedef {import("../shared/photos.js").Photo} Photo */
/** @typedef {{photo: string, author: string, authorName: string|null, votes: number}} Winner */
/** @typedef {{id: string, isOpen: boolean, hasVoted: boolean, voters: number, winners: Winner[], count: number}} Vote */

/** @type {typeof import("../texts/vote/en.js").english} */
let words;
/** The latest answer of the node. @type {Vote|null} */
let vote = null;
/** The vote that this page has announced. */
let announced = "";
let isSending = false;
/** The photo in front, to be drawn again when the answer arrives. @type {{photo: Photo, isShown: () => boolean}|null} */
let front = null;
/** What this browser has voted, where it cannot be stored. @type {{ballot: string, photo: string|null}|null} */
let said = null;

const place = () => `disposable.${me?.event.id}.vote`;

/** The photo that the guest has chosen in this browser: the node has sealed it. @returns {string|null} */
function choice() {
    try { said = JSON.parse(localStorage.getItem(place()) ?? "null") ?? said; } catch { /* as this page knows it */ }
    return said && said.ballot === vote?.id ? said.photo : null;
}

/** @param {string} ballot @param {string|null} photo */
function keep(ballot, photo) {
    said = { ballot, photo };
    try { localStorage.setItem(place(), JSON.stringify(said)); } catch { /* then until the page is closed */ }
}

/**
 * Asks the node, and shows the vote above the photos. Announces one that has begun or ended since the page was loaded.
 * @param {boolean} begins whether it is the first one, and the page was there before it
 */
export async function followVote(begins = false) {
    const [loaded, now] = await Promise.all([loadTexts("vote"), call("GET", "api/vote").catch(() => null), loadStyle("guest/vote")]);
    if (!now) return;
    words = loaded;
    const isNews = begins || vote !== null && (now.id !== vote.id || now.isOpen !== vote.isOpen);
    vote = now;
    draw(now);
    if (front?.isShown()) showButton(front.photo);
    if (!isNews || announced === `${now.id}${now.isOpen}`) return;
    announced = `${now.id}${now.isOpen}`;
    const sentence = now.isOpen ? words.opened : result(now);
    toast(sentence, null, 15_000);
    say(sentence);
}

/** @param {Vote} now */
const result = ({ winners: [first], count }) => !first ? words.none
    : `${words.title}. ${count > 1 ? words.tie(count) : words.winner(first.authorName ?? text.guest, first.votes)}`;

/** @param {Vote} now */
function draw(now) {
    const box = find("vote-box") ?? make("aside", { id: "vote-box", class: "box", "aria-labelledby": "vote-title" });
    const lines = now.isOpen ? [now.hasVoted ? words.voted : words.how, words.after]
        : now.count > 1 ? [words.tie(now.count)] : now.count ? [] : [words.none];
    box.replaceChildren(make("h3", { id: "vote-title" }, words.title), ...lines.map((line) => make("p", {}, line)),
        now.winners.length ? make("ul", {}, ...now.winners.map(entry)) : "",
        now.isOpen || !now.voters ? "" : make("p", { class: "quiet" }, words.voters(now.voters)));
    if (!box.isConnected) find("everyone-grid").before(box);
}

/** @param {Winner} winner */
function entry({ photo, authorName, votes }) {
    const name = authorName ?? text.guest;
    return make("li", {}, make("button", { type: "button", class: "plain", "aria-label": `${words.see(name)}. ${words.winner(name, votes)}`,
        click: () => go("photo", { push: true, id: photo }) },
    make("img", { src: photoURL(photo, "thumbnail"), alt: "", loading: "lazy", decoding: "async" }), make("span", {}, words.winner(name, votes))));
}

/**
 * Shows below the photo in front that one can vote for it, or that it has won.
 * @param {Photo} photo
 * @param {() => boolean} isShown whether the photo is still the one in front
 */
export async function showVote(photo, isShown) {
    front = { photo, isShown };
    if (!vote) await followVote();
    if (isShown() && vote) showButton(photo);
}

/** @param {Photo} photo */
function showButton(photo) {
    const known = find("vote");
    const isFocused = known?.contains(document.activeElement);
    known?.remove();
    const parts = vote ? partsOf(photo, vote) : [];
    if (!parts.length) return;
    const element = make("div", { id: "vote" }, ...parts);
    find("photo-save").before(element);
    if (isFocused) element.querySelector("button")?.focus();
}

/** @param {Photo} photo @param {Vote} now @returns {Node[]} */
function partsOf(photo, now) {
    const won = now.winners.find((one) => one.photo === photo.id);
    if (won) return [make("span", { class: "won" }, words.won(won.votes))];
    if (!now.isOpen || photo.isMine || photo.event || photo.state !== "frame") return [];
    const button = (/** @type {string} */ label, /** @type {string|null} */ id) => make("button",
        { type: "button", class: "plain", click: () => send(now.id, id, photo) }, label);
    if (choice() !== photo.id) return [button(words.vote, photo.id)];
    return [make("span", {}, words.mine), button(words.take, null)];
}

/** @param {string} ballot @param {string|null} id of the photo to vote for @param {Photo} photo the one in front */
async function send(ballot, id, photo) {
    if (isSending) return;
    isSending = true;
    try {
        await call("PUT", "api/vote", { ballot, photo: id });
        keep(ballot, id);
        if (vote) vote = { ...vote, hasVoted: true };
        const sentence = id ? words.done : words.taken;
        toast(sentence, null, 5_000);
        say(sentence);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const sentence = words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence;
        toast(sentence);
        say(sentence);
        if (error.code === "no-vote-open") await followVote();
    } finally {
        isSending = false;
    }
    if (vote) draw(vote);
    if (front?.isShown()) showButton(photo);
}
