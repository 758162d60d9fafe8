// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Acts of organizers, and of others that try them.
extension RandomOperations {
    mutating func stateRole() throws {
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
    mutating func stateEdit() throws {
        let actor =
            Int.random(in: 0..<5, using: &random) == 0
            ? Self.everybody.randomElement(using: &random)!
            : [event.eventKey, Self.people[0], Self.people[1]].randomElement(using: &random)!
        let field = [
            CharterField.name, .frames, .startsAt, .durationHours, .retentionHours, .isOpened, .isClosed, .lateness,
            .areFramesDaily, .startsOnOpening, .moments, .nameRule, .isCameraOnly, .downloads, .videos, .theme,
            .position, .photosAtOnce, .zones,
        ].randomElement(using: &random)!
        var value = Charter(
            name: ["Anna & Ben", "Ben & Anna", "Party"].randomElement(using: &random)!,
            startsAtMilliseconds: TestEvent.startMilliseconds, frames: .random(in: 0...4, using: &random),
            retentionHours: .random(in: 190...194, using: &random))
        value.schedule.startsAtMilliseconds += UInt64(value.schedule.retentionHours % 3) * 3_600_000
        value.schedule.durationHours = value.schedule.retentionHours
        (value.isOpened, value.isClosed) = (.random(using: &random), .random(using: &random))
        value.schedule.lateness = [nil, Lateness(minutes: 0), Lateness(minutes: 90)].randomElement(using: &random)!
        (value.areFramesDaily, value.schedule.startsOnOpening) = (.random(using: &random), .random(using: &random))
        // Few minutes at the start, where the photos are, or anywhere, also past midnight.
        let from = UInt32.random(in: 0..<1_440, using: &random)
        value.schedule.moments = [
            nil, MomentHours(from: 480, to: .random(in: 481...484, using: &random)),
            MomentHours(from: from, to: (from + 1) % 1_440 + 1, utcOffset: .random(in: -840...840, using: &random)),
        ].randomElement(using: &random)!
        value.options.nameRule = NameRule.allCases.randomElement(using: &random)!
        value.options.isCameraOnly = .random(using: &random)
        value.options.downloads = DownloadRule.allCases.randomElement(using: &random)!
        value.options.videos = [.on, .off, .seconds(60)].randomElement(using: &random)!
        value.options.themeNumber = .random(in: 0...8, using: &random)
        value.options.photosAtOnce = value.frames
        // Half of the people's nodes, by the number of frames.
        for (number, person) in Self.people.enumerated() where number % 2 == Int(value.frames % 2) {
            value.zones[person.device] = "Zone \(number)"
        }
        value.presentation.position = [
            nil, EventPosition(latitude: 0, longitude: 0),
            EventPosition(
                latitude: .random(in: -90_000...90_000, using: &random),
                longitude: .random(in: -180_000...180_000, using: &random)),
        ].randomElement(using: &random)!
        let known = operations.filter { $0.kind == .edit || $0.kind == .charter }.map(\.id)
        var follows = known.suffix(3).filter { _ in Bool.random(using: &random) }
        if follows.isEmpty { follows = [known.randomElement(using: &random)!] }
        if Int.random(in: 0..<12, using: &random) == 0 { follows.append(OperationID(event.event.bytes32)) }
        try state(
            .edit, by: actor, argument: UInt64(field.rawValue), content: .edit(field, value, follows: follows))
    }

    /// Another list, by somebody who may edit the charter or may not.
    mutating func stateMissions() throws {
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
    mutating func stateAnswer(isTakenAway: Bool) throws {
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
    mutating func stateEpoch() throws {
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
    mutating func stateApproval() throws {
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

    /// Two organizers, appointed by the event key, remove each other.
    mutating func stateFeud() throws {
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
}
