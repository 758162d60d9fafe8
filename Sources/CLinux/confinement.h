// SPDX-License-Identifier: Apache-2.0
// What a process gives up for good: system calls (seccomp(2)), files and network (landlock(7)), namespaces (unshare(2)),
// capabilities (capabilities(7)). Swift cannot call syscall(2), which is variadic. All functions return 0, or an errno.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Constants that older headers lack.
#define CLINUX_O_PATH 010000000
#define CLINUX_LANDLOCK_FS_EXECUTE (1ULL << 0)
#define CLINUX_LANDLOCK_FS_READ_FILE (1ULL << 2)
#define CLINUX_LANDLOCK_FS_READ_DIR (1ULL << 3)
#define CLINUX_SECCOMP_RET_KILL_PROCESS 0x80000000U

#if defined(__x86_64__)
#define CLINUX_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CLINUX_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

/// New and empty namespaces of users, network, mounts, IPC, host names and control groups. The process must have one
/// thread.
static inline int clinux_leave_namespaces(void) {
    unsigned long all = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    return syscall(SYS_unshare, all) == 0 ? 0 : errno;
}

/// Drops all capabilities of the calling thread, and of programs that it might run.
static inline int clinux_drop_capabilities(void) {
    for (unsigned long number = 0; number < 64; number++) prctl(PR_CAPBSET_DROP, number, 0UL, 0UL, 0UL);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/// Makes a capability of the calling thread an ambient one, which the programs that it starts get, too: for tests.
static inline int clinux_pass_on_capability(unsigned int number) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets) != 0) return errno;
    sets[number / 32].inheritable |= 1U << (number % 32);
    if (syscall(SYS_capset, &header, sets) != 0) return errno;
    return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, (unsigned long)number, 0UL, 0UL) == 0 ? 0 : errno;
}

/// Begins to trace another process, which is what a confined one must not be able to do: for tests.
static inline int clinux_ptrace_attach(int process) {
    return syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, process, 0UL, 0UL) == 0 ? 0 : errno;
}

/// The version of Landlock that the kernel has; 0 = none.
static inline int clinux_landlock_version(void) {
    long version = syscall(444 /* landlock_create_ruleset */, NULL, 0UL, 1U /* LANDLOCK_CREATE_RULESET_VERSION */);
    return version < 0 ? 0 : (int)version;
}

/// A ruleset that denies all access to files and, where the kernel can, to TCP, to abstract sockets and to signals of
/// other processes; -1 on failure.
static inline int clinux_landlock_ruleset(int version) {
    // Rights on files by version: 13, then "refer", "truncate", and from 5 on "ioctl".
    int right_count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    struct { uint64_t files, network, scoped; } rules = {
        .files = (1ULL << right_count) - 1,
        .network = version >= 4 ? 3 : 0,
        .scoped = version >= 6 ? 3 : 0,
    };
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    return (int)syscall(444 /* landlock_create_ruleset */, &rules, size, 0U);
}

/// Allows reading and mapping of what is in the folder at `path`, which need not be there.
static inline int clinux_landlock_allow_reading(int ruleset, const char *path) {
    int folder = open(path, CLINUX_O_PATH | O_CLOEXEC);
    if (folder < 0) return errno;
    struct { uint64_t access; int32_t parent; } __attribute__((packed)) rule = {
        .access = CLINUX_LANDLOCK_FS_READ_FILE | CLINUX_LANDLOCK_FS_READ_DIR | CLINUX_LANDLOCK_FS_EXECUTE,
        .parent = folder,
    };
    long result = syscall(445 /* landlock_add_rule */, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0U);
    int code = result == 0 ? 0 : errno;
    close(folder);
    return code;
}

/// Applies `ruleset` to the calling thread and those that it will start, and closes it.
static inline int clinux_landlock_restrict(int ruleset) {
    int code = syscall(446 /* landlock_restrict_self */, ruleset, 0U) == 0 ? 0 : errno;
    close(ruleset);
    return code;
}

#ifdef CLINUX_AUDIT_ARCH
#define CLINUX_RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define CLINUX_EPERM CLINUX_RETURN(SECCOMP_RET_ERRNO | EPERM)
#define CLINUX_IF(number, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (count))
#define CLINUX_ALLOW(number) CLINUX_IF(number, 1), CLINUX_RETURN(SECCOMP_RET_ALLOW)
#define CLINUX_KILL(number) CLINUX_IF(number, 1), CLINUX_RETURN(CLINUX_SECCOMP_RET_KILL_PROCESS)
/// The lower half of an argument, on both architectures.
#define CLINUX_LOAD_ARGUMENT(index) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index))
/// Allows `number` where an argument has, or has not, any of these bits.
#define CLINUX_ALLOW_WITH(number, index, bits) \
    CLINUX_IF(number, 4), CLINUX_LOAD_ARGUMENT(index), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), \
        CLINUX_RETURN(SECCOMP_RET_ALLOW), CLINUX_EPERM
#define CLINUX_ALLOW_WITHOUT(number, index, bits) \
    CLINUX_IF(number, 4), CLINUX_LOAD_ARGUMENT(index), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 1, 0), \
        CLINUX_RETURN(SECCOMP_RET_ALLOW), CLINUX_EPERM
