// SPDX-License-Identifier: Apache-2.0
// The switches of notices, under "Me". Nobody is asked for a permission before one is turned on.
import { make, toast } from "../../shared/dom.js";
import { canNotify, isSystemOn, kinds, setSystem, setWanted, wants } from "../../shared/notices.js";
import { loadTexts } from "../../shared/text.js";

/** @param {HTMLElement} box */
export async function fill(box) {
    /** @type {import("../../shared/notices.js").Words} */
    const words = await loadTexts("notices");
    /** @param {string} name @param {string} label @param {boolean} isOn @param {(isOn: boolean) => void} change */
    const tick = (name, label, isOn, change) => {
        const input = make("input", { type: "checkbox", id: `notice-${name}`, change: () => change(input.checked) });
        input.checked = isOn;
        return make("label", { class: "tick" }, input, make("span", {}, label));
    };
    const system = tick("system", words.system, isSystemOn(), async (isOn) => {
        if (await setSystem(isOn)) return;
        system.querySelector("input").checked = false;
        toast(words.denied, null, 10_000);
    });
    box.replaceChildren(make("h2", {}, words.title), ...kinds.map((kind) =>
        tick(kind, words.kinds[kind], wants(kind), (isOn) => setWanted(kind, isOn))), ...canNotify() ? [system] : []);
}
