// SPDX-License-Identifier: Apache-2.0
// The latest things that went wrong in this page, for a report. In memory only, and without anybody's names or ids.

const LENGTH_MAX = 30;

/** @type {{at: number, text: string}[]} */
export const problems = [];

/** @param {string} text without names; ids are taken out of it here */
export function noteProblem(text) {
    const plain = text.replace(/[0-9a-f]{8,}/gi, "#").replace(/[\w-]{22,}/g, "#").slice(0, 200);
    const last = problems[problems.length - 1];
    if (last?.text === plain) problems.pop();
    problems.push({ at: Date.now(), text: plain });
    if (problems.length > LENGTH_MAX) problems.shift();
}

addEventListener("error", ({ message, filename, lineno }) => {
    if (message) noteProblem(`${message} (${String(filename).split("/").pop()}:${lineno})`);
});
addEventListener("unhandledrejection", ({ reason }) => noteProblem(`unhandled: ${reason}`));
