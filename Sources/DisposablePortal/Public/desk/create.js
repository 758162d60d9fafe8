// SPDX-License-Identifier: Apache-2.0
// The first page without an event: a name, the host, the kind, and one sentence about the resulting rules.
import { ApiError, call } from "../shared/api.js";
import { icon, make, say } from "../shared/dom.js";
import { Unreadable, chips, differences, eventFields, field } from "./fields.js";
import { showLanguages, text as commonText } from "../shared/text.js";
import { sentence, text } from "./words.js";

/**
 * @param {{table: any, here: boolean, from: {id: string, name: string}|undefined, created: (id: string) => Promise<void>,
 *   attempt: (work: () => Promise<any>) => Promise<any>}} desk `from` is the event to go back to
 * @param {HTMLElement} main
 */
export function showCreate(desk, main) {
    const words = text.create;
    if (!desk.here) {
        main.replaceChildren(make("h1", {}, words.title), make("p", {}, text.awayShort));
        return null;
    }
    const name = make("input", { type: "text", id: "name", maxlength: 80, required: true, autocomplete: "off",
        autofocus: true });
    const fields = eventFields();
    const starts = () => ({ ...desk.table.standard, startsAt: 0, organizerName: "" });
    let start = starts();
    fields.fill(start);
    const presets = desk.table.presets.map((/** @type {any} */ preset) => [preset.name,
        text.create.presets[/** @type {keyof typeof text.create.presets} */ (preset.name)] ?? preset.name]);
    const preset = chips(words.preset, [["", words.noPreset], ...presets], "", (chosen) => {
        const parameters = desk.table.presets.find((/** @type {any} */ preset) => preset.name === chosen)?.parameters;
        // Typed values stay; those of the chosen kind of event are set.
        const { organizerName, place, position, details, contact, consentText, registration, price, links, missions,
            startsAt } = read(fields) ?? start;
        start = parameters ? { ...parameters, startsAt: 0, organizerName: "" } : starts();
        fields.fill({ ...start, organizerName, place, position, details, contact, consentText, registration, price, links,
            missions, startsAt });
        tellRules();
    });
    const rules = make("span", { id: "rules" });
    const tellRules = () => { rules.textContent = text.fields.rules(read(fields) ?? start); };
    tellRules();
    const draft = make("input", { type: "checkbox", change: () => { submit.textContent = draft.checked
        ? words.submitDraft : words.submit; } });
    const together = make("input", { type: "checkbox", id: "together" });
    const submit = make("button", { class: "button main wide", id: "create" }, words.submit);
    const error = make("p", { class: "error", role: "alert" });

    async function send(/** @type {Event} */ event) {
        event.preventDefault();
        error.textContent = "";
        submit.disabled = true;
        try {
            const given = fields.read();
            const { organizerName, ...parameters } = differences(start, given);
            const { event } = await call("POST", "/desk/api/events", {
                name: name.value, preset: preset.value || undefined, organizer: organizerName, isDraft: draft.checked,
                    parameters, shares: together.checked ? 2 : undefined,
            });
            await desk.created(event);
        } catch (failure) {
            if (!(failure instanceof ApiError || failure instanceof Unreadable)) throw failure;
            error.textContent = failure instanceof Unreadable ? failure.message : sentence(failure);
            say(error.textContent ?? "");
        } finally {
            submit.disabled = false;
        }
    }
    const languages = make("p", { class: "languages", role: "group", "aria-label": commonText.common.languages });
    showLanguages(languages);
    main.className = "narrow";
    main.replaceChildren(...desk.from ? [make("a", { class: "plain back", id: "back", href: `#${desk.from.id}/overview` },
        icon("left"), words.back(desk.from.name))] : [], make("form", { id: "create-form", class: "flow", submit: send },
        make("header", {}, make("h1", {}, words.title), make("p", { class: "quiet" }, words.intro)),
        field(words.name, name, "", "large"), fields.organizerName, preset.element,
        folded("change", [rules, make("span", { class: "link" }, words.change)],
            [make("div", { class: "flow", input: tellRules, click: () => setTimeout(tellRules) }, ...fields.rules)]),
        folded("more", [words.more], [...fields.more,
            make("label", { class: "check" }, together, make("span", {}, words.together)),
            make("label", { class: "check" }, draft, make("span", {}, words.draft))]),
        folded("missions", [text.missions.title], fields.missions),
        folded("options", [text.options.title], fields.options),
        folded("legal", [text.fields.legal], fields.legal), make("div", { class: "save" }, error, submit)), languages);
    name.focus();
    return null;
}

/** @param {string} id @param {any[]} summary @param {HTMLElement[]} contents */
const folded = (id, summary, contents) => make("details", { id }, make("summary", {}, ...summary),
    make("div", { class: "flow" }, ...contents));

/** @param {any} fields */
function read(fields) {
    try { return fields.read(); } catch { return null; }
}
