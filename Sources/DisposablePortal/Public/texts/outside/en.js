// SPDX-License-Identifier: Apache-2.0
// The sentences where the wall shows a code of its own, in English; outside.js and me.js load them.

export const english = {
    needed: "The host asks everyone who is new for the code that the wall shows now. Type it here, or scan the wall.",
    invite: "New guests also need the code that the wall shows now.",
};
