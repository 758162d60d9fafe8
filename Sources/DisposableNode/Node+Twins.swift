// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// Events whose galleries are joined with those of this node's events (protocol/disposable-v1.md §9.28): the node reads
/// them, without taking part.
extension Node {
    /// The most events that a node only reads, for all of its own; for each of these it reads `Twin.countMax`.
    static let readersMax = 16

    /// The events that this node only reads, in the order of their ids.
    public var readEvents: [EventID] { open.filter { $0.value.isReader }.keys.sorted() }

    /// Whether this node only reads the event, for the gallery of another.
    public func isReader(of event: EventID) -> Bool { open[event]?.isReader == true }

    /// Follows the twins of this node's events, once a second.
    func followTwins() async {
        repeat { await lookAtTwins() } while (try? await Task.sleep(for: .seconds(1))) != nil && !isStopped
    }

    /// Begins to read new twins, forgets those that are none any longer, and updates the galleries that are shown
    /// together.
    func lookAtTwins() async {
        var names: [String] = []
        for event in own {
            do {
                for twin in try await event.readableTwins() {
                    if try await !read(twin, for: event) { names.append(twin.name) }
                }
            } catch {
                logger.debug("a joined gallery is not read yet", metadata: ["reason": "\(error)"])
            }
        }
        noteUnread(names)
        await updateTwins()
        await forgetTwins()
    }

    /// - Parameter names: the twins for which there was no room.
    private func noteUnread(_ names: [String]) {
        if let name = names.first {
            note(
                .twins,
                hasRoomToRead
                    ? "the gallery of \(name) is joined, and this node does not read it: it reads "
                        + "\(Twin.countMax) events for each of its own, and \(Self.readersMax) in all"
                    : "the gallery of \(name) is joined, and this node does not read it: its disk has no room")
        } else if !hasRoomToRead, !readEvents.isEmpty {
            note(.twins, "the disk has no room for more photos of joined galleries; the own events need it")
        } else {
            solve(.twins, "there is room for the photos of joined galleries again")
        }
    }

    /// The events in which this node's person takes part.
    private var own: [EventNode] { events.compactMap { open[$0] } }

    /// Begins to read an event, if this node does not have it, for the gallery of one of its own.
    /// - Returns: false if there is no room for it. An event that is still read counts for each that has named it, so
    ///   that nobody takes the places of another event by naming ever more twins.
    private func read(_ invitation: Invitation, for own: EventNode) async throws -> Bool {
        let id = invitation.event
        // First, as nothing may be awaited between the look at the open events and the creation of this one.
        let named = await own.namedTwins(among: readEvents)
        if let known = open[id] {
            // It has never been a member: the secret may be another one now.
            if known.isReader { try await known.readAgain(invitation) }
            return true
        }
        guard rebuilding[id] == nil, forgotten[id] == nil else { return true }
        if let tombstone = folder.tombstone(of: id) {
            // Its person has left it, or its retention is over.
            guard tombstone.reason == .separated else { return true }
        }
        guard hasRoomToRead, readEvents.count < Self.readersMax, named.count < Twin.countMax else { return false }
        try folder.raise(id)
        let keys = EventKeys.makeDevice(eventKey: invitation.eventKey, eventSecret: invitation.secret)
        let store = try EventStore.create(in: folder.path, keys: keys, isReader: true)
        try store.setMetadata(Array(invitation.name.utf8), for: "name")
        try store.setMetadata(
            Array(invitation.addresses.map(\.description).joined(separator: " ").utf8), for: "addresses")
        try await adopt(store)
        return true
    }

    /// Finds the pairs of events of which each has the other as its twin.
    func updateTwins() async {
        var pairs: [EventID: [EventID]] = [:]
        for event in own {
            for twin in await event.twins {
                guard let other = open[twin.event], await other.isShown(with: event.event) else { continue }
                pairs[event.event, default: []].append(twin.event)
            }
        }
        for id in context.twins.update(pairs) {
            open[id]?.watchers.tell(.everything)
            announce(.album(id))
        }
    }

