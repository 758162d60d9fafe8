// SPDX-License-Identifier: Apache-2.0
// The fields of an event as controls, for creating and editing: numbers with steps, choices as chips.
import { icon, make } from "../shared/dom.js";
import { consentTemplates } from "./consents.js";
import { missionFields } from "./missions.js";
import { optionFields } from "./options.js";
import { text } from "./words.js";

const words = text.fields;

/** @param {string} label @param {any} control @param {string} [hint] @param {string} [extra] a class */
export function field(label, control, hint, extra = "") {
    const input = control.matches("input, textarea, select") ? control
        : control.querySelector("input, textarea, select");
    const id = input.id || `f-${Math.random().toString(36).slice(2)}`;
    input.id = id;
    if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
    return make("div", { class: `field ${extra}` }, make("label", { for: id }, label), control,
        hint ? make("p", { class: "quiet", id: `${id}-hint` }, hint) : null);
}

/**
 * Choices of which one is selected.
 * @param {string} label @param {[string, string][]} choices value and word @param {string} value
 * @param {(value: string) => void} [changed]
 */
export function chips(label, choices, value, changed) {
    const name = `c-${Math.random().toString(36).slice(2)}`;
    const option = (/** @type {string} */ choice, /** @type {string} */ word) => make("label", { class: "choice" },
        make("input", {
            type: "radio", name, value: choice, checked: choice === value, change: () => changed?.(choice),
        }), make("span", {}, word));
    const set = make("fieldset", { class: "field" }, make("legend", {}, label),
        make("div", { class: "choices" }, ...choices.map(([choice, word]) => option(choice, word))));
    const box = /** @type {HTMLElement} */ (set.querySelector(".choices"));
    return {
        element: set,
        /** Another choice, unless it is there. @param {string} choice @param {string} word */
        add(choice, word) {
            if ([...set.querySelectorAll("input")].some((input) => input.value === choice)) return;
            box.append(option(choice, word));
        },
        get value() { return /** @type {any} */ (set.querySelector("input:checked"))?.value ?? ""; },
        set value(choice) {
            for (const input of set.querySelectorAll("input")) input.checked = input.value === choice;
        },
        /** @param {(value: string) => boolean} isLocked whether a choice cannot be made */
        lock(isLocked) { for (const input of set.querySelectorAll("input")) input.disabled = input.name === name && isLocked(input.value); },
    };
}

