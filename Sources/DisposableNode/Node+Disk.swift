// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// The room on the disk, and events whose databases are damaged.
extension Node {
    // Room

    /// Every two seconds: whether the disk has room for blobs, and what waits for another attempt.
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

    /// The disk was full for what an event wanted to write, and so it is for all of them.
    func diskFull(_ error: StoreError, _ space: DiskSpace) async {
        await setDiskSpace(min(space, diskSpace))
        noteRoom(error)
    }

    private func noteRoom(_ error: StoreError) {
        let what =
            switch diskSpace {
            case .noOperations: "this node takes no news from others"
            case .noBodies, .noBlobs, .plenty: "no photos are accepted or fetched"
            }
        note(.room, "\(error): \(what) until there is room")
    }

    private func setDiskSpace(_ space: DiskSpace) async {
        diskSpace = space
        for event in open.values { await event.setSpace(space) }
    }

    // Damaged databases

    /// Opens a stored event, with its database rebuilt where it is damaged, also where that shows only when all of it is
    /// read.
    static func open(_ folder: EventFolder, in context: NodeContext) throws -> EventNode {
        let store = try EventStore.openRebuilding(folder)
        do {
            return try EventNode(store: store, context: context)
        } catch let error as StoreError where error.isDamagedDatabase && store.rebuilding == nil {
            do { try store.close() } catch {}  // it is damaged
            return try EventNode(
                store: EventStore.openRebuilding(folder, because: "\(error)"), context: context)
        }
    }

    /// An event that is closed until its database is rebuilt.
    struct DamagedEvent: Sendable {
        /// The event as it was.
        let event: EventNode
        let name: String
        /// Why its database has to be rebuilt; `nil` once it is and has only to be opened.
        var reason: String?
        /// What was done when it was rebuilt.
        var rebuilding: Rebuilding?
        /// Whether the disk had room when the last attempt began.
        var hadRoom: Bool
        /// `nil` while an attempt is under way.
        var againAt: ContinuousClock.Instant?

        /// One attempt. Blocks.
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

    /// While the node runs: the event is closed, its database rebuilt, and the event opened again.
    func rebuild(_ id: EventID, because reason: String) async {
        guard let event = open[id], !isStopped else { return }
        let name = event.summary.current.name
        event.note(.rebuilt, "the database of \(name) is damaged (\(reason)); it is being rebuilt")
        context.set(nil, for: id)
        let damaged = DamagedEvent(event: event, name: name, reason: reason, hadRoom: diskSpace == .plenty)
        rebuilding[id] = damaged
        await event.stop(forGood: true)
        // Behind all that was begun: its results are those of the closed event.
        context.readers.async(flags: .barrier) { [context] in
            event.writes.async {
                do { try event.store.close() } catch {}  // it is damaged
                context.report(damaged.attempt())
            }
        }
    }

    /// Repeats failed attempts: a minute later, and as soon as there is room where there was none.
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
        damaged.event.watchers.tell(.parameters)
        damaged.event.watchers.tell(.everything)
        announce(.album(id))
    }

    private func notRebuilt(_ damaged: DamagedEvent, because error: any Error) {
        var damaged = damaged
        // The rebuilt database may be damaged as well.
        if damaged.reason == nil, let error = error as? StoreError, error.isDamagedDatabase {
            damaged.reason = "\(error)"
        }
        damaged.againAt = context.clock.now + .seconds(60)
        rebuilding[damaged.event.event] = damaged
        context.problems.note(
            .rebuilt, of: damaged.event.event,
            "\(damaged.name) is closed, as its damaged database could not be rebuilt: \(error); it is tried again "
                + "every minute, and as soon as there is room", again: true)
    }
}
