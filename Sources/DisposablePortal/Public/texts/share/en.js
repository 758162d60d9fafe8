// SPDX-License-Identifier: Apache-2.0
// The sentences of sharing a photo in English; share.js loads them.

export const english = {
    ready: "The photo is ready to be shared.",
    refused: "This browser cannot share it. Save it instead.",
};
