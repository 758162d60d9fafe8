// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A thread that begins before the process is confined, and then opens a file.
final class EarlyThread: @unchecked Sendable {
    private var thread = pthread_t()
    private var gate: [Int32] = [-1, -1]
    // Written by the thread, read after it has ended.
    private var result = -2

    init() {
        guard pipe(&gate) == 0 else { exit(70) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { context in
                let this = Unmanaged<EarlyThread>.fromOpaque(context!).takeUnretainedValue()
                var byte: UInt8 = 0
                _ = read(this.gate[0], &byte, 1)
                this.result = Int(open("/etc/hostname", O_RDONLY))
                return nil
            }, context)
        guard code == 0 else { exit(70) }
    }

    /// Lets the thread try, and returns what it got.
    func wait() -> Int {
        var byte: UInt8 = 1
        guard write(gate[1], &byte, 1) == 1 else { return 0 }
        pthread_join(thread, nil)
        if result < 0 { errno = EPERM }
        return result
    }
}

/// Starts a thread that does nothing, and waits for its end.
func startAndJoinThread() -> Int {
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return -1 }
    return Int(pthread_join(thread, nil))
}
