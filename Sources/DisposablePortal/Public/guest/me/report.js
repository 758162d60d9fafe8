// SPDX-License-Identifier: Apache-2.0
// "Something wrong?": a text about this page for the host, which the guest reads, copies or saves. It is sent nowhere
// and has no name, no photo, no key and no address of the guest in it.
import { copy, find, icon, make, openDialog } from "../../shared/dom.js";
import { problems } from "../../shared/problems.js";
import * as session from "../../shared/session.js";
import { language, text } from "../../shared/text.js";
import { uploads } from "../sending/uploads.js";

/** @param {number} photoCount that the gallery shows */
export function showReport(photoCount) {
    const words = reportText(photoCount);
    const field = make("textarea", { readonly: true, rows: 12, "aria-label": text.report.title });
    field.value = words;
    field.setSelectionRange(0, 0);
    const dialog = find("report");
    const address = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
    dialog.replaceChildren(
        make("h2", { id: "report-title" }, text.report.title), make("p", {}, text.report.intro), field,
        make("div", { class: "row" },
            make("button", { type: "button", class: "button", click: () => copy(words) }, text.common.copy),
            make("a", { class: "button", href: address, download: "disposable-report.txt" }, icon("save"), text.report.save),
            make("button", { type: "button", class: "button main", click: () => dialog.close() }, text.common.close)));
    dialog.addEventListener("close", () => URL.revokeObjectURL(address), { once: true });
    openDialog(dialog);
}

/**
 * In English, like logs, so that any host and any helper can read it.
 * @param {number} photoCount
 */
export function reportText(photoCount) {
    const { me } = session;
    const { dataset } = document.documentElement;
    const time = (/** @type {number} */ at) => new Date(at).toISOString().slice(0, 19);
    /** @type {Record<string, number>} */
    const states = {};
    for (const { state, reason } of uploads) {
        const name = reason ? `${state} (${reason})` : state;
        states[name] = (states[name] ?? 0) + 1;
    }
    const lines = [
        `Disposable report, ${time(Date.now())} UTC`,
        `browser: ${navigator.userAgent}`,
        `screen: ${innerWidth} x ${innerHeight} at ${devicePixelRatio}; language ${language}; theme `
            + `${dataset.theme ?? "system"}; text ${dataset.size ?? "normal"}`,
        `page: secure context ${isSecureContext}; keeps data ${session.isKept()}; online ${navigator.onLine}`,
    ];
    if (me?.guest) {
        const { event, guest } = me;
        const phase = session.isOver() ? "over" : event.isOpened ? "open" : "draft";
        lines.push(`event: ${phase}; sealed ${event.sealed !== null}; photos shown ${photoCount}`,
            `film: ${guest.framesUsed} used of ${guest.frames ?? "unlimited"}; consent given ${me.consent.isGiven}`,
            `other nodes: ${me.others.length}; out of reach ${!find("out-of-reach").hidden}`);
    }
    const queue = Object.entries(states).map(([state, count]) => `${count} ${state}`).join(", ");
    lines.push(`uploads: ${queue || "none"}`, "problems, the latest last:",
        ...problems.map((one) => `  ${time(one.at)} ${one.text}`), ...problems.length ? [] : ["  none"]);
    return `${lines.join("\n")}\n`;
}
