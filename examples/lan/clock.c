// SPDX-License-Identifier: Apache-2.0
// A wrong wall clock for what `lan exec` runs: preloaded, it adds CLOCK_SHIFT seconds to every reading. Timers and the
// monotonic clock are left alone, as they are on a machine whose clock was never set. (libfaketime 0.9.10 converts the
// times that timerfd_settime is given as well, whatever their clock, and programs that rely on them never wake up.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*next)(clockid_t, struct timespec *);
static time_t shift;

__attribute__((constructor)) static void prepare(void) {
    const char *text = getenv("CLOCK_SHIFT");
    if (text) shift = atol(text);
    next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!next) prepare();  // another library's constructor was first
    int result = next(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
