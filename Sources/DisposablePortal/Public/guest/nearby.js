// SPDX-License-Identifier: Apache-2.0
// The events of this network, below the field for a code: the first page lists what can be entered. It is loaded where no
// event is open.
import { call } from "../shared/api.js";
import { find, make } from "../shared/dom.js";
import { loadTexts } from "../shared/text.js";

/** The most events in this list. The board has all of them. */
const most = 3;

/** Shows the events, if there are any. Throws where the list does not load. */
export async function showNearby() {
    const [{ events }, text] = await Promise.all([call("GET", "/api/board"), loadTexts("board")]);
    const rows = events.filter((/** @type {import("../board/board.js").Row} */ { isReachable, phase }) =>
        isReachable && phase !== "over").slice(0, most);
    if (!rows.length || find("nearby")) return;
    find("code-form").after(make("section", { class: "stack", id: "nearby", "aria-labelledby": "nearby-title" },
        make("h2", { id: "nearby-title" }, text.near), ...rows.map(link)));

    /** @param {import("../board/board.js").Row} row */
    function link({ id, name, organizer, isAmbiguous }) {
        // Events of one name are told apart by their hosts.
        const label = isAmbiguous && organizer ? `${name} · ${text.by(organizer)}` : name;
        const element = make("a", { class: "button wide", href: `/board#${id}` }, label);
        element.style.overflowWrap = "anywhere";
        return element;
    }
}
