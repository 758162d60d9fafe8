// SPDX-License-Identifier: Apache-2.0
// The sentences of copies of a photo in English; copies.js loads them.

export const english = {
    jpeg: "Save as JPEG",
    film: "Save in old colours",
    failed: "This browser cannot draw the photo. “Save original” gives it as it was taken.",
};
