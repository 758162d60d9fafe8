// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Operations of several devices, honest and not, all from one seed: colliding slots, forks, chains with holes, claims
/// beyond the roll and of other people's photos, removes by strangers, charters by guests, sponsors unknown, out of
/// order and in circles; roles given and taken by everybody, with heads true and false; organizers who put each other
/// out; and, where photos are sealed, reveals with keys that are made up, and photos opened by their authors and by
/// others.
struct RandomOperations {
    let event: TestEvent
    private(set) var operations: [VerifiedOperation] = []

    /// Keys are made once: the seed chooses what they say.
    private static let people = (0..<6).map { signingKey(UInt64($0) + 100) }
    private static let stranger = signingKey(999)
    private static let everybody = people + [stranger, TestEvent().eventKey]
    private static let missions = [Mission(id: 1, text: "the first dance"), Mission(id: 2, text: "your table")]
    private static let guests = [signingKey(500), signingKey(501), people[1]]

    private var random: SplitMix64
    private var photos: [VerifiedOperation] = []

    /// - Parameters:
    ///   - hasRoles: whether roles are given and taken, and photos hidden and erased.
    ///   - hasVeils: with roles, whether photos are veiled.
    ///   - revealKey: what photos are sealed to, zero where they are not.
    init(seed: UInt64, count: Int = 60, hasRoles: Bool = true, hasVeils: Bool = true, revealKey: Bytes32 = .zero) throws {
        random = SplitMix64(seed: seed)
        event = TestEvent()
        let first = try event.charter(
            frames: .random(in: 1...4, using: &random), isOpened: .random(using: &random), revealKey: revealKey
        ) { charter in
            charter.lateness = hasRoles && seed % 3 == 0 ? Lateness(minutes: 0) : nil
            charter.areFramesDaily = hasRoles && seed % 3 == 1
            charter.moments = seed % 2 == 0 ? nil : MomentHours(from: 600, to: 602, utcOffset: 120)
            charter.missions = seed % 4 == 0 ? [] : Self.missions
            charter.options.needsTickets = hasRoles && seed % 5 == 2
        }
        operations = [first]
        if Bool.random(using: &random) {
            let second = try event.charter(frames: .random(in: 0...4, using: &random), salt: 1, revealKey: revealKey)
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
        let shown = Set(event.fold(operations).gallery.map(\.id.operationID))
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

    /// By anybody, of a frame in the quota or beyond it, to anybody or to a guest.
    private mutating func stateGift() throws {
        let recipient = (Self.everybody + Self.guests).randomElement(using: &random)!
        try state(
            .gift, by: Self.everybody.randomElement(using: &random)!, subject: OperationID(recipient.device.bytes32),
            argument: .random(in: 0...6, using: &random))
    }

    /// Mostly by the photo's author; sometimes with an argument that says nothing.
    private mutating func stateTurn() throws {
        guard let photo = photos.randomElement(using: &random) else { return }
        let author = Self.everybody.first { $0.device == photo.header.device }!
        let actor = Int.random(in: 0..<4, using: &random) == 0 ? Self.everybody.randomElement(using: &random)! : author
        try state(.turn, by: actor, subject: photo.id, argument: .random(in: 0...4, using: &random))
    }

    /// By anybody, about a photo or about none; now and then one is taken away, or somebody tries to.
    private mutating func stateMessage(isTakenAway: Bool) throws {
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
    private static let sealed = SealedMessage(
        keys: [SealedSecret(device: people[0].device, box: [UInt8](repeating: 1, count: SealedSecret.byteCount))],
        text: [UInt8](repeating: 2, count: 272))!

    /// Mostly a veil, by anybody, of a photo that is shown; or a lift, mostly by somebody who may; and now and then one of
    /// these, or the switch, that is taken away.
    private mutating func stateVeil(_ shown: Set<OperationID>) throws {
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

    private mutating func join(_ person: SigningKey, sponsor: SigningKey) throws {
        // Some sign for a guest, whose key may be that of a device as well.
        let guest = Int.random(in: 0..<3, using: &random) == 0 ? Self.guests.randomElement(using: &random)! : nil
        let admission = Admission(of: person.device, to: event.event, by: sponsor)
        let delegation = guest.map { Delegation(to: person.device, at: sponsor.device, event: event.event, by: $0) }
        try state(.join, by: person, content: .join(admission, delegation))
    }

    /// States something at the end of the device's chain, or, now and then, at an earlier place or at none at all.
    @discardableResult
    private mutating func state(
        _ kind: OperationKind, by key: SigningKey, subject: OperationID = .none, argument: UInt64 = 0,
        content: OperationContent = .none
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
            salt: .random(in: 0...255, using: &random), milliseconds: times(of: kind), previous: previous)
        // The same words at the same place are the same operation.
        if !operations.contains(where: { $0.id == operation.id }) { operations.append(operation) }
        return operation
    }

    /// Mostly the start of the event; sometimes a time before it, on another day of it, or after its end.
    private mutating func times(of kind: OperationKind) -> UInt64 {
        let hour: Int64 = 3_600_000
        guard kind.set == .content || kind == .edit, Int.random(in: 0..<3, using: &random) == 0 else {
            return TestEvent.startMilliseconds
        }
        let hours: Int64 = [-30, -1, 20, 30, 60, 191, 193, 200].randomElement(using: &random)!
        return UInt64(Int64(TestEvent.startMilliseconds) + hours * hour)
    }

    private mutating func statePhoto() throws {
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

    private mutating func stateRole() throws {
        // Those who can do something about it are heard more often.
        let actor =
            Bool.random(using: &random)
            ? Self.everybody.randomElement(using: &random)!
            : [event.eventKey, Self.people[0], Self.people[1]].randomElement(using: &random)!
        let grantee = OperationID((Self.everybody + Self.guests).randomElement(using: &random)!.device.bytes32)
        let role = UInt64(Role.allCases.randomElement(using: &random)!.rawValue)
        switch (Int.random(in: 0..<10, using: &random), photos.randomElement(using: &random)) {
        case (0, _): try state(.grant, by: actor, subject: grantee, argument: role, content: .grant(cancels: []))
        case (2, _), (9, _):
            // Names a revocation, and sometimes others, signed by devices that may or may not cancel it.
            let stated = operations.filter { $0.kind == .revokeRole || $0.kind == .revokeDevice }
            guard let revocation = stated.randomElement(using: &random) else { break }
            let others = stated.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let signer = Self.everybody.first { $0.device == revocation.header.device }!
            try state(
                .grant, by: Bool.random(using: &random) ? signer : actor, subject: revocation.header.subject,
                argument: revocation.kind == .revokeRole ? revocation.header.argument : role,
                content: .grant(cancels: [revocation.id] + others.map(\.id)))
        case (1, _):
            try state(.frames, by: actor, subject: grantee, argument: .random(in: 0...2, using: &random))
        case (3, _):
            try state(
                .revokeRole, by: actor, subject: grantee, argument: role, content: .revocation(heads: try heads()))
        case (4...5, _):
            try state(
                .revokeDevice, by: actor, subject: grantee, argument: .random(in: 0...1, using: &random),
                content: .revocation(heads: try heads()))
        case (6, let photo?): try state(.hide, by: actor, subject: photo.id)
        case (7, let photo?):
            let hides = operations.filter { $0.kind == .hide && Bool.random(using: &random) }.map(\.id)
            try state(.unhide, by: actor, subject: photo.id, content: .unhide(hides: hides))
        case (8, let photo?): try state(.erase, by: actor, subject: photo.id)
        default: break
        }
    }

    /// An edit that follows some of the charters and edits so far, mostly the latest, and sometimes what is not here.
    private mutating func stateEdit() throws {
        let actor =
            Int.random(in: 0..<5, using: &random) == 0
            ? Self.everybody.randomElement(using: &random)!
            : [event.eventKey, Self.people[0], Self.people[1]].randomElement(using: &random)!
        let field = [
            CharterField.name, .frames, .startsAt, .durationHours, .retentionHours, .isOpened, .isClosed, .lateness,
            .areFramesDaily, .startsOnOpening, .moments, .nameRule, .isCameraOnly, .downloads, .videos, .theme,
        ].randomElement(using: &random)!
        var value = Charter(
            name: ["Anna & Ben", "Ben & Anna", "Party"].randomElement(using: &random)!,
            startsAtMilliseconds: TestEvent.startMilliseconds, frames: .random(in: 0...4, using: &random),
            retentionHours: .random(in: 190...194, using: &random))
        value.startsAtMilliseconds += UInt64(value.retentionHours % 3) * 3_600_000
        value.durationHours = value.retentionHours
        (value.isOpened, value.isClosed) = (.random(using: &random), .random(using: &random))
        value.lateness = [nil, Lateness(minutes: 0), Lateness(minutes: 90)].randomElement(using: &random)!
        (value.areFramesDaily, value.startsOnOpening) = (.random(using: &random), .random(using: &random))
        // Few minutes at the start, where the photos are, or anywhere, also past midnight.
        let from = UInt32.random(in: 0..<1_440, using: &random)
        value.moments = [
            nil, MomentHours(from: 480, to: .random(in: 481...484, using: &random)),
            MomentHours(from: from, to: (from + 1) % 1_440 + 1, utcOffset: .random(in: -840...840, using: &random)),
        ].randomElement(using: &random)!
        value.options.nameRule = NameRule.allCases.randomElement(using: &random)!
        value.options.isCameraOnly = .random(using: &random)
        value.options.downloads = DownloadRule.allCases.randomElement(using: &random)!
        value.options.videos = [.on, .off, .seconds(60)].randomElement(using: &random)!
        value.options.themeNumber = .random(in: 0...8, using: &random)
        let known = operations.filter { $0.kind == .edit || $0.kind == .charter }.map(\.id)
        var follows = known.suffix(3).filter { _ in Bool.random(using: &random) }
        if follows.isEmpty { follows = [known.randomElement(using: &random)!] }
        if Int.random(in: 0..<12, using: &random) == 0 { follows.append(OperationID(event.event.bytes32)) }
        try state(
            .edit, by: actor, argument: UInt64(field.rawValue), content: .edit(field, value, follows: follows))
    }

    /// Another list, by somebody who may edit the charter or may not.
    private mutating func stateMissions() throws {
        let actor = [event.eventKey, Self.people[0], Self.people[1], Self.stranger].randomElement(using: &random)!
        var value = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        value.missions = Self.missions.filter { _ in Bool.random(using: &random) }
        let known = operations.filter { $0.kind == .edit || $0.kind == .charter }.map(\.id)
        try state(
            .edit, by: actor, argument: UInt64(CharterField.missions.rawValue),
            content: .edit(.missions, value, follows: [known.randomElement(using: &random)!]))
    }

    /// An answer to one of three missions, of which two are listed at times, or its withdrawal, or what is none; mostly by
    /// the photo's author. Now and then an answer is taken away.
    private mutating func stateAnswer(isTakenAway: Bool) throws {
        guard let photo = photos.randomElement(using: &random) else { return }
        let author = Self.everybody.first { $0.device == photo.header.device }!
        let actor = Int.random(in: 0..<3, using: &random) > 0 ? author : Self.everybody.randomElement(using: &random)!
        let answers = operations.filter { $0.kind == .answer }
        if isTakenAway, Int.random(in: 0..<6, using: &random) == 0, let answer = answers.randomElement(using: &random) {
            try state([.remove, .hide, .erase].randomElement(using: &random)!, by: actor, subject: answer.id)
            return
        }
        let base: UInt64 = [0, 0, 0, Mission.withdrawn, 2 * Mission.withdrawn].randomElement(using: &random)!
        try state(.answer, by: actor, subject: photo.id, argument: base + .random(in: 0...3, using: &random))
    }

    /// A new secret after any epoch so far, mostly a late one, or more boxes; sealed to anybody. Now and then somebody
    /// comes in under one.
    private mutating func stateEpoch() throws {
        let actor =
            Int.random(in: 0..<5, using: &random) == 0
            ? Self.everybody.randomElement(using: &random)!
            : [event.eventKey, Self.people[0], Self.people[1]].randomElement(using: &random)!
        let known = [OperationID.none] + operations.filter { $0.kind == .epoch }.map(\.id)
        let subject = known.suffix(4).randomElement(using: &random)!
        let seals = Self.everybody.filter { _ in Bool.random(using: &random) }
            .map { SealedSecret(device: $0.device, box: [UInt8](repeating: 1, count: SealedSecret.byteCount)) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            try state(.epoch, by: actor, subject: subject, argument: 1, content: .epoch(commitment: nil, seals: seals))
        case 2:
            let (person, sponsor) = (
                Self.people.randomElement(using: &random)!, Self.everybody.randomElement(using: &random)!
            )
            let admission = Admission(of: person.device, to: event.event, under: subject, by: sponsor)
            try state(.join, by: person, content: .join(admission, nil))
        case 3:
            try state(
                .epoch, by: actor, subject: subject, argument: 7, content: .epoch(commitment: .zero, seals: seals))
        default: try state(.epoch, by: actor, subject: subject, content: .epoch(commitment: .zero, seals: seals))
        }
    }

    /// A rule that follows some of those so far, photos approved, or approvals withdrawn, by anybody.
    private mutating func stateApproval() throws {
        let actor =
            Int.random(in: 0..<4, using: &random) == 0
            ? Self.everybody.randomElement(using: &random)!
            : [event.eventKey, Self.people[0], Self.people[1]].randomElement(using: &random)!
        let approvals = operations.filter { $0.kind == .approve && Bool.random(using: &random) }.map(\.id)
        switch (Int.random(in: 0..<7, using: &random), photos.randomElement(using: &random)) {
        case (0...2, let photo?):
            let others = photos.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }.map { PhotoID($0.id) }
            try state(.approve, by: actor, content: .approve([PhotoID(photo.id)] + others))
        case (3, let photo?):
            try state(.unapprove, by: actor, subject: photo.id, content: .unapprove(approvals: approvals))
        default:
            let follows = operations.filter { $0.kind == .approval && Bool.random(using: &random) }.map(\.id)
            try state(
                .approval, by: actor, argument: .random(in: 0...3, using: &random), content: .approval(follows: follows)
            )
        }
    }

    /// A cover or a plan, mostly by somebody who may; or a photo that is put on one of the plans so far, mostly by its
    /// author; and now and then one of these that is taken off.
    private mutating func statePicture(_ shown: Set<OperationID>) throws {
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

    /// Two organizers, appointed by the event key, remove each other.
    private mutating func stateFeud() throws {
        let pair = Array(Self.people.shuffled(using: &random).prefix(2))
        for one in pair {
            try state(
                .grant, by: event.eventKey, subject: OperationID(one.device.bytes32),
                argument: UInt64(Role.organizer.rawValue), content: .grant(cancels: []))
        }
        for (one, other) in zip(pair, pair.reversed()) {
            try state(
                .revokeDevice, by: one, subject: OperationID(other.device.bytes32),
                content: .revocation(heads: try heads())
            )
        }
    }

    /// A reveal with a scalar of somebody's own, an edit that names its key, or a key release for anybody's photo.
    private mutating func stateReveal() throws {
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
    private mutating func heads() throws -> [OperationID] {
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

    private mutating func list(_ ids: [OperationID]) throws -> OperationID? {
        guard !ids.isEmpty else { return nil }
        let actor = Self.everybody.randomElement(using: &random)!
        let list = try state(.list, by: actor, content: .list(ids))
        if Int.random(in: 0..<5, using: &random) == 0 { operations.removeAll { $0.id == list.id } }
        return list.id
    }
}
