// SPDX-License-Identifier: Apache-2.0
internal import CZlib
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The photos of one download, laid out before the first byte is sent.
struct ZIPArchive: Sendable {
    static let partByteCount: UInt64 = 1 << 20

    /// The data of a photo until the archive is laid out: small, since there may be 100,000 of them.
    struct Item: Sendable {
        let id: PhotoID
        let byteCount: UInt64
        let name: SavedName.Entry
        let modified: DOSTime

        /// `nil` if the original is not here.
        init?(_ photo: AlbumPhoto) {
            guard photo.available.contains(.original), let byteCount = photo.byteCount else { return nil }
            id = photo.id
            self.byteCount = byteCount
            name = SavedName.Entry(photo)
            modified = DOSTime(milliseconds: photo.takenAtMilliseconds ?? photo.addedAtMilliseconds)
        }
    }

    private let photos: [PhotoID]
    private let layout: ZIPLayout
    private let record: Record?
    private let original: @Sendable (PhotoID) async throws -> PhotoBytes

    /// A text that stands behind the photos.
    struct Record: Sendable {
        let name: String
        let bytes: [UInt8]
        let modified: DOSTime
    }

    /// - Parameters:
    ///   - items: in the order of the archive.
    ///   - original: returns the bytes of a photo; throws if they are gone.
    init(
        _ items: [Item], record: Record? = nil, original: @escaping @Sendable (PhotoID) async throws -> PhotoBytes
    ) {
        photos = items.map(\.id)
        self.original = original
        self.record = record
        let entries = zip(items, Self.names(of: items)).map { item, name in
            ZIPLayout.Entry(name: name, byteCount: item.byteCount, modified: item.modified)
        }
        let last = record.map {
            ZIPLayout.Entry(name: $0.name, byteCount: UInt64($0.bytes.count), modified: $0.modified)
        }
        layout = ZIPLayout(entries + (last.map { [$0] } ?? []))
    }

    /// The names of the photos in the archive.
    static func names(of items: [Item]) -> [String] {
        items.enumerated().map { index, item in item.name.text(number: index + 1) }
    }

    var byteCount: UInt64 { layout.byteCount }

    /// Returns the download.
    /// - Parameters:
    ///   - name: of the event.
    ///   - place: is released when the download ends.
    func response(
        named name: String?, skippedCount: Int, holding place: DownloadPlaces.Place
    ) -> Response {
        let body = ResponseBody(contentLength: Int(byteCount)) { writer in
            try await write(to: &writer)
            try await writer.finish(nil)
            withExtendedLifetime(place) {}
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip",
                .contentDisposition: SavedName.attachment(SavedName.component(name, orElse: "photos") + ".zip"),
                .cacheControl: "no-store", .contentSecurityPolicy: "sandbox; default-src 'none'",
                .xContentTypeOptions: "nosniff", .disposableSkipped: "\(skippedCount)",
            ], body: body)
    }

    /// Sends the archive, reading each file twice: once for the checksum before it, once to send it. So at most one
    /// part of one file is in memory, and old clients can read the archive.
    ///
    /// Throws if a file is missing or has changed; since the length has been sent, the connection must then be reset,
    /// which the client distinguishes from a regular end.
    @concurrent func write(to writer: inout any ResponseBodyWriter) async throws {
        var checksums: [UInt32] = []
        checksums.reserveCapacity(photos.count)
        for (index, id) in photos.enumerated() {
            let bytes = try await original(id)
            guard bytes.byteCount == layout.entries[index].byteCount else { throw VanishedPhoto(id: id) }
            let checksum = try await checksum(of: bytes, id: id)
            try await writer.write(ByteBuffer(bytes: layout.localHeader(of: index, crc32: checksum)))
            for range in Self.parts(of: bytes) {
                try await writer.write(ByteBuffer(bytes: try await read(range, of: bytes, id: id)))
            }
            checksums.append(checksum)
        }
        if let record {
            let checksum = UInt32(truncatingIfNeeded: crc32(0, record.bytes, uInt(record.bytes.count)))
            let header = layout.localHeader(of: photos.count, crc32: checksum)
            try await writer.write(ByteBuffer(bytes: header + record.bytes))
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

/// A photo whose bytes were removed while an archive of it was being sent.
struct VanishedPhoto: Error {
    let id: PhotoID
}
