// SPDX-License-Identifier: Apache-2.0
export const english = {
    open: "Open with camera",
    about: "Takes photos inside the page, with flash and with both cameras. You stay the same guest.",
    warning: "Your browser will warn you first: this photo box has made its certificate itself, so the browser cannot check "
        + "whose it is. Continue only at this party, under “Advanced” or “Details”.",
    go: "Open",
    box: "the page with the camera",
};
