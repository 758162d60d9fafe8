// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The bytes of a photo as an answer: all or a range, with a type that no browser executes.
struct PhotoAnswer: Sendable {
    private static let partByteCount: UInt64 = 64 << 10
    // As a page, these bytes have no rights.
    static let policy = "sandbox; default-src 'none'"

    let request: Request
    let session: GuestSession

    func bytes(_ blobClass: BlobClass, of id: PhotoID) async throws -> Response {
        if blobClass == .original, await session.gallery.options().downloads != .everyone {
            let photo = try await session.gallery.photo(id, for: session.guest)
            try await session.gallery.checkSaving(
                of: photo, by: session.guest, isPlayed: !request.uri.queryParameters.has("download"))
        }
        let bytes = try await session.gallery.bytes(blobClass, of: id, for: session.guest)
        return try await Self.answer(to: request, bytes, blobClass, of: id) {
            let photo = try await session.gallery.photo(id, for: session.guest)
            return SavedName.single(photo, event: await session.gallery.charter()?.name ?? "")
        }
    }

    /// - Parameter name: the file name, called only for a photo that is saved.
    static func answer(
        to request: Request, _ bytes: PhotoBytes, _ blobClass: BlobClass, of id: PhotoID,
        savedAs name: () async throws -> String
    ) async throws -> Response {
        // A photo's bytes never change; its id and class name them.
        let tag = "\"\(id.description.prefix(32))-\(blobClass.rawValue)\""
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, max-age=3600", .acceptRanges: "bytes",
            .contentSecurityPolicy: policy,
        ]
        let isShown = bytes.mediaType.isShownByBrowsers
        headers[.contentType] = isShown ? bytes.mediaType.rawValue : DisposableModel.MediaType.other.rawValue
        if request.uri.queryParameters.has("download") || !isShown {
            headers[.contentDisposition] = SavedName.attachment(try await name())
        }
        return answer(to: request, bytes, headers, tag: tag)
    }

    /// Answers with all bytes or a range of them, or that the client has them.
    /// - Parameter place: is released when the answer ends.
    static func answer(
        to request: Request, _ bytes: PhotoBytes, _ headers: HTTPFields, tag: String,
        holding place: DownloadPlaces.Place? = nil
    ) -> Response {
        var headers = headers
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        switch ByteRange(request, tag: tag, byteCount: bytes.byteCount) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(bytes, 0..<bytes.byteCount, place))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.byteCount)"
            return Response(status: .partialContent, headers: headers, body: body(bytes, range, place))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(bytes.byteCount)"
            headers[.contentDisposition] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private static func body(
        _ bytes: PhotoBytes, _ range: Range<UInt64>, _ place: DownloadPlaces.Place?
    ) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var start = range.lowerBound
            while start < range.upperBound {
                let part = start..<min(start + partByteCount, range.upperBound)
                let read = try await offTheLoops { try bytes.read(part) }
                try await writer.write(ByteBuffer(bytes: read))
                start = part.upperBound
            }
            try await writer.finish(nil)
            withExtendedLifetime(place) {}
        }
    }
}

extension DisposableModel.MediaType {
    /// Pictures and videos that browsers show; anything else is a file to save.
    var isShownByBrowsers: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .avif, .heic, .mp4, .quicktime, .webm: true
        case .tiff, .other: false
        }
    }
}
