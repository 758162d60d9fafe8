// SPDX-License-Identifier: Apache-2.0
// What the host has this page offer (protocol/disposable-v1.md §9.17). An older node says nothing of it: then everything
// is offered.
import { ApiError } from "./api.js";
import { ask, make, toast } from "./dom.js";
import * as session from "./session.js";
import { text } from "./text.js";

/** @typedef {{names: "optional"|"required"|"never", isCameraOnly: boolean, downloads: "everyone"|"own"|"organizers",
 *     videoSecondsMax: number|null, theme: string}} Options */

/** @type {Options} */
const open = { names: "optional", isCameraOnly: false, downloads: "everyone", videoSecondsMax: null, theme: "film" };

/** @returns {Options} */
export const options = () => ({ ...open, ...session.me?.event.options });

/** @param {{isMine: boolean}} photo or a gallery of such @returns {boolean} whether this guest may save it */
export function maySave({ isMine }) {
    const { downloads } = options();
    return downloads === "everyone" || (downloads === "own" && isMine);
}

/** How the party's saving is told where everyone's data is told. @returns {string} */
export const savingRule = () => text.welcome.shared[options().downloads];

/** @type {Promise<boolean>|null} */
let asking = null;

/**
 * Asks for a name where the host requires one and this guest has none.
 * @returns {Promise<boolean>} whether photos may be sent
 */
export function named() {
    asking ??= question().finally(() => { asking = null; });
    return asking;
}

async function question() {
    const field = make("input", { id: "ask-name", name: "name", autocomplete: "nickname", maxlength: 40, required: true });
    while (options().names === "required" && session.me?.guest && !session.me.guest.name) {
        const { title, body, yes } = text.names;
        const more = [make("label", { for: "ask-name" }, text.welcome.nameRequired), field];
        if (!await ask({ title, body: [body], yes, more })) return false;
        const name = field.value.trim();
        if (!name) continue;
        try {
            await session.rename(name);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            toast(error.sentence);
            // The photos wait, and the node asks for the name before it takes them.
            if (error.code === "unreachable") return true;
        }
    }
    return true;
}
