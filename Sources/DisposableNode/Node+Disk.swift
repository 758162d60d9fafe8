// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// The free disk space, and events with corrupt databases.
extension Node {
    // Space

    /// Checks every two seconds whether the disk has room for blobs, and repeats failed work.
    func watchDisk() async {
        repeat {
            do {
                let room = try await context.readers.run { [path = folder.path] in try DiskRoom(at: path) }
                await look(at: room)
            } catch {
                logger.debug("disk not examined", metadata: ["reason": "\(error)"])
            }
            rebuildAgain()
        } while (try? await Task.sleep(for: .seconds(2))) != nil && !isStopped
    }

    private func look(at room: DiskRoom) async {
        let space = DiskSpace(
            freeByteCount: room.freeByteCount, reserveByteCount: room.reserveByteCount, now: diskSpace)
        for event in open.values { await event.limitOriginals(perTree: room.originalsPerTree) }
        await lookAtRoomToRead(room)
        guard space != diskSpace else { return }
        await setDiskSpace(space)
        if space == .plenty {
            solve(.room, "there is room on the disk again: photos are accepted and fetched")
        } else {
            noteRoom(
                .belowReserve(
                    path: room.path, freeByteCount: room.freeByteCount, reserveByteCount: room.reserveByteCount))
        }
    }

    /// Handles a full disk that an event reports: it is full for all events.
    func diskFull(_ error: StoreError, _ space: DiskSpace) async {
        await setDiskSpace(min(space, diskSpace))
        noteRoom(error)
    }

    private func noteRoom(_ error: StoreError) {
        let what =
            switch diskSpace {
            case .noOperations: "no operations of others are accepted"
            case .noBodies, .noBlobs, .plenty: "no photos are accepted or fetched"
            }
        note(.room, "\(error): \(what) until there is room")
    }

    private func setDiskSpace(_ space: DiskSpace) async {
        diskSpace = space
        for event in open.values { await event.setSpace(self.space(for: event)) }
    }

    /// Photos of events that the node only reads are fetched while four times the reserve is free: the rest of the disk
    /// is for the photos of the own events.
    private func lookAtRoomToRead(_ room: DiskRoom) async {
        let space = DiskSpace(
            freeByteCount: room.freeByteCount, reserveByteCount: 4 * room.reserveByteCount,
            now: hasRoomToRead ? .plenty : .noBlobs)
        guard (space == .plenty) != hasRoomToRead else { return }
        hasRoomToRead = space == .plenty
        for event in open.values where event.isReader { await event.setSpace(self.space(for: event)) }
    }

    /// Returns the space for the photos and operations of an event.
    func space(for event: EventNode) -> DiskSpace {
        event.isReader && !hasRoomToRead ? min(diskSpace, .noBlobs) : diskSpace
    }

    // Corrupt databases

    /// Opens a stored event, with its database rebuilt if it is corrupt, even if that is found only when all of it is
    /// read.
    static func open(_ folder: EventFolder, in context: NodeContext) throws -> EventNode {
        let store = try EventStore.openRebuilding(folder)
        do {
            return try EventNode(store: store, context: context)
        } catch let error as StoreError where error.isDamagedDatabase && store.rebuilding == nil {
            do { try store.close() } catch {}  // it is corrupt
            return try EventNode(
                store: EventStore.openRebuilding(folder, because: "\(error)"), context: context)
        }
    }

    /// An event that is closed until its database is rebuilt.
    struct DamagedEvent: Sendable {
        /// The event before it was closed.
        let event: EventNode
        let name: String
        /// The reason to rebuild its database; `nil` once that is done and it only has to be opened.
        var reason: String?
        /// The result of the rebuild.
        var rebuilding: Rebuilding?
        /// Whether the disk had room when the last attempt began.
        var hadRoom: Bool
        /// `nil` while an attempt is in progress.
        var againAt: ContinuousClock.Instant?

        /// Makes one attempt. Blocks.
        func attempt() -> NodeReport {
            var damaged = self
            let result = Result { () throws(StoreError) -> EventStore in
                let folder = event.store.folder
                if let reason = damaged.reason {
                    damaged.rebuilding = try EventStore.rebuild(folder, because: reason, after: damaged.rebuilding)
                    damaged.reason = nil
                }
                return try EventStore.open(folder, after: damaged.rebuilding)
            }
            return .rebuilt(result, damaged)
        }
    }

    /// Closes an event of a running node, rebuilds its database, and opens the event again.
    func rebuild(_ id: EventID, because reason: String) async {
        guard let event = open[id], !isStopped else { return }
        let name = event.summary.current.name
        event.note(.rebuilt, "the database of \(name) is corrupt (\(reason)); it is being rebuilt")
        context.set(nil, for: id)
        let damaged = DamagedEvent(event: event, name: name, reason: reason, hadRoom: diskSpace == .plenty)
        rebuilding[id] = damaged
        await event.stop(forGood: true)
        // After all earlier work: its results belong to the closed event.
        context.readers.async(flags: .barrier) { [context] in
            event.writes.async {
                do { try event.store.close() } catch {}  // it is corrupt
                context.report(damaged.attempt())
            }
        }
    }

    /// Repeats failed attempts: a minute later, and as soon as there is room if there was none.
    private func rebuildAgain() {
        let hasRoom = diskSpace == .plenty
        for (id, var damaged) in rebuilding {
            guard let againAt = damaged.againAt, context.clock.now >= againAt || (hasRoom && !damaged.hadRoom) else {
                continue
            }
            damaged.againAt = nil
            damaged.hadRoom = hasRoom
            rebuilding[id] = damaged
            damaged.event.writes.async { [context, damaged] in context.report(damaged.attempt()) }
        }
    }

    func rebuilt(_ result: Result<EventStore, StoreError>, _ damaged: DamagedEvent) async {
        let id = damaged.event.event
        do {
            let store = try result.get()
            guard !isStopped else { return try store.close() }
            context.problems.solve(.rebuilt, of: id)
            rebuilding[id] = nil
            try await adopt(store, following: damaged.event)
        } catch {
            return notRebuilt(damaged, because: error)
        }
        damaged.event.watchers.tell(.event)
        damaged.event.watchers.tell(.everything)
        announce(.album(id))
    }

    private func notRebuilt(_ damaged: DamagedEvent, because error: any Error) {
        var damaged = damaged
        // The rebuilt database may be corrupt as well.
        if damaged.reason == nil, let error = error as? StoreError, error.isDamagedDatabase {
            damaged.reason = "\(error)"
        }
        damaged.againAt = context.clock.now + .seconds(60)
        rebuilding[damaged.event.event] = damaged
        context.problems.note(
            .rebuilt, of: damaged.event.event,
            "\(damaged.name) is closed, as its corrupt database could not be rebuilt: \(error); it is tried again "
                + "every minute, and as soon as there is room", again: true)
    }
}
