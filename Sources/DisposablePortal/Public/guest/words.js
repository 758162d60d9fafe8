// SPDX-License-Identifier: Apache-2.0
// The return words: a seed of 16 bytes as twelve words (protocol/guest-api.md §3).

/** @type {Promise<string[]>|null} */
let loading = null;

/** @returns {Promise<string[]>} the 2,048 words in order; throws if they do not load */
export function loadWords() {
    loading ??= load().catch((error) => {
        loading = null;
        throw error;
    });
    return loading;
}

async function load() {
    const response = await fetch("/words.txt");
    if (!response.ok) throw new Error(`words: answer ${response.status}`);
    const words = (await response.text()).split("\n").filter(Boolean);
    if (words.length !== 2048) throw new Error(`words: ${words.length} instead of 2048`);
    return words;
}

/**
 * The first 4 bits of SHA-512(seed).
 * @param {Uint8Array} seed
 */
const check = (seed) => /** @type {any} */ (window).nacl.hash(seed)[0] >> 4;

/** @param {Uint8Array} seed 16 bytes @param {string[]} words @returns {string[]} twelve */
export function wordsOf(seed, words) {
    let bits = "";
    for (const byte of seed) bits += byte.toString(2).padStart(8, "0");
    bits += check(seed).toString(2).padStart(4, "0");
    return Array.from({ length: 12 }, (_, place) => words[Number.parseInt(bits.slice(place * 11, place * 11 + 11), 2)]);
}

/**
 * Reads typed words. A word may be shortened to four letters, which are unique.
 * @param {string} typed
 * @param {string[]} words
 * @returns {{typed: string, word: string|null}[]} one for each
 */
export function readWords(typed, words) {
    const parts = typed.toLowerCase().split(/[^a-z]+/).filter(Boolean);
    return parts.map((part) => ({
        typed: part,
        word: words.includes(part) ? part
            : part.length >= 4 ? words.find((word) => word.startsWith(part)) ?? null : null,
    }));
}

/**
 * The possible completions of a prefix, the shortest first.
 * @param {string} prefix
 * @param {string[]} words
 * @param {number} limit
 */
export function completions(prefix, words, limit) {
    if (!prefix) return [];
    return words.filter((word) => word.startsWith(prefix.toLowerCase())).sort((a, b) => a.length - b.length)
        .slice(0, limit);
}

/**
 * @param {string[]} twelve known words
 * @param {string[]} words
 * @returns {Uint8Array|null} the seed, or `null` if the check bits are wrong
 */
export function seedOf(twelve, words) {
    const bits = twelve.map((word) => words.indexOf(word).toString(2).padStart(11, "0")).join("");
    const seed = Uint8Array.from({ length: 16 }, (_, place) =>
        Number.parseInt(bits.slice(place * 8, place * 8 + 8), 2));
    return check(seed) === Number.parseInt(bits.slice(128), 2) ? seed : null;
}
