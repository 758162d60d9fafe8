// SPDX-License-Identifier: Apache-2.0
// The members and what they may do: frames, roles, the places of their computers, removing a person.
import { ApiError, call } from "../shared/api.js";
import { ask, make, say, toast } from "../shared/dom.js";
import { stepper } from "./fields.js";
import { sentence as sentenceOf, text } from "./words.js";

const words = text.people;
const pageCount = 50;
// Fewer people are seen at a glance.
const searchableCount = 8;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showPeople(place, main) {
    const list = make("ul", { class: "people", id: "people" });
    const more = make("button", { type: "button", class: "button", click: () => load(list.children.length) },
        text.more);
    const note = make("p", { class: "note", role: "status" }, words.none);
    let typing = 0;
    const named = make("input", { id: "people-named", type: "search", autocomplete: "off", maxlength: 40, input: () => {
        clearTimeout(typing);
        typing = setTimeout(() => reload(), 200);
    } });
    const search = make("div", { class: "stack", role: "search", hidden: true },
        make("label", { for: named.id }, words.find), named);
    main.replaceChildren(make("h1", {}, words.title), make("p", { class: "quiet" }, words.intro), search, list, note, more);

    // A person is expanded: reloading would remove the row in use.
    const isInUse = () => list.querySelector("details[open]") !== null;
    async function load(offset = 0, limit = pageCount, isMeant = true) {
        const asked = named.value.trim();
        const query = `named=${encodeURIComponent(asked)}&offset=${offset}&limit=${limit}`;
        const page = await place.attempt(() => call("GET", `${place.path}people?${query}`));
        // The answer to an earlier question may come after the one to the last.
        if (!page || asked !== named.value.trim() || (!isMeant && isInUse())) return;
        const rows = page.people.map((/** @type {any} */ entry) => row(entry, place, reload));
        if (offset === 0) list.replaceChildren(...rows); else list.append(...rows);
        more.hidden = list.children.length >= page.count;
        note.textContent = page.total > 0 ? words.nobodyNamed(asked) : words.none;
        note.hidden = page.count > 0;
        search.hidden = page.total <= searchableCount && !asked;
    }
    // As many as are shown.
    const reload = (isMeant = true) => load(0, Math.min(100, Math.max(pageCount, list.children.length)), isMeant);
    await load();
    let timer = 0;
    return {
        changed: () => {
            if (timer || isInUse()) return;
            timer = setTimeout(() => {
                timer = 0;
                if (!isInUse()) reload(false);
            }, 3_000);
        },
        leave: () => {
            clearTimeout(timer);
            clearTimeout(typing);
        },
    };
}

/** @param {any} entry @param {import("./desk.js").Place} place @param {() => Promise<void>} reload */
function row({ person, node }, place, reload) {
    const name = person.name ?? text.noName;
    const limit = person.frames ?? null;
    const badges = person.roles.map((/** @type {keyof typeof words.roles} */ role) => make("span", { class: "tag" },
        words.roles[role]));
    if (person.isMe) badges.push(make("span", { class: "tag quiet" }, words.you));
    if (person.hasLeft) badges.push(make("span", { class: "tag quiet" }, words.left));
    return make("li", { class: "panel", "data-key": person.key },
        make("div", { class: "person" },
            make("div", {}, make("p", { class: "strong" }, name, " ", ...badges),
                make("p", { class: "quiet" }, [words.frames(person.framesUsed, limit), node
                    && words.node(node), person.zone].filter(Boolean).join(" · "))),
            limit === null ? null : make("progress", { max: Math.max(1, limit), value: person.framesUsed,
                "aria-label": words.frames(person.framesUsed, limit) })),
        person.framesUsed ? make("p", {}, make("a", { href: `#${place.id}/photos/${person.key}` }, words.photosOf(name)))
            : null,
        place.here ? manage(person, name, Boolean(node), limit, place, reload) : null);
}

