// SPDX-License-Identifier: Apache-2.0
// A disk that breaks: while the file named by BROKEN_DISK exists, nothing can be written to files below a folder
// "events", and nothing of them put on disk: EIO, as from a stick that was pulled out.
//   gcc -O2 -shared -fPIC -o broken-disk.so broken-disk.c -ldl
//   LD_PRELOAD=./broken-disk.so BROKEN_DISK=/tmp/broken disposable run
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int broken(int fd) {
    const char *switch_path = getenv("BROKEN_DISK");
    if (!switch_path || access(switch_path, F_OK) != 0) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/events/") != NULL;
}

#define FAILING(type, name, parameters, arguments)                               \
    type name parameters {                                                       \
        static type (*real) parameters;                                          \
        if (!real) real = (type (*) parameters)dlsym(RTLD_NEXT, #name);          \
        if (broken(fd)) { errno = EIO; return -1; }                              \
        return real arguments;                                                   \
    }

FAILING(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
FAILING(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at), (fd, bytes, count, at))
FAILING(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at))
FAILING(int, fdatasync, (int fd), (fd))
FAILING(int, fsync, (int fd), (fd))
