// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>

/// prctl(), which is variadic and therefore out of Swift's reach.
static inline int clinux_prctl(int option, unsigned long argument) {
    return prctl(option, argument, 0UL, 0UL, 0UL);
}
