// SPDX-License-Identifier: Apache-2.0
// BLAKE2b (RFC 7693) of four messages at once. The function may be called on any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Whether this processor hashes four messages at once in less time than two of them one after the other.
int cblake2_is_fast(void);

/// Writes the unkeyed hashes, of 32 bytes each, of four messages of `byte_count` bytes, which is not 0.
/// Requires `cblake2_is_fast`.
void cblake2_hash_four(const uint8_t *const messages[4], size_t byte_count, uint8_t hashes[128]);
