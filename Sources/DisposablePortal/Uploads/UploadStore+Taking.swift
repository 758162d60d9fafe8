// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
package import Logging

/// A complete upload that the node finishes without its client (`Prefer: respond-async`).
struct Taking: Sendable {
    /// `nil` after a restart, until the description is read.
    var guest: AuthorID?
    /// Whether the gallery is working on it.
    var isRunning = false
}

/// Uploads that the node finishes without their clients: the client is answered once all bytes and the description of
/// the upload are on disk, and the photo follows in its turn, after a restart as well. The guest's frames count from the
/// moment of the answer: an upload for which there may be no frame is not taken over.
extension UploadStore {
    /// Returns once the description is on disk; false if the client has to wait.
    func take(_ name: UploadName, _ description: TakenUpload, from gallery: any Gallery) async -> Bool {
        guard let nodeKey, taken.count < limits.taken.countInEvent else { return false }
        let before = takenCount(of: description.guest)
        guard before < limits.taken.countByGuest else { return false }
        // Counted before the gallery is asked, so that two at once cannot both have the last frame.
        taken[name] = Taking(guest: description.guest)
        do {
            let status = try await gallery.guest(description.guest)
            // One that became a photo meanwhile may not be in the answer yet.
            let takenCount = max(before + 1, takenCount(of: description.guest))
            let hasFrame = status.frameLimit.map { status.usedFrameCount + takenCount <= $0 } ?? true
            guard !status.isRemoved, hasFrame else {
                taken[name] = nil
                return false
            }
            try await offTheLoops { [folder] in try folder.write(description, of: name, with: nodeKey) }
            return true
        } catch {
            taken[name] = nil
            return false
        }
    }

    private func takenCount(of guest: AuthorID) -> Int { taken.values.count { $0.guest == guest } }

    /// Moves the upload from a request to the node.
    func hand(_ held: HeldUpload, after purpose: Purpose) {
        if case .body = purpose { endBody(of: held.session) }
        sessions[held.session.id]?[held.id]?.interrupt = nil
        sessions[held.session.id]?[held.id]?.state = .read(held.contents)
        sessions[held.session.id]?[held.id]?.touchedAt = .now
        workSink.yield(held)
    }

    /// Returns an upload's contents while the node is finishing it, otherwise `nil`.
    func takenContents(_ id: UploadID, of session: GuestSession) -> UploadFile.Contents? {
        guard taken[UploadName(session: session.id, upload: id)] != nil,
            case .read(let contents) = sessions[session.id]?[id]?.state
        else { return nil }
        return contents
    }

    /// Drops an upload that the node was to finish. Returns false if there is none, or it is becoming a photo just now.
    func withdraw(_ id: UploadID, of session: GuestSession) async throws -> Bool {
        let name = UploadName(session: session.id, upload: id)
        guard let taking = taken[name], !taking.isRunning else { return false }
        try await drop([name])
        return true
    }

    /// Drops the guest's uploads that the node was to finish. Returns once none is becoming a photo.
    package func withdrawAll(of guest: AuthorID) async throws {
        try await drop(taken.filter { $0.value.guest == guest && !$0.value.isRunning }.map(\.key))
        while taken.values.contains(where: { $0.guest == guest && $0.isRunning }) {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Finishes uploads until the task is cancelled, those first that an earlier process has left.
    package nonisolated func finishTaken(from gallery: any Gallery, logger: Logger) async {
        for name in await taken.keys {
            do { try await resume(name, from: gallery) } catch {
                logger.warning("upload not finished", metadata: ["reason": "\(error)"])
            }
        }
        await withDiscardingTaskGroup { group in
            for await held in work { group.addTask { await self.finish(held, logger: logger) } }
        }
    }

    private func resume(_ name: UploadName, from gallery: any Gallery) async throws {
        guard let nodeKey, taken[name] != nil else { return }
        let found = try await offTheLoops { [folder] () throws -> (TakenUpload, UploadFile, UploadFile.Contents)? in
            guard let description = try folder.taken(name, with: nodeKey) else { return nil }
            let file = UploadFile(name, key: description.key, in: folder)
            guard let contents = try file.load(isSettled: false), contents.isComplete else { return nil }
            return (description, file, contents)
        }
        // Withdrawn meanwhile, or the disk has lost something: then the client begins again.
        guard taken[name] != nil else { return }
        guard let (description, file, contents) = found else { return try await drop([name]) }
        let session = GuestSession(
            gallery: gallery, id: name.session, storageKey: description.key, guest: description.guest)
        taken[name]?.guest = description.guest
        ledger.hold(name, for: session.owner, at: description.address)
        hand(
            HeldUpload(
                id: name.upload, session: session, address: description.address, file: file, store: self,
                contents: contents, idleTime: .zero), after: .look)
    }

    /// Repeats until the upload has an outcome or is dropped.
    private nonisolated func finish(_ upload: HeldUpload, logger: Logger) async {
        var held = upload
        let name = UploadName(session: held.session.id, upload: held.id)
        let deadline = ContinuousClock.now + limits.lifetime
        var pause = limits.taken.pause
        while !Task.isCancelled {
            do {
                _ = try await held.complete(isTaken: true) { try await self.begin(name) }
                return await settle(held)
            } catch is Withdrawn {
                return
            } catch {
                guard held.contents.outcome == nil else { return await settle(held) }
                let isGone = error is DamagedUpload || (error as? FileError)?.isFileMissing == true
                guard await pausing(name), !isGone, .now < deadline else {
                    // The client is told that the upload is unknown, and begins again.
                    do { try await drop([name]) } catch {
                        logger.info("dropped upload stays", metadata: ["reason": "\(error)"])
                    }
                    return
                }
                logger.debug("upload not finished yet", metadata: ["reason": "\(error)"])
                do { try await Task.sleep(for: pause) } catch { return }
                pause = min(pause * 2, .seconds(30))
            }
        }
    }

    /// The upload was dropped before its turn, or the node is stopping.
    private struct Withdrawn: Error {}

    private func begin(_ name: UploadName) throws {
        guard taken[name] != nil, !Task.isCancelled else { throw Withdrawn() }
        taken[name]?.isRunning = true
    }

    /// Returns false if the upload was dropped.
    private func pausing(_ name: UploadName) -> Bool {
        taken[name]?.isRunning = false
        return taken[name] != nil
    }

    /// Removes the description: the outcome is on disk.
    private func settle(_ held: HeldUpload) async {
        let name = UploadName(session: held.session.id, upload: held.id)
        do { try await offTheLoops { [folder] in try folder.removeTaken(name) } } catch {}  // the next start removes it
        guard taken.removeValue(forKey: name) != nil else { return }
        putBack(held.contents, held.id, of: held.session)
    }
}
