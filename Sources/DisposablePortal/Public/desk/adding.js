// SPDX-License-Identifier: Apache-2.0
// Photos that the organizer adds from files, one after the other, so that they keep the order of the files. The adding goes on
// while other sections are shown.
import { ApiError, errorOf } from "../shared/api.js";
import { find, make, say, toast } from "../shared/dom.js";
import { sentence, text } from "./words.js";

const words = text.adding;
/** Those of the guests' page: files at once, and the bytes of one. */
const limits = { files: 500, bytes: 256 * 1024 * 1024 };
/** Failed files that are listed; the others are counted. */
const listed = 20;

/** What is added to each event, by its id. @type {Map<string, ReturnType<typeof makeAdding>>} */
const all = new Map();

addEventListener("beforeunload", (event) => { if ([...all.values()].some((one) => one.isBusy())) event.preventDefault(); });

/** @param {import("./desk.js").Place} place where only the computer that runs the event adds photos */
export function adding(place) {
    const known = all.get(place.id) ?? makeAdding(place.path);
    all.set(place.id, known);
    const field = make("input", { type: "file", id: "add-photos", class: "offscreen", multiple: true, accept: "image/*,video/*",
        change: () => {
            known.add([...field.files]);
            field.value = "";
        } });
    const button = make("div", { class: "add-photos", hidden: !place.here }, field,
        make("label", { for: "add-photos", class: "button small" }, words.button));
    const area = make("div", { id: "drop", hidden: true }, words.drop);
    const isMeant = (/** @type {DragEvent} */ event) => place.here && event.dataTransfer?.types.includes("Files") === true;
    const abort = new AbortController();
    const listen = (/** @type {string} */ name, /** @type {(event: any) => void} */ then) =>
        addEventListener(name, then, { signal: abort.signal });
    listen("dragover", (event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        area.hidden = find("ask").open;
    });
    listen("dragleave", (event) => { if (!event.relatedTarget) area.hidden = true; });
    listen("drop", (event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        area.hidden = true;
        if (!find("ask").open) known.add([...event.dataTransfer.files]);
    });
    return { button, area, element: known.element, leave: () => abort.abort() };
}

