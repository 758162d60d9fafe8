// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// The events of a node: hosting, joining, finding and forgetting them.
extension Node {
    /// The events in which this node's person takes part, in the order of their ids. Those that the node only reads for
    /// a joined gallery are `readEvents`.
    public var events: [EventID] { open.filter { !$0.value.isReader }.keys.sorted() }

    /// Throws `NodeError.rebuilding` while the event's database is rebuilt, `.stopped` for an event that is not one of
    /// this node's.
    public func event(_ id: EventID) throws -> EventNode {
        guard let event = open[id] else { throw rebuilding[id] == nil ? NodeError.stopped : .rebuilding }
        return event
    }

    /// Returns the event that a person names, by its name or the start of its id; the only one for `nil`.
    public func event(named text: String?) throws -> EventNode {
        guard let text else {
            guard rebuilding.isEmpty else { throw NodeError.rebuilding }
            let own = open.values.filter { !$0.isReader }
            guard let first = own.first else { throw NodeError.noEvents(path: folder.path) }
            guard own.count == 1 else {
                throw NodeError.severalEvents(own.map(\.summary.current.name).sorted())
            }
            return first
        }
        let matches = open.values.filter {
            $0.event.description.hasPrefix(text.lowercased()) || $0.summary.current.name == text
        }
        let own = matches.filter { !$0.isReader }
        guard let first = own.first ?? matches.first else {
            throw rebuilding.isEmpty ? NodeError.unknownEvent(text) : NodeError.rebuilding
        }
        guard own.count == 1 || matches.count == 1 else {
            throw NodeError.severalEvents(matches.map(\.event.short).sorted())
        }
        return first
    }

    /// Creates an event with this node as its organizer.
    ///
    /// With `rule` so many organizers reveal the photos together, otherwise each can. Throws `NodeError.shares` if there
    /// is no reveal.
    public func host(
        _ charter: Charter, approval: ApprovalRule = .none, veils: Bool = false, shares rule: ShareRule? = nil,
        pageSealing: Bool = false, organizerName: String?
    ) async throws -> EventID {
        guard !pageSealing || charter.reveal != .now else { throw NodeError.cannotSeal(isRevealed: false) }
        let keys = EventKeys.makeEvent()
        guard let eventKey = keys.organizer else { throw NodeError.stopped }
        var charter = charter
        let shares = try rule.map { rule in
            guard charter.reveal != .now, charter.reveal != .never else { throw NodeError.shares(.noReveal) }
            return NewShares(rule, event: keys.event)
        }
        if let shares {
            charter.seal = shares.seal
        } else if charter.reveal != .now {
            charter.revealKey = Sealing.revealKey(eventKeySeed: eventKey.seed, event: keys.event).publicKey.bytes32
        }
        let founding = try Founding.operations(
            charter: charter, approval: approval, veils: veils,
            share: try shares?.first(for: DeviceID(keys.device.verifyingKey)), pageSealing: pageSealing,
            eventKey: eventKey, deviceKey: keys.device,
            charterSalt: Entropy.bytes(16), joinSalt: Entropy.bytes(16),
            wallClockMilliseconds: context.now.wallClockMilliseconds)
        let store = try EventStore.create(in: folder.path, keys: keys)
        if let shares { try store.keep(undealt: shares.others) }
        try store.append(founding, durably: true)
        return try await open(store, name: organizerName)
    }

    /// Adds the event of an invitation; the node becomes a member once one admits it.
    /// - Parameters:
    ///   - invitation: the nodes' invitation.
    ///   - name: the name of this node's person, 1 to 40 characters on one line; `nil` for none.
    ///   - again: whether to join an event that this node has forgotten.
    /// - Throws: `NodeError.alreadyJoined`, `.forgotten`, `.malformedName`, and errors of the store.
    public func join(_ invitation: Invitation, name: String?, again: Bool = false) async throws -> EventID {
        if let known = open[invitation.event] {
            if known.isReader {
                if let name, !Label.isAcceptable(name) { throw NodeError.refused(.malformedName) }
                try await known.takePart(as: name)
                await known.setSpace(space(for: known))
                _ = try await known.renew(invitation)
                return invitation.event
            }
            if try await known.renew(invitation) { return invitation.event }
            throw NodeError.alreadyJoined(name: invitation.name)
        }
        if let tombstone = folder.tombstone(of: invitation.event) {
            guard again || tombstone.reason == .separated else { throw NodeError.forgotten(tombstone) }
            try folder.raise(invitation.event)
        }
        let keys = EventKeys.makeDevice(eventKey: invitation.eventKey, eventSecret: invitation.secret)
        let store = try EventStore.create(in: folder.path, keys: keys)
        try store.setMetadata(Array(invitation.name.utf8), for: "name")
        try store.setMetadata(
            Array(invitation.addresses.map(\.description).joined(separator: " ").utf8), for: "addresses")
        return try await open(store, name: name)
    }

    private func open(_ store: EventStore, name: String?) async throws -> EventID {
        if let name {
            guard Label.isAcceptable(name) else { throw NodeError.refused(.malformedName) }
            try store.setMetadata(Array(name.utf8), for: "own name")
        }
        try await adopt(store)
        return store.folder.event
    }

