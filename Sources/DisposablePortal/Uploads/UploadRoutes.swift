// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Resumable uploads: tus 1.0.0 with creation, termination, expiration and checksum (protocol/guest-api.md §5).
package struct UploadRoutes: Sendable {
    static let version = "1.0.0"
    /// The preference (RFC 7240) for an answer before the photo is there.
    private static let preference = "respond-async"

    private let store: @Sendable (GuestSession) throws -> UploadStore

    /// - Parameter store: of the session's event.
    package init(store: @escaping @Sendable (GuestSession) throws -> UploadStore) { self.store = store }

    /// - Parameter group: at an event's path.
    package func add(to group: RouterGroup) {
        let uploads = group.group("uploads").add(middleware: TusMiddleware())
        uploads.on("", method: .options, use: capabilities)
        uploads.on(":upload", method: .options, use: capabilities)
        uploads.post(use: create)
        uploads.head(":upload", use: status)
        uploads.patch(":upload", use: send)
        uploads.delete(":upload", use: terminate)
        // For clients whose network permits only GET and POST.
        uploads.post(":upload") { request, context in
            switch request.headers[.methodOverride] {
            case "PATCH": try await send(request, context)
            case "DELETE": try await terminate(request, context)
            case "HEAD": try await status(request, context)
            default: throw PortalError(.methodNotAllowed, "wrong-method", "an upload supports HEAD, PATCH and DELETE")
            }
        }
    }

    @Sendable private func capabilities(_ request: Request, _ context: PortalContext) async throws -> Response {
        let limits = try store(context.requireSession()).limits
        return Response(
            status: .noContent,
            headers: [
                .tusVersion: Self.version, .tusExtension: "creation,termination,expiration,checksum",
                .tusChecksumAlgorithm: UploadChecksum.algorithms, .tusMaxSize: "\(limits.byteCount)",
            ])
    }

    @Sendable private func create(_ request: Request, _ context: PortalContext) async throws -> Response {
        let (session, guest) = try context.requireGuest()
        let store = try store(session)
        guard await session.gallery.consent(of: guest)?.isGiven == true else {
            throw PortalError(Refusal.noConsent)
        }
        let length = try request.number(.uploadLength)
        guard length > 0 else { throw PortalError(Refusal.refusedFile(reason: "the file is empty")) }
        guard length <= store.limits.byteCount else {
            throw PortalError.tooLarge(limit: store.limits.byteCount)
        }
        try await session.gallery.checkTimes(of: guest)
        let metadata = request.headers[.uploadMetadata] ?? ""
        guard TusMetadata.isWellFormed(metadata, byteCountMax: store.limits.metadataByteCount) else {
            throw PortalError(.badRequest, "malformed-header", "Upload-Metadata is not a list of keys and base64")
        }
        let described = SentFile(metadata: metadata)
        try await session.gallery.checkOptions(of: guest, described)
        let status = try await session.gallery.guest(guest)
        if let limit = status.frameLimit, status.usedFrameCount >= limit {
            throw PortalError(try await session.gallery.fullRefusal(of: guest, limit: limit))
        }
        // A guest that has agreed at another node has not joined here yet.
        _ = try await context.requireActingGuest()
        let id = try await store.create(
            .init(length: length, metadata: metadata), for: session, from: context.addressKey)
        if let ahead = described.clockAhead { store.clocks.note(ahead, of: guest) }
        let path = request.uri.path
        return Response(
            status: .created,
            headers: [
                .location: path.hasSuffix("/") ? "\(path)\(id)" : "\(path)/\(id)",
                .uploadExpires: store.limits.lifetime.expiry,
            ])
    }

    @Sendable private func status(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let store = try store(session)
        let id = try context.upload()
        if let contents = await store.takenContents(id, of: session) {
            return Response(status: .ok, headers: Self.status(contents, [.preferenceApplied: Self.preference]))
        }
        return try await store.withUpload(id, of: session, from: context.addressKey, for: .look) { upload in
            // All bytes are here and nobody was told what became of them: the machine, or the client, stopped just
            // then.
            let photo = upload.contents.isComplete ? try await upload.complete() : nil
            return Response(
                status: .ok, headers: Self.status(upload.contents, Self.progress(of: upload, photo: photo)))
        }
    }

    @Sendable private func send(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let store = try store(session)
        guard request.headers[.contentType] == "application/offset+octet-stream" else {
            throw PortalError(
                .unsupportedMediaType, "wrong-content-type", "the body of an upload is application/offset+octet-stream")
        }
        let offset = try request.number(.uploadOffset)
        let checksum = try request.headers[.uploadChecksum].map(UploadChecksum.init)
        let id = try context.upload()
        let isAsync = request.headers.prefer(Self.preference)
        let interrupt: @Sendable () -> Void = { [channel = context.channel] in channel.close(promise: nil) }
        return try await store.withUpload(id, of: session, from: context.addressKey, for: .body(interrupt: interrupt)) {
            upload in
            guard offset == upload.contents.end.offset else {
                throw PortalError(
                    .conflict, "wrong-offset", "the upload is at offset \(upload.contents.end.offset), not at \(offset)",
                    headers: [.uploadOffset: "\(upload.contents.end.offset)"])
            }
            if !upload.contents.isComplete { try await upload.receive(request.body, checksum) }
            if isAsync, await upload.takeOver() {
                return Response(
                    status: .noContent,
                    headers: [
                        .uploadOffset: "\(upload.contents.end.offset)", .preferenceApplied: Self.preference,
                    ])
            }
            let photo = upload.contents.isComplete ? try await upload.complete() : nil
            return Response(status: .noContent, headers: Self.progress(of: upload, photo: photo))
        }
    }

    @Sendable private func terminate(_ request: Request, _ context: PortalContext) async throws -> Response {
        let session = try context.requireSession()
        let store = try store(session)
        let id = try context.upload()
        if try await store.withdraw(id, of: session) { return Response(status: .noContent) }
        return try await store.withUpload(id, of: session, from: context.addressKey, for: .look) { upload in
            try await store.drop(upload.id, of: session)
            return Response(status: .noContent)
        }
    }

    /// - Parameter progress: what is said of the offset and the photo.
    private static func status(_ contents: UploadFile.Contents, _ progress: HTTPFields) -> HTTPFields {
        var headers = progress
        headers[.uploadOffset] = "\(contents.end.offset)"
        headers[.uploadLength] = "\(contents.head.length)"
        headers[.cacheControl] = "no-store"
        if !contents.head.metadata.isEmpty { headers[.uploadMetadata] = contents.head.metadata }
        return headers
    }

    private static func progress(of upload: HeldUpload, photo: PhotoID?) -> HTTPFields {
        var headers: HTTPFields = [.uploadOffset: "\(upload.contents.end.offset)"]
        if let photo {
            headers[.disposablePhoto] = "\(photo)"
        } else {
            headers[.uploadExpires] = upload.timeLeft.expiry
        }
        return headers
    }
}

