// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import DisposableSystem
internal import DisposableWeb

/// An upload on disk: an append-only file of sealed records.
///
/// ```
/// record = kind, 1 byte || length of sealed, 4 bytes || nonce, 24 random bytes || sealed
/// sealed = XChaCha20-Poly1305 of the plaintext, with kind || index of the record, 8 bytes, as associated data
/// key    = derive(storage key of the session, "disposable/1 upload", upload id)
/// ```
/// Numbers are big-endian. The first record is the head, data records follow. A finished upload no longer needs its
/// data: another file, with a head and an outcome, replaces it. Records that do not decrypt are ignored: a half-written
/// record after a stop of the machine, and everything after it, is truncated.
///
/// All calls block on the disk; one request at a time holds an upload (`UploadStore`).
package struct UploadFile: Sendable {
    package static let plaintextByteCountMax = 65_536

    package struct Head: Equatable, Sendable {
        /// The length of the complete upload in bytes.
        package let length: UInt64
        /// The `Upload-Metadata` header as sent.
        package let metadata: String

        package init(length: UInt64, metadata: String) {
            self.length = length
            self.metadata = metadata
        }
    }

    /// The offset of the next record.
    package struct End: Equatable, Sendable {
        package var recordCount: UInt64 = 0
        package var fileByteCount: UInt64 = 0
        /// The number of the upload's bytes that are here.
        package var offset: UInt64 = 0
    }

    /// The outcome of a complete upload.
    package enum Outcome: Equatable, Sendable {
        case photo(PhotoID)
        /// Finally refused: `.refusedFile`, `.metadataLeft` or `.refusedVideo`.
        case refused(Refusal)
    }

    package struct Contents: Equatable, Sendable {
        package let head: Head
        package var end: End
        package var outcome: Outcome?

        /// The photo that it became.
        var photo: PhotoID? { if case .photo(let id) = outcome { id } else { nil } }
        package var isComplete: Bool { end.offset == head.length }
    }

    private enum Kind: UInt8 {
        case head = 1
        case data, photo, refusal, metadataLeft
        /// Data of a body with a checksum. It counts once `verified` follows.
        case unverified, verified
        case refusedVideo
    }

    private static let headerByteCount = 1 + 4 + XChaCha20Poly1305.nonceByteCount
    /// The overhead of a record in the file, in bytes.
    static let recordOverhead = headerByteCount + XChaCha20Poly1305.tagByteCount

    private let name: UploadName
    private let folder: UploadFolder
    /// Seals this file; derived for this upload alone.
    let key: SecretBytes

    init(_ name: UploadName, key: SecretBytes, in folder: UploadFolder) {
        self.name = name
        self.folder = folder
        self.key = key
    }

    package init(_ id: UploadID, of session: GuestSession, in folder: UploadFolder) {
        name = UploadName(session: session.id, upload: id)
        self.folder = folder
        key = KeyDerivation.key(from: session.storageKey, context: Domain.Key.upload, input: id.bytes)
    }

    private var path: String { folder.path(of: name, isSettled: false) }

    // Writing

    /// Creates the upload; durable when this returns.
    package func create(_ head: Head) throws -> Contents {
        let file = try DiskFile(path, .creating)
        let end = try append(.head, Self.encode(head), to: file, after: End())
        try file.synchronize()
        try folder.synchronize()
        return Contents(head: head, end: end, outcome: nil)
    }

    /// Removes the remains of a failed write after `end`, so that they are not taken for newer records later.
    package func cut(to end: End) throws {
        try DiskFile(path, .updating).cut(toByteCount: end.fileByteCount)
    }

    /// Appends up to 64 KiB of the upload. They are durable after `synchronize`.
    /// - Parameter isVerified: false for data that counts only after `verify`.
    package func append(_ bytes: [UInt8], after end: End, isVerified: Bool = true) throws -> End {
        var end = try append(isVerified ? .data : .unverified, bytes, to: DiskFile(path, .updating), after: end)
        end.offset += UInt64(bytes.count)
        return end
    }

    /// Records that the data matches its checksum.
    package func verify(after end: End) throws -> End {
        try append(.verified, [], to: DiskFile(path, .updating), after: end)
    }

    /// Sets the file's modification time, which counts after a restart, to now.
    package func touch(isSettled: Bool) throws {
        try DiskFile(folder.path(of: name, isSettled: isSettled), .updating).touch()
    }

    package func synchronize() throws { try DiskFile(path, .updating).synchronize() }

    /// Replaces the data by the outcome; durable when this returns.
    package func settle(_ contents: Contents, as outcome: Outcome) throws -> Contents {
        let newPath = folder.temporaryPath()
        let file = try DiskFile(newPath, .creating)
        var end = try append(.head, Self.encode(contents.head), to: file, after: End())
        switch outcome {
        case .photo(let id): end = try append(.photo, id.bytes, to: file, after: end)
        case .refused(.metadataLeft): end = try append(.metadataLeft, [], to: file, after: end)
        case .refused(.refusedVideo(let seconds)):
            end = try append(.refusedVideo, seconds.bigEndianBytes, to: file, after: end)
        case .refused(let refusal):
            let reason = refusal.message(time: HTTPDate.text)
            end = try append(.refusal, Array(reason.utf8.prefix(1_000)), to: file, after: end)
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

    /// Reads the records that decrypt, and truncates the file after the last of them; `nil` without even a head.
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
                contents.outcome = .refused(.refusedFile(reason: String(decoding: bytes, as: UTF8.self)))
                contents.end = end
                contents.end.offset = head.length
            case .metadataLeft:
                contents.outcome = .refused(.metadataLeft)
                contents.end = end
                contents.end.offset = head.length
            case .refusedVideo:
                guard bytes.count == 4 else { break reading }
                let seconds = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                contents.outcome = .refused(.refusedVideo(secondsMax: seconds))
                contents.end = end
                contents.end.offset = head.length
            }
        }
        try file.cut(toByteCount: contents.end.fileByteCount)
        try file.synchronize()
        return contents
    }

    /// Writes the bytes of a complete upload to a new file. Throws `DamagedUpload` if they have changed.
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

    /// Returns the record at `end` and its end; `nil` if none decrypts.
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

/// Records that decrypted before no longer do: the disk has lost data.
package struct DamagedUpload: Error {}
