// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableImaging
internal import Glibc

/// What the helper takes away from itself before it looks at a file.
///
/// Not a sandbox: a decoder that is taken over can still read what the user can. It cannot write a file, gain rights,
/// use up memory or time, or outlive the node.
enum WorkerConfinement {
    static func apply() {
        closefrom(3)
        _ = clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
        _ = clinux_prctl(PR_SET_NO_NEW_PRIVS, 1)
        limit(RLIMIT_AS, to: ImagingLimits.workerMemoryMax)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_FSIZE, to: 0)
        // Writing fails instead of killing: the just-in-time compiler under libvips tries a file before plain memory.
        signal(SIGXFSZ, SIG_IGN)
        limit(RLIMIT_NOFILE, to: 32)
        _ = nice(5)
    }

    /// Allows `requestCPUSecondsMax` of processor time from now on; the kernel sends SIGXCPU after that.
    static func renewTime() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let used = Int(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1
        var limit = rlimit()
        getrlimit(resource(RLIMIT_CPU), &limit)
        limit.rlim_cur = min(rlim_t(used + ImagingLimits.requestCPUSecondsMax), limit.rlim_max)
        set(RLIMIT_CPU, limit)
    }

    private static func limit(_ kind: __rlimit_resource, to value: Int) {
        set(kind, rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value)))
    }

    /// A helper that cannot be limited does not run.
    private static func set(_ kind: __rlimit_resource, _ value: rlimit) {
        var value = value
        guard setrlimit(resource(kind), &value) == 0 else { exit(2) }
    }

    private static func resource(_ kind: __rlimit_resource) -> __rlimit_resource_t {
        __rlimit_resource_t(kind.rawValue)
    }
}
