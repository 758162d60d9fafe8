// SPDX-License-Identifier: Apache-2.0
// The guests' HTTP API (protocol/guest-api.md): one call, one answer or one `ApiError`.
import { noteProblem } from "./problems.js";
import { text } from "./text.js";

/** The event's path, with a slash at its end; "/" until it is known. */
export let base = /^\/e\/[0-9a-f]{8}\//.exec(location.pathname)?.[0] ?? "/";

/** @param {string} path the event path that a new session is for */
export function setBase(path) {
    base = path;
}

/** An unexpected answer, or none. */
export class ApiError extends Error {
    /**
     * @param {number} status 0 if nothing answered
     * @param {string} code of the contract; "unreachable" if nothing answered
     * @param {string} message from the node
     * @param {number|null} retryAfter seconds
     */
    constructor(status, code, message, retryAfter = null) {
        super(message);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
        /** What the desk's page words itself: the exact reason of a refusal, and its values. @type {string|null} */
        this.reason = null;
        /** @type {string[]} */
        this.about = [];
    }

    /** The sentence for the guest. */
    get sentence() {
        /** @type {any} */
        const known = text.errors;
        if (typeof known[this.code] === "string") return known[this.code];
        return this.status === 429 ? text.errors["too-many"](this.retryAfter ?? 60) : text.errors.other(this.message);
    }
}

/**
 * Makes the error that an answer's body and headers describe.
 * @param {number} status
 * @param {string} body
 * @param {string|null} retryAfter
 * @param {string|null} [code] of an answer without a body
 */
export function errorOf(status, body, retryAfter, code = null) {
    let error = null;
    try { error = JSON.parse(body).error; } catch { /* no JSON: the status has to do */ }
    const seconds = Number.parseInt(retryAfter ?? "", 10);
    const message = [error?.message, error?.hint].filter((part) => typeof part === "string" && part).join(" – ");
    const made = new ApiError(status, String(error?.code ?? code ?? "other"), message || `answer ${status}`,
        Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 3600) : null);
    if (typeof error?.reason === "string") made.reason = error.reason;
    if (Array.isArray(error?.about)) made.about = error.about.map(String);
    return made;
}

/**
 * @param {string} method
 * @param {string} path below the event, unless it starts with "/"
 * @param {object} [body] sent as JSON
 * @param {number} [timeout] milliseconds
 * @returns {Promise<any>} the JSON; `null` if there is none
 */
export async function call(method, path, body, timeout = 20_000) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeout);
    let status, answer, retryAfter;
    try {
        const response = await fetch(path.startsWith("/") ? path : base + path, {
            method, signal: abort.signal, credentials: "same-origin", cache: "no-store",
            headers: body === undefined ? { "Accept": "application/json" }
                : { "Accept": "application/json", "Content-Type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        ({ status } = response);
        retryAfter = response.headers.get("Retry-After");
        answer = await response.text();
    } catch {
        noteProblem(`${method} ${path}: no answer`);
        throw new ApiError(0, "unreachable", text.errors.unreachable);
    } finally {
        clearTimeout(timer);
    }
    if (status < 200 || status > 299) {
        const error = errorOf(status, answer, retryAfter);
        noteProblem(`${method} ${path}: ${status} ${error.code}`);
        throw error;
    }
    if (!answer) return null;
    try { return JSON.parse(answer); } catch { throw new ApiError(status, "other", "the answer is not JSON"); }
}

/**
 * Returns the address of a photo's bytes.
 * @param {string} id
 * @param {"thumbnail"|"preview"|"original"|"original?download"} what
 */
export const photoURL = (id, what) => `${base}photos/${id}/${what}`;
