// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableImaging
package import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// Adding files as photos.
extension EventNode {
    /// Adds files and the files in folders, in the given order, and reports the result of each.
    func add(
        _ paths: [String], keepsMetadata: Bool, caption: String?, missionNumber: Int? = nil, clock: CameraClock? = nil,
        reply: (ControlReply) async -> Void
    ) async throws {
        try checkAdding(caption)
        let mission = try missionNumber.map { try self.mission(numbered: $0) }
        await beginImport()
        defer { endImport() }
        var ingest = ingest(metadata: keepsMetadata ? .keep : .remove, by: replica.deviceID)
        if let clock { ingest.cameraAheadMilliseconds = try await ahead(of: clock) }
        let files = paths.flatMap(SourceFile.expand)
        var failureCount = 0
        // Workers decode the next files while this one is signed. The order of the files decides their frames.
        let aheadCount = ImageWorkerPool.usualCount + 1
        try await withThrowingTaskGroup(of: Preparation.self) { group in
            var startedCount = 0
            var ready: [Int: Preparation] = [:]
            for index in files.indices {
                while startedCount < min(index + 1 + aheadCount, files.count) {
                    let (number, file) = (startedCount, files[startedCount])
                    startedCount += 1
                    group.addTask { [ingest] in Preparation(number: number, result: await ingest.result(of: file)) }
                }
                while ready[index] == nil, let done = try await group.next() { ready[done.number] = done }
                guard let preparation = ready.removeValue(forKey: index) else { throw NodeError.stopped }
                let outcome = try await state(preparation.result, of: files[index], caption, mission)
                if case .skipped(let file) = outcome, file.isFailure { failureCount += 1 }
                await reply(outcome)
                await reply(.progress(done: index + 1, total: files.count))
            }
        }
        await reply(.finished(exitCode: failureCount > 0 ? 1 : files.isEmpty ? 3 : 0))
    }

    /// Returns the settings for imports of this event at present. Organizers add videos of any length.
    func ingest(metadata: PhotoIngest.MetadataPolicy, by device: DeviceID) -> PhotoIngest {
        let state = replica.state
        let isOrganizer = (state.membership.rank(of: device) ?? .participant) >= .organizer
        return PhotoIngest(
            store: store, images: context.images, cleaners: context.cleaners, queue: readers, metadata: metadata,
            recipient: state.isRevealed ? nil : state.sealingKey,
            videos: isOrganizer ? .on : state.charter?.options.videos ?? .on)
    }

    /// Returns the time by which the camera's clock is ahead, in milliseconds; negative if it is behind. A clock in
    /// another time zone is one that is hours ahead. Throws `Refusal.refusedFile` for a photo without a time.
    private func ahead(of clock: CameraClock) async throws -> Int64 {
        let times: ClosedRange<Int64> = -(1 << 48)...(1 << 48)
        guard let captured = try? await context.images.render(path: clock.photo).capturedAt,
            times.contains(captured.milliseconds)
        else {
            throw NodeError.refused(
                .refusedFile(reason: "\(clock.photo), the photo of the clock, cannot be read, or has no time"))
        }
        return captured.milliseconds - Int64(min(clock.shownAt, 1 << 48))
    }

    /// Throws `NodeError` unless this node's person may add photos now, with such a caption.
    private func checkAdding(_ caption: String?) throws {
        if let caption {
            try check(remark: caption)
            guard replica.state.isRevealed else { throw NodeError.refused(.notShownYet) }
        }
        try checkStanding(of: replica.deviceID)
        try checkConsent()
        try checkTimes(of: replica.authorID)
    }

    /// Adds one file, and returns the photo's id. A file that is in the gallery already keeps its photo and caption.
    /// Throws `Refusal.refusedFile` for a file that is no photo.
    package func addPhoto(at path: String, caption: String? = nil) async throws -> String {
        do {
            return try await addOne(path, metadata: .remove, caption).photo.description
        } catch NodeError.refused(.refusedFile(let reason)) {
            throw NodeError.refused(.refusedFile(reason: "\(path): \(reason)"))
        }
    }

    /// Adds one file of a person who reads no warnings. Throws `Refusal.refusedFile` for a file that is no photo, and
    /// `.metadataLeft` for one whose location, camera and author cannot be removed.
    /// - Returns: the photo, and whether it was not in the gallery before.
    package func addCleaned(fileAt path: String) async throws -> (photo: PhotoID, isNew: Bool) {
        try await addOne(path, metadata: .removeOrRefuse, nil)
    }

    private func addOne(
        _ path: String, metadata: PhotoIngest.MetadataPolicy, _ caption: String?
    ) async throws -> (photo: PhotoID, isNew: Bool) {
        try checkAdding(caption)
        await beginImport()
        defer { endImport() }
        let file = SourceFile(path: path, isExpected: true)
        let result = await ingest(metadata: metadata, by: replica.deviceID).result(of: file)
        if case .failure(let refusal as Refusal) = result { throw NodeError.refused(refusal) }
        if case .success(let prepared) = result,
            let known = photo(with: prepared.original.original.id, by: replica.authorID)
        {
            return (known, false)
        }
        guard case .added(let added) = try await state(result, of: file, caption, nil),
            let photo = PhotoID(hex: added.id)
        else { throw NodeError.stopped }
        return (photo, true)
    }

    private struct Preparation: Sendable {
        let number: Int
        let result: Result<PhotoIngest.Prepared, any Error>
    }

    /// Signs a prepared file as a photo. Throws only errors that would affect the next file as well.
    private func state(
        _ result: Result<PhotoIngest.Prepared, any Error>, of file: SourceFile, _ caption: String?, _ mission: UInt32?
    ) async throws -> ControlReply {
        let prepared: PhotoIngest.Prepared
        do { prepared = try result.get() } catch let refusal as Refusal {
            let reason = refusal.message(time: Timestamps.iso8601)
            return .skipped(SkippedFile(file: file.path, reason: reason, isFailure: file.isExpected))
        } catch let error as StoreError {
            throw NodeError.storage("\(file.path) was not added: \(error)")
        }
        if photo(with: prepared.original.original.id, by: replica.authorID) != nil {
            return .skipped(SkippedFile(file: file.path, reason: "is in the gallery already", isFailure: false))
        }
        let salt = { Entropy.bytes(OperationBody.saltByteCount) }
        let ids = try await author(
            .photo(
                body: OperationBody.encode(.photo(prepared.photo), salt: salt()),
                originalBody: OperationBody.encode(.original(prepared.original), salt: salt()),
                captionBody: caption.map { OperationBody.encode(.text($0), salt: salt()) }, mission: mission))
        guard let id = ids.first, let photo = replica.state.photo(PhotoID(id)) else {
            throw NodeError.stopped
        }
        await noteStated(prepared)
        return .added(
            AddedPhoto(
                file: file.path, id: photo.id.description, frame: photo.status.slot,
                byteCount: prepared.original.original.byteCount, sha256: prepared.original.sha256.description,
                sourceSha256: (prepared.sourceSha256 ?? prepared.original.sha256).description,
                warnings: prepared.warnings))
    }

    /// Records that the photo is described: its blobs stay. If that fails, the next start finds out.
    func noteStated(_ prepared: PhotoIngest.Prepared) async {
        do { try await readers.run { [store] in try store.blobs.noteStated(prepared.roots) } } catch {
            logger.debug("described blobs not recorded", metadata: ["reason": "\(error)"])
        }
    }
}

extension PhotoStatus {
    /// The frame of a photo that is shown.
    var frame: UInt64? { if case .frame(let slot) = self { slot } else { nil } }
}