    /// Forgets the events that this node only reads and that are no twins any longer.
    private func forgetTwins() async {
        // An event whose database is rebuilt names its twins again after that.
        guard rebuilding.isEmpty else { return }
        for id in readEvents {
            guard let event = open[id] else { continue }
            let partners = own
            var hasEnded = true
            for partner in partners where await partner.twins.contains(where: { $0.event == id }) {
                if await !event.hasEndedTwin(partner.event) { hasEnded = false }
            }
            // A renewal may be on its way.
            let delay = partners.isEmpty ? 0 : configuration.destructionDelayMilliseconds
            guard await event.isSeparated(hasEnded, for: delay) else { continue }
            do {
                for partner in partners { try await partner.noteSeparated(id) }
                // Its person may have joined it meanwhile.
                if event.isReader { try await forget(event, .separated) }
            } catch {
                note("a separated gallery is not forgotten yet: \(error)")
            }
        }
    }

    // Commands

    func perform(
        _ act: TwinAct, in name: String?, _ reply: @Sendable (ControlReply) async -> Void
    ) async throws {
        let event = try event(named: name)
        var offer: String?
        switch act {
        case .list: break
        case .take(let text): offer = try await take(text, in: event)
        case .with(let text):
            let other = try self.event(named: text)
            let (ours, theirs) = (try await event.offer(to: other.event), try await other.offer(to: event.event))
            // Nothing is stated in one event that the other one would refuse.
            try await event.checkTwin(other.event)
            try await other.accept(ours)
            try await event.accept(theirs)
        case .renew(let text):
            let twin = try await event.twin(named: text)
            guard let secret = await open[twin]?.currentSecret else { throw NodeError.twins(.notHere) }
            try await event.renew(twin, secret: secret)
        case .separate(let text): try await event.separate(from: event.twin(named: text))
        }
        // Without a running node nothing is forgotten.
        if configuration.listen == .none { await updateTwins() } else { await lookAtTwins() }
        await reply(.twins(await report(of: event, offer)))
    }

    /// Takes an invitation or an agreement of another event.
    /// - Returns: this event's agreement, for the organizer of the other one; `nil` if that one has no use for it.
    private func take(_ text: String, in event: EventNode) async throws -> String? {
        guard TwinOffer.isOffer(text) else {
            let invitation: Invitation
            do { invitation = try Invitation(text: text) } catch { throw NodeError.twins(.unreadable("\(error)")) }
            return try await event.offer(to: invitation.event).text
        }
        let offer: TwinOffer
        do { offer = try TwinOffer(text: text) } catch { throw NodeError.twins(.unreadable("\(error)")) }
        let answer = try await event.offer(to: offer.invitation.event)
        try await event.accept(offer)
        do { _ = try await read(offer.invitation, for: event) } catch {
            logger.debug("a joined gallery is not read yet", metadata: ["reason": "\(error)"])
        }
        await open[offer.invitation.event]?.dial(offer.invitation.addresses)
        return answer.text
    }

    private func report(of event: EventNode, _ offer: String?) async -> TwinReport {
        var twins = await event.twinInfos()
        for index in twins.indices {
            guard let id = EventID(hex: twins[index].event), let other = open[id] else { continue }
            twins[index].name = await other.name
            twins[index].photoCount = await other.visiblePhotoCount
            twins[index].mayBeSaved = await other.mayBeSaved
            if context.twins.twins(of: event.event).contains(id) {
                twins[index].state = .joined
            } else if await other.hasEndedTwin(event.event) {
                twins[index].state = .ended
            }
            if let secret = await other.currentSecret, await !event.givesSecret(secret, of: id) {
                twins[index].needsRenewal = true
            }
        }
        return TwinReport(
            event: event.event.description, name: await event.name, twins: twins, agreement: offer)
    }

