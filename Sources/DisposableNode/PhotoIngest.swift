// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableImaging
internal import DisposableModel
internal import DisposableStore
internal import Foundation
internal import Glibc

/// The import of a file as a photo: it is copied, cleaned of identifying metadata, decoded, sealed, and durable before
/// it is announced.
struct PhotoIngest: Sendable {
    let store: EventStore
    let images: ImageWorkerPool
    let cleaners: ImageWorkerPool
    /// Files are read and sealed on this queue, two at a time, never on the node's own threads.
    let queue: DispatchQueue
    let metadata: MetadataPolicy
    /// The key to which the photos' keys are sealed; `nil` if photos are shown at once.
    let recipient: AgreementPublicKey?
    /// The videos that are accepted.
    var videos = VideoRule.on
    /// The time by which the camera's clock is ahead; negative if it is behind.
    var cameraAheadMilliseconds: Int64 = 0

    /// The treatment of metadata about location, camera and author.
    enum MetadataPolicy: Sendable {
        case keep
        /// Removed; a warning reports a file in which some may be left.
        case remove
        /// Removed; a file in which some may be left is refused, if nobody would read a warning.
        case removeOrRefuse
    }

    /// The descriptions of a file whose blobs are already stored.
    struct Prepared: Sendable {
        let photo: PhotoManifest
        let original: OriginalManifest
        /// The hash of the file before its metadata was removed; `nil` for one that was prepared in place.
        let sourceSha256: Bytes32?
        /// The roots of all blobs, for `BlobStore.noteStated`.
        let roots: [BlobRoot]
        let warnings: [String]
    }

    /// Returns the prepared file, or the reason why it cannot be added.
    func result(of file: SourceFile) async -> Result<Prepared, any Error> {
        if let problem = file.problem { return .failure(Refusal.refusedFile(reason: problem)) }
        do { return .success(try await prepare(path: file.path)) } catch { return .failure(error) }
    }

    /// Prepares a copy of the file. Throws `Refusal` for a refused file, `StoreError` for
    /// an error of the disk.
    func prepare(path: String) async throws -> Prepared {
        let copy = store.folder.incomingPath + "/" + Entropy.bytes(12).hex
        let result: Result<Prepared, any Error>
        do {
            let (media, sha256) = try await offload { [store] in
                try DiskRoom(at: store.folder.path).check()
                return try Self.copy(path, to: copy)
            }
            result = .success(try await prepare(inPlace: copy, media: media, sourceSha256: sha256))
        } catch {
            result = .failure(error)
        }
        // In any case, even if the task was cancelled. If the disk fails, the next start removes the rest.
        do { try await offload { [store] in try store.folder.eraseIncoming(copy) } } catch {
            guard case .success = result else { return try result.get() }
            throw error
        }
        return try result.get()
    }

    /// Prepares a file that nobody else changes, without a copy: its metadata is overwritten in it. The caller erases
    /// it. Throws the same errors as `prepare(path:)`.
    /// - Parameter check: may throw before anything is kept.
    func prepare(
        inPlace path: String, check: (OriginalManifest) async throws -> Void
    ) async throws -> Prepared {
        let media = try await offload { [store] in
            try DiskRoom(at: store.folder.path).check()
            let (source, media) = try Self.open(path)
            close(source)
            return media
        }
        return try await prepare(inPlace: path, media: media, sourceSha256: nil, check: check)
    }

    private func prepare(
        inPlace copy: String, media: MediaFormat, sourceSha256: Bytes32?,
        check: (OriginalManifest) async throws -> Void = { _ in }
    ) async throws -> Prepared {
        var warnings: [String] = []
        if videos == .off, media.family == .video { throw Refusal.refusedVideo(secondsMax: videos.secondsMax ?? 0) }
        if metadata != .keep {
            let report = try await clean(copy)
            try checkLength(report, media: media)
            if report?.isUnparsable ?? true {
                guard metadata == .remove else { throw Refusal.metadataLeft }
                warnings.append("its structure is corrupt, so location and serial numbers may be left in it")
            }
        }
        // The decoding and the sealing only read the file.
        async let rendering = render(copy, media: media)
        let original = try await offload { [store] in
            try store.blobs.prepare(fileAt: copy, blobClass: .original, importSecret: store.keys.importSecret)
        }
        let (rendered, renderWarnings) = await rendering
        warnings += renderWarnings
        let renditions = rendered?.renditions
        let warningsSoFar = warnings
        let (prepared, blobs) = try await offload { [store] in
            let secret = store.keys.importSecret
            var blobs = [original]
            func prepare(_ bytes: [UInt8]?, _ blobClass: BlobClass) throws -> BlobReference? {
                guard let bytes else { return nil }
                let blob = try store.blobs.prepare(bytes, blobClass: blobClass, importSecret: secret)
                blobs.append(blob)
                return try sealed(blob.reference)
            }
            let thumbnail = try prepare(renditions?.thumbnail, .thumbnail)
            let preview = try prepare(renditions?.preview, .preview)
            let mediaType = MediaType(rawValue: media.mimeType) ?? .other
            // Wrapping, since a decoder that a hostile file has compromised may return any time.
            let takenAt = rendered?.capturedAt.flatMap { UInt64(exactly: $0.milliseconds &- cameraAheadMilliseconds) }
            let prepared = Prepared(
                photo: PhotoManifest(
                    thumbnail: thumbnail, preview: preview, takenAtMilliseconds: takenAt,
                    width: UInt32(renditions?.width ?? 0), height: UInt32(renditions?.height ?? 0),
                    mediaType: mediaType),
                original: OriginalManifest(
                    original: try sealed(original.reference), sha256: original.sha256, mediaType: mediaType),
                sourceSha256: sourceSha256, roots: blobs.map(\.reference.root), warnings: warningsSoFar)
            return (prepared, blobs)
        }
        try await check(prepared.original)
        try await offload { [store] in try store.blobs.commit(blobs) }
        return prepared
    }

