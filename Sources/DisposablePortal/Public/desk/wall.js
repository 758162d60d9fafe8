// SPDX-License-Identifier: Apache-2.0
// The wall: the address of each, with what it shows, and the remote control of all that follow this computer.
import { call } from "../shared/api.js";
import { copy, make, toast } from "../shared/dom.js";
import { language } from "../shared/text.js";
import { chips, field } from "./fields.js";
import { text } from "./words.js";

const words = text.wall;
/** @type {["back"|"pause"|"resume"|"next"|"code", string][]} */
const acts = [["back", words.back], ["pause", words.pause], ["resume", words.resume], ["next", words.next], ["code", words.code]];

/**
 * Asks the walls to do something.
 * @param {import("./desk.js").Place} place @param {string} act @param {string} [photo] for `show`
 */
export async function tellWalls(place, act, photo) {
    if (await place.attempt(async () => { await call("POST", `${place.path}wall`, photo ? { act, photo } : { act }); return true; })) {
        toast(photo ? words.shown : words.told);
    }
}

/** @param {import("./desk.js").Place} place @param {string} address of the wall */
export function wallPanel(place, address) {
    const show = make("select", { id: "wall-show", change: draw },
        ...Object.entries(words.shows).map(([value, label]) => make("option", { value }, label)));
    const fill = make("input", { type: "checkbox", id: "wall-fill", change: draw });
    const code = chips(words.corner, Object.entries(words.corners), "", draw);
    const wifi = make("input", { id: "wall-wifi", maxlength: 100, autocomplete: "off", input: draw });
    const link = make("a", { class: "button", id: "wall-link", target: "_blank", rel: "noopener" }, text.invite.wall);
    const shown = make("p", { class: "link-text", id: "wall-address" });
    function draw() {
        const wall = new URL(address);
        // The wall speaks the desk's language.
        wall.searchParams.set("lang", language);
        const [name, value] = show.value.split("=");
        if (value) wall.searchParams.set(name, value);
        if (fill.checked) wall.searchParams.set("fit", "fill");
        if (code.value) wall.searchParams.set("code", code.value);
        if (wifi.value.trim()) wall.searchParams.set("wifi", wifi.value.trim());
        link.href = wall.href;
        shown.textContent = wall.href;
    }
    draw();
    addParts();

    /** One wall may be for one moment, one mission or one person, as the couple's first dance by the photographer. */
    async function addParts() {
        const [overview, page] = await Promise.all(["overview", "people?offset=0&limit=100"].map((path) =>
            place.attempt(() => call("GET", place.path + path))));
        const option = (/** @type {string} */ value, /** @type {string} */ label) => make("option", { value }, label);
        show.append(...(overview?.status.moments?.past ?? []).map((/** @type {any} */ { day, startsAt }) =>
            option(`moment=${day}`, words.moment(startsAt))));
        show.append(...(overview?.event.parameters.missions ?? []).map((/** @type {any} */ mission) =>
            option(`mission=${mission.id}`, words.mission(mission.text))));
        show.append(...(page?.people ?? []).map((/** @type {any} */ entry) => entry.person)
            .filter((/** @type {any} */ person) => person.framesUsed > 0).map((/** @type {any} */ person) =>
                option(`author=${person.key}`, words.by(person.name ?? text.noName))));
    }

    return make("section", { class: "panel flow", id: "walls" }, make("h2", {}, words.title),
        make("p", { class: "quiet" }, words.several),
        make("div", { class: "pair" }, field(words.show, show), code.element),
        field(words.wifi, wifi, words.wifiHint),
        make("label", { class: "check" }, fill, make("span", {}, words.fill)), shown,
        make("div", { class: "row" }, link, make("button", { type: "button", class: "button",
            click: () => copy(link.href) }, text.invite.copyLink)),
        make("h3", {}, words.remote), make("p", { class: "quiet" }, words.remoteHint),
        make("div", { class: "row", id: "remote", role: "group", "aria-label": words.remote },
            ...acts.map(([act, label]) => make("button", { type: "button", class: "button small", "data-act": act,
                click: () => tellWalls(place, act) }, label))));
}
