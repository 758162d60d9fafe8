// SPDX-License-Identifier: Apache-2.0
// One access point for the taps `eth0` of several network namespaces: every byte of every host uses the same air.
//
//   cc -O2 -o air air.c
//   ./air MEGABITS CABLED NAMESPACE...
//
// The first CABLED hosts reach the access point by cable, the others by radio. One frame at a time is in the air, for its
// length at the given rate. Stations that have frames take turns, frame by frame, and the access point takes a turn
// for each station that it has frames for, as access points with airtime fairness do. A frame between two stations uses
// the air twice. Stations keep their frames until their turn; the access point drops frames beyond a station's queue.
// With SIGTERM it ends and says how many bytes used the air, how many frames were dropped, and for how many seconds the air
// stood still because this program did not run in time.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { HOSTS = 64, QUEUE = 256, FRAME_BYTES = 2048, ADDRESS_BYTES = 6 };
static const int64_t tick = 200000, catch_up = 20000000;

struct frame { int from; ssize_t length; char bytes[FRAME_BYTES]; };
// Frames at the access point, as a ring.
struct line { unsigned first, count; struct frame frames[QUEUE]; };

static int count, cabled, taps[HOSTS];
static char addresses[HOSTS][ADDRESS_BYTES];
// To each host, and the last one to all stations.
static struct line lines[HOSTS + 1];
static int64_t dropped;
static volatile sig_atomic_t is_over;

static void end(int number) { (void)number; is_over = 1; }

static void fail(const char *what) { fprintf(stderr, "air: %s: %s\n", what, strerror(errno)); exit(1); }

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void open_tap(int host, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail(path);
    close(space);
    taps[host] = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (taps[host] < 0) fail("/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strcpy(request.ifr_name, "eth0");
    if (ioctl(taps[host], TUNSETIFF, &request) != 0) fail("eth0");
    if (ioctl(taps[host], SIOCGIFHWADDR, &request) != 0) fail("the address of eth0");
    memcpy(addresses[host], request.ifr_hwaddr.sa_data, ADDRESS_BYTES);
}

static void deliver(int host, const struct frame *frame) {
    if (write(taps[host], frame->bytes, frame->length) < 0 && errno != EAGAIN && errno != EIO) fail("write");
}

static void enqueue(struct line *line, const struct frame *frame) {
    if (line->count == QUEUE) { dropped++; return; }
    struct frame *place = &line->frames[(line->first + line->count++) % QUEUE];
    place->from = frame->from;
    place->length = frame->length;
    memcpy(place->bytes, frame->bytes, frame->length);
}

// Passes on a frame that has reached the access point.
static void forward(const struct frame *frame) {
    for (int host = 0; host < count; host++) {
        if (memcmp(frame->bytes, addresses[host], ADDRESS_BYTES) != 0) continue;
        if (host < cabled) deliver(host, frame);
        else enqueue(&lines[host], frame);
        return;
    }
    for (int host = 0; host < cabled; host++)
        if (host != frame->from) deliver(host, frame);
    enqueue(&lines[count], frame);
}

static int receive(int host, struct frame *frame) {
    frame->from = host;
    frame->length = read(taps[host], frame->bytes, FRAME_BYTES);
    return frame->length >= 2 * ADDRESS_BYTES;
}

// Sends the next frame through the air and returns its length, 0 if nobody has one.
static ssize_t send_next(void) {
    static int turn;
    static struct frame frame;
    // Ways up, ways down, and the way down to all.
    int ways = 2 * count + 1;
    for (int tried = 0; tried < ways; tried++) {
        int way = turn;
        turn = (turn + 1) % ways;
        if (way < count) {
            if (way < cabled || !receive(way, &frame)) continue;
            forward(&frame);
            return frame.length;
        }
        struct line *line = &lines[way - count];
        if (line->count == 0) continue;
        struct frame *first = &line->frames[line->first];
        line->first = (line->first + 1) % QUEUE;
        line->count--;
        if (way - count < count) deliver(way - count, first);
        else
            for (int host = cabled; host < count; host++)
                if (host != first->from) deliver(host, first);
        return first->length;
    }
    return 0;
}

int main(int argument_count, char **arguments) {
    count = argument_count - 3;
    double megabits = count > 0 ? atof(arguments[1]) : 0;
    if (count < 1 || count > HOSTS || megabits <= 0)
        return fprintf(stderr, "usage: air MEGABITS CABLED NAMESPACE...\n"), 2;
    cabled = atoi(arguments[2]);
    if (cabled < 0 || cabled > count) return fprintf(stderr, "air: %d hosts by cable of %d\n", cabled, count), 2;
    struct pollfd polled[HOSTS];
    for (int host = 0; host < count; host++) {
        open_tap(host, arguments[host + 3]);
        polled[host] = (struct pollfd){taps[host], POLLIN, 0};
    }
    // Waiting ends with it.
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
    // The time from which the air is free.
    int64_t free_at = now(), late = 0, bytes = 0;
    int is_idle = 0;
    static struct frame frame;
    while (!is_over) {
        for (int host = 0; host < cabled; host++)
            for (int taken = 0; taken < QUEUE && receive(host, &frame); taken++) forward(&frame);
        int64_t time = now();
        // Frames that waited because this program woke up late are sent at once, so that the rate stays what it is.
        if (is_idle && free_at < time) free_at = time;
        if (free_at < time - catch_up) {
            late += time - catch_up - free_at;
            free_at = time - catch_up;
        }
        is_idle = 0;
        while (free_at <= time) {
            ssize_t length = send_next();
            is_idle = length == 0;
            if (is_idle) break;
            bytes += length;
            free_at += (int64_t)(length * 8000 / megabits);
        }
        if (is_idle) {
            if (poll(polled, count, 1000) < 0 && errno != EINTR) fail("poll");
        } else {
            int64_t wait = free_at - time > tick ? free_at - time : tick;
            nanosleep(&(struct timespec){wait / 1000000000, wait % 1000000000}, NULL);
        }
    }
    fprintf(stderr, "{\"airMegabytes\": %.3f, \"airDroppedFrames\": %lld, \"airStoodSeconds\": %.3f}\n",
            (double)bytes / 1e6, (long long)dropped, (double)late / 1e9);
    return 0;
}
