// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation

/// Viewing and editing an event's charter.
extension EventNode {
    /// Edits the given fields that differ, with one signed operation each, all of them or none. Returns the fields'
    /// names.
    /// - Parameter isConfirmed: whether the person accepts that photos are revealed earlier than planned.
    func edit(_ parameters: EventParameters, isConfirmed: Bool) async throws -> [String] {
        let state = replica.state
        guard let charter = state.charter else {
            throw NodeError.refused(.notAdmitted)
        }
        var edited = charter
        parameters.apply(to: &edited)
        try settleStart(of: &edited, from: charter, parameters, isConfirmed: isConfirmed)
        let fields = charter.differences(from: edited)
        let approval = parameters.approvalRule.flatMap { $0 == state.album.approvalRule ? nil : $0 }
        let veils = parameters.photos.veils.flatMap { $0 == state.album.areVeilsOn ? nil : $0 }
        let pageSealing = parameters.photos.pageSealing.flatMap { $0 == isPageSealingOn ? nil : $0 }
        guard !fields.isEmpty || approval != nil || veils != nil || pageSealing != nil else {
            throw NodeError.refused(.nothingToDo)
        }
        if pageSealing == true {
            guard charter.revealKey != .zero else { throw NodeError.cannotSeal(isRevealed: false) }
            guard !state.isRevealed else { throw NodeError.cannotSeal(isRevealed: true) }
        }
        let demands = edited.problems.filter { fields.contains($0.field) }.map(\.description)
        guard demands.isEmpty else { throw NodeError.unacceptable(demands) }
        if fields.contains(.reveal), edited.reveal != .now {
            guard charter.revealKey != .zero else { throw NodeError.cannotSeal(isRevealed: false) }
            guard !state.isRevealed else { throw NodeError.cannotSeal(isRevealed: true) }
        }
        if charter.isOpened, edited.endsAtMilliseconds > max(charter.endsAtMilliseconds, charter.expiresAtMilliseconds)
        {
            throw NodeError.unacceptable([
                "guests were told that their photos are forgotten at \(Timestamps.iso8601(charter.expiresAtMilliseconds)), so the "
                    + "event cannot last longer than that"
            ])
        }
        let now = now.wallClockMilliseconds
        // If the reveal key is shared, an edit does not reveal photos.
        if !isConfirmed, !state.isRevealed, charter.revealKey != .zero, charter.seal.shares == nil,
            edited.opensPhotos(at: now), !charter.opensPhotos(at: now)
        {
            try checkReveal(charter)
        }
        if !fields.isEmpty {
            try await rule(.edit(fields, edited, salt: Entropy.bytes(OperationBody.saltByteCount)))
        }
        if let approval { try await rule(.approval(approval)) }
        if let veils { try await rule(.veils(isOn: veils)) }
        if let pageSealing { try await rule(.pageSealing(isOn: pageSealing)) }
        return fields.map { "\($0)" } + (approval == nil ? [] : ["approve"]) + (veils == nil ? [] : ["veils"])
            + (pageSealing == nil ? [] : ["pageSealing"])
    }

    /// Gives a member more frames.
    func giveFrames(_ count: UInt64, to member: String) async throws -> ControlReply {
        let grantee = try self.member(named: member)
        guard rollLimit(of: AuthorID(grantee)) != nil else {
            throw NodeError.unlimited(member)
        }
        try await rule(Ruling.frames(count, to: AuthorID(grantee)))
        var ruled = ruledMember(grantee)
        ruled.frames = rollLimit(of: AuthorID(grantee))
        return .ruled(photo: nil, member: ruled, role: nil)
    }

    /// Sets or removes the zone of a node.
    /// - Parameters:
    ///   - member: the node's person; `nil` for this node.
    ///   - name: `nil` for no zone.
    func setZone(_ name: String?, of member: String?) async throws -> ControlReply {
        let (state, own) = (replica.state, DeviceID(store.keys.device.verifyingKey))
        guard let charter = state.charter else { throw NodeError.refused(.notAdmitted) }
        let node = try member.map { DeviceID(try self.member(named: $0)) } ?? own
        guard state.membership.isNode(node) else {
            throw NodeError.control("\(member ?? node.short) has no machine with a node here, and only machines have zones")
        }
        if let name, !Label.isAcceptable(name) { throw NodeError.refused(.malformedName) }
        var edited = charter
        edited.zones[node] = name
        guard edited.zones != charter.zones else { throw NodeError.refused(.nothingToDo) }
        guard edited.zones.list.count <= Zone.countMax else {
            throw NodeError.unacceptable([Charter.demand(of: .zones)])
        }
        try await rule(.edit([.zones], edited, salt: Entropy.bytes(OperationBody.saltByteCount)))
        return .ruled(photo: nil, member: ruledMember(node.bytes32), role: nil)
    }