/**
 * @param {any} person @param {string} name @param {boolean} hasNode whether the person's computer is a node
 * @param {number|null} limit @param {import("./desk.js").Place} place
 * @param {() => Promise<void>} reload
 */
function manage(person, name, hasNode, limit, place, reload) {
    /** @param {object} body @param {any} question @param {string} [sentence] @param {(() => void)|null} [undo] */
    async function act(body, question, sentence = words.done, undo = null) {
        if (question && !await ask(question)) return;
        const send = (/** @type {object} */ more) => call("POST", `${place.path}people`,
            { member: person.key, ...body, ...more });
        const done = await place.attempt(async () => {
            try {
                return await send({});
            } catch (error) {
                // Others would lose something; the node's answer describes it.
                if (!(error instanceof ApiError) || error.code !== "unconfirmed") throw error;
                return await ask(words.harmQuestion(sentenceOf(error))) ? send({ isConfirmed: true }) : null;
            }
        });
        if (!done) return;
        say(sentence);
        toast(sentence, undo && { label: words.letIn, run: undo }, undo ? 12_000 : 4_000);
        await reload();
    }
    async function remove() {
        const path = `${place.path}people/${person.key}/removal`;
        const preview = await place.attempt(() => call("GET", path));
        if (!preview) return;
        const box = make("input", { type: "checkbox" });
        const choice = preview.admitted.length === 0 ? []
            : [make("label", { class: "tick" }, box, words.withAdmitted(name, preview.admitted))];
        if (!await ask({ ...words.removeQuestion(name), more: choice })) return;
        await act({ act: "revoke", role: "participant", withAdmitted: box.checked }, null, words.removed(name),
            () => act({ act: "grant", role: "participant" }, null, words.isIn(name)));
    }
    const number = stepper(words.give, { min: 1, max: 1000 });
    number.input.value = "5";
    const give = () => {
        const count = Number.parseInt(number.input.value, 10);
        if (count >= 1 && count <= 1000) act({ act: "frames", count }, words.framesQuestion(name, count),
            words.given(name, count));
    };
    // A phone serves no pages.
    const offered = /** @type {(keyof typeof words.roles)[]} */ (Object.keys(words.roles)).filter((role) =>
        role !== "page" || hasNode || person.roles.includes(role));
    const roles = offered.map((role) => {
        const has = person.roles.includes(role);
        const label = has ? words.revoke(role) : words.grants[role];
        return make("div", { class: "row spread" }, make("p", {}, make("span", { class: "strong" }, words.roles[role]),
            " ",
            make("span", { class: "quiet" }, words.roleHelp[role])),
        make("button", {
            type: "button", class: "button small",
            click: () => act({ act: has ? "revoke" : "grant", role }, !has && role === "organizer"
                ? words.organizerQuestion(name) : null),
        }, label));
    });
    const zone = make("input", { id: `zone-${person.key}`, maxlength: 40, value: person.zone ?? "" });
    const setZone = (/** @type {Event} */ event) => {
        event.preventDefault();
        act({ act: "zone", zone: zone.value.trim() }, null);
    };
    const zoneForm = hasNode || person.isMe ? make("form", { submit: setZone },
        make("label", { for: zone.id }, person.isMe ? words.ownZone : words.zone),
        make("div", { class: "row" }, zone, make("button", { class: "button" }, words.setZone)),
        make("p", { class: "quiet" }, words.zoneHint)) : null;
    const summary = make("summary", {}, words.manage, make("span", { class: "offscreen" }, ` ${name}`));
    if (person.isMe) return make("details", {}, summary, make("div", { class: "flow" }, zoneForm));
    return make("details", {}, summary,
        make("div", { class: "flow" }, zoneForm,
        limit === null ? null : make("div", { class: "row" }, number.element,
            make("button", { type: "button", class: "button", click: give }, words.give)),
        ...roles,
        make("div", { class: "row" }, make("button", {
            type: "button", class: "button danger",
            click: remove,
        }, words.remove))));
}
