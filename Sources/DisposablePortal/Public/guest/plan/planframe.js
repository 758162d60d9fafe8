// SPDX-License-Identifier: Apache-2.0
// The dialog that shows the plan, with its texts and its image: the list of pins and the placing of a photo share it.
import { ApiError, call, photoURL } from "../../shared/api.js";
import { Chart } from "../../shared/chart.js";
import { find, hideToast, icon, loadStyle, make, openDialog, toast } from "../../shared/dom.js";
import { loadTexts, text } from "../../shared/text.js";

/** @typedef {{photo: string, author: string, authorName: string|null, x: number, y: number, turn: number}} Spot */
/** @typedef {{moved: () => void, tapped: (place: import("../../shared/chart.js").Point) => void}} Told */
/** @typedef {{id: string, chart: (told: Told) => Chart, spots: Spot[]}} Loaded `id` of the plan's photo */

/** Spots are numbers up to this one. */
export const whole = 65_535;

/** @type {typeof import("../../texts/plan/en.js").english} */
export let planText;

/** Loads the sentences of the plan. */
export async function loadPlanText() {
    planText ??= await loadTexts("plan");
    return planText;
}

/**
 * Loads the plan with the photos on it.
 * @returns {Promise<Loaded|null>} `null` where that is not possible now, or the plan is open; the page says why
 */
export async function loadPlan() {
    if (find("plan")) return null;
    await loadPlanText();
    toast(planText.loading);
    try {
        const [{ plan, spots }, { map }] = await Promise.all([call("GET", "api/spots"),
            // Without its map the plan is what it is.
            call("GET", "api/map").catch(() => ({ map: null })), loadStyle("shared/plan")]);
        const image = plan && make("img", { src: photoURL(plan.photo, "preview"), alt: "", draggable: "false" });
        const onMap = plan && map ? await import("./mapchart.js") : null;
        await Promise.all([image?.decode(), onMap?.loadMapStyle()]);
        hideToast();
        if (!plan) toast(planText.gone);
        const chart = (/** @type {Told} */ told) => onMap ? new onMap.MapChart(image, planText.alt, told, map, planText.map)
            : new Chart(image, planText.alt, told);
        return plan && !find("plan") ? { id: plan.photo, chart, spots } : null;
    } catch (error) {
        toast(error instanceof ApiError ? error.sentence : planText.failed);
        return null;
    }
}

/**
 * Shows a plan in front of the page, until it is closed.
 * @param {import("../../shared/chart.js").Chart} chart
 * @param {{title: string, tools: HTMLElement|null, above: HTMLElement[], footer: HTMLElement, cancel?: (event: Event) => void,
 *     closed: () => void}} parts `above`: what lies over the plan
 * @returns {any} the dialog
 */
export function frame(chart, { title, tools, above, footer, cancel, closed }) {
    const zoom = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ run) =>
        make("button", { type: "button", class: "zoom", "aria-label": label, click: run },
            make("span", { "aria-hidden": "true" }, sign));
    const dialog = make("dialog", { id: "plan", "aria-labelledby": "plan-title", cancel: cancel ?? null,
        close: () => {
            closed();
            dialog.remove();
        } },
    make("header", {}, make("h2", { id: "plan-title" }, title), tools,
        make("button", { type: "button", class: "plain bare", "aria-label": text.common.close, click: () => dialog.close() },
            icon("close"))),
    make("div", { class: "stage" }, chart.element, make("div", { class: "zooms" },
        zoom(planText.zoomIn, "+", () => chart.zoomBy(2)), zoom(planText.zoomOut, "−", () => chart.zoomBy(.5)),
        zoom(planText.whole, "⤢", () => chart.show({ x: .5, y: .5 }, 1)), ...chart.tools), ...above), footer);
    document.body.append(dialog);
    openDialog(dialog);
    chart.show({ x: .5, y: .5 }, 1);
    return dialog;
}