    func info() async throws -> EventInfo {
        let state = replica.state
        guard let charter = state.charter else { throw NodeError.refused(.notAdmitted) }
        let (album, photos) = (state.album, state.photos)
        let gallery = state.visible(among: photos)
        let people = people(in: state, gallery, me: replica.authorID)
        let framesLeft = people.map { person in person.frames.map { $0 - min($0, UInt64(person.framesUsed)) } }
        let byteCount = try await originalByteCount(of: gallery)
        let hour: UInt64 = 3_600_000
        let window = state.window
        let byHour = Dictionary(grouping: gallery) {
            min(max($0.timestamp.milliseconds, window.lowerBound), window.upperBound) / hour * hour
        }
        let times = EventInfo.Times(
            endsAt: charter.endsAtMilliseconds, overAt: charter.overAtMilliseconds,
            acceptsUntil: charter.acceptsUntilMilliseconds, expiresAt: charter.expiresAtMilliseconds,
            revealsAt: state.isRevealed ? nil : charter.revealsAtMilliseconds)
        let numbers = EventInfo.Photos(
            photoCount: gallery.count, waitingCount: photos.count { $0.status == .waiting },
            pendingCount: photos.count(where: \.status.isPending),
            hiddenCount: photos.count { $0.status == .hidden },
            veiledCount: photos.count(where: \.status.isVeiled),
            removedCount: photos.count(where: \.status.isWithdrawn),
            untimelyCount: photos.count { $0.status == .waiting && state.untimeliness(of: $0) != nil },
            byteCount: byteCount, missionCounts: missions(for: nil).map(\.photoCount),
            cover: state.picture(.cover)?.id.description, plan: state.picture(.plan)?.id.description,
            hours: byHour.map { EventInfo.Hour(startsAt: $0.key, photoCount: $0.value.count) }
                .sorted { $0.startsAt < $1.startsAt })
        let remarks = EventInfo.Remarks(
            captionCount: gallery.count { album.caption(of: $0.id) != nil },
            commentCount: gallery.reduce(0) { $0 + album.comments(on: $1.id).count },
            reactionCount: gallery.reduce(0) { $0 + album.reactions(to: $1.id).values.reduce(0) { $0 + $1.count } },
            noticeCount: album.notices.count)
        let members = EventInfo.Members(
            personCount: people.count, deviceCount: state.membership.count,
            framesUsed: people.reduce(0) { $0 + $1.framesUsed },
            framesLeft: framesLeft.contains(nil) ? nil : framesLeft.reduce(0) { $0 + ($1 ?? 0) },
            consentCount: state.consentText.map { album.consentCount(to: $0.id) } ?? 0, people: people)
        return EventInfo(
            event: event.description,
            parameters: EventParameters(
                charter, album.approvalRule, veils: album.areVeilsOn, pageSealing: isPageSealingOn),
            phase: charter.phase(at: now.wallClockMilliseconds, isRevealed: state.isRevealed).rawValue,
            isDeleted: charter.isDeleted,
            sealing: EventInfo.Sealing(state),
            isOrganizer: (state.membership.rank(of: DeviceID(store.keys.device.verifyingKey)) ?? .participant)
                >= .organizer,
            hasEventKey: store.keys.organizer != nil,
            times: times, photos: numbers, remarks: remarks, members: members)
    }

    /// Returns the bytes of the photos' shared files, as far as their descriptions are here. Read results are cached,
    /// because they never change and are queried often.
    private func originalByteCount(of photos: [Photo]) async throws -> UInt64 {
        let album = replica.state.album
        let ids = photos.compactMap { album.originals(of: $0.id).first }
        let unknown = ids.filter { reading.originalByteCounts[$0] == nil }
        for start in stride(from: 0, to: unknown.count, by: 1_000) {
            let batch = Array(unknown[start..<min(start + 1_000, unknown.count)])
            let found = try await readers.run { [store] in
                try store.operations(batch).compactMap { operation -> (OperationID, UInt64)? in
                    guard case .original(let manifest)? = operation.content else { return nil }
                    return (operation.id, manifest.original.byteCount)
                }
            }
            for (id, byteCount) in found { reading.originalByteCounts[id] = byteCount }
        }
        return ids.reduce(0) { $0 + (reading.originalByteCounts[$1] ?? 0) }
    }

    /// Returns the members, those with a role first.
    private func people(in state: EventState, _ gallery: [Photo], me: AuthorID) -> [EventInfo.Person] {
        let membership = state.membership
        var photoCounts: [AuthorID: Int] = [:]
        for photo in gallery { photoCounts[photo.author, default: 0] += 1 }
        let roles: [Role] = [.organizer, .moderator, .page, .photographer]
        return membership.authors.filter { $0.bytes32 != state.eventKey.bytes32 && membership.isAuthor($0) }.map {
            author in
            EventInfo.Person(
                name: state.album.shownName(of: author), key: author.description,
                roles: roles.filter { role in
                    // Organizers serve pages and have no limit without further roles.
                    membership.holds(role, author.bytes32)
                        && (role == .organizer || !membership.holds(.organizer, author.bytes32))
                }.map { "\($0)" },
                photoCount: photoCounts[author] ?? 0, framesUsed: state.album.usedSlotCount(of: author),
                frames: rollLimit(of: author),
                zone: state.charter?.zones[DeviceID(author.bytes32)], isMe: author == me,
                hasLeft: !membership.isPresent(author))
        }.sorted {
            ($0.roles.isEmpty ? 1 : 0, $0.name ?? "~", $0.key) < ($1.roles.isEmpty ? 1 : 0, $1.name ?? "~", $1.key)
        }
    }
}
