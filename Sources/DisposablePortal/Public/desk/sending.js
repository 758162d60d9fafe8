// SPDX-License-Identifier: Apache-2.0
// Files that are sent to the node: pictures and maps.
import { ApiError, errorOf } from "../shared/api.js";
import { text } from "./words.js";

/** Sends a file. @param {string} path @param {File} file */
export async function send(path, file) {
    let response;
    try {
        response = await fetch(path, { method: "PUT", body: file, credentials: "same-origin", cache: "no-store",
            headers: { "Accept": "application/json", "Content-Type": "application/octet-stream" } });
    } catch {
        throw new ApiError(0, "unreachable", text.unreachable);
    }
    const answer = await response.text();
    if (!response.ok) throw errorOf(response.status, answer, response.headers.get("Retry-After"));
    return JSON.parse(answer);
}