    /// Adds the event of the store to this node; after an error the store is closed.
    func adopt(_ store: EventStore, following earlier: EventNode? = nil) async throws {
        let event: EventNode
        do {
            guard !isStopped else { throw NodeError.stopped }
            event = try EventNode(store: store, following: earlier, context: context)
        } catch {
            do { try store.close() } catch {}  // the first error is reported
            throw error
        }
        context.set(event, for: event.event)
        if let story = event.story { event.note(.rebuilt, story) }
        context.report(.opened(event))
        await event.setSpace(space(for: event))
        knowHosts()
        await event.begin()
        await advertise()
    }

    // Ends of events

    /// Called every second, for as long as the node runs.
    func lookAtDestructions() async {
        if let delay = configuration.destructionDelaySeconds {
            note("withdrawn data are purged here after \(delay) s instead of an hour: for tests only")
        }
        repeat {
            for event in open.values { await event.lookAtDestructions() }
        } while (try? await Task.sleep(for: .seconds(1))) != nil && !isStopped
    }

    /// Leaves events as requested, and destroys the remains of forgotten events.
    func leaveEvents() async {
        repeat {
            for event in open.values {
                do { if try await event.takeLeave() { try await forget(event, .left) } } catch {
                    event.note(.leaving, "the event \(event.event.short) is not left yet: \(error)")
                }
            }
            do { try await destroyForgotten() } catch {
                note("the data of forgotten events are not destroyed yet: \(error)")
            }
        } while (try? await Task.sleep(for: .milliseconds(250))) != nil && !isStopped
    }

    /// Forgets events whose retention is over. Called every second.
    func forgetExpiredEvents() async {
        if let seconds = configuration.retentionGraceSeconds {
            note("events are forgotten here after \(seconds) s of grace instead of a day: for tests only")
        }
        repeat {
            for event in open.values {
                do { if try await event.isOver() { try await forget(event, .expired) } } catch {
                    event.note(
                        .expiry, "the event \(event.event.short) could not be forgotten after its retention: \(error)")
                }
            }
        } while (try? await Task.sleep(for: .seconds(1))) != nil && !isStopped
    }

    /// Forgets an event: overwrites its keys, removes its folder and leaves a tombstone.
    func forget(_ event: EventNode, _ reason: Tombstone.Reason) async throws {
        let id = event.event
        guard open[id] === event else { return }
        try folder.bury(
            id,
            Tombstone(
                event: id.description, name: event.summary.current.name,
                forgottenAt: context.now.wallClockMilliseconds, reason: reason))
        context.set(nil, for: id)
        forgotten[id] = false
        await event.stop(forGood: true)
        event.watchers.end()
        context.problems.forget(id)
        // After all earlier work.
        await withCheckedContinuation { continuation in
            context.readers.async(flags: .barrier) { [logger] in
                event.writes.async {
                    do { try event.store.close() } catch {
                        logger.debug("event not closed cleanly", metadata: ["reason": "\(error)"])
                    }
                    continuation.resume()
                }
            }
        }
        forgotten[id] = true
        await advertise()
    }

    private func destroyForgotten() async throws {
        for event in forgotten.filter(\.value).keys.sorted() {
            let stored = EventFolder(data: folder.path, event: event)
            try await context.readers.run { try stored.destroy() }
            forgotten[event] = nil
            announce(.forgotten(event, name: folder.tombstone(of: event)?.name ?? event.short))
        }
    }

    /// Ends the node when it has no event left and all commands have been answered.
    public func stopIfEmpty() async {
        for _ in 0..<100 where answerCount > 0 { try? await Task.sleep(for: .milliseconds(50)) }
        if events.isEmpty, rebuilding.isEmpty { await stop() }
    }

    // For the command line

    func leave(
        _ event: EventNode, _ request: LeaveRequest, reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        guard !event.isReader else { throw NodeError.twins(.reader) }
        guard request.isConfirmed else {
            await reply(.leaving(await event.preview(of: request)))
            return await reply(.finished(exitCode: 0))
        }
        let (id, name) = (event.event, event.summary.current.name)
        try await event.noteLeaving(deletesPhotos: request.deletesPhotos)
        let deadline = context.clock.now + .seconds(Int64(request.waitSeconds))
        while open[id] === event, context.clock.now < deadline, !isStopped {
            let handover = await event.handover
            await reply(.progress(done: handover.heldCount, total: handover.photoCount))
            try await Task.sleep(for: .milliseconds(250))
        }
        if open[id] === event {
            let handover = await event.handover
            guard request.forgetsUnheard else {
                throw NodeError.notHandedOver(
                    isHeard: handover.isHeard, missingCount: handover.photoCount - handover.heldCount)
            }
            try await forget(event, .left)
        }
        while forgotten[id] != nil, !isStopped { try await Task.sleep(for: .milliseconds(250)) }
        await reply(.left(event: id.description, name: name))
        await reply(.finished(exitCode: 0))
    }

    /// Forgets an event because a person at this machine confirms that its clock is right.
    /// - Returns: the event's name.
    func expire(_ event: EventNode) async throws -> String {
        try await event.checkExpired()
        try await forget(event, .expired)
        while forgotten[event.event] != nil, !isStopped {
            // A running node does so by itself.
            if configuration.listen == .none { try await destroyForgotten() }
            try await Task.sleep(for: .milliseconds(50))
        }
        return event.summary.current.name
    }
}
