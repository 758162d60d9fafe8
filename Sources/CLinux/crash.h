// SPDX-License-Identifier: Apache-2.0
// Reports of crashes: a signal handler writes version, time, signal and backtrace into a file before the process ends.
//
// The handler calls functions that signal-safety(7) permits, and backtrace(3) and backtrace_symbols_fd(3), which allocate
// nothing after their first use. These may wait for a lock of the loader: an alarm ends the process then. It is in C, since
// code in Swift may allocate or lock anywhere.
#pragma once

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLINUX_CRASH_SIGNAL_COUNT 6
#define CLINUX_CRASH_FRAME_COUNT 64

static const int clinux_crash_signals[CLINUX_CRASH_SIGNAL_COUNT] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
static const char *const clinux_crash_names[CLINUX_CRASH_SIGNAL_COUNT] = {
    "SIGILL", "SIGTRAP", "SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE"};

// The state of the handler, set before it is installed. With initial values: Swift compiles the header, and a tentative
// definition is complete at the end of a C file only.
static int clinux_crash_folder = -1;
static char clinux_crash_version[32] = "";
/// The path of the report to remove for a new one; empty for none.
static char clinux_crash_oldest[64] = "";
/// Whether a thread is writing a report.
static int clinux_crash_is_writing = 0;
/// Whether a part of the report could not be written.
static int clinux_crash_is_incomplete = 0;
static struct sigaction clinux_crash_earlier[CLINUX_CRASH_SIGNAL_COUNT] = {0};
static char clinux_crash_stack[1 << 16] = "";

static inline void clinux_crash_write(int file, const char *text, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, text, count);
        if (written <= 0) {
            clinux_crash_is_incomplete = 1;
            return;
        }
        text += written;
        count -= (size_t)written;
    }
}

static inline void clinux_crash_text(int file, const char *text) { clinux_crash_write(file, text, strlen(text)); }

/// Puts a number of at least `digit_count` digits to `place` and returns its end. `value` is not negative.
static inline char *clinux_crash_number(char *place, long value, int digit_count) {
    char reversed[32];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count < digit_count) reversed[count++] = '0';
    while (count > 0) *place++ = reversed[--count];
    return place;
}

/// Puts the time in UTC to `place` and returns its end: `2026-11-26T03:52:41Z`, with another character for the colons.
/// gmtime(3) is not permitted in a handler. The days are counted from 1 March of year 0: so a leap day ends a year.
static inline char *clinux_crash_time(char *place, time_t now, char colon) {
    long days = now / 86400 + 719468, second = now % 86400;
    long era = days / 146097, day_of_era = days % 146097;
    long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long month_from_march = (5 * day_of_year + 2) / 153;
    long day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    long month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    place = clinux_crash_number(place, era * 400 + year_of_era + (month <= 2), 4);
    *place++ = '-';
    place = clinux_crash_number(place, month, 2);
    *place++ = '-';
    place = clinux_crash_number(place, day, 2);
    *place++ = 'T';
    place = clinux_crash_number(place, second / 3600, 2);
    *place++ = colon;
    place = clinux_crash_number(place, second / 60 % 60, 2);
    *place++ = colon;
    place = clinux_crash_number(place, second % 60, 2);
    *place++ = 'Z';
    return place;
}

/// Writes a frame as `module(symbol+offset)[address]`, without the folders of the module: they may name a person.
static inline void clinux_crash_frame(int file, void *frame) {
    int ends[2];
    char line[4096];
    size_t count = 0, start = 0;
    // A program that another thread starts now must not keep the pipe open.
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    backtrace_symbols_fd(&frame, 1, ends[1]);
    close(ends[1]);
    while (count < sizeof line) {
        ssize_t received = read(ends[0], line + count, sizeof line - count);
        if (received <= 0) break;
        count += (size_t)received;
    }
    close(ends[0]);
    for (size_t index = 0; index < count; index++)
        if (line[index] == '/') start = index + 1;
    clinux_crash_write(file, line + start, count - start);
}

