// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// The bytes of a photo as an answer: whole or in part, of a type that no browser runs.
struct PhotoAnswer: Sendable {
    private static let partByteCount: UInt64 = 64 << 10
    /// Whatever these bytes are, as a page they can do nothing.
    private static let policy = "sandbox; default-src 'none'"

    let request: Request
    let session: GuestSession

    func bytes(_ blobClass: BlobClass, of id: PhotoID) async throws -> Response {
        let bytes = try await session.gallery.bytes(blobClass, of: id, for: session.guest)
        // A photo's bytes never change; its id and class name them.
        let tag = "\"\(id.description.prefix(32))-\(blobClass.rawValue)\""
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, max-age=3600", .acceptRanges: "bytes",
            .contentSecurityPolicy: Self.policy,
        ]
        let isShown = bytes.mediaType.isShownByBrowsers
        headers[.contentType] = isShown ? bytes.mediaType.rawValue : DisposableModel.MediaType.other.rawValue
        if request.uri.queryParameters.has("download") || !isShown {
            let photo = try await session.gallery.photo(id, for: session.guest)
            let name = DownloadName(of: photo, event: await session.gallery.charter()?.name, type: bytes.mediaType)
            headers[.contentDisposition] = name.contentDisposition
        }
        if EntityTag.matches(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        switch ByteRange(request, tag: tag, byteCount: bytes.byteCount) {
        case .whole:
            return Response(status: .ok, headers: headers, body: Self.body(bytes, 0..<bytes.byteCount))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.byteCount)"
            return Response(status: .partialContent, headers: headers, body: Self.body(bytes, range))
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(bytes.byteCount)"
            headers[.contentDisposition] = nil
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
    }

    private static func body(_ bytes: PhotoBytes, _ range: Range<UInt64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.count)) { writer in
            var start = range.lowerBound
            while start < range.upperBound {
                let part = start..<min(start + partByteCount, range.upperBound)
                let read = try await NIOThreadPool.singleton.runIfActive { try bytes.read(part) }
                try await writer.write(ByteBuffer(bytes: read))
                start = part.upperBound
            }
            try await writer.finish(nil)
        }
    }
}

extension DisposableModel.MediaType {
    /// Pictures and films that browsers show; anything else is a file to keep.
    var isShownByBrowsers: Bool {
        switch self {
        case .jpeg, .png, .webp, .gif, .avif, .heic, .mp4, .quicktime, .webm: true
        case .tiff, .other: false
        }
    }

    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webp: "webp"
        case .heic: "heic"
        case .avif: "avif"
        case .gif: "gif"
        case .tiff: "tif"
        case .mp4: "mp4"
        case .quicktime: "mov"
        case .webm: "webm"
        case .other: "bin"
        }
    }
}

/// What of some bytes a request asks for (RFC 9110 §14): one range, or everything.
enum ByteRange: Equatable {
    case whole
    case part(Range<UInt64>)
    case unsatisfiable

    /// A range counts for the same bytes as before only (`If-Range`).
    init(_ request: Request, tag: String, byteCount: UInt64) {
        guard let field = request.headers[.range], request.headers[.ifRange].map({ $0 == tag }) ?? true else {
            self = .whole
            return
        }
        self = Self.parse(field, byteCount: byteCount)
    }

    static func parse(_ field: String, byteCount: UInt64) -> ByteRange {
        guard field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return .whole }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return .whole }
        switch (UInt64(ends[0]), UInt64(ends[1])) {
        case (nil, let suffix?):
            guard ends[0].isEmpty else { return .unsatisfiable }
            guard suffix > 0, byteCount > 0 else { return .unsatisfiable }
            return .part(byteCount - min(suffix, byteCount)..<byteCount)
        case (let first?, let last):
            guard last != nil || ends[1].isEmpty else { return .unsatisfiable }
            guard last.map({ $0 >= first }) ?? true else { return .whole }
            guard first < byteCount else { return .unsatisfiable }
            return .part(first..<min(last ?? byteCount, byteCount - 1) + 1)
        case (nil, nil):
            return .whole
        }
    }
}

/// The name under which a photo is saved, made here: `<event>-<frame>-<author>.jpg`. Never the name that it came with.
package struct DownloadName: Equatable, Sendable {
    /// Letters, digits and hyphens of any script, at most 120 bytes of UTF-8, then the type's ending.
    package let text: String

    package init(of photo: PortalPhoto, event: String?, type: DisposableModel.MediaType) {
        let frame: String
        switch photo.state {
        case .frame(let number): frame = String(number)
        case .waiting: frame = "x" + photo.id.short
        }
        let parts = [Self.part(event ?? "event", byteCountMax: 60), frame, Self.part(photo.authorName ?? "", byteCountMax: 40)]
        text = parts.filter { !$0.isEmpty }.joined(separator: "-") + "." + type.fileExtension
    }

    /// What is no letter and no digit becomes a hyphen, several of them one.
    private static func part(_ name: String, byteCountMax: Int) -> String {
        var part = ""
        for word in name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let next = part.isEmpty ? String(word) : part + "-" + word
            guard next.utf8.count <= byteCountMax else { break }
            part = next
        }
        return part
    }

    /// RFC 6266: once as ASCII for everybody, once as it is.
    var contentDisposition: String {
        let plain = String(decoding: text.utf8.map { $0 < 128 ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        let encoded = text.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
