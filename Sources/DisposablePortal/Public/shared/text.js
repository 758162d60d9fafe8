// SPDX-License-Identifier: Apache-2.0
// The language of the page: that of the address, then the chosen one, then the first of the browser's that there is.
// Another language is another file in each folder below texts/, and a line here (docs/operations.md, "Add a language").

/** @typedef {typeof import("../texts/en.js").english} Text */

/** @type {Record<string, string>} */
const languages = { en: "English", fr: "Français" };
/** Pages with sentences of their own, each in the part of that name. */
const pages = ["desk", "board", "wall"];
const rightToLeft = ["ar", "fa", "he", "ur"];
const place = "disposable.language";

function chosen() {
    try { return localStorage.getItem(place); } catch { return null; }
}

/** Of the address, as in `/wall?lang=fr`: a projector's browser is in the language of its machine. */
const asked = new URLSearchParams(location.search).get("lang");

/** The tag of the language, as in `lang`. */
export const language = [asked, chosen(), ...navigator.languages ?? [navigator.language]]
    .map((tag) => (tag ?? "").toLowerCase().split("-")[0]).find((tag) => tag in languages) ?? "en";

/**
 * Every sentence of the page; nothing before `loadText`, which `start.js` waits for.
 * @type {Text}
 */
export let text;

/**
 * The sentences of the page's own part; nothing on other pages.
 * @type {any}
 */
export let pageText;

/**
 * Loads the sentences of a part, which stand in `texts/PART/LANGUAGE.js`. Pages load most parts on their first use.
 * @param {string} part the folder below texts/; "" for what every page has
 * @returns {Promise<any>} throws where they do not load
 */
export const loadTexts = async (part) => Object.values(await import(`../texts/${part && `${part}/`}${language}.js`))[0];

/** Loads the sentences of a page. @param {string} page its script, such as "guest/door" or "desk/desk" */
export async function loadText(page) {
    const [name] = page.split("/");
    [text, pageText] = await Promise.all([loadTexts(""), pages.includes(name) && loadTexts(name)]);
}

/** @param {string} path a page for reading, such as "help.html" @returns {string} its address in this language */
export const pageOf = (path) => language === "en" ? `/${path}` : `/${language}/${path}`;

/**
 * Fills every element with its sentences: `data-text` as its text, `data-label` as its accessible name, `data-hint` as
 * its placeholder, `data-page` as its link's address. A path that begins with `desk.` is one of the desk's catalogue.
 * @param {Document} root
 */
export function fillTexts(root) {
    root.documentElement.lang = language;
    root.documentElement.dir = rightToLeft.includes(language) ? "rtl" : "ltr";
    const of = (/** @type {string} */ path) => path.split(".").reduce((/** @type {any} */ at, key) => at[key],
        { ...text, desk: pageText });
    for (const element of root.querySelectorAll("[data-text]")) {
        element.textContent = of(element.getAttribute("data-text") ?? "");
    }
    for (const element of root.querySelectorAll("[data-label]")) {
        element.setAttribute("aria-label", of(element.getAttribute("data-label") ?? ""));
    }
    for (const element of root.querySelectorAll("[data-hint]")) {
        element.setAttribute("placeholder", of(element.getAttribute("data-hint") ?? ""));
    }
    for (const element of root.querySelectorAll("a[data-page]")) {
        element.setAttribute("href", pageOf(element.getAttribute("data-page") ?? ""));
    }
    for (const element of root.querySelectorAll("[data-languages]")) showLanguages(element);
}

/**
 * Adds a button for each other language: it stores the choice, and reloads the page.
 * @param {Element} place
 */
export function showLanguages(place) {
    const buttons = Object.entries(languages).filter(([tag]) => tag !== language).map(([tag, name]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "plain";
        button.lang = tag;
        button.textContent = name;
        button.addEventListener("click", () => change(tag));
        return button;
    });
    place.replaceChildren(...buttons);
}

/** @param {string} tag */
function change(tag) {
    // Without storage the browser's languages decide.
    try { localStorage.setItem(place, tag); } catch { return; }
    const address = new URL(location.href);
    if (!address.searchParams.has("lang")) return location.reload();
    address.searchParams.delete("lang");
    location.replace(address);
}
