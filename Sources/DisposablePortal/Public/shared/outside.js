// SPDX-License-Identifier: Apache-2.0
// The way in where new guests need the code that the wall shows (protocol/guest-api.md §23): guests that the event knows are
// in as before, and all others are asked for it. Loaded when it is needed.
import { ApiError } from "./api.js";
import { loadTexts } from "./text.js";

/**
 * @param {Uint8Array|null|""} seed of a guest, who may be a new one
 * @param {(seed: Uint8Array) => Promise<import("./session.js").Me>} enter
 * @returns {Promise<import("./session.js").Arrival>} throws `ApiError`
 */
export async function pass(seed, enter) {
    if (seed) {
        try {
            return { kind: "guest", me: await enter(seed) };
        } catch (error) {
            if (!(error instanceof ApiError) || error.code !== "wall-code-needed") throw error;
        }
    }
    return { kind: "code", because: (await loadTexts("outside")).needed };
}
