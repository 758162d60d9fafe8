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
        var operations = [try event.charter(frames: .random(in: 1...4, using: &random))]
        if Bool.random(using: &random) {
            operations.append(try event.charter(frames: .random(in: 0...4, using: &random), salt: 1))
        }
        // Most devices enter through a random one of all keys, so chains, circles and dead ends come about.
        operations.append(try event.join(people[0], sponsor: event.eventKey))
        for person in people.dropFirst() {
            for sequence in 0..<UInt32.random(in: 1...2, using: &random) {
                let sponsor = everybody.randomElement(using: &random)!
                operations.append(try event.join(person, sponsor: sponsor, sequence: sequence))
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

    init(_ operations: [VerifiedOperation], eventKey: VerifyingKey) {
        self.operations = operations
        self.eventKey = DeviceID(eventKey)
        var isChanged = true
        while isChanged {
            let before = roles
            for case (let device, .join(let admission)?) in operations.map({ ($0.header.device, $0.content) }) {
                if admission.sponsor == self.eventKey {
                    roles[device] = .organizer
                } else if roles[admission.sponsor] != nil, roles[device] == nil {
                    roles[device] = .participant
                }
            }
            isChanged = roles != before
        }
    }

    var charter: Charter? {
        let stated = operations.filter { $0.kind == .charter && $0.header.device == eventKey }.min { $0.id < $1.id }
        if case .charter(let charter)? = stated?.content { return charter }
        return nil
    }

    /// The claim that counts for a photo: its author's with the highest sequence number, then the smallest id.
    private func claim(of photo: VerifiedOperation) -> VerifiedOperation? {
        operations.filter {
            $0.kind == .claim && $0.header.device == photo.header.device && $0.header.subject == photo.id
                && $0.header.argument > 0
        }.min { ($1.header.sequence, $0.id) < ($0.header.sequence, $1.id) }
    }

    /// Every claim ever made to the slot by the same guest for a photo of its own, whatever became of the photo.
    private func contenders(for claim: VerifiedOperation, _ photos: [VerifiedOperation]) -> [VerifiedOperation] {
        let author = claim.header.device
        return operations.filter { other in
            other.kind == .claim && other.header.device == author && other.header.argument == claim.header.argument
                && photos.contains { $0.header.device == author && $0.id == other.header.subject }
        }
    }

    var statuses: [PhotoID: PhotoStatus] {
        var statuses: [PhotoID: PhotoStatus] = [:]
        let photos = operations.filter { $0.kind == .photo && roles[$0.header.device] != nil }
        let claims = Dictionary(photos.map { ($0.id, claim(of: $0)) }) { first, _ in first }
        for photo in photos {
            let author = photo.header.device
            let isUnlimited = roles[author] == .organizer || charter?.frames == 0
            let limit = isUnlimited ? UInt64.max : UInt64(charter?.frames ?? 0)
            let status: PhotoStatus
            if operations.contains(where: {
                $0.kind == .remove && $0.header.device == author && $0.header.subject == photo.id
            }) {
                status = .removed
            } else if let claim = claims[photo.id]!, claim.header.argument <= limit,
                !contenders(for: claim, photos).contains(where: {
                    ($0.header.sequence, $0.id) < (claim.header.sequence, claim.id)
                })
            {
                status = .frame(claim.header.argument)
            } else {
                status = .waiting
            }
            statuses[PhotoID(photo.id)] = status
        }
        return statuses
    }
}
