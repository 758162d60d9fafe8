// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Ctrl-C and similar signals as a stream; the second one exits the process at once.
package enum Signals {
    package static let interruptions: AsyncStream<Int32> = {
        let (stream, sink) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(4))
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if seen.next() > 1 { _exit(128 + number) }
                sink.yield(number)
            }
            source.activate()
            sources.withLock { $0.append(Held(source)) }
        }
        return stream
    }()

    /// Whether there was a signal since the first use of `interruptions`: for work that does not wait for anything.
    package static var isInterrupted: Bool { seen.count > 0 }
    private static let seen = SignalCount()

    // Unchecked: only held, so that it stays active.
    private struct Held: @unchecked Sendable {
        let source: any DispatchSourceSignal
        init(_ source: any DispatchSourceSignal) { self.source = source }
    }
    private static let sources = Mutex<[Held]>([])

    private final class SignalCount: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func next() -> Int {
            number.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
