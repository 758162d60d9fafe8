// SPDX-License-Identifier: Apache-2.0
// Stands before glibc's allocator in the fuzzer's process, and remembers the largest wish.
#include "fuzzer.h"
#include <errno.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread size_t largest;

static void note(size_t size) {
    if (size > largest) largest = size;
}

size_t disposable_largest_allocation(void) {
    size_t size = largest;
    largest = 0;
    return size;
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    size_t product;
    note(__builtin_mul_overflow(count, size, &product) ? (size_t)-1 : product);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note(size);
    return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note(size);
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}
