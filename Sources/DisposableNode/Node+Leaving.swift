// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Logging

/// Leaving an event. What the person wants is noted first, then said, then, once another node has it, the event is
/// forgotten here: a process that is ended anywhere between is gone on with at the next start.
extension Node {
    private static let metadataKey = "leaving"
    private static let stepMilliseconds: Int64 = 250

    /// What was asked for, as it is noted until it is done.
    struct Leaving: Codable, Sendable {
        var deletesPhotos: Bool
    }

    static func leaving(_ store: EventStore) throws -> Leaving? {
        try store.metadata(for: metadataKey).flatMap { try? JSONDecoder().decode(Leaving.self, from: Data($0)) }
    }

    /// All the time: what is to be left, and what is left of what was.
    func leaveWhatIsToBeLeft() async {
        repeat {
            for event in sessions.keys.sorted() where sessions[event]?.leaving != nil {
                do { if try await takeLeave(of: event) { try await forget(event, .left) } } catch {
                    note(.leaving(event), "the event \(event.short) is not left yet: \(error)")
                }
            }
            do { try await destroyForgotten() } catch {
                note(problem: "what was forgotten is not destroyed yet: \(error)")
            }
        } while (try? await Task.sleep(for: .milliseconds(Self.stepMilliseconds))) != nil && !isStopped
    }

    /// Says what is to be said, and returns whether nothing is left to wait for.
    private func takeLeave(of event: EventID) async throws -> Bool {
        guard let session = sessions[event], let leaving = session.leaving else { return false }
        // Nobody is told where there is nobody else.
        guard session.replica.isAdmitted, session.replica.state.charter != nil, session.replica.hasOthers else {
            return true
        }
        if !session.replica.state.membership.hasLeft(session.replica.deviceID) {
            if leaving.deletesPhotos { try await removeOwnPhotos(in: event) }
            _ = try await author(.leave, in: event)
        }
        guard let session = sessions[event] else { return false }
        guard !session.replica.handover.isComplete else { return true }
        let begunAt = session.leavingSince ?? clock.now
        session.leavingSince = begunAt
        if clock.now >= begunAt + .seconds(5) {
            note(
                .leaving(event),
                "\(session.name) is being left: this node waits until another one has heard of it and has its photos")
        }
        apply(.handOver, to: event)
        return false
    }

    private func removeOwnPhotos(in event: EventID) async throws {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let me = session.replica.authorID
        let photos = session.replica.state.album.photos(by: me).filter {
            !session.replica.state.album.isRemoved($0, by: me)
        }
        for photo in photos { _ = try await author(.remove(photo), in: event) }
    }

    // Forgetting

    /// The event is none of this node's any more: its keys are overwritten, its folder goes, a tombstone stays.
    func forget(_ event: EventID, _ reason: Tombstone.Reason) async throws {
        guard let session = sessions[event] else { return }
        try folder.bury(
            event,
            Tombstone(
                event: event.description, name: session.name, forgottenAt: now.wallClockMilliseconds, reason: reason))
        apply(.stop, to: event)
        sessions[event] = nil
        guestLinks[event] = nil
        session.failWaiting()
        galleries[event] = nil
        sheets[event] = nil
        for reader in albumReaders.removeValue(forKey: event) ?? [] { reader.finish() }
        problems = problems.filter { !$0.key.isOf(event) }
        forgotten[event] = false
        // Behind all that was begun.
        await withCheckedContinuation { continuation in
            readers.async(flags: .barrier) { [store = session.store, writes = session.writes, logger] in
                writes.async {
                    do { try store.close() } catch {
                        logger.debug("event not closed cleanly", metadata: ["reason": "\(error)"])
                    }
                    continuation.resume()
                }
            }
        }
        forgotten[event] = true
        advertise()
    }

    func destroyForgotten() async throws {
        for event in forgotten.filter(\.value).keys.sorted() {
            let stored = EventFolder(data: folder.path, event: event)
            try await readers.run { try stored.destroy() }
            forgotten[event] = nil
            announce(.forgotten(event, name: folder.tombstone(of: event)?.name ?? event.short))
        }
    }

    /// Ends the node when it holds no event any more and everybody who asked has been answered.
    public func stopIfEmpty() async {
        for _ in 0..<100 where answerCount > 0 { try? await Task.sleep(for: .milliseconds(50)) }
        if sessions.isEmpty, rebuilding.isEmpty { stop() }
    }

    // For the command line

    func leave(
        _ event: EventID, _ request: LeaveRequest, reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        guard let session = sessions[event] else { throw NodeError.stopped }
        guard request.isConfirmed else {
            await reply(.leaving(preview(of: session, request)))
            return await reply(.finished(exitCode: 0))
        }
        let name = session.name
        var leaving = session.leaving ?? Leaving(deletesPhotos: false)
        leaving.deletesPhotos = leaving.deletesPhotos || request.deletesPhotos
        try session.store.setMetadata([UInt8](JSONEncoder().encode(leaving)), for: Self.metadataKey)
        session.leaving = leaving
        let deadline = clock.now + .seconds(Int64(request.waitSeconds))
        while let handover = sessions[event]?.replica.handover, clock.now < deadline, !isStopped {
            await reply(.progress(done: handover.heldCount, total: handover.photoCount))
            try await Task.sleep(for: .milliseconds(Self.stepMilliseconds))
        }
        if let handover = sessions[event]?.replica.handover {
            guard request.forgetsUnheard else {
                throw NodeError.notHandedOver(
                    isHeard: handover.isHeard, missingCount: handover.photoCount - handover.heldCount)
            }
            try await forget(event, .left)
        }
        while forgotten[event] != nil, !isStopped { try await Task.sleep(for: .milliseconds(Self.stepMilliseconds)) }
        await reply(.left(event: event.description, name: name))
        await reply(.finished(exitCode: 0))
    }

    /// What leaving comes to, before somebody says yes.
    private func preview(of session: EventSession, _ request: LeaveRequest) -> LeavePreview {
        let (replica, state) = (session.replica, session.replica.state)
        let own = state.album.photos(by: replica.authorID).compactMap(state.photo).filter { !$0.status.isWithdrawn }
        let guests = state.photos.filter {
            !$0.status.isWithdrawn && $0.author != replica.authorID && replica.signs(for: $0.device)
        }
        return LeavePreview(
            event: state.event.description, name: session.name, ownPhotoCount: own.count,
            guestPhotoCount: guests.count, deletesPhotos: request.deletesPhotos,
            hasEventKey: session.store.keys.organizer != nil, isLastNode: !replica.hasOthers,
            hasSealedPhotos: !state.isRevealed && state.charter != nil)
    }
}

extension Problem {
    fileprivate func isOf(_ event: EventID) -> Bool {
        switch self {
        case .storage(event), .rebuilt(event), .destruction(event), .leaving(event), .expiry(event),
            .onlyKey(event), .printed(event), .leakedSecret(event), .olderVersion(event),
            .putOut(event):
            true
        default: false
        }
    }
}
