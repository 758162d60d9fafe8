// SPDX-License-Identifier: Apache-2.0
// Asks other nodes of the party to prove their identity (protocol/guest-api.md §8). A worker, since its own policy
// permits requests to their origins, and the page's policy to none; it has no secret, and the page checks its results.

/** Milliseconds for an answer. */
const patience = 5_000;
/** The limit of bytes of an answer: another machine at that address may send anything. */
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