/// Writes the report; without room on the disk, or without the folder, there is none.
static inline void clinux_crash_report(int number, int code) {
    char text[64], path[64];
    time_t now = time(NULL);
    const char *name = "";
    for (int index = 0; index < CLINUX_CRASH_SIGNAL_COUNT; index++)
        if (clinux_crash_signals[index] == number) name = clinux_crash_names[index];
    mkdirat(clinux_crash_folder, "crashes", 0700);
    memcpy(path, "crashes/", 8);
    char *end = clinux_crash_time(path + 8, now, '-');
    memcpy(end, ".txt", 5);
    int file = openat(clinux_crash_folder, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    clinux_crash_text(file, "Disposable crash report\nversion: ");
    clinux_crash_text(file, clinux_crash_version);
    clinux_crash_text(file, "\ntime: ");
    clinux_crash_write(file, text, (size_t)(clinux_crash_time(text, now, ':') - text));
    clinux_crash_text(file, "\nsignal: ");
    clinux_crash_text(file, name);
    clinux_crash_text(file, code == SI_USER ? ", sent by a process\nframes:\n" : "\nframes:\n");
    void *frames[CLINUX_CRASH_FRAME_COUNT];
    int count = backtrace(frames, CLINUX_CRASH_FRAME_COUNT);
    for (int index = 0; index < count; index++) clinux_crash_frame(file, frames[index]);
    close(file);
    // The disk may be full. A complete report of an earlier crash is worth more than a part of this one.
    const char *useless = clinux_crash_is_incomplete ? path : clinux_crash_oldest;
    if (useless[0]) unlinkat(clinux_crash_folder, useless, 0);
}

static inline void clinux_crash_handle(int number, siginfo_t *info, void *context) {
    if (__atomic_exchange_n(&clinux_crash_is_writing, 1, __ATOMIC_ACQ_REL)) {
        // Another thread writes a report, and then ends the process.
        for (;;) pause();
    }
    // A lock of the loader that some thread holds must not keep the process from ending.
    sigset_t alarms;
    struct sigaction end = {.sa_handler = SIG_DFL}, alarm_before;
    sigaction(SIGALRM, &end, &alarm_before);
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    unsigned seconds_before = alarm(10);
    clinux_crash_report(number, info->si_code);
    alarm(0);
    sigaction(SIGALRM, &alarm_before, NULL);
    alarm(seconds_before);
    // Then the earlier handler, which is that of Swift's runtime if it reports crashes. It handles faults of its own.
    sigset_t crashes;
    sigemptyset(&crashes);
    for (int index = 0; index < CLINUX_CRASH_SIGNAL_COUNT; index++) sigaddset(&crashes, clinux_crash_signals[index]);
    pthread_sigmask(SIG_UNBLOCK, &crashes, NULL);
    for (int index = 0; index < CLINUX_CRASH_SIGNAL_COUNT; index++) {
        const struct sigaction *earlier = &clinux_crash_earlier[index];
        if (clinux_crash_signals[index] != number || earlier->sa_handler == SIG_DFL || earlier->sa_handler == SIG_IGN) continue;
        if (earlier->sa_flags & SA_SIGINFO) earlier->sa_sigaction(number, info, context);
        else earlier->sa_handler(number);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/// Installs a handler that writes a report to `folder`/crashes when a signal of a crash ends this process. Called once, by
/// one thread, which also gets a stack for reports about an overflow of its own.
/// Returns 0, or an errno.
///
/// `oldest`: the path below `folder` of the report to remove when one is written; empty for none.
static inline int clinux_report_crashes(const char *folder, const char *version, const char *oldest) {
    clinux_crash_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (clinux_crash_folder < 0) return errno;
    strncpy(clinux_crash_version, version, sizeof clinux_crash_version - 1);
    strncpy(clinux_crash_oldest, oldest, sizeof clinux_crash_oldest - 1);
    // The first call loads a library, which a handler must not do.
    void *frame;
    backtrace(&frame, 1);
    stack_t stack = {.ss_sp = clinux_crash_stack, .ss_size = sizeof clinux_crash_stack};
    if (sigaltstack(&stack, NULL) != 0) return errno;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = clinux_crash_handle;
    sigfillset(&action.sa_mask);
    for (int index = 0; index < CLINUX_CRASH_SIGNAL_COUNT; index++)
        if (sigaction(clinux_crash_signals[index], &action, &clinux_crash_earlier[index]) != 0) return errno;
    return 0;
}
