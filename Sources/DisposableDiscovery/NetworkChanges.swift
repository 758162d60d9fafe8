// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Dispatch
internal import DisposableSystem
internal import Glibc

/// Detects changes of this machine's addresses or links: another network, a cable that is unplugged or plugged in.
public enum NetworkChanges {
    /// Returns a stream with a value each time that ``InterfaceAddress/all()``, without loopback, has changed and has
    /// been stable for half a second. One of several unread values is kept. Ends at once if the system does not report
    /// changes.
    public static func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard let watch = NetworkWatch(changed: { continuation.yield() }) else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { _ in watch.stop() }
        return stream
    }
}

/// Unchecked Sendable: mutable state belongs to the queue.
final class NetworkWatch: @unchecked Sendable {
    private let queue = DispatchQueue(label: "disposable.network")
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let changed: @Sendable () -> Void
    /// `nil` until the system has answered.
    private var known = NetworkWatch.addresses
    /// The time of the next check even if changes continue.
    private var latest: DispatchTime?

    private static let quietMilliseconds = 500
    private static let waitMilliseconds = 3_000

    /// Returns `nil` if the system does not report changes. Lasts until `stop`.
    init?(changed: @escaping @Sendable () -> Void) {
        let descriptor = clinux_network_watch()
        guard descriptor >= 0 else { return nil }
        self.changed = changed
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [weak self] in self?.read(descriptor) }
        source.setCancelHandler { close(descriptor) }
        timer.setEventHandler { [weak self] in self?.look() }
        timer.activate()
        source.activate()
    }

    func stop() {
        source.cancel()
        timer.cancel()
    }

    private static var addresses: [InterfaceAddress]? { InterfaceAddress.all()?.filter { !$0.isLoopback } }

    /// Reads the messages, whose existence is all that matters; also if there were too many of them.
    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        let latest = self.latest ?? .now() + .milliseconds(Self.waitMilliseconds)
        self.latest = latest
        timer.schedule(deadline: min(.now() + .milliseconds(Self.quietMilliseconds), latest))
    }

    /// Compares the addresses: routers repeat themselves every few seconds without a change. If the system refuses now,
    /// it is asked again.
    private func look() {
        latest = nil
        guard let addresses = Self.addresses else {
            return timer.schedule(deadline: .now() + .milliseconds(Self.waitMilliseconds))
        }
        guard addresses != known else { return }
        known = addresses
        changed()
    }
}
