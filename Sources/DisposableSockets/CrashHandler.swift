// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Closes listening sockets when the process crashes, and then lets Swift's crash handler report the crash.
///
/// The signal handler uses only plain memory that is never freed: it takes no lock and allocates nothing.
enum CrashHandler {
    private static let countMax = 64
    /// The maximum duration of the report; then the process exits without the rest of it.
    private static let reportSeconds: UInt32 = 60
    private static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGQUIT]

    /// Open descriptors, -1 in free entries.
    nonisolated(unsafe) private static let descriptors = {
        let memory = UnsafeMutablePointer<CInt>.allocate(capacity: countMax)
        memory.initialize(repeating: -1, count: countMax)
        return memory
    }()
    /// The previous action of each signal, by its number.
    nonisolated(unsafe) private static let earlier = {
        let memory = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        memory.initialize(repeating: sigaction(), count: 65)
        return memory
    }()
    private static let isInstalled = Mutex(false)

    static func add(_ descriptor: CInt) {
        isInstalled.withLock { isInstalled in
            if !isInstalled { install() }
            isInstalled = true
            guard let place = (0..<countMax).first(where: { descriptors[$0] < 0 }) else { return }
            descriptors[place] = descriptor
        }
    }

    static func remove(_ descriptor: CInt) {
        isInstalled.withLock { _ in
            for place in 0..<countMax where descriptors[place] == descriptor { descriptors[place] = -1 }
        }
    }

    /// Replaces each existing handler. Without one the process ends at once, and the kernel closes everything.
    private static func install() {
        for number in signals {
            guard sigaction(number, nil, earlier + Int(number)) == 0 else { continue }
            let handler = unsafeBitCast(earlier[Int(number)].__sigaction_handler.sa_handler, to: Int.self)
            guard handler != 0, handler != 1 else { continue }  // SIG_DFL, SIG_IGN
            var action = earlier[Int(number)]
            action.sa_flags |= SA_SIGINFO
            action.__sigaction_handler.sa_sigaction = { CrashHandler.handle($0, $1, $2) }
            sigaction(number, &action, nil)
        }
    }

    private static func handle(
        _ number: CInt, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
    ) {
        for place in 0..<countMax where descriptors[place] >= 0 {
            close(descriptors[place])
            descriptors[place] = -1
        }
        // The reporter may take minutes; meanwhile no node could start on this folder.
        signal(SIGALRM) { _ in CrashHandler.endReport() }
        var alarmOnly = sigset_t()
        sigemptyset(&alarmOnly)
        sigaddset(&alarmOnly, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarmOnly, nil)
        alarm(reportSeconds)
        let before = earlier[Int(number)]
        if before.sa_flags & SA_SIGINFO != 0 {
            before.__sigaction_handler.sa_sigaction?(number, information, context)
        } else {
            before.__sigaction_handler.sa_handler?(number)
        }
        // Otherwise a signal from outside would end nothing once its handler returns.
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Kills the reporter, which is a child of the crashed thread, and this process.
    private static func endReport() {
        let file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC)
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { text in
            var child: pid_t = 0
            for byte in text.prefix(max(0, read(file, text.baseAddress, text.count))) {
                if (48...57).contains(byte) {
                    child = child * 10 + pid_t(byte - 48)
                } else if child > 0 {
                    kill(child, SIGKILL)
                    child = 0
                }
            }
        }
        signal(SIGABRT, SIG_DFL)
        raise(SIGABRT)
    }
}
