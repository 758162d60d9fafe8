// SPDX-License-Identifier: Apache-2.0
// The settings and their edits: a refusal is shown beside its field.
import { ApiError, call } from "../shared/api.js";
import { ask, make, say, toast } from "../shared/dom.js";
import { Unreadable, differences, eventFields, field } from "./fields.js";
import { keyPanel } from "./key.js";
import { openEvent } from "./opening.js";
import { pictures } from "./pictures.js";
import { sentence, text } from "./words.js";

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
    const end = make("section", { class: "panel flow", id: "deletion" }, make("h2", {}, words.deleteTitle),
        make("p", { class: "quiet" }, words.deleteAbout), make("div", { class: "row" }, make("button",
            { type: "button", class: "button danger", id: "delete", click: remove, disabled: !isFree }, words.delete)));
    const shownPictures = pictures(place, isFree);

    async function change(/** @type {any} */ given) {
        await call("POST", `${place.path}settings`, given);
        await Promise.all([load(), place.refresh()]);
    }
    /** Returns the values of the form that differ from the event. Throws `Unreadable`. */
    function edited() {
        const given = differences(event.parameters, { ...fields.read(), name: name.value.trim() });
        // An empty field and a price or position that was never set are the same.
        if (given.price && !given.price.currency && !event.parameters.price) delete given.price;
        if (given.position && !("latitude" in given.position) && !event.parameters.position) delete given.position;
        return given;
    }
    /** Shows "Save" while there are changes. */
    function settle() {
        try { save.hidden = Object.keys(edited()).length === 0; } catch { save.hidden = false; }
    }
    async function send(/** @type {Event} */ submitted) {
        submitted.preventDefault();
        error.textContent = "";
        submit.disabled = true;
        try {
            const given = edited();
            if (Object.keys(given).length) await change(given);
            toast(words.saved, null, 4_000);
        } catch (failure) {
            if (!(failure instanceof ApiError || failure instanceof Unreadable)) throw failure;
            error.textContent = failure instanceof Unreadable ? failure.message : sentence(failure);
            error.scrollIntoView({ block: "nearest" });
        } finally {
            submit.disabled = !isFree;
        }
    }
    /** Opens or closes the event after a confirmation. @param {any} question @param {any} given */
    async function turn(question, given) {
        if (await ask(question)) await place.attempt(() => change(given));
    }
    async function reveal() {
        if (!await ask(event.sealing === "shared" ? words.shareQuestion : words.revealQuestion)) return;
        try {
            await shown(await call("POST", `${place.path}reveal`, { isConfirmed: false }));
        } catch (failure) {
            if (!(failure instanceof ApiError) || !["early", "for-organizers"].includes(failure.reason ?? "")) {
                return void toast(sentence(failure), null, 12_000);
            }
            if (!await ask(words.earlyQuestion(sentence(failure)))) return;
            const done = await place.attempt(() => call("POST", `${place.path}reveal`, { isConfirmed: true }));
            if (done) await shown(done);
        }
    }
    async function shown(/** @type {any} */ done) {
        const result = done.missingCount ? words.shareReleased(done.missingCount) : words.revealed(done.photoCount);
        say(result);
        toast(result);
        await load();
    }
    async function remove() {
        const typed = make("input", { type: "text", required: true, autocomplete: "off" });
        const { name } = event.parameters;
        if (!await ask({ ...words.deleteQuestion(name, event.photoCount), more: [field(words.deleteName, typed)] })) return;
        const done = await place.attempt(() => call("POST", `${place.path}deletion`, { name: typed.value.trim() }));
        if (!done) return;
        toast(words.deleted, null, 12_000);
        await load();
    }
    async function archive() {
        const isOn = !place.event().isArchived;
        if (!await place.attempt(() => call("POST", `${place.path}archive`, { isOn }))) return;
        await place.refresh();
        standing();
        toast(isOn ? words.archived : words.unarchived);
    }
    function standing() {
        const { parameters: now, phase, sealing } = event;
        const isOver = !["draft", "open"].includes(phase);
        // An empty draft has no sealed photos.
        const mayReveal = ["organizers", "shared"].includes(sealing) && (now.isOpened || event.photoCount > 0);
        const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => void} */ run,
            danger = false) =>
            make("button", { type: "button", class: danger ? "button danger" : "button", id, click: run,
                disabled: !isFree }, label);
        state.replaceChildren(make("h2", {}, words.state),
            make("p", {}, make("span", { class: "strong" }, text.phase({ phase, isOpened: now.isOpened })), ". ",
                words.until(event, isOver)),
            make("p", { class: "quiet" }, mayReveal || sealing === "revealed"
                ? words.sealing[/** @type {keyof typeof words.sealing} */ (sealing)] : ""),
            make("div", { class: "row" },
                now.isOpened ? null : button("open", words.open, async () => {
                    if (await openEvent(place)) await place.attempt(() => load());
                }),
                now.isOpened && now.isClosed ? button("reopen", words.reopen, () => turn(
                    { title: words.reopen, body: [], yes: words.reopen }, { isClosed: false })) : null,
                // After its planned end there is nothing left to close.
                now.isOpened && !now.isClosed && !isOver ? button("close", words.close,
                    () => turn(words.closeQuestion(now.reveal === "at-end" && sealing === "organizers"),
                        { isClosed: true }), true) : null,
                mayReveal ? button("reveal", sealing === "shared" ? words.releaseShare : words.reveal, reveal, true) : null,
                make("button", { type: "button", class: "button", id: "archive", click: archive, disabled: !place.here },
                    place.event().isArchived ? words.unarchive : words.archive)));
        end.hidden = event.isDeleted;
        note.textContent = !event.isOrganizer ? words.notOrganizer : !place.here ? text.awayShort
            : isOver || now.isOpened ? "" : words.draftNote;
    }
    function fill() {
        name.value = event.parameters.name;
        fields.fill({ ...event.parameters, missionCounts: event.missionCounts });
        fields.lock(event.parameters);
        standing();
        settle();
    }
    const isInUse = () => main.contains(document.activeElement);
    async function load(isMeant = true) {
        const now = await call("GET", `${place.path}settings`);
        if (isMeant || !isInUse()) {
            event = now;
            return fill();
        }
        // Typed values stay; the event's state is updated.
        event = { ...now, parameters: { ...event.parameters, isOpened: now.parameters.isOpened,
            isClosed: now.parameters.isClosed } };
        fields.lock(event.parameters);
        standing();
    }
    const save = make("div", { class: "save", hidden: true }, error, submit);
    fill();
    main.classList.add("narrow");
    const inputs = make("fieldset", { class: "all flow", disabled: !isFree },
        field(text.fields.name, name, "", "large"), fields.organizerName,
        make("div", { class: "panel flow" }, ...fields.rules),
        make("details", { id: "missions" }, make("summary", {}, text.missions.title),
            make("div", { class: "flow" }, ...fields.missions)),
        make("details", { id: "options" }, make("summary", {}, text.options.title),
            make("div", { class: "flow" }, ...fields.options)),
        make("div", { class: "panel flow" }, ...fields.more),
        make("details", {}, make("summary", {}, text.fields.legal), make("div", { class: "flow" }, ...fields.legal)),
        save);
    inputs.addEventListener("input", settle);
    inputs.addEventListener("click", () => setTimeout(settle));
    main.replaceChildren(make("h1", {}, words.title), state, make("form",
        { class: "flow", id: "settings-form", submit: send }, note, inputs), shownPictures.element,
    ...event.hasEventKey ? [keyPanel(place)] : [], end);
    await shownPictures.load();
    return {
        changed: (/** @type {string} */ name) => {
            if (name !== "event" && name !== "reset") return;
            place.attempt(() => load(false));
            shownPictures.load();
        },
    };
}
