// SPDX-License-Identifier: Apache-2.0
// The handler calls functions that signal-safety(7) permits, and backtrace(3) and backtrace_symbols_fd(3), which
// allocate nothing after their first use. These may wait for a lock of the loader: an alarm ends the process then. It
// is in C, since code in Swift may allocate or lock anywhere. All its memory is static.
#define _GNU_SOURCE
#include "CCrash.h"

#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define DESCRIPTOR_COUNT_MAX 64
#define FRAME_COUNT_MAX 64
#define BUILD_ID_BYTE_COUNT_MAX 32
/// The maximum durations of the report and of the earlier handler, in seconds; the process ends without the rest.
#define REPORT_SECONDS 10
#define EARLIER_SECONDS 60

static const struct {
    int number;
    const char *name;
    /// Whether a report tells of it. Nobody reports that a person has quit the program.
    int is_reported;
} signals[] = {
    {SIGILL, "SIGILL", 1},   {SIGTRAP, "SIGTRAP", 1}, {SIGABRT, "SIGABRT", 1}, {SIGSEGV, "SIGSEGV", 1},
    {SIGBUS, "SIGBUS", 1},   {SIGFPE, "SIGFPE", 1},   {SIGQUIT, "SIGQUIT", 0},
};
#define SIGNAL_COUNT ((int)(sizeof signals / sizeof signals[0]))

/// All that the users of the handler have registered. It reads the table at any moment.
static struct {
    /// Each plus one; 0 in free entries.
    atomic_int descriptors[DESCRIPTOR_COUNT_MAX];
    /// The folder of the reports plus one, set after their other values; 0 for no report.
    atomic_int folder;
    char version[32];
    /// The path of the report to remove for a new one; empty for none.
    char oldest[64];
    /// The earlier action of each signal, by its place in `signals`, set before the handler is installed.
    struct sigaction earlier[SIGNAL_COUNT];
} table;

/// Guards the fields below, and the changes of `table.earlier` and of the report. The handler does not take it.
static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static int is_installed[SIGNAL_COUNT];
static char stack[1 << 16];

/// The crash. The first thread that crashes handles it.
static atomic_int is_crashing;
static pid_t crashing_thread;
/// Whether a part of the report could not be written.
static int is_incomplete;

// The build identifier

static char build_id[2 * BUILD_ID_BYTE_COUNT_MAX + 1] = "unknown";
static pthread_once_t build_id_once = PTHREAD_ONCE_INIT;

/// Takes the identifier from a segment of notes. Each has the lengths of owner and content, a type, and these two with
/// padding. Returns whether there is one.
static int take_build_id(const char *notes, size_t byte_count) {
    while (byte_count >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t owner_size = ((size_t)note.n_namesz + 3) & ~(size_t)3, size = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        size_t rest = byte_count - sizeof note;
        if (owner_size > rest || size > rest - owner_size) return 0;
        const char *owner = notes + sizeof note, *content = owner + owner_size;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(owner, "GNU", 4) == 0 && note.n_descsz > 0
            && note.n_descsz <= BUILD_ID_BYTE_COUNT_MAX) {
            for (size_t index = 0; index < note.n_descsz; index++) {
                unsigned char byte = (unsigned char)content[index];
                build_id[2 * index] = "0123456789abcdef"[byte >> 4];
                build_id[2 * index + 1] = "0123456789abcdef"[byte & 15];
            }
            build_id[2 * note.n_descsz] = 0;
            return 1;
        }
        notes = content + size;
        byte_count = rest - owner_size - size;
    }
    return 0;
}

/// The first object is the program itself.
static int look_at_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_NOTE) continue;
        if (take_build_id((const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_memsz)) break;
    }
    return 1;
}

static void find_build_id(void) { dl_iterate_phdr(look_at_object, NULL); }

const char *ccrash_build_id(void) {
    pthread_once(&build_id_once, find_build_id);
    return build_id;
}

