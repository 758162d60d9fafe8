// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// The node's one timer: fires once for each time it is set, at the last time it was set to.
// Unchecked: a dispatch source may be set and cancelled from any thread; nothing else is stored.
final class DeadlineTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(_ fire: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "disposable.timer"))
        source.setEventHandler(handler: fire)
        source.activate()
    }

    deinit { source.cancel() }

    func set(inMilliseconds milliseconds: UInt64) {
        source.schedule(deadline: .now() + .milliseconds(Int(clamping: max(milliseconds, 1))), leeway: .milliseconds(5))
    }

    func cancel() { source.cancel() }
}