    private func sealed(_ reference: BlobReference) throws -> BlobReference {
        guard let recipient else { return reference }
        return try reference.sealed(to: recipient, importSecret: store.keys.importSecret)
    }

    /// The difference between the length that a person means and that of the last frame and its sound, in milliseconds.
    static let videoToleranceMilliseconds = 1_000

    /// Throws `Refusal` for a video that is longer than the event's limit, or whose length nobody knows.
    private func checkLength(_ report: ScrubReport?, media: MediaFormat) throws {
        guard case .seconds(let limit) = videos, media.family == .video else { return }
        guard let duration = report?.durationMilliseconds,
            duration <= Int(limit) * 1_000 + Self.videoToleranceMilliseconds
        else { throw Refusal.refusedVideo(secondsMax: videos.secondsMax ?? 0) }
    }

    /// Removes identifying metadata from the file, in another process. Returns `nil`, as metadata may be left, for a
    /// file that crashed that process or kept it busy for too long. Throws `NodeError.storage` if no process can clean.
    private func clean(_ path: String) async throws -> ScrubReport? {
        do { return try await cleaners.clean(path: path) } catch let error as ImagingError {
            switch error {
            // Killed from outside: by the system for lack of memory, or by a person.
            case .workerCrashed(SIGKILL), .workerCrashed(SIGTERM): break
            case .workerCrashed, .timedOut: return nil
            default: break
            }
            throw NodeError.storage("the file cannot be cleaned of metadata now: \(error)")
        }
    }

    /// Renders a picture. One that cannot be decoded is kept: other machines may be able to.
    private func render(_ path: String, media: MediaFormat) async -> (image: RenderedImage?, warnings: [String]) {
        var warnings: [String] = []
        do {
            let rendered = try await images.render(path: path)
            if rendered.warnings.contains(.damaged) {
                warnings.append("the picture is corrupt; its readable part is shown")
            }
            if rendered.warnings.contains(.noDecoder) {
                warnings.append("\(media.mimeType) cannot be shown by this machine; the file is kept")
            }
            return (rendered, warnings)
        } catch {
            return (nil, ["no preview: \(error); the file is kept"])
        }
    }

    /// Returns the descriptor of an accepted file, which the caller closes.
    private static func open(_ path: String) throws -> (descriptor: Int32, media: MediaFormat) {
        let source = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard source >= 0 else { throw Refusal.refusedFile(reason: String(cString: strerror(errno))) }
        do {
            var status = stat()
            guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw Refusal.refusedFile(reason: "not a regular file")
            }
            guard status.st_size > 0 else { throw Refusal.refusedFile(reason: "empty file") }
            let limit = BlobClass.original.byteCountMax
            guard UInt64(status.st_size) <= limit else {
                throw Refusal.refusedFile(reason: "\(status.st_size >> 20) MiB; the limit is \(limit >> 20) MiB")
            }
            guard let media = try MediaFormat.sniff(fileAt: path) else {
                throw Refusal.refusedFile(reason: "neither a photo nor a video by its first bytes")
            }
            return (source, media)
        } catch {
            close(source)
            throw error
        }
    }

    /// Copies the file while hashing it; the size limit applies to the bytes read, whatever the folder says.
    private static func copy(
        _ path: String, to copy: String
    ) throws -> (media: MediaFormat, sha256: Bytes32) {
        let (source, media) = try open(path)
        defer { close(source) }
        let limit = BlobClass.original.byteCountMax
        let target = Glibc.open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw NodeError.system("create \(copy)", code: errno) }
        defer { close(target) }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var total: UInt64 = 0
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            guard count >= 0 else { throw Refusal.refusedFile(reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            total += UInt64(count)
            guard total <= limit else { throw Refusal.refusedFile(reason: "it grows while it is read") }
            let part = buffer[..<count]
            hash.update(part.span)
            var written = 0
            while written < count {
                let step = part[written...].withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
                guard step > 0 else { throw NodeError.system("write \(copy)", code: errno) }
                written += step
            }
        }
        return (media, hash.finalize())
    }

    private func offload<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await queue.run(work)
    }
}

extension DispatchQueue {
    /// Runs blocking work on this queue instead of on the threads that Swift's tasks share.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }
}
