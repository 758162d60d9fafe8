// SPDX-License-Identifier: Apache-2.0
// Entering: the code, the welcome with a name, and "I was here before".
import { ApiError } from "../shared/api.js";
import { copy, find, make } from "../shared/dom.js";
import { dress, options, savingRule } from "../shared/options.js";
import { comeBack, enter, isOver, me, openWith, signing } from "../shared/session.js";
import { text } from "../shared/text.js";
import { back, go } from "./views.js";
import { completions, loadWords, readWords, seedOf } from "./words.js";

/** @typedef {import("../shared/session.js").Arrival} Arrival */

const inApp = new RegExp(["FBA[NV]", "Instagram", "Snapchat", "TikTok", "musical_ly", "MicroMessenger", "\\bLine/",
    "WhatsApp", "Twitter", "LinkedInApp", "Pinterest", "; wv\\)", "CaptiveNetworkSupport"].join("|"), "i");
const isWebView = inApp.test(navigator.userAgent)
    // Every browser of an iPhone says Safari; a window inside another app does not.
    || (/iPhone|iPad|iPod/.test(navigator.userAgent) && /AppleWebKit/.test(navigator.userAgent)
        && !/Safari\//.test(navigator.userAgent));

/** @type {(arrival: Arrival) => void} */
let onArrival;

/** @param {typeof onArrival} to called when the guest has got further */
export function setUpDoor(to) {
    onArrival = to;
    setUpCode();
    setUpWelcome();
    setUpWords();
}

/**
 * Runs the action of a form: one at a time, with its errors beside it.
 * @param {HTMLFormElement} form with a button and an element of class "error"
 * @param {() => Promise<Arrival|null>} work
 */
function onSubmit(form, work) {
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=submit]"));
    const error = /** @type {HTMLElement} */ (form.querySelector(".error"));
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.disabled) return;
        error.textContent = "";
        button.disabled = true;
        try {
            const arrival = await work();
            if (arrival) onArrival(arrival);
        } catch (problem) {
            // The page begins again, and asks for the code on the wall.
            if (problem.code === "wall-code-needed") return location.reload();
            error.textContent = !(problem instanceof ApiError) ? text.errors.other(String(problem))
                : /^wrong-(code|token)$/.test(problem.code) ? text.code.wrong : problem.sentence;
        }
        button.disabled = false;
    });
}

// The code

/**
 * Normalizes a typed code, without separators.
 * @param {string} typed
 */
