// SPDX-License-Identifier: Apache-2.0
// The overview: numbers, when the photos are deleted, the notice to all guests, photos by the hour, backups, and problems.
import { call } from "../shared/api.js";
import { icon, make } from "../shared/dom.js";
import { language } from "../shared/text.js";
import { albumPanel } from "./album.js";
import { receipts } from "./erasing.js";
import { noticePanel } from "./notice.js";
import { phonesPanel } from "./phones.js";
import { twinPanel } from "./twins.js";
import { votePanel } from "./vote.js";
import { text } from "./words.js";

const words = text.overview;
const hour = 3_600_000;
/** Loading costs the node time with many photos; changes in between are part of the next load. */
const interval = 3_000;

/** @param {import("./desk.js").Place} place @param {HTMLElement} main */
export async function showOverview(place, main) {
    const [top, rest, notice] = [make("div", { class: "flow" }), make("div", { class: "flow" }),
        noticePanel(place, () => changed())];
    const vote = votePanel(place, () => changed()), twins = twinPanel(place, () => changed());
    const erased = make("div", {}), phones = phonesPanel(place), album = albumPanel(place);
    // On another device there is no album: the contact sheet saves the photos.
    const deadline = deadlinePanel(() => place.here ? album.show() : place.go("photos"));
    main.replaceChildren(make("h1", { class: "offscreen" }, words.title),
        make("div", { class: "flow", id: "overview" }, top, deadline.element, notice.element, vote.element, rest, erased, phones.element,
            album.element, twins.element));
    let timer = 0, isWanted = false, isGone = false;
    async function load() {
        isWanted = false;
        const overview = await place.attempt(() => call("GET", `${place.path}overview`));
        if (overview && !isGone) {
            drawTop(top, overview);
            deadline.draw(overview);
            notice.draw(overview);
            vote.draw(overview);
            twins.draw(overview);
            drawRest(rest, overview, place);
            phones.load();
            receipts(place).then((panel) => erased.replaceChildren(panel ?? ""));
        }
        timer = isGone ? 0 : setTimeout(() => {
            timer = 0;
            if (isWanted) load();
        }, interval);
    }
    await load();
    album.arrive();
    // Machines connect and disconnect without a photo.
    const slow = setInterval(() => { if (!document.hidden) changed(); }, 15_000);
    function changed() {
        isWanted = true;
        if (!timer) load();
    }
    return {
        changed,
        leave() {
            isGone = true;
            album.leave();
            clearTimeout(timer);
            clearInterval(slow);
        },
    };
}

/** @param {HTMLElement} body @param {any} overview */
function drawTop(body, { event, status, frames, disk, problemReasons }) {
    const phase = text.phase({ phase: event.phase, isOpened: event.parameters.isOpened });
    const problems = status.problems.map((/** @type {string} */ problem) => worded(problem, problemReasons?.[problem]));
    if (disk && disk.freeByteCount < disk.reserveByteCount) problems.push(make("span", {}, words.diskLow));
    body.replaceChildren(
        make("p", { class: "quiet" }, `${phase}. ${words.until(event)}${hasDeadline(event) ? "" : words.forgotten(event)}`),
        ...problems.length ? [make("section", { class: "panel trouble flow", "aria-label": words.problems },
            make("h2", {}, words.problems), make("ul", {}, ...problems.map((problem) =>
                make("li", {}, icon("alert"), problem))))] : [],
        make("dl", { class: "figures" },
            figure("photos", text.number(event.photoCount), words.photos, [
                event.pendingCount && words.pending(event.pendingCount), event.waitingCount
                && words.waiting(event.waitingCount), event.hiddenCount
                    && words.hidden(event.hiddenCount),
                status.sealedCount && words.sealed(status.sealedCount), event.removedCount
                    && words.removed(event.removedCount),
                words.remarks(event)]),
            figure("people", text.number(event.personCount), words.people, [words.devices(event.deviceCount)]),
            figure("frames", words.used(frames?.used ?? event.framesUsed, frames?.limit ?? null), words.frames,
                [frames ? words.beyond(event.framesUsed - frames.used) : words.noLimit]),
            figure("storage", text.size(event.byteCount), words.storage, [disk && words.free(disk.freeByteCount)])));
}

/** Whether the overview has a card about the deletion: guests rely on its time once the event is open. @param {any} event */
const hasDeadline = (event) => event.parameters.isOpened && event.phase !== "expired";

/** When the photos are deleted, and the way to save them. @param {() => void} save */
function deadlinePanel(save) {
    const sentence = make("p", {}), sign = icon("alert");
    const button = make("button", { type: "button", class: "button main", id: "save-before", click: save }, words.save);
    const element = make("section", { class: "panel deadline", id: "deadline", hidden: true }, sign, sentence, button);
    return {
        element,
        /** @param {any} overview */
        draw({ event }) {
            const isOver = ["closed", "revealed"].includes(event.phase);
            element.hidden = !hasDeadline(event);
            element.classList.toggle("trouble", isOver);
            sign.toggleAttribute("hidden", !isOver);
            button.hidden = event.photoCount === 0;
            sentence.textContent = words.deadline(event);
        },
    };
}

/** The page's own sentence for a problem, and the node's text, which has names and commands. @param {string} problem
 * @param {string|undefined} reason */
