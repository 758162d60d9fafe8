// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Votes for the photo of the night, and the end of each set, in which votes and tickets decide something.
extension RandomOperations {
    /// An organizer and two guests that it has admitted. They enter last, so that nothing before concerns them.
    static let latecomers = (700...702 as ClosedRange<UInt64>).map(signingKey)
    private static let lastTicket = signingKey(94)

    private static let ballotKeys = (UInt8(1)...2).map { byte in
        var bytes = [UInt8](repeating: byte, count: 32)
        return AgreementKey(scalar: SecretBytes(consuming: &bytes))
    }

    /// Mostly votes by anybody for any photo, in one of the latest ballots; ballots and closings by organizers and
    /// others, of which some have another secret; and copies of votes.
    mutating func stateVote() throws {
        let actor = Self.everybody.randomElement(using: &random)!
        let organizer = Int.random(in: 0..<4, using: &random) == 0 ? actor : Self.people[0]
        let ballots = operations.filter { $0.kind == .ballot }
        guard let ballot = ballots.suffix(2).randomElement(using: &random), Int.random(in: 0..<12, using: &random) > 0
        else {
            try stateBallot(by: organizer, key: Self.ballotKeys.randomElement(using: &random)!.publicKey)
            return
        }
        guard case .ballot(let sealed)? = ballot.content else { return }
        let votes = operations.filter { $0.kind == .vote }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let isTrue = Int.random(in: 0..<4, using: &random) > 0
            let keys = Self.ballotKeys.filter { !isTrue || $0.publicKey == sealed.key }
            let secret = keys.randomElement(using: &random)!.disclosed
            try state(.closing, by: organizer, subject: ballot.id, content: .closing(secret))
        case 1:
            guard let vote = votes.randomElement(using: &random), let content = vote.content else { return }
            try state(.vote, by: actor, subject: ballot.id, content: content)
        default: try stateVote(for: photos.randomElement(using: &random), by: actor, in: ballot.id, key: sealed.key)
        }
    }

    @discardableResult
    private mutating func stateBallot(
        by organizer: SigningKey, key: AgreementPublicKey, milliseconds: UInt64? = nil
    ) throws -> VerifiedOperation {
        let seal = SealedSecret(device: organizer.device, box: [UInt8](repeating: 1, count: SealedSecret.byteCount))
        return try state(
            .ballot, by: organizer, content: .ballot(SealedBallot(key: key, seals: [seal])!),
            milliseconds: milliseconds)
    }

    private mutating func stateVote(
        for photo: VerifiedOperation?, by actor: SigningKey, in ballot: OperationID, key: AgreementPublicKey,
        milliseconds: UInt64? = nil
    ) throws {
        var bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        let vote = SealedVote(
            for: photo.map { PhotoID($0.id) }, by: actor.device, key: key,
            ephemeral: AgreementKey(scalar: SecretBytes(consuming: &bytes)))
        try state(.vote, by: actor, subject: ballot, content: .vote(vote!), milliseconds: milliseconds)
    }

    /// The latecomers enter; where guests need tickets, both use one; and there is a vote, later than all others.
    mutating func stateEnd(hasTickets: Bool) throws {
        let organizer = Self.latecomers[0]
        for person in Self.latecomers {
            let sponsor = person.device == organizer.device ? event.eventKey : organizer
            let admission = Admission(of: person.device, to: event.event, by: sponsor)
            try state(.join, by: person, content: .join(admission, nil))
        }
        if hasTickets { try stateTicketUsedTwice() }
        try stateVoteThatEnds()
    }

    /// Each of two guests adds a photo and uses the same ticket, which alone gives one of them frames. In half of the
    /// sets the organizer confirms the second use.
    private mutating func stateTicketUsedTwice() throws {
        // Photos count, whatever their time.
        let known = event.fold(batch: operations)
        var charter = Charter(name: "Party", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.schedule.lateness = nil
        try state(
            .edit, by: event.eventKey, argument: UInt64(CharterField.lateness.rawValue),
            content: .edit(.lateness, charter, follows: known.follows(.lateness)))
        let (organizer, ticket) = (Self.latecomers[0], TicketKey(Self.lastTicket.verifyingKey))
        try state(.tickets, by: organizer, argument: 10, content: .tickets([ticket]))
        var uses: [OperationID] = []
        for guest in Self.latecomers.dropFirst().shuffled(using: &random) {
            try statePhoto(by: guest, slot: 1)
            let proof = TicketProof(of: AuthorID(guest.device), event: event.event, by: Self.lastTicket)
            let use = try state(
                .ticketUse, by: guest, subject: OperationID(ticket.bytes32), content: .ticketUse(proof))
            uses.append(use.id)
        }
        guard Bool.random(using: &random), let second = uses.last else { return }
        try state(.ticketRuling, by: organizer, subject: second, argument: TicketRuling.confirm.rawValue)
    }

    /// Two photos of an organizer's; in half of the sets as many guests vote for one as for the other. Others vote,
    /// too, and some votes are changed, or too late. The vote is mostly closed.
    private mutating func stateVoteThatEnds() throws {
        let organizer = Self.latecomers[0]
        let options = [try statePhoto(by: organizer, slot: 1), try statePhoto(by: organizer, slot: 2)]
        let key = Self.ballotKeys.randomElement(using: &random)!
        let ballot = try stateBallot(by: organizer, key: key.publicKey, milliseconds: Self.evening(1)).id
        let isTie = Bool.random(using: &random)
        for (guest, option) in zip(Self.latecomers.dropFirst(), options) {
            let choices = [isTie ? option : options.randomElement(using: &random)!]
            let changed = Bool.random(using: &random) ? [options.randomElement(using: &random)!] : []
            for choice in changed + choices {
                try stateVote(
                    for: choice, by: guest, in: ballot, key: key.publicKey, milliseconds: Self.evening(2))
            }
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            try stateVote(
                for: options.randomElement(using: &random), by: guest, in: ballot, key: key.publicKey,
                milliseconds: Self.evening(4))
        }
        for _ in 0..<4 {
            let choice = (isTie ? photos : photos + options).randomElement(using: &random)
            try stateVote(
                for: choice, by: Self.everybody.randomElement(using: &random)!, in: ballot, key: key.publicKey,
                milliseconds: Self.evening(2))
        }
        guard Int.random(in: 0..<5, using: &random) > 0 else { return }
        try state(
            .closing, by: [organizer, event.eventKey].randomElement(using: &random)!, subject: ballot,
            content: .closing(key.disclosed), milliseconds: Self.evening(3))
    }

    @discardableResult
    private mutating func statePhoto(by author: SigningKey, slot: UInt64) throws -> VerifiedOperation {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg)
        let photo = try state(.photo, by: author, content: .photo(manifest), milliseconds: Self.evening(0))
        try state(.claim, by: author, subject: photo.id, argument: slot, milliseconds: Self.evening(0))
        return photo
    }

    /// A time that is later than all `times`.
    private static func evening(_ hour: UInt64) -> UInt64 { TestEvent.startMilliseconds + (201 + hour) * 3_600_000 }
}
