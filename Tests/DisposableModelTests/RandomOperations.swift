// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Operations of several devices, honest and not, all from one seed: colliding slots, forks, chains with holes, claims
/// beyond the roll and of other people's photos, removes by strangers, charters by guests, sponsors unknown, out of
/// order and in circles; roles given and taken by everybody, with heads true and false; organizers who put each other
/// out; and, where photos are sealed, reveals with keys that are made up, and photos opened by their authors and by
/// others. Where roles are given, a vote comes last that mostly ends.
struct RandomOperations {
    let event: TestEvent
    private(set) var operations: [VerifiedOperation] = []

    /// Keys are made once: the seed chooses what they say.
    static let people = (0..<6).map { signingKey(UInt64($0) + 100) }
    static let stranger = signingKey(999)
    static let everybody = people + [stranger, TestEvent().eventKey]
    static let missions = [Mission(id: 1, text: "the first dance"), Mission(id: 2, text: "your table")]
    static let guests = [signingKey(500), signingKey(501), people[1]]

    var random: SplitMix64
    var photos: [VerifiedOperation] = []

    /// - Parameters:
    ///   - hasRoles: whether roles are given and taken, and photos hidden and erased.
    ///   - hasVeils: with roles, whether photos are veiled.
    ///   - revealKey: what photos are sealed to, zero where they are not.
    ///   - seal: the same with shares, which are given out and published, the true ones among `shares` and others.
    init(
        seed: UInt64, count: Int = 60, hasRoles: Bool = true, hasVeils: Bool = true, revealKey: Bytes32 = .zero,
        seal: CharterSeal? = nil, shares: [RevealShare] = []
    ) throws {
        random = SplitMix64(seed: seed)
        event = TestEvent()
        let first = try event.charter(
            frames: .random(in: 1...4, using: &random), isOpened: .random(using: &random), revealKey: revealKey
        ) { charter in
            charter.schedule.lateness = hasRoles && seed % 3 == 0 ? Lateness(minutes: 0) : nil
            charter.areFramesDaily = hasRoles && seed % 3 == 1
            charter.schedule.moments = seed % 2 == 0 ? nil : MomentHours(from: 600, to: 602, utcOffset: 120)
            charter.missions = seed % 4 == 0 ? [] : Self.missions
            charter.options.needsTickets = hasRoles && seed % 5 == 2
            for (number, person) in Self.people.enumerated() where seed % 3 == 1 {
                charter.zones[person.device] = "Zone \(number)"
            }
            if let seal { charter.seal = seal }
        }
        operations = [first]
        if Bool.random(using: &random) {
            let second = try event.charter(frames: .random(in: 0...4, using: &random), salt: 1, revealKey: revealKey) {
                if let seal { $0.seal = seal }
            }
            operations.append(second)
        }
        try join(Self.people[0], sponsor: event.eventKey)
        // Most devices enter through a random one of all keys, so chains, circles and dead ends come about.
        for person in Self.people.dropFirst() {
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                try join(person, sponsor: Self.everybody.randomElement(using: &random)!)
            }
        }
        while operations.count < count {
            try (hasRoles && Int.random(in: 0..<3, using: &random) == 0) ? stateRole() : statePhoto()
            if hasRoles, Int.random(in: 0..<6, using: &random) == 0 { try stateEdit() }
            if hasRoles, Int.random(in: 0..<8, using: &random) == 0 { try stateEpoch() }
            if hasRoles, Int.random(in: 0..<40, using: &random) == 0 { try stateFeud() }
            if hasRoles, Int.random(in: 0..<6, using: &random) == 0 { try stateApproval() }
            if revealKey != .zero, Int.random(in: 0..<4, using: &random) == 0 { try stateReveal() }
        }
        // Pictures, spots and answers behind the others, which are as if there were none of them.
        let shown = Set(event.fold(batch: operations).gallery.map(\.id.operationID))
        for _ in 0..<(hasRoles ? count / 6 : 0) { try statePicture(shown) }
        for _ in 0..<count / 6 {
            if hasRoles, Int.random(in: 0..<5, using: &random) == 0 {
                try stateMissions()
            } else {
                try stateAnswer(isTakenAway: hasRoles)
            }
        }
        for _ in 0..<count / 10 { try stateTurn() }
        if hasRoles, hasVeils, seed % 4 != 3 {
            try state(.veiling, by: [event.eventKey, Self.people[0]].randomElement(using: &random)!)
            for _ in 0..<count / 4 { try stateVeil(shown) }
        }
        for _ in 0..<count / 10 { try stateMessage(isTakenAway: hasRoles) }
        for _ in 0..<count / 5 { try stateGift() }
        if hasRoles, seed % 5 == 2 { for _ in 0..<count / 4 { try stateTicket() } }
        if seal != nil { for _ in 0..<count / 15 { try stateShare(shares) } }
        if hasRoles, hasVeils { for _ in 0..<count / 12 { try statePageSealing() } }
        for _ in 0..<count / 4 { try stateVote() }
        if hasRoles { try stateEnd(hasTickets: seed % 5 == 2) }
        if hasRoles, hasVeils { for _ in 0..<count / 6 { try stateTwin() } }
    }

    private static let tickets = (90...93 as ClosedRange<UInt64>).map(signingKey)

    /// Lists and rulings mostly by people with a rank; uses by anybody, for themselves, a guest, or somebody else.
    private mutating func stateTicket() throws {
        let ticket = Self.tickets.randomElement(using: &random)!
        let uses = operations.filter { $0.kind == .ticketUse }
        let actor = Self.everybody.randomElement(using: &random)!
        let ruler = Bool.random(using: &random) ? Self.people[0] : actor
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1:
            let listed = Self.tickets.filter { _ in Bool.random(using: &random) }
            let keys = (listed + [ticket]).map { TicketKey($0.verifyingKey) }
            try state(.tickets, by: ruler, argument: .random(in: 1...9, using: &random), content: .tickets(keys))
        case 2:
            try state(.ticketRuling, by: ruler, subject: OperationID(ticket.verifyingKey.bytes32), argument: 1)
        case 3:
            guard let use = uses.randomElement(using: &random) else { return }
            try state(.ticketRuling, by: ruler, subject: use.id, argument: .random(in: 1...3, using: &random))
        default:
            let author = Int.random(in: 0..<3, using: &random) == 0 ? Self.guests.randomElement(using: &random)! : actor
            let proof = TicketProof(of: AuthorID(author.device), event: event.event, by: ticket)
            try state(
                .ticketUse, by: actor, subject: OperationID(ticket.verifyingKey.bytes32), content: .ticketUse(proof))
        }
    }

    /// By anybody: a share for a device, mostly by somebody who may; or one that is published, mostly a true one.
    private mutating func stateShare(_ shares: [RevealShare]) throws {
        let actor = Self.everybody.randomElement(using: &random)!
        if Bool.random(using: &random) {
            let recipient = Self.everybody.randomElement(using: &random)!
            try state(
                .share, by: Bool.random(using: &random) ? Self.people[0] : actor,
                subject: OperationID(recipient.device.bytes32), argument: .random(in: 0...4, using: &random),
                content: .share(box: [UInt8](repeating: 1, count: SealedSecret.byteCount)))
            return
        }
        let share = shares.randomElement(using: &random)!
        let isTrue = Int.random(in: 0..<3, using: &random) > 0
        try state(
            .shareRelease, by: actor, argument: isTrue ? UInt64(share.index) : .random(in: 0...4, using: &random),
            content: .shareRelease(
                isTrue || Bool.random(using: &random) ? share.value : Bytes32([UInt8](repeating: 3, count: 32))!))
    }

    /// By anybody, or erased by anybody.
    private mutating func statePageSealing() throws {
        let actor = ([event.eventKey] + Self.everybody).randomElement(using: &random)!
        let settings = operations.filter { $0.kind == .pageSealing }
        if Bool.random(using: &random), let setting = settings.randomElement(using: &random) {
            try state(.erase, by: actor, subject: setting.id)
        } else {
            try state(.pageSealing, by: actor)
        }
    }

    /// By anybody, of a frame in the quota or beyond it, to anybody or to a guest.
    mutating func stateGift() throws {
        let recipient = (Self.everybody + Self.guests).randomElement(using: &random)!
        try state(
            .gift, by: Self.everybody.randomElement(using: &random)!, subject: OperationID(recipient.device.bytes32),
            argument: .random(in: 0...6, using: &random))
    }

    /// Mostly by the photo's author; sometimes with an argument that says nothing.
    mutating func stateTurn() throws {
        guard let photo = photos.randomElement(using: &random) else { return }
        let author = Self.everybody.first { $0.device == photo.header.device }!
        let actor = Int.random(in: 0..<4, using: &random) == 0 ? Self.everybody.randomElement(using: &random)! : author
        try state(.turn, by: actor, subject: photo.id, argument: .random(in: 0...4, using: &random))
    }

    /// By anybody, about a photo or about none; now and then one is taken away, or somebody tries to.
    mutating func stateMessage(isTakenAway: Bool) throws {
        let actor = Self.everybody.randomElement(using: &random)!
        let messages = operations.filter { $0.kind == .message }
        if isTakenAway, Int.random(in: 0..<4, using: &random) == 0, let message = messages.randomElement(using: &random) {
            let author = Self.everybody.first { $0.device == message.header.device }!
            let kind = [OperationKind.remove, .hide, .erase].randomElement(using: &random)!
            try state(kind, by: Bool.random(using: &random) ? author : actor, subject: message.id)
            return
        }
        let about = Bool.random(using: &random) ? photos.randomElement(using: &random)?.id ?? .none : .none
        try state(.message, by: actor, subject: about, content: .message(Self.sealed))
    }

    /// The fold opens nothing.
    static let sealed = SealedMessage(
        keys: [SealedSecret(device: people[0].device, box: [UInt8](repeating: 1, count: SealedSecret.byteCount))],
        text: [UInt8](repeating: 2, count: 272))!

    /// Mostly a veil, by anybody, of a photo that is shown; or a lift, mostly by somebody who may; and now and then one of
    /// these, or the switch, that is taken away.
    mutating func stateVeil(_ shown: Set<OperationID>) throws {
        let likely = photos.filter { shown.contains($0.id) }
        guard
            let photo = (Int.random(in: 0..<4, using: &random) > 0 ? likely : []).randomElement(using: &random)
                ?? photos.randomElement(using: &random)
        else { return }
        let actor = Self.everybody.randomElement(using: &random)!
        let organizer = [event.eventKey, Self.people[0]].randomElement(using: &random)!
        switch Int.random(in: 0..<16, using: &random) {
        case 0: try state(.veiling, by: actor)
        case 1...2: try state(.lift, by: Bool.random(using: &random) ? organizer : actor, subject: photo.id)
        case 3:
            let stated = operations.filter { $0.kind == .veil || $0.kind == .lift || $0.kind == .veiling }
            let (kind, one) = (
                [OperationKind.remove, .hide, .erase].randomElement(using: &random)!, stated.randomElement(using: &random)!
            )
            let author = Self.everybody.first { $0.device == one.header.device }!
            try state(kind, by: kind == .remove ? author : organizer, subject: one.id)
        default: try state(.veil, by: actor, subject: photo.id)
        }
    }

    mutating func join(_ person: SigningKey, sponsor: SigningKey) throws {
        // Some sign for a guest, whose key may be that of a device as well.
        let guest = Int.random(in: 0..<3, using: &random) == 0 ? Self.guests.randomElement(using: &random)! : nil
        let admission = Admission(of: person.device, to: event.event, by: sponsor)
        let delegation = guest.map { Delegation(to: person.device, at: sponsor.device, event: event.event, by: $0) }
        try state(.join, by: person, content: .join(admission, delegation))
    }

    /// States something at the end of the device's chain, or, now and then, at an earlier place or at none at all.
    /// - Parameter milliseconds: the time; without one it is any of `times`.
    @discardableResult
    mutating func state(
        _ kind: OperationKind, by key: SigningKey, subject: OperationID = .none, argument: UInt64 = 0,
        content: OperationContent = .none, milliseconds: UInt64? = nil
    ) throws -> VerifiedOperation {
        let chain = operations.filter { $0.header.device == key.device && $0.header.set == kind.set }
        var (sequence, previous) = (UInt32(0), OperationID.none)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: (sequence, previous) = (.random(in: 1...8, using: &random), OperationID(event.event.bytes32))
        case 1:
            if let latest = chain.randomElement(using: &random) {
                (sequence, previous) = (latest.header.sequence + 1, latest.id)
            }
        default: if let latest = chain.last { (sequence, previous) = (latest.header.sequence + 1, latest.id) }
        }
        let operation = try event.operation(
            kind, by: key, sequence: sequence, subject: subject, argument: argument, content: content,
            salt: .random(in: 0...255, using: &random), milliseconds: milliseconds ?? times(of: kind),
            previous: previous)
        // The same words at the same place are the same operation.
        if !operations.contains(where: { $0.id == operation.id }) { operations.append(operation) }
        return operation
    }

    /// Mostly the start of the event; sometimes a time before it, on another day of it, or after its end.
    mutating func times(of kind: OperationKind) -> UInt64 {
        let hour: Int64 = 3_600_000
        guard kind.set == .content || kind == .edit, Int.random(in: 0..<3, using: &random) == 0 else {
            return TestEvent.startMilliseconds
        }
        let hours: Int64 = [-30, -1, 20, 30, 60, 191, 193, 200].randomElement(using: &random)!
        return UInt64(Int64(TestEvent.startMilliseconds) + hours * hour)
    }

    mutating func statePhoto() throws {
        let isHonest = Int.random(in: 0..<4, using: &random) > 0
        var actor = Self.everybody.randomElement(using: &random)!
        let photo = photos.randomElement(using: &random)
        if isHonest, let photo { actor = Self.everybody.first { $0.device == photo.header.device }! }
        switch (Int.random(in: 0..<12, using: &random), photo) {
        case (0...2, _), (_, nil):
            let manifest = PhotoManifest(
                thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg)
            photos.append(try state(.photo, by: actor, content: .photo(manifest)))
        case (3...7, let photo?):
            let slot: UInt64 =
                Bool.random(using: &random)
                ? .random(in: 1...3, using: &random) : .random(in: 0...6, using: &random)
            try state(.claim, by: actor, subject: photo.id, argument: slot)
        case (8, let photo?): try state(.remove, by: actor, subject: photo.id)
        case (11, _) where Int.random(in: 0..<4, using: &random) == 0: try state(.leave, by: actor)
        case (9, let photo?):
            let content = try event.original(actor, 0, photo: photo).content!
            try state(.original, by: actor, subject: photo.id, content: content)
        case (10, _):
            try state(.name, by: actor, content: .name(["Anna", "Ben", "Cleo"].randomElement(using: &random)!))
        default: operations.append(try event.charter(frames: 0, by: Self.people.randomElement(using: &random)!))
        }
    }

    /// A cover or a plan, mostly by somebody who may; or a photo that is put on one of the plans so far, mostly by its
    /// author; and now and then one of these that is taken off.
    mutating func statePicture(_ shown: Set<OperationID>) throws {
        let likely = photos.filter { shown.contains($0.id) }
        guard
            let photo = (Bool.random(using: &random) ? likely : []).randomElement(using: &random)
                ?? photos.randomElement(using: &random)
        else { return }
        let off = Int.random(in: 0..<5, using: &random) == 0 ? Spot.takenOff : 0
        let anybody = Self.everybody.randomElement(using: &random)!
        let plans = operations.filter { $0.kind == .picture && $0.header.argument == UInt64(PictureRole.plan.rawValue) }
        guard let plan = plans.suffix(2).randomElement(using: &random), Int.random(in: 0..<5, using: &random) > 1 else {
            let actor =
                Int.random(in: 0..<4, using: &random) == 0
                ? anybody : [event.eventKey, Self.people[0]].randomElement(using: &random)!
            try state(.picture, by: actor, subject: photo.id, argument: .random(in: 0...3, using: &random) + off)
            return
        }
        let author = Self.everybody.first { $0.device == photo.header.device }!
        let spot = Spot(x: .random(in: 0...2, using: &random), y: .random(in: .min ... .max, using: &random))
        try state(
            .spot, by: Int.random(in: 0..<4, using: &random) == 0 ? anybody : author, subject: photo.id,
            argument: spot.argument(on: PhotoID(plan.header.subject)) + off)
    }

    /// A reveal with a scalar of somebody's own, an edit that names its key, or a key release for anybody's photo.
    mutating func stateReveal() throws {
        let actor = Self.everybody.randomElement(using: &random)!
        let made = Bytes32([UInt8](repeating: .random(in: 0...255, using: &random), count: 32))!
        switch (Int.random(in: 0..<4, using: &random), photos.randomElement(using: &random)) {
        case (0...1, let photo?):
            let author = Self.everybody.first { $0.device == photo.header.device }!
            try state(
                .keyRelease, by: Bool.random(using: &random) ? author : actor, subject: photo.id,
                content: .keyRelease(ReleasedKeys(thumbnail: made, preview: nil, original: nil)))
        case (2, _):
            var value = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds)
            (value.reveal, value.revealKey) = (.byHost, made)
            try state(
                .edit, by: actor, argument: UInt64(CharterField.reveal.rawValue),
                content: .edit(.reveal, value, follows: [operations[0].id]))
        default: try state(.reveal, by: actor, content: .reveal(made))
        }
    }

    /// The ends of most chains, a few operations from their middle, and sometimes one that does not exist; some of them
    /// in lists, which may name other lists, or never come.
    mutating func heads() throws -> [OperationID] {
        let previous = Set(operations.map(\.header.previous))
        var heads = operations.filter {
            Int.random(in: 0..<8, using: &random) < (previous.contains($0.id) ? 1 : 6)
        }.map(\.id)
        if Int.random(in: 0..<4, using: &random) == 0 { heads.append(OperationID(event.event.bytes32)) }
        if !heads.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
            let listed = heads.filter { _ in Bool.random(using: &random) }
            heads.removeAll { listed.contains($0) && Bool.random(using: &random) }
            if let id = try list(listed) { heads.append(id) }
        }
        return heads
    }

    mutating func list(_ ids: [OperationID]) throws -> OperationID? {
        guard !ids.isEmpty else { return nil }
        let actor = Self.everybody.randomElement(using: &random)!
        let list = try state(.list, by: actor, content: .list(ids))
        if Int.random(in: 0..<5, using: &random) == 0 { operations.removeAll { $0.id == list.id } }
        return list.id
    }
}
