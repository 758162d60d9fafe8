// SPDX-License-Identifier: Apache-2.0
// The look that was chosen in this browser, and the colours of its last event, set before anything is painted: a plain script in the head of every page.
(function () {
    try {
        const { dataset } = document.documentElement;
        const theme = localStorage.getItem("disposable.theme");
        if (theme === "light" || theme === "dark") dataset.theme = theme;
        const colours = localStorage.getItem("disposable.colours");
        if (/^[a-z]+$/.test(colours ?? "") && colours !== "film") {
            dataset.colours = colours;
            const link = document.createElement("link");
            Object.assign(link, { rel: "stylesheet", href: "/shared/themes.css", id: "theme-sheet" });
            document.head.append(link);
        }
        if (localStorage.getItem("disposable.text") === "large") dataset.size = "large";
        if (localStorage.getItem("disposable.film") === "on") dataset.film = "on";
    } catch { /* this browser keeps nothing: the look is that of the system */ }
})();
