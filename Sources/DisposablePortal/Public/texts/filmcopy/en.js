// SPDX-License-Identifier: Apache-2.0
// The sentences of copies in the colours of an old film in English; filmcopy.js loads them.

export const english = {
    save: "Save in old colours",
    failed: "This browser cannot draw the photo. “Save original” gives it as it was taken.",
};
