// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import DisposableModel
internal import HummingbirdCore
internal import NIOCore

/// The photos of one download, laid out before the first byte is sent.
struct ZIPArchive: Sendable {
    static let partByteCount: UInt64 = 1 << 20

    /// What is kept of a photo until the archive is laid out: little, since there may be 100,000 of them.
    struct Item: Sendable {
        let id: PhotoID
        let byteCount: UInt64
        let name: SavedName.Entry
        let modified: DOSTime

        /// `nil` where the original is not here.
        init?(_ photo: PortalPhoto) {
            guard photo.available.contains(.original), let byteCount = photo.byteCount else { return nil }
            id = photo.id
            self.byteCount = byteCount
            name = SavedName.Entry(photo)
            modified = DOSTime(milliseconds: photo.takenAtMilliseconds ?? photo.addedAtMilliseconds)
        }
    }

    private let photos: [PhotoID]
    private let layout: ZIPLayout
    private let gallery: any Gallery
    private let viewer: AuthorID?

    /// - Parameter items: in the order of the archive.
    init(_ items: [Item], gallery: any Gallery, viewer: AuthorID?) {
        photos = items.map(\.id)
        self.gallery = gallery
        self.viewer = viewer
        layout = ZIPLayout(
            items.enumerated().map { index, item in
                .init(name: item.name.text(number: index + 1), byteCount: item.byteCount, modified: item.modified)
            })
    }

    var byteCount: UInt64 { layout.byteCount }

    /// Sends the archive, reading each file twice: once for the checksum that stands before it, once to send it. So
    /// there is never more than one part of one file in memory, and old readers need nothing special.
    ///
    /// Throws where a file is not there any more, or is not what it was; the length has been promised, so all that is
    /// left is to break the connection, which the client tells from an end.
    @concurrent func write(to writer: inout any ResponseBodyWriter) async throws {
        var checksums: [UInt32] = []
        checksums.reserveCapacity(photos.count)
        for (index, id) in photos.enumerated() {
            let bytes = try await gallery.bytes(.original, of: id, for: viewer)
            guard bytes.byteCount == layout.entries[index].byteCount else { throw VanishedPhoto(id: id) }
            let checksum = try await checksum(of: bytes, id: id)
            try await writer.write(ByteBuffer(bytes: layout.localHeader(of: index, crc32: checksum)))
            for range in Self.parts(of: bytes) {
                try await writer.write(ByteBuffer(bytes: try await read(range, of: bytes, id: id)))
            }
            checksums.append(checksum)
        }
        var directory: [UInt8] = []
        for (index, checksum) in checksums.enumerated() {
            directory += layout.directoryHeader(of: index, crc32: checksum)
            guard directory.count >= Self.partByteCount else { continue }
            try await writer.write(ByteBuffer(bytes: directory))
            directory.removeAll(keepingCapacity: true)
        }
        try await writer.write(ByteBuffer(bytes: directory + layout.end))
    }

    private func checksum(of bytes: PhotoBytes, id: PhotoID) async throws -> UInt32 {
        var checksum: UInt32 = 0
        for range in Self.parts(of: bytes) {
            let part = try await read(range, of: bytes, id: id)
            checksum = UInt32(truncatingIfNeeded: crc32(uLong(checksum), part, uInt(part.count)))
        }
        return checksum
    }

    private func read(_ range: Range<UInt64>, of bytes: PhotoBytes, id: PhotoID) async throws -> [UInt8] {
        let part = try await offTheLoops { try bytes.read(range) }
        guard part.count == range.count else { throw VanishedPhoto(id: id) }
        return part
    }

    private static func parts(of bytes: PhotoBytes) -> some Sequence<Range<UInt64>> {
        stride(from: 0, to: bytes.byteCount, by: Int(partByteCount)).lazy.map {
            $0..<min($0 + partByteCount, bytes.byteCount)
        }
    }
}

/// A photo whose bytes went while an archive of it was being sent.
struct VanishedPhoto: Error {
    let id: PhotoID
}
