// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Operations of several devices, honest and not, all from one seed: colliding slots, forks, claims beyond the roll and
/// of other people's photos, removes by strangers, charters by guests, sponsors unknown, out of order and in circles.
struct RandomOperations {
    let event: TestEvent
    let operations: [VerifiedOperation]

    /// Keys are made once: the seed chooses what they say.
    private static let people = (0..<6).map { signingKey(UInt64($0) + 100) }
    private static let stranger = signingKey(999)

    init(seed: UInt64, count: Int = 60) throws {
        var random = SplitMix64(seed: seed)
        let event = TestEvent()
        let people = Self.people
        let everybody = people + [Self.stranger, event.eventKey]
        let guests = [signingKey(500), signingKey(501), people[1]]
        var operations = [try event.charter(frames: .random(in: 1...4, using: &random))]
        if Bool.random(using: &random) {
            operations.append(try event.charter(frames: .random(in: 0...4, using: &random), salt: 1))
        }
        // Most devices enter through a random one of all keys, so chains, circles and dead ends come about.
        operations.append(try event.join(people[0], sponsor: event.eventKey))
        for person in people.dropFirst() {
            for sequence in 0..<UInt32.random(in: 1...2, using: &random) {
                let sponsor = everybody.randomElement(using: &random)!
                // Some sign for a guest, whose key may be that of a device as well.
                let guest = Int.random(in: 0..<3, using: &random) == 0 ? guests.randomElement(using: &random)! : nil
                operations.append(try event.join(person, sponsor: sponsor, sequence: sequence, for: guest))
            }
        }
        var photos: [VerifiedOperation] = []
        var owners: [OperationID: SigningKey] = [:]
        while operations.count < count {
            let isHonest = Int.random(in: 0..<4, using: &random) > 0
            var actor = everybody.randomElement(using: &random)!
            let photo = photos.randomElement(using: &random)
            if isHonest, let photo { actor = owners[photo.id]! }
            // A small range of sequence numbers makes forks common.
            let sequence = UInt32.random(in: 0...8, using: &random)
            switch (Int.random(in: 0..<12, using: &random), photo) {
            case (0...2, _), (_, nil):
                let salt = UInt8.random(in: 0...255, using: &random)
                let added = try event.photo(actor, sequence, salt: salt)
                photos.append(added)
                owners[added.id] = actor
                operations.append(added)
            case (3...7, let photo?):
                let slot: UInt64 =
                    Bool.random(using: &random)
                    ? .random(in: 1...3, using: &random) : .random(in: 0...6, using: &random)
                operations.append(try event.claim(actor, sequence, photo: photo, slot: slot))
            case (8, let photo?): operations.append(try event.remove(actor, sequence, photo: photo))
            case (9, let photo?): operations.append(try event.original(actor, sequence, photo: photo))
            case (10, _):
                let text = ["Anna", "Ben", "Cleo"].randomElement(using: &random)!
                operations.append(try event.name(actor, sequence, text))
            default: operations.append(try event.charter(frames: 0, by: people.randomElement(using: &random)!))
            }
        }
        self.event = event
        self.operations = operations
    }
}

/// The rules of the fold once more, as slow sentences over the whole set, to compare the incremental fold with.
struct Oracle {
    private let operations: [VerifiedOperation]
    private let eventKey: DeviceID
    private(set) var roles: [DeviceID: Role] = [:]
    private var guests: [DeviceID: AuthorID] = [:]

    init(_ operations: [VerifiedOperation], eventKey: VerifyingKey) {
        self.operations = operations
        self.eventKey = DeviceID(eventKey)
        var isChanged = true
        while isChanged {
            let before = roles
            for case (let device, .join(let admission, _)?) in operations.map({ ($0.header.device, $0.content) }) {
                if admission.sponsor == self.eventKey {
                    roles[device] = .organizer
                } else if roles[admission.sponsor] != nil, roles[device] == nil {
                    roles[device] = .participant
                }
            }
            isChanged = roles != before
        }
        for device in roles.keys {
            guests[device] =
                operations.filter { $0.header.device == device }.compactMap { operation in
                    guard case .join(let admission, let delegation?)? = operation.content,
                        admission.sponsor == self.eventKey || roles[admission.sponsor] != nil
                    else { return nil }
                    return delegation.guest
                }.min()
        }
    }

    private func author(of operation: VerifiedOperation) -> AuthorID {
        guests[operation.header.device] ?? AuthorID(operation.header.device)
    }

    var charter: Charter? {
        let stated = operations.filter { $0.kind == .charter && $0.header.device == eventKey }.min { $0.id < $1.id }
        if case .charter(let charter)? = stated?.content { return charter }
        return nil
    }

    /// Every claim on a photo by its author.
    private func claims(of photo: VerifiedOperation) -> [VerifiedOperation] {
        operations.filter {
            $0.kind == .claim && author(of: $0) == author(of: photo) && $0.header.subject == photo.id
                && $0.header.argument > 0
        }
    }

    /// Whether no claim to the same slot of the same author, for a photo of its own, comes before this one.
    private func isHeld(by claim: VerifiedOperation, _ photos: [VerifiedOperation]) -> Bool {
        let contenders = photos.filter { author(of: $0) == author(of: claim) }.flatMap(claims)
            .filter { $0.header.argument == claim.header.argument }
        return contenders.allSatisfy { ($0.header.sequence, $0.id) >= (claim.header.sequence, claim.id) }
    }

    var statuses: [PhotoID: PhotoStatus] {
        var statuses: [PhotoID: PhotoStatus] = [:]
        let known = operations.filter { $0.kind == .photo }
        for photo in known where roles[photo.header.device] != nil {
            let author = author(of: photo)
            let isUnlimited = roles[DeviceID(author.bytes32)] == .organizer || charter?.frames == 0
            let limit = isUnlimited ? UInt64.max : UInt64(charter?.frames ?? 0)
            let slots = claims(of: photo).filter { isHeld(by: $0, known) }.map(\.header.argument)
            let status: PhotoStatus
            if operations.contains(where: {
                $0.kind == .remove && self.author(of: $0) == author && $0.header.subject == photo.id
            }) {
                status = .removed
            } else if let slot = slots.min(), slot <= limit {
                status = .frame(slot)
            } else {
                status = .waiting
            }
            statuses[PhotoID(photo.id)] = status
        }
        return statuses
    }
}
