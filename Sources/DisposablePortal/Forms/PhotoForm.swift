// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore

/// Photos sent by a form, for browsers without JavaScript (protocol/guest-api.md §5).
///
/// Each file of the field `photo` becomes a photo as soon as it is complete, while the browser waits with the rest, so
/// that one file at a time is on disk. An empty file input is not a file. The field `consent` is the id of a text that
/// the guest agrees to, before the files; other fields are ignored. Of more files than the organizers let guests send
/// at once the first ones become photos.
package struct PhotoForm: Sendable {
    /// The outcome of one file.
    package struct Outcome: Sendable {
        /// As sent by the browser, or empty.
        package let fileName: String
        package let result: Result<PhotoID, PortalError>
    }

    private enum Part: Sendable {
        case ignored
        case photo(fileName: String, path: String, byteCount: UInt64)
        case refused(fileName: String, PortalError)
        /// The result of the consent field.
        case consent([UInt8])
    }

    package private(set) var outcomes: [Outcome] = []
    private let session: GuestSession
    private let guest: AuthorID
    private let store: UploadStore
    /// The client of the form.
    private let address: String
    /// Whether the session has not ended yet.
    private let isOpen: @Sendable () async -> Bool
    private var part = Part.ignored
    /// The name under which the form counts in the store's limits.
    private let claim: UploadName
    private var claimedByteCount: UInt64 = 0

    /// Throws 403 for a session without a guest, 429 or 503 if there is no room for its files. Call `read` after it.
    /// - Parameter isOpen: whether the session has not ended; asked before each file becomes a photo.
    package init(
        for session: GuestSession, store: UploadStore, from address: String,
        isOpen: @escaping @Sendable () async -> Bool
    ) async throws {
        guard let guest = session.guest else { throw PortalError(Refusal.notAdmitted) }
        self.session = session
        self.guest = guest
        self.store = store
        self.address = address
        self.isOpen = isOpen
        claim = try await store.beginForm(of: session, from: address)
    }

    /// Reads the form to its end. Throws 400 for a malformed form, and 503 if the disk is full; files completed before
    /// stay photos. No temporary file is left in any case.
    package mutating func read(_ body: RequestBody, contentType: String) async throws {
        do {
            var parser = try MultipartParser(contentType: contentType)
            for try await buffer in body {
                parser.feed(buffer.readableBytesView)
                while let event = try parser.next() { try await handle(event) }
            }
            try parser.checkComplete()
            await store.endForm(claim, of: session)
        } catch {
            await removeFile()
            await store.endForm(claim, of: session)
            if let failure = error as? MultipartParser.Failure { throw PortalError(failure) }
            throw error
        }
    }

    private mutating func handle(_ event: MultipartParser.Event) async throws {
        switch event {
        case .part(let head):
            part = .ignored
            if head.name == "consent", head.fileName == nil { part = .consent([]) }
            if head.name == "photo", let fileName = head.fileName.map({ String($0.prefix(200)) }) {
                part =
                    try await refusal().map { .refused(fileName: fileName, $0) }
                    ?? .photo(fileName: fileName, path: store.folder.temporaryPath(), byteCount: 0)
            }
        case .bytes(let bytes): try await take(bytes)
        case .partEnd:
            try await finishPart()
            part = .ignored
            claimedByteCount = 0
            await store.noteFileGone(claim)
        case .end: break
        }
    }

    /// Returns why the guest can add no photo now, whatever the file is.
    private func refusal() async throws -> PortalError? {
        guard await session.gallery.consent(of: guest)?.isGiven == true else { return PortalError(Refusal.noConsent) }
        do {
            try await session.gallery.checkTimes(of: guest)
            // A form does not say where its files are from; what they are is seen once they are here.
            try await session.gallery.checkOptions(of: guest)
        } catch let error as Refusal { return PortalError(error) }
        let limit = await session.gallery.options().photosAtOnce
        return limit > 0 && outcomes.count >= limit ? .tooManyAtOnce(limit: limit) : nil
    }

    private mutating func take(_ bytes: [UInt8]) async throws {
        switch part {
        case .ignored, .refused: break
        case .consent(let id): part = id.count + bytes.count > 64 ? .ignored : .consent(id + bytes)
        case .photo(let fileName, let path, let byteCount):
            let after = byteCount + UInt64(bytes.count)
            guard after <= store.limits.byteCount else {
                await removeFile()
                part = .refused(fileName: fileName, .tooLarge(limit: store.limits.byteCount))
                return
            }
            if after > claimedByteCount {
                claimedByteCount = after + store.limits.unfinished.window
                try await store.grow(claim, to: claimedByteCount)
            }
            try await store.onDisk(needing: 0) {
                let file = try DiskFile(path, byteCount == 0 ? .creating : .updating)
                try file.write(bytes, at: byteCount)
            }
            part = .photo(fileName: fileName, path: path, byteCount: after)
        }
    }

    private mutating func finishPart() async throws {
        switch part {
        case .ignored: break
        case .refused(let fileName, let error): outcomes.append(Outcome(fileName: fileName, result: .failure(error)))
        case .consent(let id):
            guard let text = OperationID(hex: String(decoding: id, as: UTF8.self)) else { break }
            // The id of an outdated text is no consent, which is reported for each file.
            do { try await session.gallery.consent(to: text, by: guest) } catch Refusal.otherConsentText {}
        case .photo(_, _, 0): break
        case .photo(let fileName, let path, _):
            guard await isOpen() else { throw PortalError.noSession }
            let result: Result<PhotoID, PortalError>
            do {
                let photo = try await store.completions.withPlace(for: guest, at: address) {
                    try await store.add(fileAt: path, by: guest, to: session.gallery)
                }
                result = .success(photo)
            } catch let error as Refusal {
                result = .failure(PortalError(error))
            }
            await removeFile()
            outcomes.append(Outcome(fileName: fileName, result: result))
        }
    }

    private func removeFile() async {
        if case .photo(_, let path, _) = part { await store.folder.eraseTemporary(path) }
    }
}

extension PortalError {
    fileprivate init(_ failure: MultipartParser.Failure) {
        switch failure {
        case .noBoundary:
            self.init(
                .unsupportedMediaType, "wrong-content-type", "the form is not multipart/form-data with a boundary")
        case .headTooLong(let limit):
            self.init(
                .badRequest, "malformed-form", "a part of the form has more than \(limit) bytes of headers")
        case .malformedHead: self.init(.badRequest, "malformed-form", "a part of the form has an invalid head")
        case .tooManyParts(let limit):
            self.init(
                .contentTooLarge, "too-many-parts", "the form has more than \(limit) parts",
                hint: "send fewer photos at once")
        case .truncated: self.init(.badRequest, "malformed-form", "the form is truncated")
        }
    }
}
