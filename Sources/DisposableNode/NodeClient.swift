// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Logging
internal import NIOCore
internal import NIOPosix

/// The client of a node: the one that runs on the folder, or one opened here for a single command.
public enum NodeClient {
    /// The number of attempts to open a folder that is in use, with pauses of a tenth of a second.
    public static let attemptCount = 300

    /// Returns whether a node runs on the folder and answers.
    public static func isAnswered(in folder: DataFolder) async -> Bool {
        for path in folder.controlSocket.paths {
            do {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(unixDomainSocketPath: path).get()
                try await channel.close()
                return true
            } catch {}  // nobody listens there
        }
        return false
    }

    /// Sends a request, and calls `each` for every reply in order.
    /// - Parameters:
    ///   - request: the request.
    ///   - folder: the folder of the node that answers, in this process if none runs on it.
    ///   - logger: the log of a node in this process.
    ///   - configuration: the settings of a node that runs until the answer is complete, if none runs and the request
    ///     needs other nodes.
    ///   - each: called for one reply at a time; the last is `.finished` or `.failed`.
    public static func ask(
        _ request: ControlRequest, folder: DataFolder, logger: Logger, running configuration: NodeConfiguration? = nil,
        each: @Sendable (ControlReply) async -> Void
    ) async throws {
        // A node that starts or stops has the folder but does not answer, and another command may have it: wait for
        // them, half a minute on a slow machine.
        for attempt in 1...attemptCount {
            if try await askRunningNode(request, folder: folder, each: each) { return }
            guard try !folder.events.isEmpty else { throw NodeError.noEvents(path: folder.path) }
            do {
                let node = try Node(folder: folder, configuration: configuration ?? .offline, logger: logger)
                guard configuration != nil else {
                    return try await node.runOffline { await $0.answer(request, reply: each) }
                }
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await node.run() }
                    await node.answer(request, reply: each)
                    await node.stop()
                    try await group.waitForAll()
                }
            } catch let error as NodeError where attempt < attemptCount {
                guard case .folderInUse = error else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private static func connect(to socket: ControlSocket) async -> SocketChannel? {
        for path in socket.paths {
            do {
                return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(unixDomainSocketPath: path) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try SocketChannel(wrappingChannelSynchronously: channel)
                        }
                    }
            } catch {}  // nobody listens there
        }
        return nil
    }

    /// Returns false if no node is running.
    public static func askRunningNode(
        _ request: ControlRequest, folder: DataFolder, each: @Sendable (ControlReply) async -> Void
    ) async throws -> Bool {
        guard let socket = await connect(to: folder.controlSocket) else { return false }
        try await socket.executeThenClose { inbound, outbound in
            var line = try JSONEncoder().encode(request)
            line.append(UInt8(ascii: "\n"))
            try await outbound.write(ByteBuffer(bytes: line))
            var isAnswered = false
            var buffered = ByteBuffer()
            for try await buffer in inbound {
                var buffer = buffer
                buffered.writeBuffer(&buffer)
                while let end = buffered.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                    let byteCount = end - buffered.readerIndex
                    guard let bytes = buffered.readBytes(length: byteCount) else { break }
                    buffered.moveReaderIndex(forwardBy: 1)
                    let reply = try JSONDecoder().decode(ControlReply.self, from: Data(bytes))
                    switch reply {
                    case .finished, .failed: isAnswered = true
                    default: break
                    }
                    await each(reply)
                }
                buffered.discardReadBytes()
            }
            guard isAnswered else { throw NodeError.control("it ended in the middle of its answer") }
        }
        return true
    }
}