const plainCode = (typed) => typed.toUpperCase().replace(/[^0-9A-Z]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");

function setUpCode() {
    onSubmit(find("code-form"), async () => {
        const code = plainCode(find("code-field").value);
        if (code.length !== 8) {
            find("code-error").textContent = text.code.incomplete(code.length);
            find("code-field").focus();
            return null;
        }
        return openWith(scanned && code === plainCode(scanned.code) ? { token: scanned.token } : { code });
    });
}

/**
 * The scanned code of another phone, with the token that is exchanged in its place.
 * @type {{code: string, token: string}|null}
 */
let scanned = null;

/** @param {string} reason why a code is needed @param {string} [code] that waits to be entered @param {string} [token] */
export function showCode(reason, code, token) {
    find("code-error").textContent = reason;
    if (code) find("code-field").value = code;
    scanned = code && token ? { code, token } : null;
    go("code");
}

// The welcome

/** @param {string[]} list */
const oneOf = (list) => list[crypto.getRandomValues(new Uint32Array(1))[0] % list.length];
let nickname = "";

function offer() {
    const { first, second, of } = text.welcome.nickname;
    nickname = of(oneOf(first), oneOf(second));
    find("offer").textContent = text.welcome.offer(nickname);
}

function setUpWelcome() {
    find("offer").addEventListener("click", () => { find("name").value = nickname; });
    find("another").addEventListener("click", () => { offer(); find("name").value = ""; });
    find("returning").addEventListener("click", () => { go("words", { push: true }); prepareWords(); });
    onSubmit(find("welcome-form"), async () => {
        const name = find("name").value.trim();
        if ([...name].length > 40) {
            find("welcome-error").textContent = text.welcome.nameTooLong;
            return null;
        }
        const { names } = options();
        // Nobody has to give a name for looking at photos.
        if (!name && names === "required" && !isOver()) {
            find("welcome-error").textContent = text.welcome.nameMissing;
            find("name").focus();
            return null;
        }
        return { kind: "guest", me: await enter(null, (names !== "never" && name) || undefined) };
    });
}

export function showWelcome() {
    if (!me) return;
    const { event } = me;
    const over = isOver();
    dress();
    find("welcome-title").textContent = over ? text.welcome.overTitle(event.name) : text.welcome.title(event.name);
    find("welcome-host").textContent = over ? text.welcome.over
        : event.organizer ? text.welcome.host(event.organizer) : text.welcome.noHost;
    find("welcome-frames").textContent = over ? "" : text.welcome.frames(event.frames);
    find("welcome-join").textContent = over ? text.welcome.look : text.welcome.join;
    const { names } = options();
    const isTaking = !over || event.acceptsUntil == null || Date.now() < event.acceptsUntil;
    find("welcome-naming").hidden = names === "never" || !isTaking;
    find("name-label").textContent = names === "required" && !over ? text.welcome.nameRequired : text.welcome.name;
    find("name").required = names === "required" && !over;
    find("welcome-shared").textContent = isTaking ? savingRule() : "";
    find("welcome-words").replaceChildren(...event.words.map((word) => make("li", {}, word)));
    const when = over ? "" : !event.isOpened ? text.welcome.draft
        : Date.now() < event.startsAt ? text.welcome.notYet(event.startsAt) : "";
    const later = event.sealed && !event.sealed.forOrganizers ? text.sealed.later(event.sealed.revealsAt) : "";
    find("welcome-when").textContent = [when, later].filter(Boolean).join(" ");
    find("webview").hidden = !isWebView;
    find("webview-address").textContent = location.host;
    find("webview-code").textContent = text.code.shown(me.code);
    find("webview-copy").onclick = () => copy(me?.link ?? location.origin);
    offer();
    go("welcome");
}

// The twelve words

/** @type {string[]} */
let words = [];

async function prepareWords() {
    try {
        // The check of the words needs the signing library.
        [words] = await Promise.all([loadWords(), signing()]);
        readTyped();
    } catch {
        find("words-error").textContent = text.words.offline;
    }
}

function setUpWords() {
    const field = find("words-field");
    field.addEventListener("input", readTyped);
    field.addEventListener("keyup", suggest);
    field.addEventListener("click", suggest);
    find("words-back").addEventListener("click", back);
    onSubmit(find("words-form"), async () => {
        if (!words.length) await prepareWords();
        const read = readWords(field.value, words);
        const wrong = read.findIndex((one) => one.word === null);
        const problem = !words.length ? text.words.offline
            : wrong >= 0 ? text.words.unknown(wrong + 1, read[wrong].typed)
            : read.length > 12 ? text.words.tooMany
            : read.length < 12 ? text.words.count(read.length) : "";
        if (problem) {
            find("words-error").textContent = problem;
            field.focus();
            return null;
        }
        const seed = seedOf(read.map((one) => /** @type {string} */ (one.word)), words);
        if (!seed) {
            find("words-error").textContent = text.words.checksum;
            return null;
        }
        const arrival = await comeBack(seed);
        field.value = "";
        readTyped();
        return arrival;
    });
}

/** Shows each word as it is recognized. */
function readTyped() {
    if (!words.length) return;
    const field = find("words-field");
    const read = readWords(field.value, words);
    const isTyping = /[a-z]$/i.test(field.value.slice(0, field.selectionStart)) && document.activeElement === field;
    const at = readWords(field.value.slice(0, field.selectionStart), words).length - 1;
    find("words-read").replaceChildren(...read.map((one, place) => {
        const isOpen = one.word === null && isTyping && place === at && completions(one.typed, words, 1).length > 0;
        return make("li", { class: one.word ? "known" : isOpen ? "open" : "unknown" }, one.word ?? one.typed);
    }));
    find("words-count").textContent = text.words.count(Math.min(read.filter((one) => one.word).length, 12));
    const wrong = read.findIndex((one, place) => one.word === null
        && !(isTyping && place === at && completions(one.typed, words, 1).length));
    find("words-error").textContent = wrong >= 0 ? text.words.unknown(wrong + 1, read[wrong].typed) : "";
    suggest();
}

// Completions of the word being typed; a tap inserts one.
function suggest() {
    const field = find("words-field");
    const before = field.value.slice(0, field.selectionStart);
    const prefix = /[a-z]+$/i.exec(before)?.[0] ?? "";
    const list = completions(prefix, words, 4).filter((word) => word !== prefix.toLowerCase());
    const place = find("words-offers");
    if (place.dataset.words === list.join(" ")) return;
    place.dataset.words = list.join(" ");
    place.replaceChildren(...list.map((word) => make("button", { type: "button", class: "chip", click: () => {
        const end = field.selectionStart;
        const start = end - (/[a-z]+$/i.exec(field.value.slice(0, end))?.[0].length ?? 0);
        const rest = field.value.slice(end).replace(/^[a-z]+/i, "");
        field.value = `${field.value.slice(0, start)}${word} ${rest.trimStart()}`;
        field.focus();
        field.setSelectionRange(start + word.length + 1, start + word.length + 1);
        readTyped();
    } }, word)));
}