// The report

static void put(int file, const char *text, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, text, count);
        if (written <= 0) {
            is_incomplete = 1;
            return;
        }
        text += written;
        count -= (size_t)written;
    }
}

static void put_text(int file, const char *text) { put(file, text, strlen(text)); }

/// Puts a number of at least `digit_count` digits to `place` and returns its end. `value` is not negative.
static char *put_number(char *place, long value, int digit_count) {
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
static char *put_time(char *place, time_t now, char colon) {
    long days = now / 86400 + 719468, second = now % 86400;
    long era = days / 146097, day_of_era = days % 146097;
    long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    long month_from_march = (5 * day_of_year + 2) / 153;
    long day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    long month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    place = put_number(place, era * 400 + year_of_era + (month <= 2), 4);
    *place++ = '-';
    place = put_number(place, month, 2);
    *place++ = '-';
    place = put_number(place, day, 2);
    *place++ = 'T';
    place = put_number(place, second / 3600, 2);
    *place++ = colon;
    place = put_number(place, second / 60 % 60, 2);
    *place++ = colon;
    place = put_number(place, second % 60, 2);
    *place++ = 'Z';
    return place;
}

/// Writes a frame as `module(symbol+offset)[address]`, without the folders of the module: they may name a person.
static void put_frame(int file, void *frame) {
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
    put(file, line + start, count - start);
}

/// Writes the report; without room on the disk, or without the folder, there is none.
static void write_report(int folder, const char *name, int code) {
    char text[64], path[64];
    time_t now = time(NULL);
    mkdirat(folder, "crashes", 0700);
    memcpy(path, "crashes/", 8);
    char *end = put_time(path + 8, now, '-');
    memcpy(end, ".txt", 5);
    int file = openat(folder, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    put_text(file, "Disposable crash report\nversion: ");
    put_text(file, table.version);
    put_text(file, "\nbuild: ");
    put_text(file, build_id);
    put_text(file, "\ntime: ");
    put(file, text, (size_t)(put_time(text, now, ':') - text));
    put_text(file, "\nsignal: ");
    put_text(file, name);
    put_text(file, code == SI_USER ? ", sent by a process\nframes:\n" : "\nframes:\n");
    void *frames[FRAME_COUNT_MAX];
    int count = backtrace(frames, FRAME_COUNT_MAX);
    for (int index = 0; index < count; index++) put_frame(file, frames[index]);
    close(file);
    // The disk may be full. A complete report of an earlier crash is worth more than a part of this one.
    const char *useless = is_incomplete ? path : table.oldest;
    if (useless[0]) unlinkat(folder, useless, 0);
}

// The handler

/// Kills the programs that the crashed thread has started, as Swift's runtime does for its report, and this process.
static void end_process(int number) {
    (void)number;
    char path[64] = "/proc/self/task/", text[256];
    char *end = put_number(path + strlen(path), crashing_thread, 1);
    memcpy(end, "/children", 10);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? 0 : read(file, text, sizeof text);
    pid_t child = 0;
    // A space follows each number.
    for (ssize_t index = 0; index < count; index++) {
        if (text[index] >= '0' && text[index] <= '9') {
            child = child * 10 + (text[index] - '0');
        } else if (child > 0) {
            kill(child, SIGKILL);
            child = 0;
        }
    }
    sigset_t aborts;
    sigemptyset(&aborts);
    sigaddset(&aborts, SIGABRT);
    signal(SIGABRT, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &aborts, NULL);
    raise(SIGABRT);
}

static void handle(int number, siginfo_t *info, void *context) {
    if (atomic_exchange(&is_crashing, 1)) {
        // Another thread handles its crash, then ends the process. Swift's runtime suspends this one by a signal, to
        // read its frames.
        pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
        for (;;) pause();
    }
    int place = 0;
    while (place < SIGNAL_COUNT - 1 && signals[place].number != number) place++;
    crashing_thread = (pid_t)syscall(SYS_gettid);
    for (int index = 0; index < DESCRIPTOR_COUNT_MAX; index++) {
        int descriptor = atomic_exchange(&table.descriptors[index], 0) - 1;
        if (descriptor >= 0) close(descriptor);
    }
    // A lock of the loader that some thread holds must not keep the process from ending. Nor must the earlier handler,
    // which may take minutes; meanwhile no node could start on this folder.
    struct sigaction end = {.sa_handler = end_process};
    sigset_t mask;
    sigfillset(&end.sa_mask);
    sigaction(SIGALRM, &end, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    int folder = atomic_load(&table.folder) - 1;
    if (folder >= 0 && signals[place].is_reported) {
        alarm(REPORT_SECONDS);
        write_report(folder, signals[place].name, info->si_code);
    }
    alarm(EARLIER_SECONDS);
    // The earlier handler deals with faults of its own.
    sigemptyset(&mask);
    for (int index = 0; index < SIGNAL_COUNT; index++) sigaddset(&mask, signals[index].number);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    const struct sigaction *earlier = &table.earlier[place];
    if (earlier->sa_handler != SIG_DFL && earlier->sa_handler != SIG_IGN) {
        if (earlier->sa_flags & SA_SIGINFO) earlier->sa_sigaction(number, info, context);
        else earlier->sa_handler(number);
    }
    // Otherwise a signal from outside would end nothing once its handler returns.
    signal(number, SIG_DFL);
    raise(number);
}

/// Installs the handler for signals that have another one and, for reports, for all that are reported. Returns 0, or an
/// errno. The caller holds `installing`.
static int install(int is_for_reports) {
    for (int index = 0; index < SIGNAL_COUNT; index++) {
        if (is_installed[index]) continue;
        struct sigaction *earlier = &table.earlier[index];
        if (sigaction(signals[index].number, NULL, earlier) != 0) return errno;
        int is_handled = earlier->sa_handler != SIG_DFL && earlier->sa_handler != SIG_IGN;
        if (!is_handled && !(is_for_reports && signals[index].is_reported)) continue;
        struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
        action.sa_sigaction = handle;
        sigfillset(&action.sa_mask);
        if (sigaction(signals[index].number, &action, NULL) != 0) return errno;
        is_installed[index] = 1;
    }
    return 0;
}

// What its users register

void ccrash_add(int descriptor) {
    static int is_begun;
    pthread_mutex_lock(&installing);
    if (!is_begun) install(0);
    is_begun = 1;
    pthread_mutex_unlock(&installing);
    for (int index = 0; index < DESCRIPTOR_COUNT_MAX; index++) {
        int free = 0;
        if (atomic_compare_exchange_strong(&table.descriptors[index], &free, descriptor + 1)) return;
    }
}

void ccrash_remove(int descriptor) {
    for (int index = 0; index < DESCRIPTOR_COUNT_MAX; index++) {
        int entry = descriptor + 1;
        atomic_compare_exchange_strong(&table.descriptors[index], &entry, 0);
    }
}

static int begin_reports(const char *path, const char *version, const char *oldest) {
    if (atomic_load(&table.folder) > 0) return EALREADY;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return errno;
    strncpy(table.version, version, sizeof table.version - 1);
    strncpy(table.oldest, oldest, sizeof table.oldest - 1);
    ccrash_build_id();
    // The first call loads a library, which a handler must not do.
    void *frame;
    backtrace(&frame, 1);
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(&alternate, NULL) != 0) {
        int code = errno;
        close(folder);
        return code;
    }
    atomic_store(&table.folder, folder + 1);
    return install(1);
}

int ccrash_report(const char *folder, const char *version, const char *oldest) {
    pthread_mutex_lock(&installing);
    int code = begin_reports(folder, version, oldest);
    pthread_mutex_unlock(&installing);
    return code;
}
