// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb

/// The changes for all open streams of one event: reads the gallery's updates once, looks each photo up once, and
/// signals all streams. A stream has no queue, only the number of its latest change.
actor UpdateHub {
    struct Batch: Sendable {
        let since: UpdateLog.Since
        let newest: UInt64
        /// The number of heartbeats so far.
        let beatCount: UInt64
        /// The number of times that messages to the organizers have changed. Not in the log: guests are not told, not even
        /// by a number that is missing.
        let messagesCount: UInt64
    }

    nonisolated let streams: StreamPlaces
    private let gallery: any Gallery
    private let previews: EarlyPreviews
    private let limits: PortalLimits.Updates
    private let updates: any AsyncSequence<GalleryUpdate, Never> & Sendable
    private var log: UpdateLog
    private var beatCount: UInt64 = 0
    private var messagesCount: UInt64 = 0

    /// The changes that each open page, or desk, answers with several requests. A member can cause any number of them, so those
    /// beyond a rate are told together, later.
    private enum BroadChange { case event, messages, everything, wall }
    private var rates: [BroadChange: TokenBuckets<BroadChange>]
    private var delayed: Set<BroadChange> = []

    // Changes that are not looked up yet, each photo once.
    private var waiting: [GalleryUpdate] = []
    private let work: AsyncStream<Void>
    private let workBell: AsyncStream<Void>.Continuation

    /// - Parameter slowAfter: the time without progress after which a stream can be replaced by a new one.
    init(
        of gallery: any Gallery, previews: EarlyPreviews, limits: PortalLimits.Updates, slowAfter: Duration
    ) async {
        self.gallery = gallery
        self.previews = previews
        self.limits = limits
        streams = StreamPlaces(limits.streams, slowAfter: slowAfter)
        rates = [
            .event: limits.eventChanges, .messages: limits.eventChanges, .everything: limits.reloads,
            .wall: limits.wallActs,
        ].mapValues { TokenBuckets($0, keyCountMax: 1) }
        log = UpdateLog(
            instance: [UInt8].random(count: 4).hex, countMax: limits.logCountMax)
        (work, workBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        updates = await gallery.updates()
    }

    /// Runs until the task is cancelled.
    func run() async {
        let (updates, work, beatInterval) = (updates, work, limits.beatInterval)
        let previews = previews
        await withDiscardingTaskGroup { group in
            group.addTask { for await update in updates { await self.note(update) } }
            group.addTask { for await change in previews.changes { await self.note(change) } }
            group.addTask { for await _ in work { await self.publish() } }
            group.addTask { await self.followMoments() }
            group.addTask { while (try? await Task.sleep(for: beatInterval)) != nil { await self.beat() } }
        }
    }

    /// Fast, so that the gallery's queue for this reader does not overflow while photos are looked up.
    private func note(_ update: GalleryUpdate) {
        if case .removed(let photo) = update { waiting.removeAll { $0 == .photo(photo) } }
        // Other changes stay beside `.everything`, which may have to wait.
        if waiting.count >= limits.logCountMax { waiting = [.everything] }
        if waiting.last != update, !waiting.contains(update) { waiting.append(update) }
        workBell.yield()
    }

    private func note(_ change: EarlyPreviews.Change) {
        switch change {
        case .shown(let id): log.append(.early(id))
        case .ended(let id, let photo): log.append(.gone(id, photo))
        }
        streams.ring()
    }

    private func publish() async {
        while !waiting.isEmpty {
            let update = waiting.removeFirst()
            switch update {
            case .photo(let id):
                let isOfTwin = await gallery.origins(of: [id])[id] != nil
                let shown = try? await gallery.photo(id, for: nil)
                let veiled = shown == nil ? await gallery.veiledPhoto(id) : nil
                log.append(.photo(id, shown ?? veiled, isOfTwin: isOfTwin))
            case .removed(let id): log.append(.removed(id))
            case .event: tell(.event)
            case .messages: tell(.messages)
            case .everything: tell(.everything)
            }
        }
        streams.ring()
    }

    /// Tells the change now, or once its rate permits it.
    private func tell(_ change: BroadChange) {
        guard !delayed.contains(change) else { return }
        if let wait = rates[change]?.take(for: change, at: .now) {
            delayed.insert(change)
            Task {
                try? await Task.sleep(for: wait)
                tellDelayed(change)
            }
            return
        }
        switch change {
        case .event: log.append(.event)
        case .messages: messagesCount += 1
        case .everything: log.appendEverything()
        case .wall: break
        }
    }

    /// Tells all streams what walls are asked to do. Returns false beyond the rate.
    func tellWalls(_ act: WallAct, _ photo: PhotoID?) -> Bool {
        guard rates[.wall]?.take(for: .wall, at: .now) == nil else { return false }
        log.append(.wall(act, photo))
        streams.ring()
        return true
    }

    private func tellDelayed(_ change: BroadChange) {
        delayed.remove(change)
        tell(change)
        streams.ring()
    }

    /// Announces the begin and the end of each moment. The node's clock may be set and the hours may be edited at any
    /// time, so it looks every second instead of waiting for the next begin.
    private func followMoments() async {
        var seen: [UInt32]?
        repeat {
            let moments = await gallery.moments()
            let days = [moments?.running?.moment.day ?? 0] + (moments?.past.map(\.moment.day) ?? [])
            if let seen, seen != days {
                log.append(.moment)
                streams.ring()
            }
            seen = days
        } while (try? await Task.sleep(for: limits.momentInterval)) != nil
    }

    private func beat() {
        beatCount += 1
        streams.ring()
    }

    // Queries of the streams

    var newest: UInt64 { log.newest }

    func number(in id: some StringProtocol & Sendable) -> UInt64? { log.number(in: id) }

    func batch(since number: UInt64) -> Batch {
        Batch(since: log.since(number), newest: log.newest, beatCount: beatCount, messagesCount: messagesCount)
    }

    func id(_ number: UInt64) -> String { log.id(number) }
}
