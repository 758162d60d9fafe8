// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Dispatch
internal import Glibc

/// Tells when this machine's addresses or links have changed: another network, a cable pulled or put back.
public enum NetworkChanges {
    /// A value each time that ``InterfaceAddress/all()``, but for loopback, has come to be something else and has been
    /// left alone for half a second. Of several unread ones one is kept. Ends at once where the system does not tell.
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

/// Unchecked Sendable: what changes belongs to the queue.
final class NetworkWatch: @unchecked Sendable {
    private let queue = DispatchQueue(label: "disposable.network")
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private let changed: @Sendable () -> Void
    /// `nil` until the system has told.
    private var known = NetworkWatch.addresses
    /// When to look even if it goes on and on.
    private var latest: DispatchTime?

    private static let quietMilliseconds = 500
    private static let waitMilliseconds = 3_000

    /// `nil` where the system does not tell. Lasts until `stop`.
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

    /// The messages say that something has changed, which is enough; also when there were too many of them.
    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        let latest = self.latest ?? .now() + .milliseconds(Self.waitMilliseconds)
        self.latest = latest
        timer.schedule(deadline: min(.now() + .milliseconds(Self.quietMilliseconds), latest))
    }

    /// Routers repeat themselves every few seconds: what is as before is no news. What the system does not tell now is
    /// asked for again.
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
