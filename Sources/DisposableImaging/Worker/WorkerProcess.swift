// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import DisposableSystem
internal import Glibc

/// One worker process on the node's side: started, given one request at a time, ended.
///
/// Standard input and output of the worker are one socket pair: end of file there ends it. Calls block, so an instance
/// stays on the one thread that made it; the kernel also ends the worker when that thread ends.
final class WorkerProcess {
    let id: pid_t
    private let socket: Int32

    /// Starts `executable`. Throws `workerUnavailable`.
    init(_ executable: String, _ arguments: [String]) throws(ImagingError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .workerUnavailable(code: errno) }
        var id: pid_t = 0
        let code = Self.spawn(executable, arguments, standard: ends[1], id: &id)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw .workerUnavailable(code: code)
        }
        self.id = id
        self.socket = ends[0]
    }

    /// Kills the worker at once, in any state: it holds nothing that could be lost.
    deinit {
        close(socket)
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }

    /// False if the worker ended while it had no request.
    var isRunning: Bool {
        var information = siginfo_t()
        // WNOWAIT: its exit status stays readable.
        return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information._sifields._sigchld.si_pid == 0
    }

    /// Sends a request and waits. After an error the worker must not get another request.
    /// Throws `timedOut`, `workerCrashed`, `workerExited` or `malformedMessage`.
    /// - Parameter file: the file of a `.render` or `.clean` request.
    func answer(
        to request: WorkerRequest, about file: WorkerFile?, within timeout: Duration
    ) throws(ImagingError) -> WorkerReply {
        let deadline = ContinuousClock.now + timeout
        var message = MessageWriter()
        message.append(request.encoded)
        try send(message.bytes, with: file)
        let header = try receive(4, before: deadline)
        let count = header.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= ImagingLimits.replyByteCountMax + 16 else { throw .malformedMessage }
        return try WorkerReply(encoded: try receive(count, before: deadline))
    }

    /// Sends a request. Requests are a few bytes: they fit into the socket's buffer even while the worker hangs.
    private func send(_ bytes: [UInt8], with file: WorkerFile?) throws(ImagingError) {
        var count = 0
        while count < bytes.count {
            let descriptor = count == 0 ? file?.descriptor ?? -1 : -1
            let sent = bytes.withUnsafeBytes {
                clinux_send(socket, $0.baseAddress! + count, $0.count - count, descriptor)
            }
            if sent < 0 {
                if errno == EINTR { continue }
                throw ended()
            }
            count += sent
        }
    }

    private func receive(_ count: Int, before deadline: ContinuousClock.Instant) throws(ImagingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .timedOut }
            let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
            var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, Int32(clamping: milliseconds + 1)) > 0 else { continue }
            let received = bytes.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress! + filled, $0.count - filled, 0)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { throw ended() }
            filled += received
        }
        return bytes
    }

    /// Returns the reason for the end of the output.
    private func ended() -> ImagingError {
        kill(id, SIGKILL)
        // Without reaping it: the process stays a zombie, its id ours, until `deinit`.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let status = information._sifields._sigchld.si_status
        guard information.si_code != CLD_EXITED else { return .workerExited(status: status) }
        return status == SIGXCPU ? .timedOut : .workerCrashed(signal: status)
    }

    /// Starts `executable` with `standard` as input and output, no error output, its own environment, no blocked or
    /// ignored signals, and its own process group (an interrupt from the terminal is for the node).
    private static func spawn(
        _ executable: String, _ arguments: [String], standard: Int32, id: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standard, 0)
        posix_spawn_file_actions_adddup2(&actions, standard, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        // One malloc arena: each further one reserves address space, which is limited. No temporary files. No crash
        // reporter, which the worker may not start: the signal must show why it ended.
        var environment = [
            "LC_ALL=C", "MALLOC_ARENA_MAX=1", "VIPS_DISC_THRESHOLD=100g", "SWIFT_BACKTRACE=enable=no",
        ]
        if let path = getenv("LD_LIBRARY_PATH") { environment.append("LD_LIBRARY_PATH=" + String(cString: path)) }
        var arguments = ([executable] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        Capabilities.keepFromPrograms()
        return posix_spawn(&id, executable, &actions, &attributes, &arguments, &variables)
    }
}
