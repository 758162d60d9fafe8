// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The files of the pages, read once. Requests are looked up in this list and reach no other path.
struct StaticFiles: Sendable {
    struct File: Sendable {
        let bytes: ByteBuffer
        /// The same, compressed for browsers that accept gzip; `nil` if it is not smaller.
        let compressed: ByteBuffer?
        let type: String
        let entityTag: String

        init(_ bytes: [UInt8], type: String) {
            self.bytes = ByteBuffer(bytes: bytes)
            compressed = Gzip.compressed(bytes).map(ByteBuffer.init(bytes:))
            self.type = type
            entityTag = "\"\(BLAKE2b.hash(bytes.span).description.prefix(32))\""
        }
    }

    /// By the path after the first slash.
    private let files: [String: File]
    /// Missing files, and hints for people.
    let problems: [String]

    /// The folder of the files: beside the program, as built.
    static let folder = Bundle.module.bundleURL.appendingPathComponent("Public").path

    /// The pages' encoder of QR codes: Debian's package node-qrcode-generator.
    private static let encoderPaths = [
        "/usr/share/javascript/qrcode-generator/qrcode.js", "/usr/share/nodejs/qrcode-generator/qrcode.js",
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json", "webmanifest": "application/manifest+json", "woff2": "font/woff2",
    ]

    init(scriptPaths: [String]) throws {
        let folder = Self.folder
        var files: [String: File] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            let type = Self.types[(name as NSString).pathExtension] ?? "application/octet-stream"
            files[name] = File([UInt8](bytes), type: type)
        }
        // Without it links are shown as text only.
        if let encoder = Self.encoderPaths.lazy.compactMap({ FileManager.default.contents(atPath: $0) }).first {
            files["qrcode.js"] = File([UInt8](encoder), type: "text/javascript; charset=utf-8")
        }
        if let script = scriptPaths.lazy.compactMap({ FileManager.default.contents(atPath: $0) }).first {
            files["nacl.js"] = File([UInt8](script), type: "text/javascript; charset=utf-8")
            problems = []
        } else {
            problems = [
                """
                the signing library of the guests' page is not installed, so no browser can enter the event: \
                install the package node-tweetnacl (looked for \(scriptPaths.joined(separator: ", ")))
                """
            ]
        }
        self.files = files
    }

    subscript(name: String) -> File? { files[name] }

    var names: [String] { files.keys.sorted() }

    /// Returns the file, or 304. Browsers ask each time, so that a new version of the node takes effect at once.
    func response(_ name: String, to request: Request, openerPolicy: String? = nil) throws -> Response {
        guard let file = files[name] else { throw PortalError.notFound }
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
    static func takesGzip(_ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { entry in
            let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            return parts.first == "gzip"
                && !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }
}

/// Compares `If-None-Match` with one tag, weakly (RFC 9110 §13.1.2).
enum EntityTag {
    static func matches(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { entry in
            let entry = entry.trimmingCharacters(in: .whitespaces)
            return entry == "*" || (entry.hasPrefix("W/") ? String(entry.dropFirst(2)) : entry) == tag
        }
    }
}