function worded(problem, reason) {
    const said = text.problems[/** @type {keyof typeof text.problems} */ (reason)];
    return said && language !== "en" ? make("details", {}, make("summary", {}, said), make("p", { lang: "en" }, problem))
        : make("span", { lang: "en" }, problem);
}

/** @param {HTMLElement} body @param {any} overview @param {import("./desk.js").Place} place */
function drawRest(body, { event, status }, place) {
    // A draft without photos has nothing to show by the hour or to back up.
    const isEmptyDraft = !event.parameters.isOpened && !event.photoCount;
    body.replaceChildren(...isEmptyDraft ? [] : [bars(event.hours), safety(event, status, place)], machines(status));
}

/** @param {string} id @param {string} value @param {string} label @param {any[]} notes */
function figure(id, value, label, notes) {
    return make("div", { class: "panel", id: `figure-${id}` }, make("dt", {}, label), make("dd", {}, value),
        ...notes.filter(Boolean).map((note) => make("dd", { class: "quiet" }, note)));
}

/**
 * Photos by the hour, or by as many hours as fit into the chart.
 * @param {{startsAt: number, photoCount: number}[]} hours
 */
function bars(hours) {
    const panel = make("section", { class: "panel flow" });
    if (!hours.length) {
        panel.append(make("h2", {}, words.hours(1)), make("p", { class: "quiet" }, words.noHours));
        return panel;
    }
    const first = hours[0].startsAt, count = (hours[hours.length - 1].startsAt - first) / hour + 1;
    const step = [1, 2, 3, 6, 12, 24, 48].find((step) => count <= 48 * step) ?? 48;
    const sums = Array(Math.max(12, Math.ceil(count / step))).fill(0);
    for (const { startsAt, photoCount } of hours) sums[Math.floor((startsAt - first) / hour / step)] += photoCount;
    const most = Math.max(...sums), width = 100 / sums.length;
    const shapes = sums.map((sum, index) => {
        const height = sum ? Math.max(1, sum / most * 38) : .4;
        const bar = shape("rect", {
            x: index * width + width * .12, y: 40 - height, width: width * .76, height, rx: Math.min(.8, width / 6),
            class: sum ? "bar" : "bar none",
        });
        bar.append(shape("title", {}, words.bar(first + index * step * hour, sum)));
        return bar;
    });
    const label = sums.map((sum, index) => sum ? words.bar(first + index * step * hour, sum)
        : "").filter(Boolean).join("; ");
    const picture = shape("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img",
        "aria-label": label, class: "bars" });
    picture.append(...shapes);
    panel.append(make("h2", {}, words.hours(step)), picture, make("div", { class: "row spread quiet" },
        make("span", {}, text.time(first)), make("span", {}, text.time(first + sums.length * step * hour))));
    return panel;
}

/** @param {string} name @param {Record<string, any>} attributes @param {string} [content] */
function shape(name, attributes, content) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (content) element.textContent = content;
    return element;
}

/** @param {any} event @param {any} status @param {import("./desk.js").Place} place */
function safety(event, status, place) {
    const alone = event.photoCount - status.copies.onTwoMachines;
    const isAlone = status.nodes.length === 0 && status.peers.length === 0;
    return make("section", { class: "panel flow" }, make("h2", {}, words.safe),
        event.photoCount === 0 ? make("p", { class: "quiet" }, words.noPhotos)
            : make("p", { class: alone > 0 ? "strong" : "quiet" }, alone > 0 ? words.onlyHere(alone) : words.allSafe),
        isAlone ? make("p", { class: "quiet" }, words.oneMachine, " ",
            make("a", { href: `#${place.id}/invite` }, words.addMachine)) : null,
        make("dl", { class: "copies", id: "copies" }, ...words.copies.flatMap(([name, label]) => {
            const count = status.copies[name];
            return [make("dt", {}, label), make("dd", {}, make("span", {}, text.number(count)),
                make("progress", { max: Math.max(1, event.photoCount), value: count, "aria-label": label }))];
        })));
}

/** @param {any} status */
function machines(status) {
    const peers = new Map(status.peers.map((/** @type {any} */ peer) => [peer.device, peer]));
    const rows = status.nodes.map((/** @type {any} */ node) => {
        const peer = peers.get(node.device);
        peers.delete(node.device);
        return row(node.name, node.isConnected, [node.isOrganizer && text.people.roles.organizer,
            node.isConnected ? words.connected : words.lastHeard(node.heardAt),
            peer && (peer.isSynchronized ? words.inStep : words.reconciling), words.originals(node.originalCount)]);
    });
    for (const peer of peers.values()) {
        rows.push(row(peer.name ?? words.noName, true, [words.connected, peer.isSynchronized ? words.inStep
            : words.reconciling]));
    }
    if (!rows.length) return "";
    return make("section", { class: "panel flow" }, make("h2", {}, words.nodes),
        make("ul", { class: "rows", id: "machines" }, ...rows));
}

/** @param {string} name @param {boolean} isOn @param {any[]} facts */
function row(name, isOn, facts) {
    return make("li", {}, make("span", { class: isOn ? "dot on" : "dot", "aria-hidden": "true" }),
        make("span", { class: "strong" }, name),
        make("span", { class: "quiet" }, facts.filter(Boolean).join(", ")));
}
