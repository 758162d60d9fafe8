// SPDX-License-Identifier: Apache-2.0
// The vote for the photo of the night: opening it, closing it, and the result.
import { call } from "../shared/api.js";
import { ask, make, say, toast } from "../shared/dom.js";
import { text } from "./words.js";

const words = text.vote;

/** @typedef {{photo: string, author: string, votes: number}} Place */
/** @typedef {{id: string, openedAt: string, closedAt?: string, voterCount: number, places: Place[], winnerCount: number, placeCount: number}} Vote */

/** @param {import("./desk.js").Place} place @param {() => void} changed */
export function votePanel(place, changed) {
    const state = make("p", { class: "quiet" });
    const list = make("ol", { id: "vote-places" });
    const button = make("button", { type: "button", class: "button", id: "vote-switch", click: change });
    const element = make("section", { class: "panel flow", id: "vote", hidden: true }, make("h2", {}, words.title), state, list,
        make("div", { class: "row" }, button));
    let isOpen = false;
    let shown = "";

    async function change() {
        if (isOpen && !await ask(words.closeQuestion)) return;
        button.disabled = true;
        const done = await place.attempt(() => call("POST", `${place.path}vote`, { isOpen: !isOpen }));
        button.disabled = false;
        if (!done) return;
        const sentence = isOpen ? words.closed : words.opened;
        say(sentence);
        toast(sentence, null, 4_000);
        draw(done.vote ?? null, true);
        changed();
    }

    /** @param {Vote|null} vote @param {boolean} mayChange */
    function draw(vote, mayChange) {
        isOpen = vote !== null && !vote.closedAt;
        element.hidden = !vote && !mayChange;
        button.hidden = !mayChange;
        button.textContent = isOpen ? words.close : vote ? words.openAgain : words.open;
        state.textContent = !vote ? words.about : isOpen ? words.isOpen(Date.parse(vote.openedAt), vote.voterCount)
            : words.isClosed(vote.voterCount, vote.winnerCount);
        // Unchanged pictures stay.
        const now = JSON.stringify(vote?.places ?? []);
        if (now === shown) return;
        shown = now;
        list.replaceChildren(...(vote?.places ?? []).map((one) => make("li", {},
            make("img", { src: `${place.path}photos/${one.photo}/thumbnail`, alt: "", loading: "lazy" }),
            make("span", {}, words.place(one.author, one.votes)))));
    }

    return {
        element,
        /** @param {any} overview */
        async draw({ event }) {
            const answer = await place.attempt(() => call("GET", `${place.path}vote`));
            if (answer) draw(answer.vote ?? null, place.here && event.isOrganizer && event.parameters.isOpened);
        },
    };
}
