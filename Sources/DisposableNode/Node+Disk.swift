// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Foundation
internal import Logging

/// Disks that are full, forget or break: what a node notices, says, and puts right while it runs.
extension Node {
    // Room

    /// Every two seconds: whether the disk has room for blobs, and what waits for another attempt.
    func watchRoom() async {
        repeat {
            do {
                let room = try await readers.run { [path = folder.path] in try DiskRoom(at: path) }
                look(at: room)
            } catch {
                logger.debug("disk not examined", metadata: ["reason": "\(error)"])
            }
            rebuildAgain()
        } while (try? await Task.sleep(for: .seconds(2))) != nil && !isStopped
    }

    private func look(at room: DiskRoom) {
        let space = DiskSpace(
            freeByteCount: room.freeByteCount, reserveByteCount: room.reserveByteCount, now: diskSpace)
        let perTree = room.originalsPerTree
        for event in sessions.keys.sorted() where sessions[event]?.replica.originalsPerTree != perTree {
            apply(.originalsLimited(perTree: perTree), to: event)
        }
        guard space != diskSpace else { return }
        setDiskSpace(space)
        if hasRoom {
            solve(.room, "there is room on the disk again: photos are taken and fetched")
        } else {
            noteRoom(
                .belowReserve(
                    path: room.path, freeByteCount: room.freeByteCount, reserveByteCount: room.reserveByteCount))
        }
    }

    /// From now on blobs are neither asked for nor taken; what is here is served. With still less room no bodies of
    /// others' operations are stored, and in the end no operations of others.
    func roomEnded(_ error: StoreError, _ space: DiskSpace = .noBlobs) {
        setDiskSpace(min(space, diskSpace))
        noteRoom(error)
    }

    private func noteRoom(_ error: StoreError) {
        let what =
            switch diskSpace {
            case .noOperations: "this node takes no news from others"
            case .noBodies, .noBlobs, .plenty: "no photos are taken or fetched"
            }
        note(.room, "\(error): \(what) until there is room")
    }

    private func setDiskSpace(_ space: DiskSpace) {
        guard space != diskSpace else { return }
        diskSpace = space
        for event in sessions.keys.sorted() { apply(.roomChanged(space), to: event) }
    }

    // Writing

    func storingFailed(_ error: StoreError, in event: EventID) {
        if error.isDiskFull { roomEnded(error) } else { note(.storage(event), "\(error)") }
    }

    func stored(_ ticket: Ticket, _ error: StoreError?, in event: EventID) {
        sessions[event]?.storageFailure = error
        if let error {
            if case .belowReserve = error { roomEnded(error, .noOperations) } else { storingFailed(error, in: event) }
            apply(.persistFailed(ticket), to: event)
        } else {
            solve(.storage(event))
            apply(.persisted(ticket), to: event)
        }
    }

    // Damaged blobs

    /// Has the store and its database tell of damage, whoever meets it.
    static func watch(_ store: EventStore, _ sink: AsyncStream<Completion>.Continuation) {
        let event = store.folder.event
        store.blobs.onDamage { root in sink.yield(.damaged(root, event)) }
        store.onDamage { error in sink.yield(.databaseDamaged(error, event)) }
    }

    func takeBack(_ root: BlobRoot, in event: EventID) {
        guard let session = sessions[event], session.takingBack.insert(root).inserted else { return }
        session.writes.async { [completionSink, blobs = session.store.blobs] in
            let result = Result { () throws(StoreError) in try blobs.takeBack(root) }
            completionSink.yield(.takenBack(root, result, event))
        }
    }

    func takenBack(_ root: BlobRoot, _ result: Result<BlobStore.Remainder, StoreError>, in event: EventID) {
        sessions[event]?.takingBack.remove(root)
        let left: Replica.StoredBlob
        switch result {
        case .failure(let error): return storingFailed(error, in: event)
        case .success(.whole): return
        case .success(.partial(let chunks, let hashes)): left = .partial(chunks, hashes: hashes)
        case .success(.nothing): left = .absent
        }
        let text = "a file was damaged on this disk; what is wrong of it is fetched again from other nodes"
        logger.warning("blob damaged", metadata: ["blob": "\(root.short)"])
        announce(.warning(text))
        apply(.takenBack(root, left: left), to: event)
    }

    // Damaged databases

    /// The session of a stored event, its database made anew where it is damaged, also where that shows only when all
    /// of it is read.
    static func session(
        of folder: EventFolder, staticKey: AgreementKey, instance: [UInt8], configuration: NodeConfiguration
    ) throws -> EventSession {
        let store = try EventStore.openRebuilding(folder)
        do {
            return try EventSession(
                store: store, staticKey: staticKey, instance: instance, configuration: configuration)
        } catch let error as StoreError where error.isDamagedDatabase && store.rebuilding == nil {
            do { try store.close() } catch {}  // it is damaged
            return try EventSession(
                store: EventStore.openRebuilding(folder, because: "\(error)"), staticKey: staticKey, instance: instance,
                configuration: configuration)
        }
    }

