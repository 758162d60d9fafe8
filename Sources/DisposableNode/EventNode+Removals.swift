// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import Logging

/// Removals of guests' photos. Each is signed after a delay in which it can be undone, or at once when the node stops.
extension EventNode {
    private nonisolated var removalFolder: RemovalFolder { RemovalFolder(in: store.folder.path) }

    /// Returns the removals that an earlier process has left.
    static func pendingRemovals(of store: EventStore, _ context: NodeContext) -> PendingRemovals {
        var removals = PendingRemovals(context.configuration.removals)
        do {
            let now = context.now
            for found in try RemovalFolder(in: store.folder.path).all(context.logger) {
                let left = Int64(clamping: found.removal.dueAtMilliseconds) - Int64(clamping: now.wallClockMilliseconds)
                removals.restore(
                    found.removal.photo, by: found.guest, in: .milliseconds(left), at: context.clock.now)
            }
        } catch {
            // The files stay for the next start.
            context.logger.error("pending removals not read", metadata: ["reason": "\(error)"])
        }
        return removals
    }

    /// Removes the guest's photo for everybody after a delay, unless that is undone; for a photo whose removal is
    /// pending already the time stays. On disk when this returns. A photo that is another guest's by then stays. Throws
    /// `Refusal.unknownPhoto`, `.notYours`, and `.tooFast` and `.unavailable` for too many pending removals.
    public func remove(_ photo: PhotoID, by guest: AuthorID) async throws -> PendingRemoval {
        guard !isStopped else { throw NodeError.stopped }
        guard try self.photo(photo, seenBy: guest).author == guest else { throw NodeError.refused(.notYours(photo)) }
        let (now, wasPending) = (clock.now, destruction.removals.isPending(photo))
        let due: PendingRemovals.Removal
        do throws(Refusal) { due = try destruction.removals.add(photo, by: guest, at: now) } catch {
            throw NodeError.refused(error)
        }
        let removal = PendingRemoval(
            photo: photo,
            dueAtMilliseconds: self.now.wallClockMilliseconds + (due.dueAt - now).wholeMilliseconds)
        do {
            // One that is pending is written again: its first file may not be on disk yet.
            try await writes.run { [removalFolder] in try removalFolder.write(removal, by: guest) }
        } catch {
            if !wasPending { _ = destruction.removals.keep(photo, by: guest) }
            throw error
        }
        signRemovalsWhenDue()
        return removal
    }

    /// Undoes a removal. Returns false if none of the guest's is pending for the photo. On disk when this returns.
    public func undoRemoval(of photo: PhotoID, by guest: AuthorID) async throws -> Bool {
        guard destruction.removals.keep(photo, by: guest) else { return false }
        try await writes.run { [removalFolder] in try removalFolder.remove(photo) }
        return true
    }

    /// Returns those of the photos whose removal is pending.
    public func leaving(among photos: [PhotoID]) -> Set<PhotoID> {
        Set(photos.filter(destruction.removals.isPending))
    }

    // Signing

    /// Signs pending removals when they are due, until none is left. Nothing where this is under way.
    func signRemovalsWhenDue() {
        guard !destruction.signsRemovals, destruction.removals.nextDueAt != nil else { return }
        destruction.signsRemovals = true
        jobs.add { await self.signDueRemovals() }
    }

    private func signDueRemovals() async {
        defer { destruction.signsRemovals = false }
        while let dueAt = destruction.removals.nextDueAt {
            do { try await Task.sleep(until: dueAt, clock: .continuous) } catch { return }
            await sign(destruction.removals.takeDue(at: clock.now))
        }
    }

    /// Signs all pending removals now: the node stops. Those of a node that only runs a command stay pending.
    func signAllRemovals() async {
        guard configuration.listen != .none else { return }
        await sign(destruction.removals.takeAll())
        while destruction.removals.isSigning {
            await withCheckedContinuation { destruction.signingWaiters.append($0) }
        }
    }

    private func sign(_ removals: [PendingRemovals.Removal]) async {
        for removal in removals {
            defer { destruction.resumeIfSigned() }
            do {
                try await signRemoval(of: removal.photo, by: removal.guest)
            } catch NodeError.refused(.unknownPhoto), NodeError.refused(.alreadyRemoved), NodeError.refused(.notYours) {
                // Deleted already, or not the guest's: nothing to do in either case.
            } catch {
                logger.debug("removal not signed", metadata: ["photo": "\(removal.photo.short)", "reason": "\(error)"])
                destruction.removals.postpone(removal, at: clock.now)
                continue
            }
            // The next start repeats what fails here, and finds the photo removed.
            do { try await writes.run { [removalFolder] in try removalFolder.remove(removal.photo) } } catch {}
            destruction.removals.end(removal)
        }
    }

    /// Removes the guest's photo, caption, comment or message for everybody at once. Durable when this returns.
    package func signRemoval(of photo: PhotoID, by guest: AuthorID) async throws {
        _ = try await author(.remove(photo), by: subKey(of: guest))
    }
}
