// SPDX-License-Identifier: Apache-2.0
// The look of the page as the guest chooses it: the theme, the size of the text, the colours of photos.
// `look.js` sets it at the next visit before anything is painted.
import { find } from "../../shared/dom.js";

const { dataset } = document.documentElement;

export function setUpAppearance() {
    for (const input of themes()) {
        input.checked = input.value === (dataset.theme ?? "system");
        input.addEventListener("change", () => setTheme(input.value));
    }
    setUpTick(find("large-text"), "size", "large", "text");
    setUpTick(find("film-look"), "film", "on", "film");
}

/**
 * @param {HTMLInputElement} input
 * @param {string} attribute of the page, as `dataset` names it
 * @param {string} value of the attribute while the box is ticked
 * @param {string} name under which this browser keeps the value
 */
function setUpTick(input, attribute, value, name) {
    input.checked = dataset[attribute] === value;
    input.addEventListener("change", () => {
        if (input.checked) dataset[attribute] = value;
        else delete dataset[attribute];
        keep(name, dataset[attribute]);
    });
}

/** @returns {HTMLInputElement[]} */
const themes = () => [...find("themes").querySelectorAll("input")];

/** @param {string} theme "system", "light" or "dark" */
function setTheme(theme) {
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    keep("theme", dataset.theme);
}

/** @param {string} name @param {string|undefined} value */
function keep(name, value) {
    try {
        if (value) localStorage.setItem(`disposable.${name}`, value);
        else localStorage.removeItem(`disposable.${name}`);
    } catch { /* the look holds until the page is closed */ }
}