/** A number between two buttons. @param {string} label @param {{min: number, max: number, step?: number}} range */
export function stepper(label, range) {
    const input = make("input", {
        type: "number", min: range.min, max: range.max, step: 1, inputmode: "numeric", required: true,
            "aria-label": label,
    });
    const step = (/** @type {number} */ by) => {
        input.value = String(Math.min(Number(input.max), Math.max(Number(input.min), (Number.parseInt(input.value, 10) || 0) + by)));
        input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const by = range.step ?? 1;
    const element = make("div", { class: "stepper" },
        make("button", { type: "button", class: "button", "aria-label": `${label}: ${words.less}`,
            click: () => step(-by) }, icon("minus")),
        input,
        make("button", { type: "button", class: "button", "aria-label": `${label}: ${words.more}`,
            click: () => step(by) }, icon("plus")));
    return { element, input };
}

/** Hours, as hours or days. @param {string} label */
function span(label) {
    const number = stepper(label, { min: 1, max: 720 });
    const unit = make("select", { "aria-label": `${label}: ${words.hours}, ${words.days}` },
        make("option", { value: 1 }, words.hours), make("option", { value: 24 }, words.days));
    const reason = make("p", { class: "quiet" });
    let most = 720;
    const bound = () => { number.input.max = String(Math.max(1, Math.floor(most / Number(unit.value)))); };
    unit.addEventListener("change", bound);
    return {
        element: make("fieldset", { class: "field" }, make("legend", {}, label),
            make("div", { class: "span" }, number.element, unit), reason),
        /** Permits no longer time. @param {number|null} hours `null` for any @param {string} why */
        lock(hours, why) {
            most = hours ?? 720;
            bound();
            reason.textContent = hours === null ? "" : why;
        },
        get value() { return Math.round(Number(number.input.value) * Number(unit.value)); },
        set value(hours) {
            const days = hours % 24 === 0 && hours > 24;
            unit.value = days ? "24" : "1";
            bound();
            number.input.value = String(days ? hours / 24 : hours);
        },
    };
}

/** The number of photos each; 0 for no limit. */
function frames() {
    const usual = ["12", "24", "27", "36"];
    const number = stepper(words.frames, { min: 1, max: 1000 });
    const choice = chips(words.frames, [...usual.map((count) => /** @type {[string, string]} */ ([count, count])),
        ["0", words.noLimit]],
        "27", (value) => {
            number.element.hidden = value === "0";
            if (value !== "0") number.input.value = value;
        });
    number.input.addEventListener("input", () => { choice.value = number.input.value; });
    const daily = make("input", { type: "checkbox", "aria-describedby": "daily-hint" });
    const reason = make("p", { class: "quiet" });
    choice.element.append(number.element, reason, make("label", { class: "check" }, daily, make("span", {}, words.daily)),
        make("p", { class: "quiet", id: "daily-hint" }, words.dailyHint));
    return {
        element: choice.element,
        // An open event keeps its daily quota, also without a limit on photos.
        get isDaily() { return daily.checked && (choice.value !== "0" || daily.disabled); },
        set isDaily(value) { daily.checked = value; },
        /** Permits no fewer than guests were promised. @param {any} event `null` for any number */
        lock(event) {
            const least = event ? event.frames || Infinity : 0;
            choice.lock((value) => value !== "0" && Number(value) < least);
            number.input.min = String(event?.frames || 1);
            daily.disabled = event?.areFramesDaily ?? false;
            reason.textContent = event ? words.framesPromised(event.frames) : "";
        },
        get value() { return choice.value === "0" ? 0 : Number(number.input.value); },
        set value(count) {
            choice.value = String(count);
            number.element.hidden = count === 0;
            number.input.value = String(count || 27);
        },
    };
}

/** How long after the end photos are accepted: minutes, or any time. */
function late() {
    const choice = chips(words.late, Object.entries(words.lates), "0");
    choice.element.append(make("p", { class: "quiet" }, words.lateHint));
    return {
        element: choice.element,
        get value() {
            return choice.value === "any" ? { acceptsAnyTime: true, lateMinutes: 0 }
                : { acceptsAnyTime: false, lateMinutes: Number(choice.value) };
        },
        set value({ acceptsAnyTime, lateMinutes }) {
            const value = acceptsAnyTime ? "any" : String(lateMinutes);
            if (!(value in words.lates)) choice.add(value, words.lateOther(lateMinutes));
            choice.value = value;
        },
    };
}

/** The hours in which each day has a moment. */
function moments() {
    const isOn = make("input", { type: "checkbox", change: () => { times.hidden = !isOn.checked; } });
    const [from, to] = [make("input", { type: "time", value: "10:00" }), make("input", { type: "time", value: "22:00" })];
    const times = make("div", { class: "span", hidden: true }, field(words.momentsFrom, from), field(words.momentsTo, to));
    /** @type {any} */
    let filled = null;
    const minute = (/** @type {any} */ input) => Number(input.value.slice(0, 2)) * 60 + Number(input.value.slice(3));
    const clock = (/** @type {number} */ at) =>
        `${String(Math.floor(at / 60) % 24).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
    return {
        element: make("fieldset", { class: "field" }, make("legend", {}, words.moments),
            make("label", { class: "check" }, isOn, make("span", {}, words.momentsOn)), times,
            make("p", { class: "quiet" }, words.momentsHint)),
        /** None: no change of an event without them. */
        get value() {
            if (!isOn.checked || !from.value || !to.value) return filled ? { from: 0, to: 0, utcOffset: 0 } : undefined;
            return { from: minute(from), to: minute(to) || 1440,
                utcOffset: filled ? filled.utcOffset : -new Date().getTimezoneOffset() };
        },
        set value(hours) {
            filled = hours ?? null;
            isOn.checked = filled !== null;
            times.hidden = filled === null;
            if (filled) [from.value, to.value] = [clock(filled.from), clock(filled.to)];
        },
    };
}

/** A moment by this browser's clock, in milliseconds since 1970. What is not touched keeps its seconds. */
export function moment() {
    const input = make("input", { type: "datetime-local" });
    /** @type {{shown: string, value: number|null}} */
    let filled = { shown: "", value: null };
    return {
        input,
        get value() {
            if (input.value === filled.shown) return filled.value;
            return input.value ? new Date(input.value).getTime() : null;
        },
        set value(ms) {
            input.value = ms === null ? ""
                : new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
            filled = { shown: input.value, value: ms };
        },
    };
}

function reveal() {
    const at = moment();
    const when = field(words.revealAt, at.input);
    const choice = chips(words.reveal, Object.entries(words.reveals), "now",
        (value) => { when.hidden = value !== "at"; });
    choice.element.append(when);
    return {
        element: choice.element,
        get value() { return { reveal: choice.value, revealAt: choice.value === "at" ? at.value : null }; },
        set value({ reveal, revealAt }) {
            choice.value = reveal;
            when.hidden = reveal !== "at";
            at.value = revealAt ?? null;
        },
    };
}

/** A text in a wrong format. */
export class Unreadable extends Error {}

/** @param {string} written @returns {{cents: number, currency: string}} */
function price(written) {
    if (!written.trim()) return { cents: 0, currency: "" };
    const [, whole, cents, currency] = /^\s*(\d{1,7})(?:[.,](\d\d))?\s*([A-Za-z]{3})\s*$/.exec(written) ?? [];
    if (!whole) throw new Unreadable(words.priceWrong);
    return { cents: Number(whole) * 100 + Number(cents ?? 0), currency: currency.toUpperCase() };
}

/** @param {string} written @returns {{latitude?: number, longitude?: number}} thousandths of a degree; empty for none */
function position(written) {
    if (!written.trim()) return {};
    const [, ...degrees] = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*,\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$/.exec(written) ?? [];
    const [latitude, longitude] = degrees.map((each) => Math.round(Number(each) * 1000));
    if (!degrees.length || Math.abs(latitude) > 90_000 || Math.abs(longitude) > 180_000) throw new Unreadable(words.positionWrong);
    return { latitude, longitude };
}

/** @param {string} written */
function links(written) {
    return written.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
        const [, kind, address] = /^(website|facebook|instagram|tiktok|youtube|x|other)[\s=:]+(\S+)$/.exec(line) ?? [];
        if (!kind) throw new Unreadable(words.linksWrong);
        return { kind, address };
    });
}

/** @param {string} label @param {object} [options] @param {string} [hint] */
function line(label, options = {}, hint = "") {
    const input = make("input", { type: "text", autocomplete: "off", ...options });
    return { element: field(label, input, hint), input };
}

/** @param {string} label @param {number} rows @param {string} [hint] */
function prose(label, rows, hint) {
    const input = make("textarea", { rows });
    return { element: field(label, input, hint), input };
}

/** The kind of event: one of those that lists know, or a word of the organizer's that is there already. */
function category() {
    const select = make("select", {}, make("option", { value: "" }, words.noCategory),
        ...Object.entries(words.categories).map(([kind, word]) => make("option", { value: kind }, word)));
    return {
        element: field(words.category, select),
        input: {
            get value() { return select.value; },
            set value(kind) {
                if (kind && !(kind in words.categories)) select.append(make("option", { value: kind }, kind));
                select.value = kind;
            },
        },
    };
}

/**
 * Controls for all settings, with their present values.
 * `read` returns an event's parameters as the node expects them, and throws `Unreadable`; `fill` sets them.
 */
export function eventFields() {
    const controls = {
        organizerName: line(words.organizerName, { maxlength: 40, autocomplete: "name" }, words.organizerNameHint),
        place: line(words.place, { maxlength: 80 }), details: prose(words.details, 3),
        contact: line(words.contact, { maxlength: 80 }), category: category(),
        position: line(words.position, { placeholder: "47.243, 6.022", inputmode: "text" }, words.positionHint),
        price: line(words.price, { placeholder: words.priceExample }, words.priceHint),
        consentText: prose(words.consentText, 3), registration: line(words.registration),
        links: prose(words.links, 2, words.linksHint),
    };
    const startsAt = moment();
    const isListed = make("input", { type: "checkbox" });
    const rules = {
        frames: frames(), durationHours: span(words.duration), late: late(), reveal: reveal(),
        moments: moments(),
        approve: chips(words.approve, Object.entries(words.approvals), "none"),
        veils: chips(words.veils, Object.entries(words.veilChoices), "off"),
        pageSealing: chips(words.pageSealing, Object.entries(words.veilChoices), "off"), retentionHours: span(words.retention),
    };
    const [options, missions] = [optionFields(), missionFields()];
    const texts = /** @type {const} */ (["organizerName", "place", "details", "contact", "category", "consentText",
        "registration"]);
    const elements = (/** @type {(keyof typeof controls)[]} */ ...names) => names.map((name) => controls[name].element);
    return {
        rules: Object.values(rules).map((rule) => rule.element),
        options: options.elements,
        missions: [missions.element],
        organizerName: controls.organizerName.element,
        more: [field(words.startsAt, startsAt.input, words.startsHint),
            ...elements("place", "details", "contact", "consentText"), consentTemplates(controls.consentText.input),
            ...elements("links")],
        legal: [...elements("category", "position", "price", "registration"),
            make("label", { class: "check" }, isListed, make("span", {}, words.isListed))],
        /** Disables what guests of an open event were promised. @param {any} event */
        lock(event) {
            rules.frames.lock(event.isOpened ? event : null);
            rules.retentionHours.lock(event.isOpened ? event.retentionHours : null, words.retentionPromised);
            options.lock(event);
        },
        /** @param {any} event */
        fill(event) {
            for (const name of texts) controls[name].input.value = event[name] ?? "";
            rules.frames.value = event.frames;
            rules.frames.isDaily = event.areFramesDaily;
            rules.late.value = event;
            rules.durationHours.value = event.durationHours;
            rules.retentionHours.value = event.retentionHours;
            rules.reveal.value = event;
            rules.approve.value = event.approve ?? "none";
            rules.veils.value = event.veils ? "on" : "off";
            rules.pageSealing.value = event.pageSealing ? "on" : "off";
            rules.moments.value = event.moments;
            options.fill(event);
            missions.fill(event);
            isListed.checked = event.isListed;
            startsAt.value = event.startsOnOpening && !event.isOpened ? null : event.startsAt || null;
            controls.price.input.value = event.price?.currency
                // With the language's decimal mark, as in the example.
                ? `${(event.price.cents / 100).toFixed(2).replace(".", /[.,]/.exec(words.priceExample)?.[0] ?? ".")} ${event.price.currency}` : "";
            controls.position.input.value = "latitude" in (event.position ?? {})
                ? [event.position.latitude, event.position.longitude].map((each) => (each / 1000).toFixed(3)).join(", ") : "";
            controls.links.input.value = (event.links ?? [])
                .map((/** @type {any} */ link) => `${link.kind} ${link.address}`).join("\n");
        },
        read() {
            /** @type {any} */
            const given = { frames: rules.frames.value, areFramesDaily: rules.frames.isDaily, approve: rules.approve.value,
                veils: rules.veils.value === "on", pageSealing: rules.pageSealing.value === "on",
                ...options.read(), missions: missions.read(), ...rules.late.value, durationHours: rules.durationHours.value,
                retentionHours: rules.retentionHours.value,
                isListed: isListed.checked, price: price(controls.price.input.value),
                    links: links(controls.links.input.value), position: position(controls.position.input.value) };
            for (const name of texts) given[name] = controls[name].input.value.trim();
            if (rules.moments.value) given.moments = rules.moments.value;
            const { reveal, revealAt } = rules.reveal.value;
            given.reveal = reveal;
            if (revealAt !== null) given.revealAt = revealAt;
            if (startsAt.value !== null) given.startsAt = startsAt.value;
            return given;
        },
    };
}

/** Returns the changed settings. @param {any} before @param {any} after */
export function differences(before, after) {
    const differs = (/** @type {string} */ name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null);
    const given = Object.fromEntries(Object.keys(after).filter(differs).map((name) => [name, after[name]]));
    // A number and a time are parts of their rules.
    if ("lateMinutes" in given) given.acceptsAnyTime = after.acceptsAnyTime;
    if ("revealAt" in given) given.reveal = after.reveal;
    if (given.reveal === "at") given.revealAt = after.revealAt;
    return given;
}
