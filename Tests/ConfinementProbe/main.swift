// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableConfinement
internal import DisposableImaging
internal import Glibc

// Does what the image worker does with itself, then one thing that a decoder which was taken over might try.
//
//     confinement-probe ATTEMPT LAYER...
//
// LAYER: which layers to use, by name; none = all that there are. ATTEMPT: see `attempts`. Prints the layers and what
// the attempt gave, or is ended by the kernel.

let own = getpid()
let parent = getppid()

/// The attempts: each returns the result of its system call.
let attempts: [String: () -> Int] = [
    "nothing": { 0 },
    "open": { Int(open("/etc/hostname", O_RDONLY)) },
    "openOwnLibrary": { Int(open("/usr/bin/env", O_RDONLY)) },
    "create": { Int(open("/tmp/confinement-probe", O_CREAT | O_WRONLY, 0o600)) },
    "stat": {
        var status = stat()
        return Int(stat("/etc/hostname", &status))
    },
    "list": { opendir("/") == nil ? -1 : 0 },
    "unlink": { Int(unlink("/tmp/confinement-probe-victim")) },
    "rename": { Int(rename("/tmp/confinement-probe-victim", "/tmp/confinement-probe-moved")) },
    "truncate": { Int(truncate("/tmp/confinement-probe-victim", 0)) },
    "chmod": { Int(chmod("/tmp/confinement-probe-victim", 0o777)) },
    "socket": { Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) },
    "unixSocket": { Int(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) },
    "connect": {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Int(connect(STDIN_FILENO, $0, socklen_t(MemoryLayout<sockaddr_un>.size)))
            }
        }
    },
    "killParent": { Int(kill(parent, SIGTERM)) },
    "ptrace": { clinux_ptrace_attach(parent) == 0 ? 0 : -1 },
    "execute": { Int(execv("/bin/true", [nil])) },
    "fork": { Int(fork()) },
    "namespaces": { Int(clinux_leave_namespaces() == 0 ? 0 : -1) },
    "codeMemory": {
        mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0
    },
    "moreMemory": {
        var limit = rlimit(rlim_cur: rlim_t.max, rlim_max: rlim_t.max)
        return Int(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit))
    },
    "otherThread": {
        // A thread that was there before the filter.
        earlyThread.wait()
    },
    "newThread": { startAndJoinThread() },
]

let attempt = CommandLine.arguments.dropFirst().first ?? ""
guard let act = attempts[attempt] else {
    print("no such attempt: \(attempt)")
    exit(64)
}
let names = Set(CommandLine.arguments.dropFirst(2))
let wanted = names.isEmpty ? ConfinementLayer.allCases : ConfinementLayer.allCases.filter { names.contains($0.name) }
let layers = Confinement.begin(using: wanted)
let earlyThread = EarlyThread()
let active = Confinement.complete(after: layers, using: wanted)
say("layers: " + active.map(\.name).joined(separator: " "))
let result = act()
let code = errno
say("result: " + (result < 0 ? "refused \(code)" : "done"))
exit(0)

/// Writes at once: the kernel may end the process at the next step.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(70) }
}