    // Pages

    /// A photo of a twin that is shown with an event's own.
    public struct TwinPhoto: Sendable {
        public let event: EventID
        public let eventName: String
    }

    /// Returns a page of the photos of an event and of its twins that are shown to all, newest first.
    ///
    /// Throws `Refusal.unknownPhoto` if the cursor is a photo of none of them.
    /// - Parameters:
    ///   - id: the event.
    ///   - cursor: the last photo of the page before; `nil` for the first page.
    ///   - limit: photos at most.
    ///   - withVeiled: also the veiled photos, without anything of them.
    public nonisolated func joinedPage(
        of id: EventID, before cursor: PhotoID?, limit: Int, withVeiled: Bool
    ) async throws -> PhotoPage {
        let events = try galleries(of: id)
        var end: DisplayPlace?
        if let cursor {
            for event in events where end == nil { end = await event.place(of: cursor) }
            guard end != nil else { throw NodeError.refused(.unknownPhoto(cursor.short)) }
        }
        var found: [(event: EventNode, place: DisplayPlace)] = []
        var page = PhotoPage(photos: [], next: nil, totalCount: 0, earliestMilliseconds: nil)
        for event in events {
            // One more than is shown, to know whether another page follows.
            let (places, totalCount, earliest) = await event.places(
                before: end, limit: limit + 1, withVeiled: withVeiled)
            found += places.map { (event, $0) }
            page.totalCount += totalCount
            page.earliestMilliseconds = [page.earliestMilliseconds, earliest].compactMap(\.self).min()
        }
        found.sort { $1.place < $0.place }
        let shown = found.prefix(limit)
        var photos: [PhotoID: AlbumPhoto] = [:]
        for event in events {
            let ids = shown.filter { $0.event === event }.map(\.place.id)
            for photo in try await event.shownPhotos(ids, isForTwin: event.event != id) { photos[photo.id] = photo }
        }
        page.photos = shown.compactMap { photos[$0.place.id] }
        page.next = found.count > limit ? shown.last?.place.id : nil
        return page
    }

    /// Returns the event of a twin's photo and its name, by the ids of those of the photos that are a twin's.
    public nonisolated func twinPhotos(among photos: [PhotoID], of id: EventID) async -> [PhotoID: TwinPhoto] {
        let twins = joinedEvents(of: id)
        // Each open page asks this about each change, and mostly the photo is the event's own.
        guard !twins.isEmpty, let own = await context.events[id]?.known(among: photos) else { return [:] }
        var others = Set(photos).subtracting(own)
        var found: [PhotoID: TwinPhoto] = [:]
        for twin in twins where !others.isEmpty {
            let name = twin.summary.current.name
            for photo in await twin.known(among: Array(others)) {
                found[photo] = TwinPhoto(event: twin.event, eventName: name)
                others.remove(photo)
            }
        }
        return found
    }

    /// Returns the twin of the event to which the photo belongs; `nil` for a photo of the event's own or of none.
    public nonisolated func twin(with photo: PhotoID, of id: EventID) async -> EventNode? {
        let twins = joinedEvents(of: id)
        guard !twins.isEmpty, await context.events[id]?.place(of: photo) == nil else { return nil }
        for twin in twins where await twin.place(of: photo) != nil { return twin }
        return nil
    }

    /// Whether photos of other events are shown with the event's own.
    public nonisolated func hasTwins(_ id: EventID) -> Bool { !context.twins.twins(of: id).isEmpty }

    /// Returns the twins whose galleries are shown with that of the event.
    nonisolated func joinedEvents(of id: EventID) -> [EventNode] {
        context.twins.twins(of: id).compactMap { context.events[$0] }
    }

    private nonisolated func galleries(of id: EventID) throws -> [EventNode] {
        guard let event = context.events[id] else { throw NodeError.stopped }
        return [event] + joinedEvents(of: id)
    }
}
