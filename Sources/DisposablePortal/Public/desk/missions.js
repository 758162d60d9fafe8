// SPDX-License-Identifier: Apache-2.0
// The list of missions: one line for each, which can be reworded, moved and removed.
import { icon, make, say } from "../shared/dom.js";
import { text } from "./words.js";

/** The limit of missions of an event, which the node checks. */
const countMax = 20;

/** @typedef {{id?: number, text: string}} Mission */

/** @returns {{element: HTMLElement, fill: (event: any) => void, read: () => Mission[]}} */
export function missionFields() {
    const words = text.missions;
    const list = make("ol", { class: "missions" });
    const add = make("button", { type: "button", class: "button", click: () => {
        const row = rowOf({ text: "" }, null);
        list.append(row);
        settle();
        row.querySelector("input").focus();
    } }, icon("plus"), words.add);

    /** @param {Mission} mission @param {number|null} count of photos that answer it; `null` for a new one */
    function rowOf({ id, text: mission }, count) {
        const input = make("input", { type: "text", maxlength: 80, autocomplete: "off", placeholder: words.example });
        input.value = mission;
        const button = (/** @type {string} */ symbol, /** @type {string} */ label, /** @type {() => void} */ run) =>
            make("button", { type: "button", class: "button", "data-label": label, click: run }, symbol);
        const row = make("li", { "data-id": id ?? null }, input, make("div", { class: "row" },
            button("↑", "up", () => move(row, -1)), button("↓", "down", () => move(row, 1)),
            button("×", "remove", () => {
                const next = row.nextElementSibling ?? row.previousElementSibling;
                row.remove();
                settle();
                (next?.querySelector("input") ?? add).focus();
                say(words.removed);
            }), count === null ? null : make("span", { class: "quiet" }, words.photos(count))));
        return row;
    }

    /** @param {any} row @param {number} step */
    function move(row, step) {
        if (step < 0) row.previousElementSibling?.before(row);
        else row.nextElementSibling?.after(row);
        settle();
        const buttons = row.querySelectorAll("button");
        [buttons[step < 0 ? 0 : 1], buttons[step < 0 ? 1 : 0]].find((one) => !one.disabled)?.focus();
    }

    /** Numbers the lines, and disables what has no effect. */
    function settle() {
        [...list.children].forEach((row, index) => {
            for (const button of row.querySelectorAll("button")) {
                const label = /** @type {"up"|"down"|"remove"} */ (button.dataset.label);
                button.setAttribute("aria-label", words[label](index + 1));
                button.disabled = label === "up" && index === 0 || label === "down" && index === list.children.length - 1;
            }
            row.querySelector("input").setAttribute("aria-label", words.mission(index + 1));
        });
        add.disabled = list.children.length >= countMax;
    }

    return {
        element: make("div", { class: "flow" }, make("p", { class: "quiet" }, words.hint), list, add),
        fill(event) {
            list.replaceChildren(...(event.missions ?? []).map((/** @type {Mission} */ mission, /** @type {number} */ index) =>
                rowOf(mission, event.missionCounts?.[index] ?? null)));
            settle();
        },
        read: () => [...list.children].map((row) => {
            const mission = row.querySelector("input").value.trim();
            return row.dataset.id ? { id: Number(row.dataset.id), text: mission } : { text: mission };
        }).filter((mission) => mission.text),
    };
}
