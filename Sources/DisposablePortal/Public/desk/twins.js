// SPDX-License-Identifier: Apache-2.0
// Galleries that are joined with those of other events: joining them by an agreement of both organizers, and separating them.
import { call } from "../shared/api.js";
import { ask, copy, make, say, toast } from "../shared/dom.js";
import { field } from "./fields.js";
import { text } from "./words.js";

const words = text.twins;

/** @typedef {{event: string, name: string, state: "joined"|"waiting"|"ended", photoCount: number, needsRenewal: boolean}} Twin */
/** @typedef {{event: string, name: string, twins: Twin[], agreement?: string}} Report */

/** @param {import("./desk.js").Place} place @param {() => void} changed */
export function twinPanel(place, changed) {
    const list = make("ul", { class: "flow", id: "twins" });
    const input = make("textarea", { rows: 3, id: "twin-text", required: true, spellcheck: false, autocapitalize: "characters" });
    const button = make("button", { class: "button", id: "twin-take" }, words.take);
    const form = make("form", { class: "flow", submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        take(input.value.trim());
    } }, field(words.text, input, words.hint), make("div", { class: "row" }, button));
    const agreement = make("textarea", { rows: 6, readonly: true, id: "twin-agreement", "aria-label": words.agreement });
    const answer = make("div", { class: "flow", hidden: true }, make("p", {}, words.handOver), agreement,
        make("div", { class: "row" }, make("button", { type: "button", class: "button small",
            click: () => copy(agreement.value) }, words.copy)));
    const element = make("section", { class: "panel flow", id: "twin-panel", hidden: true }, make("h2", {}, words.title),
        make("p", { class: "quiet" }, words.about), list, form, answer);
    let shown = "";

    /** @param {object} change @param {string} done */
    async function send(change, done) {
        button.disabled = true;
        /** @type {Report|undefined} */
        const report = await place.attempt(() => call("POST", `${place.path}twins`, change));
        button.disabled = false;
        if (!report) return false;
        say(done);
        toast(done, null, 4_000);
        draw(report);
        changed();
        return true;
    }

    /** @param {string} entered */
    async function take(entered) {
        if (!entered) return;
        // An agreement joins this side; an invitation is answered with an agreement.
        const joins = entered.replace(/\s/g, "").toUpperCase().startsWith("DISPOSABLETWIN");
        if (!await ask(joins ? words.joinQuestion : words.agreeQuestion)) return;
        if (await send({ text: entered }, joins ? words.joined : words.agreed)) input.value = "";
    }

    /** @param {Twin} twin */
    const row = (twin) => make("li", { class: "row spread", "data-twin": twin.event },
        make("span", {}, words.line(twin.name, words.states[twin.state](twin.photoCount))),
        make("span", { class: "row" },
            twin.needsRenewal && twin.state !== "ended" ? make("button", { type: "button", class: "button small",
                "aria-label": words.renewOne(twin.name), title: words.renewWhy,
                click: async () => {
                    if (await ask(words.renewQuestion(twin.name))) await send({ renew: twin.event }, words.renewed);
                } }, words.renew) : null,
            make("button", { type: "button", class: "button small", "aria-label": words.separateOne(twin.name),
                click: async () => {
                    if (await ask(words.separateQuestion(twin.name))) await send({ separate: twin.event }, words.separated);
                } }, words.separate)));

    /** @param {Report} report */
    function draw({ twins, agreement: made }) {
        if (made) {
            agreement.value = made;
            answer.hidden = false;
        }
        const now = JSON.stringify(twins);
        if (now === shown) return;
        shown = now;
        list.hidden = !twins.length;
        list.replaceChildren(...twins.map(row));
    }

    return {
        element,
        /** @param {any} overview */
        async draw({ event }) {
            element.hidden = !(place.here && event.isOrganizer && event.parameters.isOpened);
            if (element.hidden || list.contains(document.activeElement)) return;
            const report = await place.attempt(() => call("GET", `${place.path}twins`));
            if (report) draw(report);
        },
    };
}
