// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Logging
internal import Synchronization

/// One event of the pages: its gallery, and the portal's own state for it.
final class PortalEvent: Sendable {
    let gallery: any Gallery
    /// The event's fingerprint, four words.
    let words: [String]
    let sessions: SessionStore
    let updates: UpdateHub
    let uploads: UploadStore
    /// The gate of the whole portal, since joining the event is rate-limited.
    let gate: Gate
    /// The one-time codes of the whole portal.
    let handovers: Handovers
    private let logger: Logger
    private let endSignal: AsyncStream<Void>
    private let endSink: AsyncStream<Void>.Continuation

    init(
        of gallery: any Gallery, limits: PortalLimits, gate: Gate, handovers: Handovers, logger: Logger
    ) async throws {
        self.gallery = gallery
        self.gate = gate
        self.handovers = handovers
        words = try await offTheLoops { try FingerprintWords.words(of: gallery.eventKey) }
        sessions = try await SessionStore(of: gallery, limits: limits.sessions)
        uploads = try await offTheLoops {
            try UploadStore(folderPath: gallery.folderPath, nodeKey: gallery.folderKey, limits: limits.uploads)
        }
        updates = await UpdateHub(
            of: gallery, previews: uploads.previews, limits: limits.updates, slowAfter: limits.server.slowAfter)
        self.logger = logger
        (endSignal, endSink) = AsyncStream.makeStream()
    }

    /// The event's name in addresses: the first eight hexadecimal digits of its id.
    var pathName: String { gallery.event.short }
    /// The event's path, with a slash at both ends.
    var path: String { "/e/\(pathName)/" }

    func cookieName(port: Int) -> String { "disposable-\(pathName)-\(port)" }

    /// Returns the time until which sessions and uploads are kept: the event's.
    func expiry() async -> UInt64 {
        guard let charter = await gallery.charter() else {
            let hours = Charter.durationHoursRange.upperBound + Charter.retentionHoursRange.upperBound
            return Milliseconds.now + UInt64(hours) * 3_600_000
        }
        // If the clock is wrong, or the event is an old one, a session still lasts a day.
        return max(charter.expiresAtMilliseconds, Milliseconds.now + 24 * 3_600_000)
    }

    /// Whether the session has to show the wall's code first: the organizers ask for it, and the session has neither
    /// shown it nor a guest (protocol/guest-api.md §23).
    func isOutside(_ session: GuestSession) async -> Bool {
        guard session.guest == nil, !session.opening.isAtWall else { return false }
        return await gallery.options().needsWallCode
    }

    /// Returns the guest of a stream that began earlier: `.some(nil)` has not entered, `nil` means that the session has
    /// ended, or is outside by now.
    func viewer(of session: GuestSession) async -> AuthorID?? {
        guard let guest = await sessions.viewer(of: session.id) else { return nil }
        if guest == nil, await isOutside(session) { return nil }
        return .some(guest)
    }

    /// Drops data of ended sessions: no other session can use it.
    func forget(_ sessions: [Bytes32]) async throws {
        for session in sessions {
            updates.streams.close(session: session)
            try await uploads.dropAll(of: session)
        }
    }

    /// Erases the guest's one-time code. A phone that has used it, and is not the guest yet, has no session afterwards.
    /// - Parameter session: erases the code only if this session has asked for it; `nil` for any.
    func closeHandover(of guest: AuthorID, askedBy session: Bytes32? = nil) async throws {
        guard let opened = handovers.close(of: guest, at: gallery.event, askedBy: session) else { return }
        try await endHandedOver(opened)
    }

    /// Ends a session that a one-time code has opened, with its streams and uploads.
    func endHandedOver(_ session: Bytes32) async throws {
        try await sessions.endHandedOver(session)
        try await forget([session])
    }

    /// Runs until the task is cancelled, or `end` is called.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.updates.run() }
            group.addTask { await self.uploads.finishTaken(from: self.gallery, logger: self.logger) }
            group.addTask { try? await self.uploads.sweepPeriodically(logger: self.logger) }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(3600))) != nil {
                    guard let expired = try? await self.sessions.dropExpired() else { continue }
                    try? await self.forget(expired)
                }
            }
            for await _ in endSignal {}
            group.cancelAll()
        }
        updates.streams.close()
    }

    /// Ends the pages: the node no longer has the event.
    func end() {
        handovers.drop(event: gallery.event)
        endSink.finish()
    }
}

/// The events whose pages are served, by their names in addresses.
final class EventTable: Sendable {
    let handovers: Handovers
    private let galleries: @Sendable () async -> [any Gallery]
    private let limits: PortalLimits
    private let gate: Gate
    private let logger: Logger
    private let events = Mutex<[String: PortalEvent]>([:])

    init(
        limits: PortalLimits, gate: Gate, logger: Logger, galleries: @escaping @Sendable () async -> [any Gallery]
    ) {
        handovers = Handovers(limits.handovers)
        self.galleries = galleries
        self.limits = limits
        self.gate = gate
        self.logger = logger
    }

    subscript(pathName: some StringProtocol) -> PortalEvent? { events.withLock { $0[String(pathName)] } }

    /// Returns the event once its pages are served, soon after the node has it; `nil` if the node does not have it.
    func served(_ pathName: String) async throws -> PortalEvent? {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            if let event = self[pathName] { return event }
            guard ContinuousClock.now < deadline, await galleries().contains(where: { $0.event.short == pathName })
            else { return nil }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// In the order of their ids.
    var all: [PortalEvent] { events.withLock { $0.values.sorted { $0.gallery.event < $1.gallery.event } } }

    /// Follows the node's present events: starts the pages of new ones, ends those of events that are gone. If one
    /// fails, such as an event that the node is just forgetting, it is tried again the next time, and the others start.
    /// Called by one task at a time.
    func refresh() async -> [PortalEvent] {
        let galleries = await galleries()
        let names = Set(galleries.map(\.event.short))
        let known = events.withLock { events in
            for name in events.keys where !names.contains(name) { events.removeValue(forKey: name)?.end() }
            return Set(events.keys)
        }
        var begun: [PortalEvent] = []
        for gallery in galleries where !known.contains(gallery.event.short) {
            do {
                let event = try await PortalEvent(
                    of: gallery, limits: limits, gate: gate, handovers: handovers, logger: logger)
                events.withLock { $0[event.pathName] = event }
                begun.append(event)
            } catch is CancellationError {
                // The node stops.
                return begun
            } catch {
                logger.error("event has no pages yet", metadata: ["reason": "\(error)"])
            }
        }
        return begun
    }
}
