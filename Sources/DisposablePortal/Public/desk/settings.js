// SPDX-License-Identifier: Apache-2.0
// What was decided, and deciding otherwise: what the rules refuse is said where it is.
import { ApiError, call } from "/api.js";
import { ask, make, say, toast } from "/dom.js";
import { Unreadable, differences, eventFields, field } from "./fields.js";
import { sentence, text } from "./text.js";

const words = text.settings;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showSettings(place, main) {
    let event = await call("GET", `${place.path}settings`);
    const name = make("input", { type: "text", maxlength: 80, required: true, autocomplete: "off" });
    const fields = eventFields();
    const error = make("p", { class: "error", role: "alert", id: "settings-error" });
    const submit = make("button", { class: "button main", id: "save" }, words.save);
    const note = make("p", { class: "quiet" });
    const state = make("section", { class: "panel flow", id: "standing" });
    const isFree = place.here && event.isOrganizer;

    async function change(/** @type {any} */ given) {
        const { fields: changed } = await call("POST", `${place.path}settings`, given);
        await Promise.all([load(), place.refresh()]);
        return changed.length;
    }
    async function send(/** @type {Event} */ submitted) {
        submitted.preventDefault();
        error.textContent = "";
        submit.disabled = true;
        try {
            const given = differences(event.parameters, { ...fields.read(), name: name.value.trim() });
            // Nothing said about a price is not the same as no price being there.
            if (given.price && !given.price.currency && !event.parameters.price) delete given.price;
            toast(words.saved(Object.keys(given).length ? await change(given) : 0), null, 4_000);
        } catch (failure) {
            if (!(failure instanceof ApiError || failure instanceof Unreadable)) throw failure;
            error.textContent = failure instanceof Unreadable ? failure.message : sentence(failure);
            error.scrollIntoView({ block: "nearest" });
        } finally {
            submit.disabled = !isFree;
        }
    }
    /** Opens, closes: asks first. @param {any} question @param {any} given */
    async function turn(question, given) {
        if (await ask(question)) await place.attempt(() => change(given));
    }
    async function reveal() {
        if (!await ask(words.revealQuestion)) return;
        try {
            await shown(await call("POST", `${place.path}reveal`, { isConfirmed: false }));
        } catch (failure) {
            if (!(failure instanceof ApiError) || failure.code !== "refused") return void toast(sentence(failure),
                null, 12_000);
            if (!await ask(words.earlyQuestion(failure.message.split(" – ")[0]))) return;
            const done = await place.attempt(() => call("POST", `${place.path}reveal`, { isConfirmed: true }));
            if (done) await shown(done);
        }
    }
    async function shown(/** @type {any} */ done) {
        say(words.revealed(done.photoCount));
        toast(words.revealed(done.photoCount));
        await load();
    }
    function standing() {
        const { parameters: now, phase, sealing } = event;
        const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => void} */ run,
            danger = false) =>
            make("button", { type: "button", class: danger ? "button danger" : "button", id, click: run,
                disabled: !isFree }, label);
        state.replaceChildren(make("h2", {}, words.state),
            make("p", {}, make("span", { class: "strong" }, text.phases[/** @type {keyof typeof text.phases} */ (phase)]), ". ", words.until(event)),
            make("p", { class: "quiet" }, words.sealing[/** @type {keyof typeof words.sealing} */ (sealing)]),
            make("div", { class: "row" },
                now.isOpened ? null : button("open", words.open, () => turn(words.openQuestion, { isOpened: true,
                    isClosed: false })),
                now.isOpened && now.isClosed ? button("reopen", words.reopen, () => turn(
                    { title: words.reopen, body: [], yes: words.reopen }, { isClosed: false })) : null,
                now.isOpened && !now.isClosed ? button("close", words.close,
                    () => turn(words.closeQuestion, { isClosed: true }), true) : null,
                sealing === "organizers" ? button("reveal", words.reveal, reveal, true) : null));
        note.textContent = !event.isOrganizer ? words.notOrganizer : !place.here ? text.awayShort
            : now.isOpened ? words.openNote : words.draftNote;
    }
    function fill() {
        name.value = event.parameters.name;
        fields.fill(event.parameters);
        standing();
    }
    const isInUse = () => main.contains(document.activeElement);
    async function load(isMeant = true) {
        const now = await call("GET", `${place.path}settings`);
        if (!isMeant && isInUse()) return;
        event = now;
        fill();
    }
    fill();
    main.classList.add("narrow");
    const inputs = make("fieldset", { class: "all flow", disabled: !isFree },
        field(text.fields.name, name, "", "large"),
        make("div", { class: "panel flow" }, ...fields.rules), make("div", { class: "panel flow" }, ...fields.more),
        make("div", { class: "save" }, error, submit));
    main.replaceChildren(make("h1", {}, words.title), state, make("form",
        { class: "flow", id: "settings-form", submit: send }, note, inputs));
    return {
        // What somebody else decides is shown, unless something is being written here.
        changed: (/** @type {string} */ name) => {
            if ((name === "event" || name === "reset") && !isInUse()) place.attempt(() => load(false));
        },
    };
}
