// SPDX-License-Identifier: Apache-2.0
// The language of the page: the chosen one, otherwise the first of the browser's that is available.
// Another language is another file in texts/ and a line here (docs/operations.md, "Add a language").

/** @typedef {typeof import("./texts/en.js").english} Text */

/** @type {Record<string, {name: string, load: () => Promise<Text>}>} */
const catalogues = {
    en: { name: "English", load: () => import("./texts/en.js").then(({ english }) => english) },
    fr: { name: "Français", load: () => import("./texts/fr.js").then(({ french }) => french) },
};
const rightToLeft = ["ar", "fa", "he", "ur"];
const place = "disposable.language";

function chosen() {
    try { return localStorage.getItem(place); } catch { return null; }
}

/** The tag of the language, as in `lang`. */
export const language = [chosen(), ...navigator.languages ?? [navigator.language]]
    .map((tag) => (tag ?? "").toLowerCase().split("-")[0]).find((tag) => tag in catalogues) ?? "en";

/**
 * Every sentence of the page; nothing before `loadText`, which `start.js` waits for.
 * @type {Text}
 */
export let text;

/** Loads the sentences of the language. */
export async function loadText() {
    text = await catalogues[language].load();
}

/** @param {string} path a page for reading, such as "help.html" @returns {string} its address in this language */
export const pageOf = (path) => language === "en" ? `/${path}` : `/${language}/${path}`;

/**
 * Fills every element with its sentences: `data-text` as its text, `data-label` as its accessible name, `data-hint` as
 * its placeholder, `data-page` as its link's address.
 * @param {Document} root
 */
export function fillTexts(root) {
    root.documentElement.lang = language;
    root.documentElement.dir = rightToLeft.includes(language) ? "rtl" : "ltr";
    const of = (/** @type {string} */ path) => path.split(".").reduce((/** @type {any} */ at, key) => at[key], text);
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
function showLanguages(place) {
    const buttons = Object.entries(catalogues).filter(([tag]) => tag !== language).map(([tag, { name }]) => {
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
    location.reload();
}
