// SPDX-License-Identifier: Apache-2.0
internal import CLinux
public import DisposableImaging
internal import Glibc

/// Drops the image worker's privileges in two steps, so that a decoder that a hostile file has compromised can only
/// compute on the files that the node passes to it.
///
/// 1. `begin`, before any library starts, while there is one thread: no descriptors but the standard ones, no core dump
///    and no tracing, limits of memory and time, no capabilities, namespaces without network, and read access only to
///    the files that libraries need at their start.
/// 2. `complete`, after the libraries have started and loaded their modules: no files at all, and a filter of system
///    calls for all threads. Calls that are not on its list fail; running programs, tracing and mounting kill the
///    process.
///
/// Each layer works without the others: if a kernel lacks one, or a container forbids it, the others remain, and
/// `complete` returns the layers in force. Limits are not optional.
///
/// A compromised decoder can still read the one picture that it was given, return false results for it, and use up the
/// time and the memory of its request. Files are cleaned of metadata by other processes of the same program, which may
/// write to the file that they are given and decode nothing. Confinement does not protect against a flaw in the
/// kernel's own permitted system calls.
public enum Confinement {
    /// The folders of libraries, of their modules, and of the files that the loader and libc read.
    private static let readableFolders = [
        "/usr", "/lib", "/lib64", "/etc", "/opt", "/nix", "/gnu", "/proc", "/sys/devices/system/cpu",
    ]

    /// - Precondition: the process has one thread.
    /// - Parameters:
    ///   - wanted: layers to use if the kernel has them.
    ///   - fileByteCountMax: the largest offset in a file to which the process may write.
    /// - Returns: the layers that are in force after this step.
    public static func begin(
        using wanted: [ConfinementLayer] = ConfinementLayer.allCases, fileByteCountMax: Int = 0
    ) -> [ConfinementLayer] {
        closefrom(3)
        _ = clinux_prctl(PR_SET_NO_NEW_PRIVS, 1)
        limit(RLIMIT_AS, to: ImagingLimits.workerMemoryMax)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_FSIZE, to: fileByteCountMax)
        // Writing fails instead of killing the process: libraries may try a file before plain memory.
        signal(SIGXFSZ, SIG_IGN)
        limit(RLIMIT_NOFILE, to: 32)
        _ = nice(5)
        var layers: [ConfinementLayer] = []
        if wanted.contains(.namespaces), clinux_leave_namespaces() == 0 { layers.append(.namespaces) }
        _ = clinux_drop_capabilities()
        let searchPath = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
        let folders = readableFolders + searchPath.split(separator: ":").map(String.init)
        if wanted.contains(.fileRules), restrictFiles(to: folders) { layers.append(.fileRules) }
        // A change of capabilities resets both.
        _ = clinux_prctl(PR_SET_DUMPABLE, 0)
        _ = clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
        return layers
    }

    /// - Parameter layers: the result of `begin`.
    /// - Returns: the layers that are in force from now on.
    public static func complete(
        after layers: [ConfinementLayer], using wanted: [ConfinementLayer] = ConfinementLayer.allCases
    ) -> [ConfinementLayer] {
        var layers = layers
        // For existing threads the filter has to suffice.
        if layers.contains(.fileRules) { _ = restrictFiles(to: []) }
        if wanted.contains(.systemCallFilter), clinux_filter_system_calls(UInt32(getpid())) == 0 {
            layers.append(.systemCallFilter)
        }
        return layers
    }

    /// Allows `seconds` of processor time from now on; the kernel sends SIGXCPU after that.
    public static func renewTime(seconds: Int) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let used = Int(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1
        var limit = rlimit()
        getrlimit(resource(RLIMIT_CPU), &limit)
        limit.rlim_cur = min(rlim_t(used + seconds), limit.rlim_max)
        set(RLIMIT_CPU, limit)
    }

    private static func restrictFiles(to folders: [String]) -> Bool {
        let version = clinux_landlock_version()
        guard version > 0 else { return false }
        let ruleset = clinux_landlock_ruleset(version)
        guard ruleset >= 0 else { return false }
        // A missing folder needs no rule.
        for folder in folders { _ = clinux_landlock_allow_reading(ruleset, folder) }
        return clinux_landlock_restrict(ruleset) == 0
    }

    private static func limit(_ kind: __rlimit_resource, to value: Int) {
        set(kind, rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value)))
    }

    /// Sets a limit. A process that cannot be limited does not run.
    private static func set(_ kind: __rlimit_resource, _ value: rlimit) {
        var value = value
        guard setrlimit(resource(kind), &value) == 0 else { exit(2) }
    }

    private static func resource(_ kind: __rlimit_resource) -> __rlimit_resource_t {
        __rlimit_resource_t(kind.rawValue)
    }
}
