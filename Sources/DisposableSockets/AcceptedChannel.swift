// SPDX-License-Identifier: Apache-2.0
package import NIOCore
internal import Synchronization

/// An accepted connection until it is served.
///
/// A server may be told to stop while connections wait for it, and then they are dropped. NIO crashes the process if a
/// `NIOAsyncChannel` is dropped unused; this type closes it instead.
package final class AcceptedChannel<Inbound: Sendable, Outbound: Sendable>: Sendable {
    private let channel: NIOAsyncChannel<Inbound, Outbound>
    private let isTaken = Atomic(false)

    package init(_ channel: NIOAsyncChannel<Inbound, Outbound>) { self.channel = channel }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [channel] in try? await channel.executeThenClose { _, _ in } }
    }

    /// Returns the connection to the caller, which must call its `executeThenClose`.
    package func take() -> NIOAsyncChannel<Inbound, Outbound> {
        isTaken.store(true, ordering: .relaxed)
        return channel
    }
}
