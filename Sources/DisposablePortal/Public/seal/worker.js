// SPDX-License-Identifier: Apache-2.0
// Seals photos beside the page, which stays responsive. The secret comes with each photo and goes no further.
import "/nacl.js";
import { sealPhoto } from "./sealing.js";

addEventListener("message", async ({ data: { number, files, size, secret, recipient } }) => {
    try {
        const { nacl } = /** @type {any} */ (self);
        postMessage({ number, sealed: await sealPhoto(nacl, files, size, secret, recipient) });
    } catch {
        postMessage({ number, sealed: null });
    }
});
