// SPDX-License-Identifier: Apache-2.0
// The sentence that every guest signs, as the protocol has it (protocol/disposable-v1.md §9.12).
export const statement = "Everyone here can see and save the photos I add. I can delete mine any time; only a note that "
    + "one existed remains.";
