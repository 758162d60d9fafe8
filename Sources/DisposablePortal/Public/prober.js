// SPDX-License-Identifier: Apache-2.0
// Asks other nodes of the party to prove who they are (protocol/guest-api.md §8). A worker, since its answer's policy
// names the origins it may ask, and the page's own policy none; it knows no secret, and the page checks what it brings.

/** Milliseconds for an answer. */
const patience = 5_000;
/** Bytes of an answer; whoever has that address now may send anything. */
const answerMax = 1_024;

addEventListener("message", async ({ data: { origin, path, challenge } }) => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), patience);
    let signature = null;
    try {
        const response = await fetch(`${origin}${path}api/proof?challenge=${challenge}`, { credentials: "omit",
            cache: "no-store", redirect: "error", referrerPolicy: "no-referrer", signal: abort.signal });
        const length = Number(response.headers.get("Content-Length") ?? Infinity);
        if (response.ok && length <= answerMax) ({ signature } = await response.json());
        else abort.abort();
    } catch { /* nobody there, or not the one */ }
    clearTimeout(timer);
    postMessage({ challenge, signature });
});
