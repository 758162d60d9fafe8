// SPDX-License-Identifier: Apache-2.0
// Controls for the options of guests' pages: names, the camera, photos at once, saving, videos, colours.
import { make } from "../shared/dom.js";
import { chips } from "./fields.js";
import { text } from "./words.js";

/** @returns {{elements: HTMLElement[], fill: (event: any) => void, lock: (event: any) => void, read: () => any}} */
export function optionFields() {
    const words = text.options;
    const names = chips(words.names, Object.entries(words.nameRules), "optional");
    const isCameraOnly = make("input", { type: "checkbox", id: "camera-only", "aria-describedby": "camera-only-hint" });
    const tickets = make("input", { type: "checkbox", id: "needs-tickets", "aria-describedby": "needs-tickets-hint" });
    const wallCode = make("input", { type: "checkbox", id: "wall-code", "aria-describedby": "wall-code-hint" });
    const atOnce = chips(words.atOnce, Object.entries(words.atOnceChoices), "0");
    const downloads = chips(words.downloads, Object.entries(words.downloadRules), "everyone");
    const videos = chips(words.videos, Object.entries(words.videoRules), "on");
    const theme = chips(words.theme, Object.entries(words.themes), "film");
    const hint = (/** @type {{element: HTMLElement}} */ control, /** @type {string} */ sentence) =>
        control.element.append(make("p", { class: "quiet" }, sentence));
    hint(atOnce, words.atOnceHint);
    hint(downloads, words.downloadsHint);
    hint(videos, words.videosHint);
    return {
        elements: [names.element,
            make("div", { class: "field" }, make("label", { class: "check" }, isCameraOnly, make("span", {}, words.cameraOnly)),
                make("p", { class: "quiet", id: "camera-only-hint" }, words.cameraOnlyHint)),
            make("div", { class: "field" }, make("label", { class: "check" }, tickets, make("span", {}, words.tickets)),
                make("p", { class: "quiet", id: "needs-tickets-hint" }, words.ticketsHint)),
            make("div", { class: "field" }, make("label", { class: "check" }, wallCode, make("span", {}, words.wallCode)),
                make("p", { class: "quiet", id: "wall-code-hint" }, words.wallCodeHint)),
            atOnce.element, downloads.element, videos.element, theme.element],
        fill(event) {
            names.value = event.nameRule ?? "optional";
            isCameraOnly.checked = event.isCameraOnly ?? false;
            tickets.checked = event.tickets ?? false;
            wallCode.checked = event.wallCode ?? false;
            const limit = String(event.photosAtOnce ?? 0);
            atOnce.add(limit, limit);
            atOnce.value = limit;
            downloads.value = event.downloads ?? "everyone";
            const length = event.videos ?? "on";
            if (!(length in words.videoRules)) videos.add(length, words.videosOther(Number(length)));
            videos.value = length;
            theme.value = event.theme ?? "film";
        },
        /** Guests of an open event may have come without a ticket. */
        lock(event) { tickets.disabled = event.isOpened && !event.tickets; },
        read: () => ({ nameRule: names.value, isCameraOnly: isCameraOnly.checked, tickets: tickets.checked, downloads: downloads.value,
            wallCode: wallCode.checked, photosAtOnce: Number(atOnce.value), videos: videos.value, theme: theme.value }),
    };
}