/// Allows `number` where an argument has this value.
#define CLINUX_ALLOW_VALUE(number, index, value) \
    CLINUX_IF(number, 4), CLINUX_LOAD_ARGUMENT(index), CLINUX_IF(value, 1), CLINUX_RETURN(SECCOMP_RET_ALLOW), \
        CLINUX_EPERM

/// Leaves the process, with all its threads, the system calls that computing on open files needs. Those that no decoder
/// has a use for end it, all others fail with EPERM. `process` is the id of this process.
///
/// PR_SET_NO_NEW_PRIVS has to be set in all threads.
static inline int clinux_filter_system_calls(unsigned int process) {
    struct sock_filter filter[] = {
        // Calls of another architecture have other numbers.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        CLINUX_IF(CLINUX_AUDIT_ARCH, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
        CLINUX_RETURN(CLINUX_SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        // The numbers of x32.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), CLINUX_RETURN(CLINUX_SECCOMP_RET_KILL_PROCESS),
#endif
        // Open files, and the answers to the node.
        CLINUX_ALLOW(SYS_read), CLINUX_ALLOW(SYS_write), CLINUX_ALLOW(SYS_readv), CLINUX_ALLOW(SYS_writev),
        CLINUX_ALLOW(SYS_pread64), CLINUX_ALLOW(SYS_preadv), CLINUX_ALLOW(SYS_pwrite64), CLINUX_ALLOW(SYS_lseek),
        CLINUX_ALLOW(SYS_close),
        CLINUX_ALLOW(SYS_fstat), CLINUX_ALLOW(SYS_dup), CLINUX_ALLOW(SYS_recvmsg),
        CLINUX_ALLOW_WITH(SYS_newfstatat, 3, 0x1000 /* AT_EMPTY_PATH */),
        CLINUX_IF(SYS_fcntl, 7), CLINUX_LOAD_ARGUMENT(1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 3, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 1, 0), CLINUX_IF(F_DUPFD_CLOEXEC, 1),
        CLINUX_RETURN(SECCOMP_RET_ALLOW), CLINUX_EPERM,
        // Memory, none of it for code.
        CLINUX_ALLOW_WITHOUT(SYS_mmap, 2, PROT_EXEC), CLINUX_ALLOW_WITHOUT(SYS_mprotect, 2, PROT_EXEC),
        CLINUX_ALLOW(SYS_munmap), CLINUX_ALLOW(SYS_mremap), CLINUX_ALLOW(SYS_madvise), CLINUX_ALLOW(SYS_brk),
        // Threads. glibc goes back to clone() where there is no clone3(), whose arguments a filter does not see.
        CLINUX_ALLOW_WITH(SYS_clone, 0, CLONE_THREAD),
        CLINUX_IF(SYS_clone3, 1), CLINUX_RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        CLINUX_ALLOW(SYS_futex), CLINUX_ALLOW(SYS_set_robust_list), CLINUX_ALLOW(SYS_rseq), CLINUX_ALLOW(SYS_gettid),
        CLINUX_ALLOW(SYS_sched_yield), CLINUX_ALLOW(SYS_sched_getaffinity), CLINUX_ALLOW(SYS_sched_getparam),
        CLINUX_ALLOW(SYS_sched_getscheduler), CLINUX_ALLOW(SYS_exit), CLINUX_ALLOW(SYS_exit_group),
        CLINUX_ALLOW_VALUE(SYS_prctl, 0, PR_SET_NAME),
        // Signals, to itself only.
        CLINUX_ALLOW_VALUE(SYS_tgkill, 0, process), CLINUX_ALLOW(SYS_rt_sigaction), CLINUX_ALLOW(SYS_rt_sigprocmask),
        CLINUX_ALLOW(SYS_rt_sigreturn), CLINUX_ALLOW(SYS_sigaltstack), CLINUX_ALLOW(SYS_restart_syscall),
        // Time, chance, and what it may use.
        CLINUX_ALLOW(SYS_clock_gettime), CLINUX_ALLOW(SYS_clock_nanosleep), CLINUX_ALLOW(SYS_nanosleep),
        CLINUX_ALLOW(SYS_gettimeofday), CLINUX_ALLOW(SYS_getrandom), CLINUX_ALLOW(SYS_getrusage),
        CLINUX_ALLOW_VALUE(SYS_prlimit64, 0, 0), CLINUX_ALLOW(SYS_getpid), CLINUX_ALLOW(SYS_getuid),
        CLINUX_ALLOW(SYS_geteuid), CLINUX_ALLOW(SYS_getgid), CLINUX_ALLOW(SYS_getegid), CLINUX_ALLOW(SYS_uname),
        CLINUX_ALLOW(SYS_sysinfo), CLINUX_ALLOW(SYS_membarrier),
#ifdef __x86_64__
        CLINUX_ALLOW(SYS_time),
#endif
        // Programs, and other processes.
        CLINUX_KILL(SYS_execve), CLINUX_KILL(SYS_execveat), CLINUX_KILL(SYS_ptrace),
        CLINUX_KILL(SYS_process_vm_readv), CLINUX_KILL(SYS_process_vm_writev), CLINUX_KILL(SYS_bpf),
        CLINUX_KILL(SYS_mount), CLINUX_KILL(SYS_init_module),
        CLINUX_EPERM,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    return result == 0 ? 0 : result > 0 ? EAGAIN : errno;
}
#else
static inline int clinux_filter_system_calls(unsigned int process) {
    (void)process;
    return ENOSYS;
}
#endif
