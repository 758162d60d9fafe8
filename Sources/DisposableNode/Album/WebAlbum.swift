// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Foundation

/// An album as sealed pieces that any web host or stick can carry (protocol/web-album.md): the keys, and the list of
/// its photos.
///
/// The bytes of all files are one stream, cut into pieces of one size and sealed one by one; the list is another such
/// stream. A piece's name is its nonce, derived from the key: without the key neither names nor sizes tell anything.
struct WebAlbum: Codable, Sendable, Equatable {
    /// The plaintext of a piece.
    static let pieceByteCount = 524_288
    static let folderName = "pieces"

    /// A file in the stream.
    struct Part: Codable, Sendable, Equatable {
        var start: UInt64
        var byteCount: UInt64
    }

    struct Photo: Codable, Sendable, Equatable {
        /// The name for a saved copy.
        var name: String
        var mediaType: String
        var authorName: String
        var takenAt: String?
        var addedAt: String
        var caption: String?
        /// The text of the mission that it answers.
        var mission: String?
        /// The zone of the node that took it in.
        var zone: String?
        /// Degrees clockwise by which its author has turned it: 90, 180 or 270; absent for 0.
        var turn: Int?
        var reactions: [String: Int]?
        var comments: [AlbumManifest.Comment]?
        var thumbnail: Part?
        var preview: Part?
        /// Absent in an album without originals, and if it had not arrived.
        var original: Part?
    }

    var name: String
    var organizer: String
    /// Milliseconds since 1970 UTC.
    var startsAt: UInt64
    var exportedAt: String
    /// The authors of the photos. Several people may have the same name.
    var authorCount: Int
    var photos: [Photo]

    /// The two streams of pieces.
    enum Stream: UInt8 {
        case list = 0
        case files = 1
    }

    /// The keys that follow from an album's key.
    struct Keys {
        private let names: SecretBytes
        let pieces: SecretBytes

        init(_ key: SecretBytes) {
            var names = MessageCode.code(of: Array("names".utf8), key: key)
            var pieces = MessageCode.code(of: Array("pieces".utf8), key: key)
            self.names = SecretBytes(consuming: &names)
            self.pieces = SecretBytes(consuming: &pieces)
        }

        /// Returns the nonce of a piece, which is also its name.
        func nonce(_ stream: Stream, _ index: UInt64) -> [UInt8] {
            let place = [stream.rawValue] + (0..<8).map { UInt8(truncatingIfNeeded: index >> (56 - 8 * $0)) }
            return Array(MessageCode.code(of: place, key: names).prefix(SecretBox.nonceByteCount))
        }
    }
}

/// Writes a stream of a web album as pieces.
struct WebAlbumWriter {
    private let keys: WebAlbum.Keys
    private let stream: WebAlbum.Stream
    private let folder: String
    private var pending: [UInt8] = []
    private var index: UInt64 = 0
    /// The length of the stream so far.
    private(set) var byteCount: UInt64 = 0

    init(_ stream: WebAlbum.Stream, keys: WebAlbum.Keys, folder: String) {
        (self.stream, self.keys, self.folder) = (stream, keys, folder)
    }

    mutating func append(_ bytes: [UInt8]) throws {
        byteCount += UInt64(bytes.count)
        pending += bytes
        while pending.count >= WebAlbum.pieceByteCount {
            try write(Array(pending.prefix(WebAlbum.pieceByteCount)))
            pending.removeFirst(WebAlbum.pieceByteCount)
        }
    }

    /// Writes the last piece, as long as the others.
    mutating func finish() throws {
        guard !pending.isEmpty else { return }
        try write(pending + [UInt8](repeating: 0, count: WebAlbum.pieceByteCount - pending.count))
        pending = []
    }

    /// The number of pieces that are written.
    var pieceCount: Int { Int(index) }

    private mutating func write(_ plaintext: [UInt8]) throws {
        let nonce = keys.nonce(stream, index)
        let box = SecretBox.seal(plaintext, key: keys.pieces, nonce: nonce)
        // A page that was opened from a disk may read other files only as scripts.
        let text = "piece(\"\(nonce.hex)\",\"\(Data(box).base64EncodedString())\")\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(nonce.hex).js"))
        index += 1
    }
}
