// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import HTTPTypes
package import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// The files of the pages, read once. Requests are looked up in this list and reach no other path.
package struct StaticFiles: Sendable {
    private final class File: Sendable {
        private enum Compression: Sendable {
            case due
            case done(ByteBuffer?)
        }

        let bytes: ByteBuffer
        let type: String
        let entityTag: String
        private let compression = Mutex(Compression.due)

        init(_ bytes: [UInt8], type: String, tag: String) {
            self.bytes = ByteBuffer(bytes: bytes)
            self.type = type
            entityTag = "\"\(tag)\""
        }

        /// The same, compressed for browsers that accept gzip; `nil` if it is not smaller. Compressed for the first of
        /// them: all files together take a tenth of a second, which a node without guests saves.
        var compressed: ByteBuffer? {
            compression.withLock { compression in
                if case .done(let result) = compression { return result }
                let result = Gzip.compressed(Array(buffer: bytes)).map(ByteBuffer.init(bytes:))
                compression = .done(result)
                return result
            }
        }
    }

    /// By the path after the first slash.
    private let files: [String: File]

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
        "mp4": "video/mp4", "webm": "video/webm",
    ]

    /// - Parameters:
    ///   - contents: by the path after the first slash.
    ///   - tag: makes the entity tag of a file's bytes, without the quotes.
    package init(_ contents: [String: [UInt8]], tag: ([UInt8]) -> String) {
        var files: [String: File] = [:]
        for (name, bytes) in contents {
            let type = Self.types[(name as NSString).pathExtension] ?? "application/octet-stream"
            files[name] = File(bytes, type: type, tag: tag(bytes))
        }
        self.files = files
    }

    package var names: [String] { files.keys.sorted() }

    /// Returns the file, or 304. Browsers ask each time, so that a new version of the program takes effect at once.
    package func response(_ name: String, to request: Request, openerPolicy: String? = nil) throws -> Response {
        guard let file = files[name] else { throw HTTPFailure.notFound }
        var headers: HTTPFields = [.eTag: file.entityTag, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
        if let openerPolicy { headers[.crossOriginOpenerPolicy] = openerPolicy }
        guard !EntityTag.matches(request.headers[.ifNoneMatch], file.entityTag) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = file.type
        guard let compressed = file.compressed, Self.takesGzip(request.headers[.acceptEncoding]) else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
    }

    /// Whether the field accepts `gzip` with a weight above 0 (RFC 9110 §12.5.3).
    private static func takesGzip(_ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            return parts.first == "gzip"
                && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }
}

extension HTTPField.Name {
    package static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
