// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// Avahi's own event loop on a thread of its own, with the one lock that guards everything attached to it.
///
/// Callbacks run on that thread with the lock held; every call into Avahi from outside goes through ``withLock(_:)``.
/// The lock is not recursive: callbacks must not take it.
///
/// Sendable although it holds a C pointer: the pointer never changes, and `lock`, `start` and `stop` of
/// `AvahiThreadedPoll` are designed to be called from other threads.
final class PollThread: @unchecked Sendable {
    private let poll: OpaquePointer

    init() throws(DiscoveryError) {
        guard let poll = avahi_threaded_poll_new() else {
            throw .avahi(function: "avahi_threaded_poll_new", message: avahiMessage(AVAHI_ERR_NO_MEMORY))
        }
        self.poll = poll
    }

    var api: UnsafePointer<AvahiPoll> { avahi_threaded_poll_get(poll) }

    func start() throws(DiscoveryError) {
        guard avahi_threaded_poll_start(poll) == 0 else {
            throw .avahi(function: "avahi_threaded_poll_start", message: avahiMessage(AVAHI_ERR_FAILURE))
        }
    }

    func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        avahi_threaded_poll_lock(poll)
        defer { avahi_threaded_poll_unlock(poll) }
        return try body()
    }

    /// Ends the thread, if it was started, and waits for it. Never call it from a callback.
    func stop() { avahi_threaded_poll_stop(poll) }

    deinit { avahi_threaded_poll_free(poll) }
}