extension PortalContext {
    fileprivate func upload() throws(PortalError) -> UploadID {
        guard let id = parameters.get("upload").flatMap({ UploadID(hex: $0) }) else { throw .unknownUpload }
        return id
    }
}

extension Duration {
    /// The time after this duration, as an HTTP date.
    fileprivate var expiry: String { HTTPDate.text(Date.now.addingTimeInterval(TimeInterval(components.seconds))) }
}

extension Request {
    /// Parses a number of bytes. Throws 400 for anything else, or for implausible numbers.
    fileprivate func number(_ name: HTTPField.Name) throws(PortalError) -> UInt64 {
        let text = headers[name] ?? ""
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(text)
        else { throw PortalError(.badRequest, "malformed-header", "\(name) is not a number of bytes") }
        return number
    }
}

/// The requirements of tus on every request and answer: both have the version, and a request of another one has no
/// effect.
private struct TusMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: PortalContext, next: @concurrent (Request, PortalContext) async throws -> Response
    ) async throws -> Response {
        do {
            guard request.method == .options || request.headers[.tusResumable] == UploadRoutes.version else {
                throw PortalError(
                    .preconditionFailed, "wrong-tus-version", "Tus-Resumable is not \(UploadRoutes.version)",
                    headers: [.tusVersion: UploadRoutes.version])
            }
            var response = try await next(request, context)
            response.headers[.tusResumable] = UploadRoutes.version
            return response
        } catch {
            guard var refusal = PortalError(refusing: error) else { throw error }
            refusal.headers[.tusResumable] = UploadRoutes.version
            throw refusal
        }
    }
}

extension HTTPFields {
    /// Whether `Prefer` has this preference.
    fileprivate func prefer(_ preference: String) -> Bool {
        self[values: .prefer].flatMap { $0.split(separator: ",") }.contains {
            $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() == preference
        }
    }
}

extension HTTPField.Name {
    static let prefer = Self("Prefer")!
    static let preferenceApplied = Self("Preference-Applied")!
    static let tusResumable = Self("Tus-Resumable")!
    static let tusVersion = Self("Tus-Version")!
    static let tusExtension = Self("Tus-Extension")!
    static let tusMaxSize = Self("Tus-Max-Size")!
    static let uploadLength = Self("Upload-Length")!
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadMetadata = Self("Upload-Metadata")!
    static let uploadExpires = Self("Upload-Expires")!
    static let methodOverride = Self("X-HTTP-Method-Override")!
    static let disposablePhoto = Self("Disposable-Photo")!
    static let disposableError = Self("Disposable-Error")!
}
