// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel

/// Names one upload within its session: 16 random bytes, in the address as 32 hexadecimal digits.
package struct UploadID: Hashable, Sendable, CustomStringConvertible {
    static let byteCount = 16
    let bytes: [UInt8]

    package init() { bytes = .random(count: Self.byteCount) }
    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 2 * Self.byteCount, let bytes = [UInt8](hex: hex) else { return nil }
        self.bytes = bytes
    }
    package var description: String { bytes.hex }
}

/// An upload on disk: a file of sealed records, to which is only ever added.
///
/// ```
/// record = kind, 1 byte || length of sealed, 4 bytes || nonce, 24 random bytes || sealed
/// sealed = XChaCha20-Poly1305 of the plaintext, with kind || index of the record, 8 bytes, as associated data
/// key    = derive(storage key of the session, "disposable/1 upload", upload id)
/// ```
/// Numbers are big-endian. The first record is the head, data records follow. A settled upload needs its data no more:
/// another file, with a head and an outcome, takes its place. What does not open is not there: a record half written
/// when the machine stopped, and all that follows, is cut off.
///
/// All calls block for as long as the disk takes; one request at a time has an upload in hand (`UploadStore`).
package struct UploadFile: Sendable {
    package static let plaintextByteCountMax = 65_536

    package struct Head: Equatable, Sendable {
        /// Bytes when complete.
        package let length: UInt64
        /// The `Upload-Metadata` header as it came.
        package let metadata: String

        package init(length: UInt64, metadata: String) {
            self.length = length
            self.metadata = metadata
        }
    }

    /// Where the next record goes.
    package struct End: Equatable, Sendable {
        package var recordCount: UInt64 = 0
        package var fileByteCount: UInt64 = 0
        /// Bytes of the upload that are here.
        package var offset: UInt64 = 0
    }

    /// What became of a complete upload.
    package enum Outcome: Equatable, Sendable {
        case photo(PhotoID)
        /// No photo, and never will be; in words for the guest.
        case refused(reason: String)
        /// The same, as its metadata cannot be taken out.
        case metadataLeft
    }

    package struct Contents: Equatable, Sendable {
        package let head: Head
        package var end: End
        package var outcome: Outcome?

        package var isComplete: Bool { end.offset == head.length }
    }

    private enum Kind: UInt8 {
        case head = 1
        case data, photo, refusal, metadataLeft
        /// Data of a body that has a checksum. It counts once `verified` follows.
        case unverified, verified
    }

    private static let headerByteCount = 1 + 4 + XChaCha20Poly1305.nonceByteCount
    /// What a record takes of the file beside its plaintext, in bytes.
    static let recordOverhead = headerByteCount + XChaCha20Poly1305.tagByteCount

    private let name: UploadName
    private let folder: UploadFolder
    private let key: SecretBytes

    package init(_ id: UploadID, of session: GuestSession, in folder: UploadFolder) {
        name = UploadName(session: session.id, upload: id)
        self.folder = folder
        key = KeyDerivation.key(from: session.storageKey, context: Domain.Key.upload, input: id.bytes)
    }

    private var path: String { folder.path(of: name, isSettled: false) }

    // Writing

    /// Returns when the upload is on disk.
    package func create(_ head: Head) throws -> Contents {
        let file = try DiskFile(path, .creating)
        let end = try append(.head, Self.encode(head), to: file, after: End())
        try file.synchronize()
        try folder.synchronize()
        return Contents(head: head, end: end, outcome: nil)
    }

    /// Removes what a failed write may have left behind `end`, lest it passes for something newer some day.
    package func cut(to end: End) throws {
        try DiskFile(path, .updating).cut(toByteCount: end.fileByteCount)
    }

    /// Adds up to 64 KiB of the upload. They are on disk after `synchronize`.
    /// - Parameter isVerified: false for data that counts only once `verify` has been called.
    package func append(_ bytes: [UInt8], after end: End, isVerified: Bool = true) throws -> End {
        var end = try append(isVerified ? .data : .unverified, bytes, to: DiskFile(path, .updating), after: end)
        end.offset += UInt64(bytes.count)
        return end
    }

    /// What has come is what was sent.
    package func verify(after end: End) throws -> End {
        try append(.verified, [], to: DiskFile(path, .updating), after: end)
    }

    /// Makes now the time that counts after a restart.
    package func touch(isSettled: Bool) throws {
        try DiskFile(folder.path(of: name, isSettled: isSettled), .updating).touch()
    }

    package func synchronize() throws { try DiskFile(path, .updating).synchronize() }

    /// Puts the outcome in the place of the data; returns when that is on disk.
    package func settle(_ contents: Contents, as outcome: Outcome) throws -> Contents {
        let newPath = folder.temporaryPath()
        let file = try DiskFile(newPath, .creating)
        var end = try append(.head, Self.encode(contents.head), to: file, after: End())
        switch outcome {
        case .photo(let id): end = try append(.photo, id.bytes, to: file, after: end)
        case .refused(let reason): end = try append(.refusal, Array(reason.utf8.prefix(1_000)), to: file, after: end)
        case .metadataLeft: end = try append(.metadataLeft, [], to: file, after: end)
        }
        try file.synchronize()
        try Disk.rename(newPath, to: folder.path(of: name, isSettled: true))
        try folder.synchronize()
        try Disk.remove(path)
        end.offset = contents.head.length
        return Contents(head: contents.head, end: end, outcome: outcome)
    }

    private func append(_ kind: Kind, _ plaintext: [UInt8], to file: DiskFile, after end: End) throws -> End {
        precondition(plaintext.count <= Self.plaintextByteCountMax, "a record of \(plaintext.count) bytes")
        let nonce = [UInt8].random(count: XChaCha20Poly1305.nonceByteCount)
        let sealed = XChaCha20Poly1305.seal(
            plaintext.span, authenticating: Self.associatedData(kind, index: end.recordCount).span, key: key,
            nonce: nonce)
        let record = [kind.rawValue] + UInt32(sealed.count).bigEndianBytes + nonce + sealed
        try file.write(record, at: end.fileByteCount)
        return End(
            recordCount: end.recordCount + 1, fileByteCount: end.fileByteCount + UInt64(record.count),
            offset: end.offset)
    }

    // Reading

    /// What the records say that open, those behind the last of them cut off; `nil` where there is not even a head.
    package func load(isSettled: Bool) throws -> Contents? {
        let file = try DiskFile(folder.path(of: name, isSettled: isSettled), .updating)
        guard let (kind, headBytes, headEnd) = try record(of: file, at: End()), kind == .head,
            let head = Self.decode(headBytes)
        else { return nil }
        var contents = Contents(head: head, end: headEnd, outcome: nil)
        var position = headEnd
        reading: while contents.outcome == nil, let (kind, bytes, end) = try record(of: file, at: position) {
            position = end
            switch kind {
            case .head: break reading
            case .data, .unverified:
                position.offset += UInt64(bytes.count)
                guard position.offset <= head.length else { break reading }
                if kind == .data { contents.end = position }
            case .verified: contents.end = position
            case .photo:
                guard let id = PhotoID(bytes) else { break reading }
                contents.outcome = .photo(id)
                contents.end = end
                contents.end.offset = head.length
            case .refusal:
                contents.outcome = .refused(reason: String(decoding: bytes, as: UTF8.self))
                contents.end = end
                contents.end.offset = head.length
            case .metadataLeft:
                contents.outcome = .metadataLeft
                contents.end = end
                contents.end.offset = head.length
            }
        }
        try file.cut(toByteCount: contents.end.fileByteCount)
        try file.synchronize()
        return contents
    }

    /// Writes the bytes of a complete upload to a new file. Throws `DamagedUpload` where they are not what they were.
    package func copyPlaintext(of contents: Contents, to path: String) throws {
        let (source, target) = (try DiskFile(self.path, .reading), try DiskFile(path, .creating))
        var (position, offset) = (End(), UInt64(0))
        while let (kind, bytes, end) = try record(of: source, at: position) {
            if kind == .data || kind == .unverified {
                try target.write(bytes, at: offset)
                offset += UInt64(bytes.count)
            }
            position = end
        }
        guard offset == contents.head.length else { throw DamagedUpload() }
    }

    /// The record at `end` and where it ends; `nil` where none opens.
    private func record(of file: DiskFile, at end: End) throws -> (Kind, [UInt8], End)? {
        let header = try file.read(Self.headerByteCount, at: end.fileByteCount)
        guard header.count == Self.headerByteCount, let kind = Kind(rawValue: header[0]) else { return nil }
        let sealedByteCount = header[1..<5].reduce(0) { $0 << 8 | Int($1) }
        guard sealedByteCount <= Self.plaintextByteCountMax + XChaCha20Poly1305.tagByteCount else { return nil }
        let start = end.fileByteCount + UInt64(Self.headerByteCount)
        let sealed = try file.read(sealedByteCount, at: start)
        guard sealed.count == sealedByteCount,
            let plaintext = try? XChaCha20Poly1305.open(
                sealed.span, authenticating: Self.associatedData(kind, index: end.recordCount).span, key: key,
                nonce: Array(header[5...]))
        else { return nil }
        let next = End(
            recordCount: end.recordCount + 1, fileByteCount: start + UInt64(sealedByteCount), offset: end.offset)
        return (kind, plaintext, next)
    }

    private static func associatedData(_ kind: Kind, index: UInt64) -> [UInt8] {
        [kind.rawValue] + index.bigEndianBytes
    }

    private static func encode(_ head: Head) -> [UInt8] {
        head.length.bigEndianBytes + Array(head.metadata.utf8)
    }

    private static func decode(_ bytes: [UInt8]) -> Head? {
        guard bytes.count >= 8 else { return nil }
        return Head(
            length: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            metadata: String(decoding: bytes[8...], as: UTF8.self))
    }
}

/// Records that opened once open no more: the disk has lost something.
package struct DamagedUpload: Error {}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension [UInt8] {
    /// Bytes from the system's random source.
    static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
