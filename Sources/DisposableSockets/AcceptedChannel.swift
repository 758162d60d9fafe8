// SPDX-License-Identifier: Apache-2.0
package import NIOCore
internal import Synchronization

/// A connection that has been accepted, until somebody serves it.
///
/// Whoever accepts may be told to stop while connections wait for it, and then they are dropped. NIO ends the process
/// over a `NIOAsyncChannel` that is dropped without having been used; this closes it.
package final class AcceptedChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
    private let channel: NIOAsyncChannel<Inbound, Outbound>
    private let isTaken = Atomic(false)

    package init(_ channel: NIOAsyncChannel<Inbound, Outbound>) { self.channel = channel }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [channel] in try? await channel.executeThenClose { _, _ in } }
    }

    /// The connection, for whoever calls its `executeThenClose`, as has to be done in any case.
    package func take() -> NIOAsyncChannel<Inbound, Outbound> {
        isTaken.store(true, ordering: .relaxed)
        return channel
    }
}
