// SPDX-License-Identifier: Apache-2.0
package import NIOCore

/// Pauses a listener after it failed to accept a connection, for example when the process may open no more files.
///
/// NIO keeps such a listener open. But the waiting connection makes it retry continuously, at the cost of a whole core:
/// NIO's own `AcceptBackoffHandler` delays the next read, and one that has failed is still pending.
package final class AcceptPause: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias OutboundIn = any Channel

    private static let duration = TimeAmount.milliseconds(500)

    private let onFailure: @Sendable (any Error) -> Void
    private var isResting = false

    private init(onFailure: @escaping @Sendable (any Error) -> Void) { self.onFailure = onFailure }

    /// Returns the initializer that adds one to the pipeline of a listener, before NIO's own handlers.
    /// - Parameter onFailure: called with each error.
    package static func initializer(
        onFailure: @escaping @Sendable (any Error) -> Void
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
        { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AcceptPause(onFailure: onFailure))
            }
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Not passed on: the reader of the connections would take it for their end.
        onFailure(error)
        guard !isResting else { return }
        isResting = true
        let channel = context.channel
        // Removes the listener from the event loop's poll; connections wait in the system's queue.
        _ = channel.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
            self.isResting = false
            _ = channel.setOption(.autoRead, value: true)
        }
    }

    package func read(context: ChannelHandlerContext) {
        // The end of the pause reads in any case.
        if !isResting { context.read() }
    }
}