/** @param {string} path of the event's API */
function makeAdding(path) {
    /** @type {File[]} */
    let waiting = [];
    /** @type {{file: File, reason: string, mayRetry: boolean}[]} */
    let failed = [];
    let total = 0, addedCount = 0, knownCount = 0, part = 0, isRunning = false, isStopped = false;
    let request = new XMLHttpRequest();

    const step = make("p", { class: "strong" });
    const bar = make("progress", { max: 1, value: 0, "aria-label": words.button });
    const list = make("ul", { class: "rows", id: "adding-failed" });
    const stop = make("button", { type: "button", class: "button small", id: "adding-stop", click: () => {
        isStopped = true;
        request.abort();
    } }, words.stop);
    const again = make("button", { type: "button", class: "button small", id: "adding-again", click: () => {
        const files = failed.filter((one) => one.mayRetry).map((one) => one.file);
        failed = failed.filter((one) => !one.mayRetry);
        total -= files.length;
        queue(files);
    } }, words.again);
    const close = make("button", { type: "button", class: "button small", id: "adding-close", click: () => {
        [total, addedCount, knownCount, failed] = [0, 0, 0, []];
        draw();
        find("add-photos")?.focus();
    } }, text.photos.close);
    const element = make("section", { class: "panel flow", id: "adding", hidden: true, "aria-label": words.button }, step, bar, list,
        make("div", { class: "row" }, stop, again, close));

    /** @param {File[]} files */
    function add(files) {
        if (!files.length) return;
        if (!isRunning) [total, addedCount, knownCount, failed] = [0, 0, 0, []];
        const room = Math.max(0, limits.files - waiting.length);
        if (files.length > room) toast(words.tooMany(limits.files), null, 12_000);
        queue(files.slice(0, room));
    }
    /** @param {File[]} files */
    function queue(files) {
        waiting.push(...files);
        total += files.length;
        if (isRunning) draw();
        else run();
    }
    async function run() {
        [isRunning, isStopped] = [true, false];
        say(words.step(1, total));
        while (waiting.length && !isStopped) {
            const [file] = waiting;
            part = 0;
            draw();
            try {
                if ((await added(file)).isNew) addedCount += 1;
                else knownCount += 1;
            } catch (error) {
                if (!isStopped) fail(file, error);
            }
            waiting.shift();
        }
        total -= waiting.length;
        [isRunning, waiting] = [false, []];
        draw();
        say(step.textContent ?? "");
    }
    /** @param {File} file @param {any} error */
    function fail(file, error) {
        const reason = /** @type {any} */ (words.reasons)[error.reason] ?? /** @type {any} */ (words.reasons)[error.code]
            ?? (error instanceof ApiError ? sentence(error) : words.reasons.unreadable);
        failed.push({ file, reason, mayRetry: !(error.status >= 400 && error.status < 500 && error.status !== 429) });
        // The files after this one would fail as well; Try again sends all of them.
        if (error.status !== 0) return;
        failed.push(...waiting.slice(1).map((file) => ({ file, reason, mayRetry: true })));
        waiting = [file];
    }
    /** @param {File} file @returns {Promise<{isNew: boolean}>} */
    async function added(file) {
        if (file.size > limits.bytes) throw new ApiError(413, "too-long", "");
        // A folder, or a file that has gone, tells so here.
        await file.slice(0, 1).arrayBuffer();
        if (!file.size) throw new ApiError(422, "empty", "");
        const answer = await sent(file);
        if (answer.status < 200 || answer.status > 299) {
            throw errorOf(answer.status, answer.responseText, answer.getResponseHeader("Retry-After"));
        }
        return JSON.parse(answer.responseText);
    }
    /** @param {File} file @returns {Promise<XMLHttpRequest>} */
    function sent(file) {
        request = new XMLHttpRequest();
        request.open("PUT", `${path}files`);
        request.setRequestHeader("Accept", "application/json");
        request.setRequestHeader("Content-Type", "application/octet-stream");
        // Fetch does not tell how much of a file has gone.
        request.upload.addEventListener("progress", ({ loaded }) => {
            part = loaded / file.size;
            draw();
        });
        return new Promise((resolve, reject) => {
            request.addEventListener("load", () => resolve(request));
            for (const name of ["error", "abort"]) {
                request.addEventListener(name, () => reject(new ApiError(0, "unreachable", text.unreachable)));
            }
            request.send(file);
        });
    }
    function draw() {
        const done = addedCount + knownCount + failed.length;
        element.hidden = total === 0;
        element.dataset.state = isRunning ? "adding" : "done";
        const result = [addedCount || !(knownCount + failed.length) ? words.added(addedCount) : "", knownCount ? words.known(knownCount) : "",
            failed.length ? words.failed(failed.length) : ""].filter(Boolean).join(" ");
        const sentence = isRunning ? words.step(Math.min(done + 1, total), total) : result;
        if (step.textContent !== sentence) step.textContent = sentence;
        bar.hidden = stop.hidden = !isRunning;
        close.hidden = isRunning;
        again.hidden = isRunning || !failed.some((one) => one.mayRetry);
        bar.max = Math.max(1, total);
        bar.value = done + part * .9;
        if (list.dataset.count === String(failed.length)) return;
        list.dataset.count = String(failed.length);
        list.replaceChildren(...failed.slice(0, listed).map(({ file, reason }) =>
            make("li", {}, make("span", { class: "strong" }, file.name), make("span", {}, reason))),
            ...failed.length > listed ? [make("li", {}, words.more(failed.length - listed))] : []);
    }
    return { element, add, isBusy: () => isRunning };
}
