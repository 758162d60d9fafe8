// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import DisposableSystem
package import DisposableWeb
internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore

/// An upload held by one request, through `UploadStore.withUpload`.
package struct HeldUpload: Sendable {
    package let id: UploadID
    let session: GuestSession
    /// The address of the request.
    private let address: String
    let store: UploadStore
    /// The durable contents, unless `isCertain` is false.
    package private(set) var contents: UploadFile.Contents
    /// False after an error of the disk: then the file is read again.
    private(set) var isCertain = true
    /// Whether the node finishes it, so that this request does not put it back.
    private(set) var isTaken = false
    private let file: UploadFile
    private let offsetBefore: UInt64
    /// The time since the upload's last progress before this request.
    private let idleTime: Duration
    /// The disk space that the upload may use before it has to ask for more.
    private var claimedByteCount: UInt64

    init(
        id: UploadID, session: GuestSession, address: String, file: UploadFile, store: UploadStore,
        contents: UploadFile.Contents,
        idleTime: Duration
    ) {
        self.id = id
        self.session = session
        self.address = address
        self.file = file
        self.store = store
        self.contents = contents
        self.idleTime = idleTime
        offsetBefore = contents.end.offset
        claimedByteCount = contents.end.fileByteCount
    }

    /// Whether this request has brought bytes.
    var hasMoved: Bool { contents.end.offset > offsetBefore }

    /// The time after which the upload is dropped without further bytes.
    var timeLeft: Duration {
        let isRenewed = hasMoved || contents.isComplete
        return max(.zero, store.limits.lifetime - (isRenewed ? .zero : idleTime))
    }

    /// Appends `body`, until it ends or breaks off; the received bytes are durable when this returns or throws. Throws
    /// 413 beyond the upload's length, and drops the bytes after it.
    /// - Parameter checksum: of the whole body. Then nothing of a truncated or wrong body is kept; throws 460 for a
    ///   wrong checksum.
    package mutating func receive(_ body: RequestBody, _ checksum: UploadChecksum? = nil) async throws {
        isCertain = false
        let (file, start) = (file, contents.end)
        try await offTheLoops { try file.cut(to: start) }
        let (written, failure) = try await write(body, checksum)
        let (hasChecksum, isWrong) = (checksum != nil, failure != nil)
        contents.end = try await offTheLoops {
            var end = written
            if hasChecksum, isWrong {
                try file.cut(to: start)
                end = start
            } else if hasChecksum {
                end = try file.verify(after: written)
            }
            try file.synchronize()
            return end
        }
        isCertain = true
        if let failure { throw failure }
    }

    /// Returns the end of the body's records, and the reason if the body is incomplete.
    private mutating func write(
        _ body: RequestBody, _ checksum: UploadChecksum?
    ) async throws -> (end: UploadFile.End, failure: (any Error)?) {
        var (end, rest) = (contents.end, [UInt8]())
        var running = checksum.map { UploadChecksum.Running($0.algorithm) }
        var (iterator, failure) = (body.makeAsyncIterator(), (any Error)?.none)
        while failure == nil {
            do {
                guard let buffer = try await iterator.next() else { break }
                guard end.offset + UInt64(rest.count + buffer.readableBytes) <= contents.head.length else {
                    throw PortalError(
                        .contentTooLarge, "too-long", "the body exceeds the upload's \(contents.head.length) bytes")
                }
                rest += buffer.readableBytesView
                running?.update(Array(buffer.readableBytesView))
            } catch {
                failure = error
            }
            while rest.count >= UploadFile.plaintextByteCountMax {
                let record = Array(rest.prefix(UploadFile.plaintextByteCountMax))
                end = try await append(record, after: end, isVerified: checksum == nil)
                rest.removeFirst(UploadFile.plaintextByteCountMax)
            }
        }
        if !rest.isEmpty { end = try await append(rest, after: end, isVerified: checksum == nil) }
        if failure == nil, let checksum, let running, !running.matches(checksum) { failure = UploadChecksum.mismatch }
        return (end, failure)
    }

    private mutating func append(
        _ bytes: [UInt8], after end: UploadFile.End, isVerified: Bool
    ) async throws -> UploadFile.End {
        guard end.recordCount < store.limits.recordsPerUpload else {
            throw PortalError(
                .contentTooLarge, "too-many-pieces", "the upload came in more than \(end.recordCount) pieces")
        }
        let needed = end.fileByteCount + UInt64(bytes.count + UploadFile.recordOverhead)
        if needed > claimedByteCount {
            let ahead = end.fileByteCount + min(contents.head.length - end.offset, store.limits.unfinished.window)
            let wanted = max(needed, ahead)
            try await store.grow(UploadName(session: session.id, upload: id), to: wanted)
            claimedByteCount = wanted
        }
        return try await store.onDisk(needing: 0) { [file] in
            try file.append(bytes, after: end, isVerified: isVerified)
        }
    }

    /// Makes a photo of a complete upload, unless it is one already; photo and outcome are durable when this returns.
    ///
    /// A stop between the photo and the record of it does no harm: done again, the same bytes by the same guest are the
    /// same photo.
    /// - Parameter mayBegin: asked when its turn has come; throws to leave the upload as it is.
    package mutating func complete(
        isTaken: Bool = false, mayBegin: () async throws -> Void = {}
    ) async throws -> PhotoID {
        if let outcome = contents.outcome { return try outcome.photo() }
        guard let guest = session.guest else { throw PortalError(Refusal.notAdmitted) }
        let outcome: UploadFile.Outcome
        do {
            outcome = try await store.completions.withPlace(for: guest, at: address, isCounted: !isTaken) {
                try await mayBegin()
                return try await ask(for: guest)
            }
        } catch let refusal as Refusal where refusal.isAboutTheGuest {
            // The bytes are useless as long as that lasts, so their space is released: the client starts over.
            do { try await store.drop(id, of: session) } catch {
                isCertain = false  // the rest of them expires
            }
            throw refusal
        } catch {
            isCertain = !(error is DamagedUpload || error is FileError)
            throw error
        }
        isCertain = false
        let (file, before) = (file, contents)
        contents = try await offTheLoops { try file.settle(before, as: outcome) }
        isCertain = true
        return try outcome.photo()
    }

    /// Has the node finish a complete upload without its client, after a restart as well. Returns once that is on disk;
    /// false if the client has to wait for the photo.
    package mutating func takeOver() async -> Bool {
        guard contents.isComplete, contents.outcome == nil, let guest = session.guest else { return false }
        let description = TakenUpload(key: file.key, guest: guest, address: address)
        isTaken = await store.take(UploadName(session: session.id, upload: id), description, from: session.gallery)
        return isTaken
    }

    /// Asks the gallery, with the plaintext in a temporary file that is overwritten and removed afterwards.
    private func ask(for guest: AuthorID) async throws -> UploadFile.Outcome {
        let path = store.folder.temporaryPath()
        do {
            let outcome = try await ask(for: guest, plaintextAt: path)
            await store.folder.eraseTemporary(path)
            return outcome
        } catch {
            await store.folder.eraseTemporary(path)
            throw error
        }
    }

    private func ask(for guest: AuthorID, plaintextAt path: String) async throws -> UploadFile.Outcome {
        let (file, contents) = (file, contents)
        try await store.onDisk(needing: contents.head.length) { try file.copyPlaintext(of: contents, to: path) }
        do {
            let described = SentFile(metadata: contents.head.metadata)
            return .photo(try await store.add(fileAt: path, by: guest, described, to: session.gallery))
        } catch let refusal as Refusal where refusal.isAboutTheFile {
            return .refused(refusal)
        }
    }
}

extension UploadFile.Outcome {
    /// Returns the photo, or throws the refusal.
    fileprivate func photo() throws(PortalError) -> PhotoID {
        switch self {
        case .photo(let id): return id
        case .refused(let refusal): throw PortalError(refusal)
        }
    }
}

extension Refusal {
    /// Whether the guest may add no photo now, whatever the file is.
    fileprivate var isAboutTheGuest: Bool {
        switch self {
        case .rollFull, .noTicket, .notBegun, .over, .removed, .hasLeft, .pageSealing: true
        default: false
        }
    }

    /// Whether the file is refused for good.
    fileprivate var isAboutTheFile: Bool {
        switch self {
        case .refusedFile, .refusedVideo, .metadataLeft: true
        default: false
        }
    }
}
