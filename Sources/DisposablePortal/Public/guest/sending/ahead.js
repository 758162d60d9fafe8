// SPDX-License-Identifier: Apache-2.0
// By how much this phone's clock is ahead of the node's: its camera dates photos by it, and a gallery is sorted by these
// dates. The node compares the clocks of all phones (protocol/guest-api.md §5).

/** @returns {Promise<number|null>} milliseconds, to the second; `null` where the node does not answer */
export async function clockAhead() {
    try {
        const begun = Date.now();
        const answer = await fetch("/icon.svg", { cache: "no-store" });
        // In the middle between question and answer.
        const ahead = (begun + Date.now()) / 2 - Date.parse(answer.headers.get("Date") ?? "");
        return Number.isFinite(ahead) ? Math.round(ahead / 1_000) * 1_000 : null;
    } catch { return null; }
}
