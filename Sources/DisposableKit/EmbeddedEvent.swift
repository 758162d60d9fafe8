// SPDX-License-Identifier: Apache-2.0

/// One event of an ``EmbeddedNode``.
///
/// Each call may throw `NodeError.rebuilding` while the event's database is rebuilt after damage, and
/// `NodeError.stopped` once the node has stopped or has left the event.
public struct EmbeddedEvent: Sendable, Identifiable {
    /// The id of the event, the same on every node.
    public let id: EventID
    private let node: Node
    /// Continue when a database is rebuilt, which gets another `EventNode`.
    private let watchers: AlbumWatchers

    init(_ event: EventNode, of node: Node) {
        (id, watchers) = (event.event, event.watchers)
        self.node = node
    }

    private var event: EventNode {
        get async throws { try await node.event(id) }
    }

    /// The state of the event on this node: members, peers, numbers of photos, problems.
    public var status: EventStatus {
        get async throws { try await event.status }
    }

    /// The invitation for other nodes. Its addresses are those of this machine now. There is no guests' link, because
    /// this node has no pages.
    public var invitation: InvitationInfo {
        get async throws { try await event.invitation }
    }

    /// Returns once a member has admitted this node and has sent the event's settings, so that photos can be added. It
    /// waits until a member is on the network; for the host of the event it returns at once.
    /// - Throws: `CancellationError` if the task is cancelled, `NodeError.stopped` if the event is left.
    public func waitUntilAdmitted() async throws {
        for await _ in watchers.updates(keeping: 1, first: .everything) where try await canAdd { return }
        try Task.checkCancellation()
        throw NodeError.stopped
    }

    private var canAdd: Bool {
        get async throws {
            do {
                let event = try await event
                guard await event.isAdmitted else { return false }
                return await event.charter != nil
            } catch NodeError.rebuilding { return false }
        }
    }

    /// Adds a photo or a video of this node's person. It is on the disk when this returns, and other nodes get it as
    /// they connect. Metadata about place, camera and author is removed; the file at `path` stays as it is.
    /// - Parameters:
    ///   - path: the path of a file of at most 256 MiB: JPEG, PNG, WebP, GIF, HEIC, AVIF, MP4, MOV or WebM.
    ///   - caption: a text of 1 to 2,000 bytes of UTF-8 for everyone; `nil` for none.
    /// - Returns: the photo's id, as in `GalleryPhoto.id`. For a file that this person has added before it is the id of
    ///   that photo, which keeps its caption.
    /// - Throws: `NodeError.refused` with a `Refusal`: `.notAdmitted` before a member has admitted this node,
    ///   `.refusedFile` for a file that is no photo, `.malformedText` for a caption of another length, `.notShownYet`
    ///   for a caption of a sealed photo, `.notBegun` or `.over` outside of the event's times, `.noConsent` if the event
    ///   asks for a consent, which `disposable consent --data FOLDER` gives. `NodeError.storage` for a full disk or if
    ///   `disposable-image-worker` cannot be started.
    @discardableResult
    public func add(photoAt path: String, caption: String? = nil) async throws -> String {
        try await event.addPhoto(at: path, caption: caption)
    }

    /// The photos of the gallery, oldest first, also those whose files are still on their way and those that are sealed
    /// until the reveal: `GalleryPhoto.state`. The result has every photo, thousands in a large event.
    public var photos: [GalleryPhoto] {
        get async throws { try await event.photos }
    }

    /// ``photos`` now and after each change, until the event is left or the task is cancelled. Many changes make one
    /// element if the reader is slow, and an element may equal the one before. Each loop has its own changes.
    public var album: some AsyncSequence<[GalleryPhoto], any Error> & Sendable {
        watchers.updates(keeping: 1, first: .everything).compactMap { _ -> [GalleryPhoto]? in
            // Stopped: the updates end, too.
            do { return try await photos } catch NodeError.rebuilding, NodeError.stopped { return nil }
        }
    }

    /// Writes the originals of all ``photos`` into a folder, under the same names on every node. A file that is there
    /// already stays.
    /// - Parameter folder: the path of the folder, created if it does not exist.
    /// - Returns: the outcome for each photo; `ExportedFile.problem` says why one was not written, such as an original
    ///   that has not arrived here yet.
    /// - Throws: `NodeError.storage` or `NodeError.system` if the folder cannot be written.
    public func export(to folder: String) async throws -> [ExportedFile] {
        try await event.exportPhotos(to: folder)
    }
}
