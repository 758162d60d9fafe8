// SPDX-License-Identifier: Apache-2.0
@_exported public import DisposableModel
@_exported public import DisposableNode
@_exported public import enum DisposableWire.InvitationError
public import Logging

/// A node that runs in this process, without pages for guests.
///
/// It keeps the events of one folder, finds other nodes on the local network and exchanges photos with them. It exists
/// while ``run(in:configuration:logger:_:)`` runs it; afterwards every call throws `NodeError.stopped`. While it runs,
/// the commands of the program `disposable` work on its folder, as in `disposable status --data FOLDER`.
public struct EmbeddedNode: Sendable {
    private let node: Node

    /// Runs a node while `body` runs. The node accepts connections before `body` begins, and has closed them and its
    /// folder when this returns. If the node fails, or the task is cancelled, the task of `body` is cancelled.
    /// - Parameters:
    ///   - folder: the path of the node's folder, created if it does not exist. It has the node's keys and photos. One
    ///     process at a time can have it.
    ///   - configuration: the network, the files that are fetched, and the path of `disposable-image-worker`. By
    ///     default the node uses all network interfaces, mDNS, port 8028 or the next free one, and the worker in the
    ///     folder of the running program.
    ///   - logger: the log, by default none. `EventStatus.problems` has what concerns a person.
    ///   - body: the work with the node.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`; `NodeError.folderInUse` if another process has the folder, `NodeError.portInUse`
    ///   if the configured port is in use, `NodeError.stopped` if the node ends first, and the errors of the disk.
    public static func run<Output: Sendable>(
        in folder: String, configuration: NodeConfiguration = NodeConfiguration(),
        logger: Logger = Logger(label: "disposable", factory: { _ in SwiftLogNoOpLogHandler() }),
        _ body: @escaping @Sendable (EmbeddedNode) async throws -> Output
    ) async throws -> Output {
        let node = try Node(folder: DataFolder(path: folder), configuration: configuration, logger: logger)
        return try await withThrowingTaskGroup(of: Output?.self) { group in
            group.addTask {
                try await node.run()
                return nil
            }
            group.addTask {
                for await update in node.updates { if case .ready = update { break } }
                try Task.checkCancellation()
                return try await body(EmbeddedNode(node: node))
            }
            guard case .some(let output?) = try await group.next() else {
                // The node has ended first.
                try Task.checkCancellation()
                throw NodeError.stopped
            }
            await node.stop()
            while try await group.next() != nil {}
            return output
        }
    }

    /// The events of the folder that are open. An event whose database is being rebuilt is missing until that is done.
    public var events: [EmbeddedEvent] {
        get async {
            var events: [EmbeddedEvent] = []
            for id in await node.events {
                // It may have been left meanwhile.
                if let event = try? await node.event(id) { events.append(EmbeddedEvent(event, of: node)) }
            }
            return events
        }
    }

    /// Changes of the node since it runs, for a display, such as an address that refused an invitation. One reader only,
    /// which gets at most the newest 256 updates that it has not read; they end with the node.
    public var updates: AsyncStream<Node.Update> { node.updates }

    /// Creates an event that is open at once, with this node as its organizer. Its key is in the node's folder.
    /// - Parameters:
    ///   - name: the event's name, 1 to 80 characters on one line.
    ///   - organizer: the name of this node's person for others, 1 to 40 characters on one line; `nil` for none.
    ///   - parameters: the settings that differ from the usual ones: 27 photos for each person, eight days, everyone
    ///     sees every photo at once, photos are forgotten eight days after the end.
    /// - Returns: the event, of which this node is a member.
    /// - Throws: `NodeError.unacceptable` with a sentence for each setting that is out of its range,
    ///   `NodeError.refused(.malformedName)` for the organizer's name, and the errors of the disk.
    public func host(
        _ name: String, as organizer: String? = nil, _ parameters: EventParameters = EventParameters()
    ) async throws -> EmbeddedEvent {
        if let organizer, !Label.isAcceptable(organizer) { throw NodeError.refused(.malformedName) }
        let charter = try Charter(named: name, parameters, organizerName: organizer)
        return try await event(
            node.host(
                charter, approval: parameters.approvalRule ?? .none, veils: parameters.photos.veils ?? false,
                pageSealing: parameters.photos.pageSealing ?? false, organizerName: organizer))
    }

    /// Adds the event of an invitation, and returns before a member has admitted this node: see
    /// ``EmbeddedEvent/waitUntilAdmitted()``.
    /// - Parameters:
    ///   - invitation: the nodes' invitation, `DISPOSABLE1:...`, as in `InvitationInfo.invitation`. Case and white
    ///     space do not matter.
    ///   - name: the name of this node's person for others, 1 to 40 characters on one line; `nil` for none.
    /// - Returns: the event. It has no photos until a member has sent them.
    /// - Throws: `InvitationError` for a text that is no invitation, `NodeError.alreadyJoined` if ``events`` has the
    ///   event, `NodeError.forgotten` if this node has left it, `NodeError.refused(.malformedName)`, and the errors of
    ///   the disk.
    public func join(_ invitation: String, as name: String? = nil) async throws -> EmbeddedEvent {
        let invitation = try Invitation(text: invitation)
        if let name, !Label.isAcceptable(name) { throw NodeError.refused(.malformedName) }
        return try await event(node.join(invitation, name: name))
    }

    private func event(_ id: EventID) async throws -> EmbeddedEvent {
        EmbeddedEvent(try await node.event(id), of: node)
    }
}
