// SPDX-License-Identifier: Apache-2.0
// Another session at an event that this browser has entered: its node no longer knows the earlier one, or another node has
// taken over the address of one that is gone.
import { ApiError, base } from "./api.js";
import { loadTexts } from "./text.js";

const isKey = (/** @type {string} */ name) => /^disposable\.[0-9a-f]{64}\.token$/.test(name);

/** @returns {string|undefined} where the key of this page's event is kept */
const place = () => Object.keys(localStorage).find((name) =>
    name.startsWith(`disposable.${base.slice(3, -1)}`) && isKey(name));

/**
 * @param {string} token of a link
 * @returns {string|null} the path of its event, if this browser has entered that one
 */
export function pathOf(token) {
    const name = Object.keys(localStorage).find((one) => isKey(one) && localStorage.getItem(one) === token);
    return name ? `/e/${name.slice(11, 19)}/` : null;
}

/**
 * Opens a session with the key that `remember` has kept. A key that is no longer valid is forgotten.
 * @param {(key: {token: string}) => Promise<any>} open
 * @param {((event?: string) => void)|null} forget where the guest has ended the session on another phone: then nothing of the
 *     event stays here
 * @returns {Promise<boolean|string>} false without a valid key, or what to tell; throws `ApiError`
 */
export async function reopen(open, forget) {
    let name, token;
    try {
        name = place();
        token = name && localStorage.getItem(name);
    } catch { /* there is no storage */ }
    if (forget) {
        forget(name?.split(".")[1]);
        return (await loadTexts("handover")).ended;
    }
    if (!name || !token) return false;
    try {
        await open({ token });
        return true;
    } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 403) throw error;
        localStorage.removeItem(name);
        return false;
    }
}
