// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Logging
internal import Synchronization

/// One event as its pages have it: the gallery, and what the portal itself keeps for it.
final class PortalEvent: Sendable {
    let gallery: any Gallery
    /// The event's fingerprint, four words.
    let words: [String]
    let sessions: SessionStore
    let updates: UpdateHub
    let removals: RemovalKeeper
    let uploads: UploadStore
    /// Of the whole portal: joining the event has a rate.
    let gate: Gate
    private let logger: Logger
    private let endSignal: AsyncStream<Void>
    private let endSink: AsyncStream<Void>.Continuation

    init(of gallery: any Gallery, limits: PortalLimits, gate: Gate, logger: Logger) async throws {
        self.gallery = gallery
        self.gate = gate
        words = try await offTheLoops { try FingerprintWords.words(of: gallery.eventKey) }
        sessions = try await SessionStore(of: gallery, limits: limits)
        let removals = try await RemovalKeeper(of: gallery, limits: limits, logger: logger)
        self.removals = removals
        uploads = try await offTheLoops {
            try UploadStore(folderPath: gallery.folderPath, limits: limits.uploads) { await removals.leaving(by: $0) }
        }
        updates = await UpdateHub(of: gallery, limits: limits)
        self.logger = logger
        (endSignal, endSink) = AsyncStream.makeStream()
    }

    /// How the event is named in addresses: the first eight hexadecimal digits of its id.
    var pathName: String { gallery.event.short }
    /// Where everything of the event is, from a slash to a slash.
    var path: String { "/e/\(pathName)/" }

    func cookieName(port: Int) -> String { "disposable-\(pathName)-\(port)" }

    /// Until when sessions and uploads are kept: as long as the event.
    func expiry() async -> UInt64 {
        guard let charter = await gallery.charter() else {
            let hours = Charter.durationHoursRange.upperBound + Charter.retentionHoursRange.upperBound
            return Milliseconds.now + UInt64(hours) * 3_600_000
        }
        // Where the clock is wrong, or somebody looks at an old event, a session still lasts a day.
        return max(charter.expiresAtMilliseconds, Milliseconds.now + 24 * 3_600_000)
    }

    /// Drops what belongs to sessions that are gone: nobody else can open it.
    func forget(_ sessions: [Bytes32]) async throws {
        for session in sessions {
            updates.streams.close(session: session)
            try await uploads.dropAll(of: session)
        }
    }

    /// Until the task is cancelled, or `end` is called.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.updates.run() }
            group.addTask { await self.removals.run() }
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

    /// The node holds the event no more.
    func end() { endSink.finish() }
}

/// The events whose pages are served, by the names that addresses have for them.
final class EventTable: Sendable {
    private let galleries: @Sendable () async -> [any Gallery]
    private let limits: PortalLimits
    private let gate: Gate
    private let logger: Logger
    private let events = Mutex<[String: PortalEvent]>([:])

    init(
        limits: PortalLimits, gate: Gate, logger: Logger, galleries: @escaping @Sendable () async -> [any Gallery]
    ) {
        self.galleries = galleries
        self.limits = limits
        self.gate = gate
        self.logger = logger
    }

    subscript(pathName: some StringProtocol) -> PortalEvent? { events.withLock { $0[String(pathName)] } }

    /// In the order of their ids.
    var all: [PortalEvent] { events.withLock { $0.values.sorted { $0.gallery.event < $1.gallery.event } } }

    /// Takes up what the node holds now: begins the pages of new events, ends those of events that have gone.
    /// One that cannot be taken up, as when the node is just forgetting it, is tried again the next time; the others
    /// begin. Called by one task at a time.
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
                    of: gallery, limits: limits, gate: gate, logger: logger)
                events.withLock { $0[event.pathName] = event }
                begun.append(event)
            } catch {
                logger.error("event has no pages yet", metadata: ["reason": "\(error)"])
            }
        }
        return begun
    }
}
