// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableValues
internal import Foundation

/// The content of an exported album (protocol/album.md): `manifest.json`, signed byte for byte in `manifest.sig`, with
/// the event's operations beside it in `operations.bin`.
public struct AlbumManifest: Codable, Sendable, Equatable {
    public static let format = "disposable album 0"
    static let fileName = "manifest.json"
    static let signatureFileName = "manifest.sig"
    static let operationsFileName = "operations.bin"
    static let photosFolderName = "photos"
    static let thumbnailsFolderName = "thumbnails"
    static let previewsFolderName = "previews"

    public struct Event: Codable, Sendable, Equatable {
        public var id: String
        /// The event's public key, whose hash is the event's id.
        public var key: String
        public var name: String
        public var organizer: String
        /// Milliseconds since 1970 UTC.
        public var startsAt: UInt64
        public var endsAt: UInt64
        /// The word of the event's theme; absent in albums of before.
        public var theme: String?
        /// The id of the photo that is the event's cover; absent if it is not among the photos here.
        public var cover: String?
    }

    public struct Photo: Codable, Sendable, Equatable {
        /// Path in the album: `photos/0001-Anna-7.jpg`.
        public var file: String
        public var thumbnail: String?
        /// A JPEG of screen size, which every browser shows.
        public var preview: String?
        public var sha256: String
        public var byteCount: UInt64
        public var mediaType: String
        public var id: String
        public var author: String
        public var authorName: String
        public var frame: UInt64
        public var takenAt: String?
        public var addedAt: String
        public var caption: String?
        /// The text of the mission that it answers; absent in albums of before.
        public var mission: String?
        /// The zone of the node that took it in; absent without one.
        public var zone: String?
        /// Degrees clockwise by which its author has turned it: 90, 180 or 270; absent for 0.
        public var turn: Int?
        /// The number of people behind each emoji.
        public var reactions: [String: Int]?
        /// Oldest first.
        public var comments: [Comment]?
    }

    public struct Comment: Codable, Sendable, Equatable {
        public var author: String
        /// ISO 8601.
        public var saidAt: String
        public var text: String
    }

    public var format: String
    public var event: Event
    /// The gallery digest (disposable-v1.md §9.8), as every node showed it.
    public var digest: String
    /// ISO 8601.
    public var exportedAt: String
    /// The device that signed the manifest.
    public var signer: String
    /// In the gallery's order.
    public var photos: [Photo]

    static func signedBytes(manifest: [UInt8], event: EventID) -> [UInt8] {
        Domain.album + event.bytes + BLAKE2b.hash(manifest).bytes
    }

    /// Reads the manifest of the album in `folder`. Throws `AlbumError`.
    public static func manifest(of folder: String) throws -> AlbumManifest { try read(from: folder).0 }

    static func read(from folder: String) throws -> (AlbumManifest, bytes: [UInt8]) {
        let bytes = try AlbumError.reading(fileName, in: folder, byteCountMax: 256 << 20)
        guard let manifest = try? JSONDecoder().decode(AlbumManifest.self, from: Data(JSONNesting.checked(bytes))) else {
            throw AlbumError.notAnAlbum(path: folder)
        }
        guard manifest.format == format else { throw AlbumError.unknownFormat(manifest.format) }
        return (manifest, bytes)
    }
}

/// A reason why an album cannot be verified at all.
public enum AlbumError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAnAlbum(path: String)
    case missing(String)
    case tooLarge(String, limit: Int)
    case unknownFormat(String)

    public var description: String {
        switch self {
        case .notAnAlbum(let path): "\(path) is not an album, or its manifest.json is corrupt"
        case .missing(let name): "\(name) is missing"
        case .tooLarge(let name, let limit): "\(name) is larger than \(limit) bytes, the limit for an album"
        case .unknownFormat(let format): "the album has the format \"\(format)\", which this version does not support"
        }
    }

    static func reading(_ name: String, in folder: String, byteCountMax: Int) throws -> [UInt8] {
        let path = "\(folder)/\(name)"
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes?[.size] as? Int, attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw name == AlbumManifest.fileName ? AlbumError.notAnAlbum(path: folder) : AlbumError.missing(name)
        }
        guard size <= byteCountMax else { throw AlbumError.tooLarge(name, limit: byteCountMax) }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
