// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import DisposableModel
internal import Hummingbird
internal import NIOCore

/// The photos of one download, laid out before the first byte is sent.
struct ZIPArchive: Sendable {
    static let partByteCount: UInt64 = 1 << 20

    private let photos: [PhotoID]
    private let layout: ZIPLayout
    private let gallery: any Gallery
    private let viewer: AuthorID?

    /// - Parameter photos: with their originals here, in the order of the archive.
    init(_ photos: [PortalPhoto], gallery: any Gallery, viewer: AuthorID?) {
        self.photos = photos.map(\.id)
        self.gallery = gallery
        self.viewer = viewer
        layout = ZIPLayout(
            photos.enumerated().map { index, photo in
                ZIPLayout.Entry(
                    name: FileName.entry(for: photo, number: index + 1), byteCount: photo.byteCount ?? 0,
                    modified: DOSTime(milliseconds: photo.takenAtMilliseconds ?? photo.addedAtMilliseconds))
            })
    }

    var byteCount: UInt64 { layout.byteCount }

    /// Sends the archive, reading each file twice: once for the checksum that stands before it, once to send it. So there
    /// is never more than one part of one file in memory, and old readers need nothing special.
    ///
    /// Throws where a file is not there any more, or is not what it was; the length has been promised, so all that is left
    /// is to break the connection, which the client tells from an end.
    @concurrent func write(to writer: inout any ResponseBodyWriter, noting progress: Progress) async throws {
        var directory: [UInt8] = []
        for (index, id) in photos.enumerated() {
            let bytes = try await gallery.bytes(.original, of: id, for: viewer)
            guard bytes.byteCount == layout.entries[index].byteCount else { throw VanishedPhoto(id: id) }
            let checksum = try await checksum(of: bytes, id: id)
            try await writer.write(ByteBuffer(bytes: layout.localHeader(of: index, crc32: checksum)))
            for range in Self.parts(of: bytes) {
                try await writer.write(ByteBuffer(bytes: try await read(range, of: bytes, id: id)))
                progress.note()
            }
            directory += layout.directoryHeader(of: index, crc32: checksum)
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
