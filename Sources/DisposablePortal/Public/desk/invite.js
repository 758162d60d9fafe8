// SPDX-License-Identifier: Apache-2.0
// Invitations: the code, the link and the text to send; prints; and the invitation for other computers.
import { ApiError, call, errorOf } from "../shared/api.js";
import { copy, make, say } from "../shared/dom.js";
import { field } from "./fields.js";
import { openEvent } from "./opening.js";
import { ticketPanel } from "./tickets.js";
import { wallPanel } from "./wall.js";
import { language } from "../shared/text.js";
import { sentence, text } from "./words.js";

const words = text.invite;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showInvite(place, main) {
    const invitation = await call("GET", `${place.path}invitation`);
    const url = invitation.url ?? invitation.localURL;
    const message = words.share(invitation.name, url ?? "", invitation.code);
    const textarea = make("textarea", { rows: 6, readonly: true, id: "share-text", "aria-label": words.shareTitle });
    textarea.value = message;
    const draft = draftPanel(place);
    const sheets = paper(place);
    const tickets = ticketPanel(place, sheets.cards);
    main.replaceChildren(make("h1", {}, words.title), draft.element,
        make("div", { class: "invite" },
            make("section", { class: "panel flow code-side" },
                url ? make("img", { id: "code", src: `${place.path}code.svg`, alt: url, width: 320, height: 320 })
                    : null,
                make("p", { class: "quiet" }, words.scan)),
            make("section", { class: "flow" },
                invitation.url ? null : make("p", { class: "panel trouble" }, words.onlyHere),
                fact(words.link, make("p", { class: "link-text", id: "guest-link" }, url ?? ""),
                    make("button", { type: "button", class: "button small", click: () => copy(url) }, words.copyLink)),
                fact(words.code, make("p", { class: "code", id: "guest-code" }, invitation.code)),
                make("div", { class: "stack" }, make("ul", { class: "fingerprint" },
                    ...invitation.words.map((/** @type {string} */ word) => make("li", {}, word))),
                        make("p", { class: "quiet" }, words.words)),
                invitation.otherURLs.length ? fact(words.also,
                    ...invitation.otherURLs.map((/** @type {string} */ other) =>
                    make("p", { class: "link-text" }, other))) : null)),
        make("section", { class: "panel flow" }, make("h2", {}, words.shareTitle), textarea,
            make("div", { class: "row" }, make("button", { type: "button", class: "button",
                click: () => copy(message) }, words.copyText))),
        invitation.wallURL ? wallPanel(place, invitation.wallURL) : "", sheets.element, tickets.element, machines(place));
    const load = () => tickets.load().catch(() => { tickets.element.hidden = true; });
    await load();
    return { changed: (/** @type {string} */ name) => {
        if (name !== "event" && name !== "reset") return;
        draft.draw();
        load();
    } };
}

/** For a draft, beside its code: the state, and a button that opens it. @param {import("./desk.js").Place} place */
function draftPanel(place) {
    const open = make("button", { type: "button", class: "button main", id: "open-here", disabled: !place.here,
        click: async () => { if (await openEvent(place)) draw(); } }, text.settings.open);
    const element = make("section", { class: "panel flow", id: "draft" }, make("p", {}, words.draft),
        make("div", { class: "row" }, open));
    function draw() {
        element.hidden = place.event().isOpened;
    }
    draw();
    return { element, draw };
}

/** @param {string} label @param {...any} contents */
const fact = (label, ...contents) => make("div", { class: "stack" }, make("h2", { class: "label" }, label),
    ...contents);

/** @param {import("./desk.js").Place} place @returns {{element: HTMLElement, cards: HTMLButtonElement}} */
function paper(place) {
    const wifi = make("input", { type: "text", maxlength: 32, autocomplete: "off" });
    const password = make("input", { type: "text", maxlength: 63, autocomplete: "off" });
    const hidden = make("input", { type: "checkbox" });
    const address = make("input", { type: "text", autocomplete: "off", maxlength: 60 });
    const second = make("input", { type: "text", autocomplete: "off", maxlength: 60 });
    const state = make("p", { role: "status", id: "paper-state" });
    const error = make("p", { class: "error", role: "alert" });
    const labels = { poster: words.poster, card: words.card, cards: text.tickets.print };
    const buttons = Object.entries(labels).map(([name, label]) => make("button", { type: "button", class: "button",
        disabled: !place.here, id: `make-${name}`, click: () => print(name) }, label));
    async function print(/** @type {string} */ name) {
        error.textContent = "";
        state.textContent = words.printing;
        for (const button of buttons) button.disabled = true;
        try {
            await save(`${place.path}${name}`, {
                wifi: wifi.value, wifiPassword: password.value, wifiHidden: hidden.checked,
                    address: address.value.trim(), secondAddress: second.value.trim(), language,
            }, `${place.name}-${name}.pdf`);
            state.textContent = words.printed;
        } catch (failure) {
            state.textContent = "";
            error.textContent = sentence(failure);
        } finally {
            for (const button of buttons) button.disabled = false;
        }
    }
    const cards = /** @type {HTMLButtonElement} */ (buttons[2]);
    return { cards, element: make("section", { class: "panel flow" }, make("h2", {}, words.files),
        make("div", { class: "row" },
            make("a", { class: "button", href: `${place.path}code.png?download`, download: "" }, words.png),
            make("a", { class: "button", href: `${place.path}code.svg?download`, download: "" }, words.svg)),
        make("div", { class: "pair" }, field(words.wifi, wifi), field(words.wifiPassword, password)),
        make("p", { class: "quiet" }, words.wifiHint), make("label", { class: "check" }, hidden,
            make("span", {}, words.wifiHidden)),
        field(words.address, address, words.addressHint), field(words.second, second, words.secondHint),
        make("div", { class: "row" }, ...buttons.slice(0, 2)),
        place.here ? null : make("p", { class: "quiet" }, text.awayShort), state, error) };
}

/** Requests a file and saves it. @param {string} path @param {object} body @param {string} name */
async function save(path, body, name) {
    let response;
    try {
        response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify(body) });
    } catch {
        throw new ApiError(0, "unreachable", text.unreachable);
    }
    if (!response.ok) throw errorOf(response.status, await response.text(), response.headers.get("Retry-After"));
    const address = URL.createObjectURL(await response.blob());
    const link = make("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {import("./desk.js").Place} place */
function machines(place) {
    const body = make("div", { class: "flow" });
    async function show() {
        const found = await place.attempt(() => call("GET", `${place.path}invitation/node`));
        if (!found) return;
        const command = `disposable join ${found.invitation}`;
        body.replaceChildren(make("p", {}, words.nodeCommand), make("p", { class: "link-text", id: "node-invitation" },
            command),
            make("div", { class: "row" }, make("button", { type: "button", class: "button",
                click: () => copy(command) }, words.copyNode)),
            ...found.program ? [make("p", {}, words.program(found.program.name)),
                make("p", { class: "link-text", id: "program-sha256" }, found.program.sha256)] : []);
        say(words.nodeCommand);
    }
    body.append(make("button", { type: "button", class: "button", disabled: !place.here, click: show,
        id: "show-node" }, words.nodeShow));
    return make("section", { class: "panel flow" }, make("h2", {}, words.node),
        make("p", { class: "quiet" }, words.nodeIntro), body,
        place.here ? null : make("p", { class: "quiet" }, text.awayShort));
}
