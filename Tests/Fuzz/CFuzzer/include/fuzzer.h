// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own entry, for executables that bring a `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));

/// Bytes of the largest allocation of this thread since the last call.
size_t disposable_largest_allocation(void);
