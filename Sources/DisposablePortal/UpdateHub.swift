// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import HTTPTypes

/// Tells every open stream of one event what changed: reads the gallery's updates once, looks each photo up once, and
/// rings for all. A stream keeps no queue, only the number of what it has sent.
actor UpdateHub {
    struct Reader: Sendable {
        fileprivate let id: UInt64
        fileprivate let session: Bytes32
        /// Rings when there may be something to send; finished by `close` and `disconnect`.
        let bell: AsyncStream<Void>
        fileprivate let ring: AsyncStream<Void>.Continuation

        func close() { ring.finish() }
    }

    struct Batch: Sendable {
        let since: UpdateLog.Since
        let newest: UInt64
        /// How many beats there were so far.
        let beatCount: UInt64
    }

    private let gallery: any Gallery
    private let limits: PortalLimits
    private let updates: any AsyncSequence<GalleryUpdate, Never> & Sendable
    private var log: UpdateLog
    private var beatCount: UInt64 = 0
    private var readers: [UInt64: Reader] = [:]
    private var lastReader: UInt64 = 0

    // What came and is not looked up yet, each photo once.
    private var waiting: [GalleryUpdate] = []
    private let work: AsyncStream<Void>
    private let workBell: AsyncStream<Void>.Continuation

    init(of gallery: any Gallery, limits: PortalLimits) async {
        self.gallery = gallery
        self.limits = limits
        log = UpdateLog(
            instance: SystemRandomNumberGenerator.bytes(4).hex, countMax: limits.updateLogCountMax)
        (work, workBell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        updates = await gallery.updates()
    }

    /// Until the task is cancelled.
    func run() async {
        let (updates, work, beatInterval) = (updates, work, limits.beatInterval)
        await withDiscardingTaskGroup { group in
            group.addTask { for await update in updates { await self.note(update) } }
            group.addTask { for await _ in work { await self.publish() } }
            group.addTask { while (try? await Task.sleep(for: beatInterval)) != nil { await self.beat() } }
        }
    }

    /// Quick, so that the gallery's own queue for us does not run over while photos are looked up.
    private func note(_ update: GalleryUpdate) {
        switch update {
        case .removed(let photo): waiting.removeAll { $0 == .photo(photo) }
        case .everything: waiting = []
        case .photo, .event: break
        }
        if waiting.count >= limits.updateLogCountMax { waiting = [.everything] }
        if waiting != [.everything], waiting.last != update, !waiting.contains(update) { waiting.append(update) }
        workBell.yield()
    }

    private func publish() async {
        while !waiting.isEmpty {
            let update = waiting.removeFirst()
            switch update {
            case .photo(let id): log.append(.photo(id, try? await gallery.photo(id, for: nil)))
            case .removed(let id): log.append(.removed(id))
            case .event: log.append(.event)
            case .everything: log.appendEverything()
            }
        }
        ring()
    }

    private func beat() {
        beatCount += 1
        ring()
    }

    private func ring() { for reader in readers.values { reader.ring.yield() } }

    // Readers

    /// The place of a stream, whose bell has rung once already. Throws at the limits.
    func connect(_ session: Bytes32) throws(PortalError) -> Reader {
        guard readers.count < limits.streamCountMax else {
            throw PortalError(
                .serviceUnavailable, "too-many-streams", "this photo box serves as many browsers as it can",
                hint: "Ask for api/changes now and then instead.", retryAfter: 30)
        }
        guard readers.values.count(where: { $0.session == session }) < limits.streamCountBySessionMax else {
            throw PortalError(
                .tooManyRequests, "too-many-streams", "this browser has too many pages of the event open",
                hint: "Close some of them.", retryAfter: 30)
        }
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        ring.yield()
        lastReader += 1
        let reader = Reader(id: lastReader, session: session, bell: bell, ring: ring)
        readers[reader.id] = reader
        return reader
    }

    func disconnect(_ reader: Reader) { readers.removeValue(forKey: reader.id)?.close() }

    /// Ends the streams of a session that has ended.
    func disconnect(session: Bytes32) {
        for reader in readers.values where reader.session == session { disconnect(reader) }
    }

    var streamCount: Int { readers.count }

    var newest: UInt64 { log.newest }

    func number(in id: some StringProtocol & Sendable) -> UInt64? { log.number(in: id) }

    func batch(since number: UInt64) -> Batch {
        Batch(since: log.since(number), newest: log.newest, beatCount: beatCount)
    }

    func id(_ number: UInt64) -> String { log.id(number) }
}
