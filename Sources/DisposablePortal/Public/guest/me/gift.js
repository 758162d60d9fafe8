// SPDX-License-Identifier: Apache-2.0
// Photos of the guest's own film for somebody else, under "Me"; and what others have given. Loaded when "Me" is opened, and
// when the film has got longer.
import { ApiError, call } from "../../shared/api.js";
import { ask, find, loadStyle, make, say, toast } from "../../shared/dom.js";
import * as session from "../../shared/session.js";
import { loadTexts, text } from "../../shared/text.js";

/** @typedef {{id: string, name: string|null, count: number}} Person */
/** @typedef {{left: number, atOnce: number, received: Person[], given: Person[], people: Person[], count: number}} Gifts */

/** @type {typeof import("../../texts/gift/en.js").english} */
let words;
let isSending = false;

const place = () => `disposable.${session.me?.event.id}.gifts`;
/** What this browser has told its guest of each giver, where it cannot be stored. @type {Record<string, number>} */
let told = {};

/** @returns {Record<string, number>} by the giver's key */
function read() {
    try {
        const kept = JSON.parse(localStorage.getItem(place()) ?? "{}");
        return kept && typeof kept === "object" ? kept : {};
    } catch { return told; }
}

/**
 * The gifts that the guest was not told of, which it is now.
 * @param {Gifts} gifts
 * @returns {Person[]}
 */
function news({ received }) {
    const before = read();
    told = Object.fromEntries(received.map(({ id, count }) => [id, count]));
    try { localStorage.setItem(place(), JSON.stringify(told)); } catch { /* then until the page is closed */ }
    return received.map((one) => ({ ...one, count: one.count - (Number(before[one.id]) || 0) })).filter(({ count }) => count > 0);
}

/**
 * The name, with the start of the key where others have the same.
 * @param {Person} person
 * @param {Person[]} people
 */
const nameOf = ({ id, name }, people) => `${name ?? text.guest}${people.some((one) => one.id !== id
    && (one.name ?? "") === (name ?? "")) ? ` · ${id.slice(0, 4)}` : ""}`;

/** Tells who has given the guest the photos by which the film is longer. @param {number} more */
export async function tellMore(more) {
    words ??= await loadTexts("gift");
    const gifts = await call("GET", "api/gifts").catch(() => null);
    const found = gifts ? news(gifts) : [];
    const rest = more - found.reduce((sum, { count }) => sum + count, 0);
    // Names are whatever people call themselves: not more than a few at once.
    const most = found.sort((one, other) => other.count - one.count).slice(0, 3);
    const sentences = most.map((one) => words.byGuest(nameOf(one, gifts.received), one.count));
    if (rest > 0) sentences.push(words.byHost(rest));
    if (!sentences.length) return;
    toast(sentences.join(" "), null, 10_000);
    say(sentences.join(" "));
}

/** @param {HTMLElement} box */
export async function fill(box) {
    const [loaded, gifts] = await Promise.all([loadTexts("gift"), call("GET", "api/gifts"), loadStyle("guest/me/gift")]);
    words = loaded;
    news(gifts);
    // Keep the form while the guest fills it in.
    if (!box.contains(document.activeElement)) draw(box, gifts);
}

/** @param {HTMLElement} box @param {Gifts} gifts */
function draw(box, gifts) {
    const { left, received, given } = gifts;
    // There is nothing to give and nothing was given, as where films have no end.
    if (!left && !received.length && !given.length) return box.remove();
    const line = (/** @type {string} */ sentence) => make("li", {}, sentence);
    box.replaceChildren(make("h2", {}, words.title),
        received.length || given.length ? make("ul", { id: "gift-list" },
            ...received.map((one) => line(words.from(nameOf(one, received), one.count))),
            ...given.map((one) => line(words.to(nameOf(one, given), one.count)))) : "",
        ...left ? form(box, gifts) : []);
}

/** @param {HTMLElement} box @param {Gifts} gifts @returns {Node[]} */
function form(box, gifts) {
    const { left, people, count } = gifts;
    if (!people.length) return [make("p", { class: "quiet" }, words.nobody)];
    const choice = make("select", { id: "gift-to", required: true, change: () => bound() }, make("option", { value: "" }, words.choose),
        ...people.map((one) => make("option", { value: one.id }, nameOf(one, people))));
    const number = make("input", { id: "gift-count", type: "number", inputmode: "numeric", min: 1, value: 1, required: true });
    const bound = () => {
        const room = people.find(({ id }) => id === choice.value)?.count ?? left;
        number.max = String(Math.min(left, gifts.atOnce, room));
    };
    bound();
    return [make("p", { class: "quiet" }, words.about(left)),
        make("form", { id: "gift-form", submit: (/** @type {Event} */ event) => {
            event.preventDefault();
            const person = people.find(({ id }) => id === choice.value);
            if (person) give(box, gifts, person, Number(number.value));
        } },
        make("label", { for: "gift-to" }, words.who), choice,
        make("label", { for: "gift-count" }, words.howMany), number,
        make("p", { class: "error", id: "gift-error", role: "alert" }),
        make("button", { class: "button", id: "gift-give" }, words.give)),
        ...count > people.length ? [make("p", { class: "quiet" }, words.more(count - people.length))] : []];
}

/**
 * @param {HTMLElement} box
 * @param {Gifts} gifts
 * @param {Person} person
 * @param {number} count
 */
async function give(box, gifts, person, count) {
    const name = nameOf(person, gifts.people);
    const isSure = !isSending && await ask({ title: words.sure(name, count), body: [words.rest(gifts.left - count), words.forGood],
        yes: words.give, danger: true });
    if (!isSure) return;
    isSending = true;
    find("gift-error").textContent = "";
    try {
        await call("POST", "api/gift", { to: person.id, count, left: gifts.left });
        toast(words.done(name, count));
        say(words.done(name, count));
        session.refresh().catch(() => { /* the next change asks again */ });
        await redraw(box);
        find("gift-to")?.focus();
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const sentence = words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence;
        // The form says how many are left now, and a gift that was made is in the list.
        if (error.code === "frames-changed") await redraw(box);
        if (find("gift-error")) find("gift-error").textContent = sentence;
        else toast(sentence);
    } finally {
        isSending = false;
    }
}

/** @param {HTMLElement} box */
async function redraw(box) {
    const gifts = await call("GET", "api/gifts").catch(() => null);
    if (gifts) draw(box, gifts);
}
