// SPDX-License-Identifier: Apache-2.0
// A message to the host, from "Me": sealed by the node for the organizers. Loaded when "Me" is opened.
import { ApiError, call } from "../../shared/api.js";
import { find, make, openDialog, say, toast } from "../../shared/dom.js";
import { loadTexts } from "../../shared/text.js";

/** A letter has at most three bytes of UTF-8 for each place, and the node takes 2,000. */
const LENGTH_MAX = 650;

/** @type {typeof import("../../texts/message/en.js").english} */
let words;
/** The form, which keeps a text that was not sent while the page is open. @type {HTMLFormElement} */
let form;
let isSending = false;

/** @param {HTMLElement} box */
export async function fill(box) {
    words ??= await loadTexts("message");
    form ??= makeForm();
    if (find("message-write")) return;
    box.replaceChildren(make("h2", {}, words.box), make("p", { class: "quiet" }, words.who),
        make("button", { type: "button", class: "button", id: "message-write", "aria-haspopup": "dialog", click: open },
            words.write));
}

function makeForm() {
    const field = make("textarea", { id: "message-text", rows: 6, maxlength: LENGTH_MAX, input: count,
        "aria-describedby": "message-who message-left message-error" });
    return make("form", { submit: send, id: "message-form" }, make("h2", { id: "message-title" }, words.title),
        make("p", { class: "quiet", id: "message-who" }, words.who),
        make("label", { for: "message-text" }, words.label), field,
        make("p", { class: "quiet", id: "message-left" }, words.left(LENGTH_MAX)),
        make("p", { class: "error", id: "message-error", role: "alert" }),
        make("div", { class: "row" }, make("button", { type: "button", class: "button", id: "message-cancel", click: close },
            words.cancel), make("button", { class: "button main", id: "message-send" }, words.send)));
}

function open() {
    const dialog = find("message") ?? make("dialog", { id: "message", "aria-labelledby": "message-title" });
    // A browser without dialogs shows the form in its place.
    if (typeof dialog.showModal !== "function") {
        find("message-write").replaceWith(form);
    } else {
        dialog.append(form);
        if (!dialog.isConnected) document.body.append(dialog);
        openDialog(dialog);
    }
    find("message-text").focus();
}

function close() {
    find("message")?.close?.();
}

function count() {
    find("message-left").textContent = words.left(LENGTH_MAX - find("message-text").value.length);
}

/** @param {Event} event */
async function send(event) {
    event.preventDefault();
    const [field, button, problem] = [find("message-text"), find("message-send"), find("message-error")];
    const message = field.value.trim();
    if (isSending || !message) return field.focus();
    isSending = true;
    problem.textContent = "";
    button.textContent = words.sending;
    say(words.sending);
    try {
        const { id } = await call("POST", "api/message", { text: message });
        field.value = "";
        count();
        button.textContent = words.send;
        close();
        toast(words.sent, { label: words.undo, run: () => takeBack(id) }, 12_000);
        say(words.sent);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        problem.textContent = sentence(error);
        button.textContent = words.again;
    } finally {
        isSending = false;
    }
}

/** @param {string} id */
async function takeBack(id) {
    try {
        await call("DELETE", `api/message/${id}`);
        toast(words.undone);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        toast(sentence(error));
    }
}

/** @param {ApiError} error */
const sentence = (error) => words.errors[/** @type {keyof typeof words.errors} */ (error.code)] ?? error.sentence;
