// SPDX-License-Identifier: Apache-2.0
// The look of the page as the guest chooses it: the theme, and the size of the text. `look.js` sets it at the next
// visit before anything is painted.
import { find } from "./dom.js";

const { dataset } = document.documentElement;

export function setUpAppearance() {
    for (const input of themes()) {
        input.checked = input.value === (dataset.theme ?? "system");
        input.addEventListener("change", () => setTheme(input.value));
    }
    const large = find("large-text");
    large.checked = dataset.size === "large";
    large.addEventListener("change", () => {
        if (large.checked) dataset.size = "large";
        else delete dataset.size;
        keep("text", dataset.size);
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
