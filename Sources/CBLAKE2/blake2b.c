// SPDX-License-Identifier: Apache-2.0
// One message leaves most of a vector unit idle, since each step of BLAKE2b needs the result of the one before. Here
// each of the four 64-bit lanes of a vector belongs to another message. It is in C, since Swift compiles for the oldest
// processors only, while C has functions for newer ones.
#include "CBLAKE2.h"

#include <string.h>

#if defined(__x86_64__)

#define BLOCK_BYTE_COUNT 128

typedef uint64_t lanes __attribute__((vector_size(32)));

static const uint64_t initial[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/// The order of the message's words in each round (RFC 7693 §2.7).
static const uint8_t schedule[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

#define ROTATED(x, n) (((x) >> (n)) | ((x) << (64 - (n))))
/// The mixing function G (RFC 7693 §3.1).
#define MIX(a, b, c, d, x, y)                                                                                          \
    v[a] += v[b] + (x), v[d] = ROTATED(v[d] ^ v[a], 32), v[c] += v[d], v[b] = ROTATED(v[b] ^ v[c], 24);                \
    v[a] += v[b] + (y), v[d] = ROTATED(v[d] ^ v[a], 16), v[c] += v[d], v[b] = ROTATED(v[b] ^ v[c], 63)

/// The code of the functions below, which differ in the processor that they are compiled for.
#define INLINED static inline __attribute__((always_inline))

/// The same number in each lane.
#define ALL(number) ((lanes){0} + (number))

/// Reads a block of each message, so that each vector has the same word of all.
INLINED void read_block(lanes words[16], const uint8_t *const messages[4], size_t offset)
{
    for (int group = 0; group < 16; group += 4) {
        lanes rows[4];
        for (int lane = 0; lane < 4; lane++) memcpy(&rows[lane], messages[lane] + offset + 8 * group, sizeof(lanes));
        lanes first = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
        lanes second = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
        lanes third = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
        lanes fourth = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
        words[group] = __builtin_shufflevector(first, third, 0, 1, 4, 5);
        words[group + 1] = __builtin_shufflevector(second, fourth, 0, 1, 4, 5);
        words[group + 2] = __builtin_shufflevector(first, third, 2, 3, 6, 7);
        words[group + 3] = __builtin_shufflevector(second, fourth, 2, 3, 6, 7);
    }
}

/// The compression function F (RFC 7693 §3.2). `counter`: the messages' bytes up to the end of this block.
INLINED void compress(
    lanes state[8], const uint8_t *const messages[4], size_t offset, uint64_t counter, uint64_t last_block)
{
    lanes words[16], v[16];
    read_block(words, messages, offset);
    for (int i = 0; i < 8; i++) {
        v[i] = state[i];
        v[i + 8] = ALL(initial[i]);
    }
    v[12] ^= ALL(counter);
    v[14] ^= ALL(last_block);
#pragma clang loop unroll(full)
    for (int round = 0; round < 12; round++) {
        const uint8_t *at = schedule[round];
        MIX(0, 4, 8, 12, words[at[0]], words[at[1]]);
        MIX(1, 5, 9, 13, words[at[2]], words[at[3]]);
        MIX(2, 6, 10, 14, words[at[4]], words[at[5]]);
        MIX(3, 7, 11, 15, words[at[6]], words[at[7]]);
        MIX(0, 5, 10, 15, words[at[8]], words[at[9]]);
        MIX(1, 6, 11, 12, words[at[10]], words[at[11]]);
        MIX(2, 7, 8, 13, words[at[12]], words[at[13]]);
        MIX(3, 4, 9, 14, words[at[14]], words[at[15]]);
    }
    for (int i = 0; i < 8; i++) state[i] ^= v[i] ^ v[i + 8];
}

INLINED void hash_four(const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128])
{
    lanes state[8];
    for (int i = 0; i < 8; i++) state[i] = ALL(initial[i]);
    // The parameters: 32 bytes of output, no key, no tree (RFC 7693 §2.8).
    state[0] ^= ALL((uint64_t)0x01010000 ^ 32);
    size_t offset = 0;
    for (; byte_count - offset > BLOCK_BYTE_COUNT; offset += BLOCK_BYTE_COUNT)
        compress(state, messages, offset, offset + BLOCK_BYTE_COUNT, 0);
    // The last block is filled up with zeros.
    uint8_t rests[4][BLOCK_BYTE_COUNT] = {{0}};
    const uint8_t *last[4];
    for (int lane = 0; lane < 4; lane++) {
        memcpy(rests[lane], messages[lane] + offset, byte_count - offset);
        last[lane] = rests[lane];
    }
    compress(state, last, 0, byte_count, UINT64_MAX);
    for (int lane = 0; lane < 4; lane++) {
        for (int i = 0; i < 4; i++) {
            uint64_t word = state[i][lane];
            memcpy(hashes + 32 * lane + 8 * i, &word, sizeof word);
        }
    }
}

/// AVX-512 rotates in one instruction.
__attribute__((target("avx512f,avx512vl"))) static void hash_four_avx512(
    const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128])
{
    hash_four(messages, byte_count, hashes);
}

__attribute__((target("avx2"))) static void hash_four_avx2(
    const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128])
{
    hash_four(messages, byte_count, hashes);
}

int cblake2_is_fast(void) { return __builtin_cpu_supports("avx2"); }

void cblake2_hash_four(const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128])
{
    if (__builtin_cpu_supports("avx512vl")) {
        hash_four_avx512(messages, byte_count, hashes);
    } else {
        hash_four_avx2(messages, byte_count, hashes);
    }
}

#else

// Vectors of two lanes, as other processors have them, gain nothing over libsodium.
int cblake2_is_fast(void) { return 0; }

void cblake2_hash_four(const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128]) { __builtin_trap(); }

#endif
