// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore

/// Photos sent by a form, for browsers without scripts (protocol/guest-api.md §5).
///
/// Each file of the field `photo` becomes a photo as soon as it is whole, while the browser waits with the rest; so one
/// file at a time is on disk. A file input left empty is no file. The field `consent` is the id of a text that the
/// guest agrees to, and stands before the files; other fields mean nothing.
package struct PhotoForm: Sendable {
    /// What became of one file.
    package struct Outcome: Sendable {
        /// As the browser says it, or empty.
        package let fileName: String
        package let result: Result<PhotoID, GalleryError>
    }

    private enum Part: Sendable {
        case ignored
        case photo(fileName: String, path: String, byteCount: UInt64)
        case refused(fileName: String, GalleryError)
        /// What has come of the text's id.
        case consent([UInt8])
    }

    package private(set) var outcomes: [Outcome] = []
    private let session: GuestSession
    private let guest: AuthorID
    private let store: UploadStore
    /// Where the form comes from.
    private let address: String
    private var part = Part.ignored
    /// What the form takes of the store's limits, by this name.
    private let claim: UploadName
    private var claimedByteCount: UInt64 = 0

    /// Throws 403 for a session without a guest, 429 or 503 where there is no room for its files. To be followed by
    /// `read`.
    package init(for session: GuestSession, store: UploadStore, from address: String) async throws {
        guard let guest = session.guest else { throw PortalError(GalleryError.notEntered) }
        self.session = session
        self.guest = guest
        self.store = store
        self.address = address
        claim = try await store.beginForm(of: session, from: address)
    }

    /// Reads the form to its end. Throws 400 for what is no form, and 503 where the disk is full; what had become a
    /// photo by then is one. No temporary file is left in any case.
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
                let hasConsented = await session.gallery.consent(of: guest)?.isGiven == true
                part =
                    hasConsented
                    ? .photo(fileName: fileName, path: store.folder.temporaryPath(), byteCount: 0)
                    : .refused(fileName: fileName, .noConsent)
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

    private mutating func take(_ bytes: [UInt8]) async throws {
        switch part {
        case .ignored, .refused: break
        case .consent(let id): part = id.count + bytes.count > 64 ? .ignored : .consent(id + bytes)
        case .photo(let fileName, let path, let byteCount):
            let after = byteCount + UInt64(bytes.count)
            guard after <= store.limits.byteCount else {
                await removeFile()
                let reason = "the file has more than \(store.limits.byteCount) bytes"
                part = .refused(fileName: fileName, .refused(reason: reason))
                return
            }
            if after > claimedByteCount {
                claimedByteCount = after + store.limits.window
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
            // Another text than the one that counts now is no consent, which is said of each file.
            do { try await session.gallery.consent(to: text, by: guest) } catch GalleryError.otherConsentText {}
        case .photo(_, _, 0): break
        case .photo(let fileName, let path, _):
            let result: Result<PhotoID, GalleryError>
            do {
                let photo = try await store.completions.withPlace(for: guest, at: address) {
                    try await store.add(fileAt: path, by: guest, to: session.gallery)
                }
                result = .success(photo)
            } catch let error as GalleryError {
                result = .failure(error)
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
                .badRequest, "malformed-form", "a part of the form begins with more than \(limit) bytes of headers")
        case .malformedHead: self.init(.badRequest, "malformed-form", "a part of the form does not say what it is")
        case .tooManyParts(let limit):
            self.init(
                .contentTooLarge, "too-many-parts", "the form has more than \(limit) parts",
                hint: "send fewer photos at once")
        case .truncated: self.init(.badRequest, "malformed-form", "the form ends in the middle")
        }
    }
}
