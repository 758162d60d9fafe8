// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The count of Ctrl-C and of similar signals. The second one exits the process at once, even if no task can run because
/// all of them wait for a disk: this needs a thread that tasks do not use.
package enum Signals {
    /// Counts signals from now on. Called once.
    /// - Parameter whenFirst: called on the thread of the signal.
    package static func count(whenFirst: @escaping @Sendable () -> Void = {}) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                guard seen.next() == 1 else { _exit(128 + number) }
                whenFirst()
            }
            source.activate()
            sources.withLock { $0.append(Held(source)) }
        }
    }

    /// Whether there was a signal since `count`: for work that does not wait for anything.
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
