// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import Synchronization

/// A photo whose original is still on its way (protocol/guest-api.md §5), shown on this node's pages only.
package struct EarlyPreview: Sendable {
    /// Random: the upload's own id stays between the node and its client.
    package let id: UploadID
    package let author: AuthorID
    /// Milliseconds since 1970 UTC.
    package let addedAtMilliseconds: UInt64
    package let pictures: SmallPictures

    package init(id: UploadID = UploadID(), author: AuthorID, addedAtMilliseconds: UInt64, pictures: SmallPictures) {
        self.id = id
        self.author = author
        self.addedAtMilliseconds = addedAtMilliseconds
        self.pictures = pictures
    }

    fileprivate var byteCount: Int { pictures.thumbnail.count + pictures.preview.count }
}

/// The previews of an event's unfinished uploads, in memory: one for each upload. They are no part of the event: each
/// ends with its upload, or when nothing has moved on that for a while, and none outlives the process.
package final class EarlyPreviews: Sendable {
    package struct Limits: Sendable {
        package var countByGuest = 32
        package var countInEvent = 256
        package var byteCountInEvent = 48 << 20
        /// After the preview or the last byte of its original came.
        package var lifetime: Duration = .seconds(600)

        package init() {}
    }

    package enum Change: Equatable, Sendable {
        case shown(UploadID)
        /// - Parameter photo: `nil` if it became none.
        case ended(UploadID, photo: PhotoID?)
    }

    private struct Entry {
        let preview: EarlyPreview
        var movedAt: ContinuousClock.Instant
    }

    private let limits: Limits
    private let entries = Mutex<[UploadName: Entry]>([:])
    /// The changes, for one reader. The newest 1,024 are kept.
    let changes: AsyncStream<Change>
    private let sink: AsyncStream<Change>.Continuation

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        (changes, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
    }

    /// Newest first.
    package var all: [EarlyPreview] {
        entries.withLock { $0.values.map(\.preview) }.sorted { $0.addedAtMilliseconds > $1.addedAtMilliseconds }
    }

    package subscript(id: UploadID) -> EarlyPreview? {
        entries.withLock { $0.values.first { $0.preview.id == id }?.preview }
    }

    package func count(of author: AuthorID) -> Int { entries.withLock { $0.values.count { $0.preview.author == author } } }

    func has(_ upload: UploadName) -> Bool { entries.withLock { $0[upload] != nil } }

    /// Shows the preview of an upload in place of an earlier one. Beyond a limit the oldest ends, of the same guest or of
    /// all.
    package func show(_ preview: EarlyPreview, of upload: UploadName, now: ContinuousClock.Instant) {
        let ended = entries.withLock { entries in
            var ended = entries.removeValue(forKey: upload).map { [$0.preview.id] } ?? []
            entries[upload] = Entry(preview: preview, movedAt: now)
            func removeOldest(where isInScope: (Entry) -> Bool) {
                let others = entries.filter { $0.key != upload && isInScope($0.value) }
                guard let oldest = others.min(by: { $0.value.movedAt < $1.value.movedAt })?.key else { return }
                ended += entries.removeValue(forKey: oldest).map { [$0.preview.id] } ?? []
            }
            if entries.values.count(where: { $0.preview.author == preview.author }) > limits.countByGuest {
                removeOldest { $0.preview.author == preview.author }
            }
            while entries.count > 1,
                entries.count > limits.countInEvent
                    || entries.values.reduce(0, { $0 + $1.preview.byteCount }) > limits.byteCountInEvent
            {
                removeOldest { _ in true }
            }
            return ended
        }
        for id in ended { sink.yield(.ended(id, photo: nil)) }
        sink.yield(.shown(preview.id))
    }

    /// Bytes of the original came.
    package func note(movedOn upload: UploadName, now: ContinuousClock.Instant) {
        entries.withLock { $0[upload]?.movedAt = now }
    }

    /// The upload became this photo, or none.
    package func end(_ upload: UploadName, as photo: PhotoID?) {
        guard let id = entries.withLock({ $0.removeValue(forKey: upload)?.preview.id }) else { return }
        sink.yield(.ended(id, photo: photo))
    }

    /// Ends the previews whose originals have not moved for the lifetime.
    package func sweep(now: ContinuousClock.Instant) {
        let ended = entries.withLock { entries in
            let old = entries.filter { now - $0.value.movedAt >= limits.lifetime }
            for name in old.keys { entries[name] = nil }
            return old.values.map(\.preview.id)
        }
        for id in ended { sink.yield(.ended(id, photo: nil)) }
    }
}
