// SPDX-License-Identifier: Apache-2.0
// A cable with a delay and losses between the taps `eth0` of two network namespaces, for kernels without netem.
//
//   cc -O2 -o wire wire.c
//   ./wire NAMESPACE NAMESPACE DELAY_MS LOSS_PERCENT
//
// Each frame is lost with the given probability and otherwise delivered after the delay, in order. Rates are the
// kernel's task (tbf on each tap). Ends with SIGTERM.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 8192, FRAME_BYTES = 2048 };

struct frame { int64_t due; ssize_t length; char bytes[FRAME_BYTES]; };
// Frames on their way to one tap, as a ring.
struct line { unsigned first, count; struct frame *frames; };

static void fail(const char *what) { fprintf(stderr, "wire: %s: %s\n", what, strerror(errno)); exit(1); }

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int open_tap(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail(path);
    close(space);
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0) fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strcpy(request.ifr_name, "eth0");
    if (ioctl(tap, TUNSETIFF, &request) != 0) fail("eth0");
    return tap;
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "usage: wire NAMESPACE NAMESPACE DELAY_MS LOSS_PERCENT\n"), 2;
    int64_t delay = (int64_t)(atof(arguments[3]) * 1e6);
    double loss = atof(arguments[4]) / 100;
    int taps[2] = {open_tap(arguments[1]), open_tap(arguments[2])};
    struct line lines[2];
    for (int side = 0; side < 2; side++)
        lines[side] = (struct line){.frames = calloc(FRAMES, sizeof(struct frame))};
    srand48(20);
    for (;;) {
        int64_t next = INT64_MAX;
        for (int side = 0; side < 2; side++)
            if (lines[side].count > 0 && lines[side].frames[lines[side].first].due < next)
                next = lines[side].frames[lines[side].first].due;
        int64_t wait = next == INT64_MAX ? 1000000000 : next - now();
        struct timespec timeout = {wait > 0 ? wait / 1000000000 : 0, wait > 0 ? wait % 1000000000 : 0};
        struct pollfd polled[2] = {{taps[0], POLLIN, 0}, {taps[1], POLLIN, 0}};
        if (ppoll(polled, 2, &timeout, NULL) < 0 && errno != EINTR) fail("poll");
        int64_t time = now();
        for (int from = 0; from < 2; from++) {
            struct line *line = &lines[1 - from];
            while (line->count < FRAMES) {
                struct frame *frame = &line->frames[(line->first + line->count) % FRAMES];
                frame->length = read(taps[from], frame->bytes, FRAME_BYTES);
                if (frame->length <= 0) break;
                if (drand48() < loss) continue;
                frame->due = time + delay;
                line->count++;
            }
        }
        for (int side = 0; side < 2; side++) {
            struct line *line = &lines[side];
            while (line->count > 0 && line->frames[line->first].due <= time) {
                struct frame *frame = &line->frames[line->first];
                if (write(taps[side], frame->bytes, frame->length) < 0 && errno == EAGAIN) break;
                line->first = (line->first + 1) % FRAMES;
                line->count--;
            }
        }
    }
}
