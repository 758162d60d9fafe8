// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, it has the system refuse to list the network's interfaces while the file that
// REFUSED_INTERFACES names exists: as where a process may open no more files.
//
//   gcc -O2 -shared -fPIC -o refused-interfaces.so refused-interfaces.c -ldl
//   LD_PRELOAD=./refused-interfaces.so REFUSED_INTERFACES=/tmp/refused disposable run
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <ifaddrs.h>
#include <stdlib.h>
#include <unistd.h>

int getifaddrs(struct ifaddrs **list) {
    static int (*original)(struct ifaddrs **);
    const char *path = getenv("REFUSED_INTERFACES");
    if (path && access(path, F_OK) == 0) {
        errno = EMFILE;
        return -1;
    }
    if (!original) original = (int (*)(struct ifaddrs **))dlsym(RTLD_NEXT, "getifaddrs");
    return original(list);
}