    /// What a person should know of an event whose database was made anew, `nil` where it was not.
    static func story(of session: EventSession) -> String? {
        if let done = session.store.rebuilding {
            return "the database of \(session.name) was damaged (\(done.reason))"
                + (done.setAsidePath.map { "; it was set aside as \($0)" } ?? "")
                + " and made anew with \(done.operationCount) operations and \(done.completeCount) files; "
                + "what is missing comes from other nodes"
        }
        guard session.replica.mustReconcile, !session.replica.isAloneInEvent else { return nil }
        return "the database of \(session.name) was made anew, and this node has not met another since: until then it "
            + "cannot say anything"
    }

    /// An event that is closed until its database is made anew.
    struct DamagedEvent: Sendable {
        let folder: EventFolder
        let name: String
        let queue: DispatchQueue
        /// Why its database has to be made anew; `nil` once it is and has only to be opened.
        var reason: String?
        /// What was done when it was.
        var rebuilding: Rebuilding?
        /// Whether the disk had room when the last attempt began.
        var hadRoom: Bool
        /// `nil` while an attempt is under way.
        var againAt: ContinuousClock.Instant?

        /// One attempt. Blocks.
        func attempt() -> Completion {
            var event = self
            let result = Result { () throws(StoreError) -> EventStore in
                if let reason = event.reason {
                    event.rebuilding = try EventStore.rebuild(folder, because: reason, after: event.rebuilding)
                    event.reason = nil
                }
                return try EventStore.open(folder, after: event.rebuilding)
            }
            return .rebuilt(result, event)
        }
    }

    /// While the node runs: the event is closed, made anew and opened again.
    func rebuild(_ event: EventID, because reason: String) {
        guard let session = sessions[event], !isStopped else { return }
        note(.rebuilt(event), "the database of \(session.name) is damaged (\(reason)); it is being made anew")
        apply(.stop, to: event)
        sessions[event] = nil
        session.failWaiting()
        let damaged = DamagedEvent(
            folder: session.store.folder, name: session.name, queue: session.writes, reason: reason, hadRoom: hasRoom)
        rebuilding[event] = damaged
        // Behind all that was begun: its results are those of the old session.
        readers.async(flags: .barrier) { [completionSink, store = session.store] in
            damaged.queue.async {
                do { try store.close() } catch {}  // it is damaged
                completionSink.yield(damaged.attempt())
            }
        }
    }

    /// What has failed: a minute later, and as soon as there is room where there was none.
    private func rebuildAgain() {
        for (event, var damaged) in rebuilding {
            guard let againAt = damaged.againAt, clock.now >= againAt || (hasRoom && !damaged.hadRoom) else { continue }
            damaged.againAt = nil
            damaged.hadRoom = hasRoom
            rebuilding[event] = damaged
            damaged.queue.async { [completionSink, damaged] in completionSink.yield(damaged.attempt()) }
        }
    }

    func rebuilt(_ result: Result<EventStore, StoreError>, _ damaged: DamagedEvent) {
        let event = damaged.folder.event
        do {
            let store = try result.get()
            guard !isStopped else { return try store.close() }
            try adopt(store)
        } catch {
            return notRebuilt(damaged, because: error)
        }
        rebuilding[event] = nil
        problems[.rebuilt(event)] = nil
        if let session = sessions[event], let text = Self.story(of: session) { note(.rebuilt(event), text) }
        albumChanged(.everything, in: event)
        announce(.album(event))
    }

    private func notRebuilt(_ damaged: DamagedEvent, because error: any Error) {
        let event = damaged.folder.event
        var damaged = damaged
        // What was made anew may be damaged as well.
        if damaged.reason == nil, let error = error as? StoreError, error.isDamagedDatabase {
            damaged.reason = "\(error)"
        }
        damaged.againAt = clock.now + .seconds(60)
        rebuilding[event] = damaged
        let text =
            "\(damaged.name) is closed, as its damaged database could not be made anew: \(error); it is tried again "
            + "every minute, and as soon as there is room"
        // Told again where the trouble is another.
        if problems[.rebuilt(event)] != text { problems[.rebuilt(event)] = nil }
        note(.rebuilt(event), text)
    }

    /// A member has told all that it has, so this device knows its own last words.
    func reconciled(_ event: EventID) {
        guard let session = sessions[event] else { return }
        session.writes.async { [store = session.store, logger] in
            do { try store.hasReconciled() } catch {
                logger.error("reconciliation not noted", metadata: ["reason": "\(error)"])
            }
        }
        solve(.rebuilt(event), "this node has what others know of \(session.name)")
        sayName(in: event)
    }

    // Copies of the folder

    func cloned(_ device: DeviceID, in event: EventID) {
        guard let session = sessions[event] else { return }
        guard device != session.replica.deviceID else {
            let text =
                "the device key of this node is in use twice: a copy of its folder runs on another machine, or ran there; "
                + "no photo is lost, but keep one of the two and let the other enter anew by the invitation"
            return note(.clone(device), text)
        }
        let album = session.replica.state.album
        let name = album.name(of: album.membership.author(of: device)) ?? device.short
        note(
            .clone(device), "the device key of \(name) is in use on two machines: one runs a copy of the other's folder"
        )
    }
}
