// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Foundation

/// Measures the rules: a whole event's operations folded, and one more of them.
struct FoldBench {
    let count: Int
    private static let guestCount = 200
    private static let runCount = 5

    func run() throws {
        var story = try Story(guestCount: Self.guestCount, operationCount: count)
        let operations = story.operations
        let cold = try (0..<Self.runCount).map { _ in
            try Figure.seconds {
                var state = EventState(eventKey: story.eventKey.verifyingKey)
                for operation in operations { state.apply(operation) }
                guard state.album.count > 0 else { throw Failure("the fold has no photos") }
            }.0
        }
        var state = EventState(eventKey: story.eventKey.verifyingKey)
        for operation in operations { state.apply(operation) }
        var more: [String: Double] = [:]
        let kinds: [(String, OperationKind)] = [
            ("photo", .photo), ("remove", .remove), ("hide", .hide), ("revocation", .revokeDevice),
        ]
        for (name, kind) in kinds {
            let times = try (0..<20).map { number in
                let operation = try story.oneMore(kind, number)
                return Figure.seconds { state.apply(operation) }.0
            }
            more["\(name)MillisecondsMedian"] = times.sorted()[times.count / 2] * 1_000
        }
        Figure.report(
            "fold",
            more.merging([
                "count": Double(operations.count), "guests": Double(Self.guestCount),
                "coldSecondsMin": cold.min() ?? 0, "coldSecondsMax": cold.max() ?? 0,
            ]) { $1 })
    }

    /// An event with guests that take photos, set names, and delete some photos; moderators that hide some; and
    /// removals.
    private struct Story {
        let eventKey = SigningKey(seed: SealedKeys.secret("event"))
        private(set) var operations: [VerifiedOperation] = []
        private var chains: [DeviceID: [OperationSet: (next: UInt32, last: OperationID)]] = [:]
        private let host = SigningKey(seed: SealedKeys.secret("host"))
        private var guests: [SigningKey] = []
        private var photos: [OperationID] = []
        private var milliseconds: UInt64 = 1_780_747_200_000
        private static let salt = [UInt8](repeating: 7, count: OperationBody.saltByteCount)
        private var event: EventID { EventID(key: eventKey.verifyingKey) }

        init(guestCount: Int, operationCount: Int) throws {
            let charter = Charter(name: "Bench", startsAtMilliseconds: milliseconds, frames: 0)
            try state(.charter, by: eventKey, .charter(charter))
            try join(host, by: eventKey)
            for number in 0..<guestCount {
                guests.append(SigningKey(seed: SealedKeys.secret("guest \(number)")))
                try join(guests[number], by: host)
                try state(.name, by: guests[number], .name("Guest \(number)"))
            }
            for guest in guests.prefix(10) {
                try state(
                    .grant, by: host, .grant(cancels: []), about: OperationID(guest.verifyingKey.bytes32),
                    Role.moderator)
            }
            while operations.count < operationCount {
                let number = operations.count
                let guest = guests[number % guestCount]
                let photo = try state(.photo, by: guest, .photo(Self.manifest))
                photos.append(photo)
                try state(.claim, by: guest, .none, about: photo, argument: UInt64(photos.count / guestCount + 1))
                try state(.original, by: guest, .photo(Self.manifest), about: photo)
                if photos.count.isMultiple(of: 50) { try state(.remove, by: guest, .none, about: photo) }
                if photos.count.isMultiple(of: 60) {
                    try state(.hide, by: guests[photos.count / 60 % 10], .none, about: photo)
                }
                if photos.count.isMultiple(of: 7) { try state(.caption, by: guest, .text("A caption"), about: photo) }
                if photos.count.isMultiple(of: 2_000) {
                    let out = guests[guestCount - 1 - photos.count / 2_000]
                    try removeMember(out)
                }
            }
        }

        private static let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg)

        mutating func oneMore(_ kind: OperationKind, _ number: Int) throws -> VerifiedOperation {
            let guest = guests[20 + number]
            switch kind {
            case .photo: try state(.photo, by: guest, .photo(Self.manifest))
            case .revokeDevice: try removeMember(guests[60 + number])
            case .hide: try state(.hide, by: guests[0], .none, about: photos[number])
            default: try state(kind, by: guests[(3 * number) % guests.count], .none, about: photos[number])
            }
            return operations[operations.count - 1]
        }

        private mutating func removeMember(_ guest: SigningKey) throws {
            let heads = chains[DeviceID(guest.verifyingKey)]?.values.map(\.last) ?? []
            try state(
                .revokeDevice, by: host, .revocation(heads: heads), about: OperationID(guest.verifyingKey.bytes32))
        }

        private mutating func join(_ key: SigningKey, by sponsor: SigningKey) throws {
            try state(.join, by: key, .join(Admission(of: DeviceID(key.verifyingKey), to: event, by: sponsor), nil))
        }

        private mutating func state(
            _ kind: OperationKind, by key: SigningKey, _ content: OperationContent, about subject: OperationID,
            _ role: Role
        ) throws {
            try state(kind, by: key, content, about: subject, argument: UInt64(role.rawValue))
        }

        @discardableResult
        private mutating func state(
            _ kind: OperationKind, by key: SigningKey, _ content: OperationContent, about subject: OperationID = .none,
            argument: UInt64 = 0
        ) throws -> OperationID {
            milliseconds += 1
            let device = DeviceID(key.verifyingKey)
            let chain = chains[device]?[kind.set] ?? (0, .none)
            let body =
                kind.hasBody ? OperationBody.encode(kind == .original ? Self.original : content, salt: Self.salt) : []
            let operation = try VerifiedOperation(
                draft: Draft(kind: kind, subject: subject, argument: argument, body: body), event: event,
                sequence: chain.next, previous: chain.last,
                timestamp: HybridTimestamp(milliseconds: milliseconds, counter: 0), key: key)
            chains[device, default: [:]][kind.set] = (chain.next + 1, operation.id)
            operations.append(operation)
            return operation.id
        }

        private static let original = OperationContent.original(
            OriginalManifest(original: SealedKeys.reference(0, .original), sha256: .zero, mediaType: .jpeg))
    }
}

/// Measures sealing the keys of photos, opening one's own, and opening all at the reveal.
struct RevealBench {
    let photoCount: Int

    func run() throws {
        let event = EventID(key: SigningKey(seed: SealedKeys.secret("event")).verifyingKey)
        let key = Sealing.revealKey(eventKeySeed: SealedKeys.secret("event"), event: event)
        let importSecret = SealedKeys.secret("import")
        let plain = (0..<photoCount).flatMap { number in BlobClass.allCases.map { SealedKeys.reference(number, $0) } }
        let (sealSeconds, sealed) = try Self.processorSeconds {
            try plain.map { try $0.sealed(to: key.publicKey, importSecret: importSecret) }
        }
        let (ownSeconds, ownCount) = Self.processorSeconds {
            sealed.count { $0.opened(sealedTo: key.publicKey, by: importSecret) != nil }
        }
        let (openSeconds, openCount) = Self.processorSeconds { sealed.count { $0.opened(with: key) != nil } }
        guard openCount == plain.count, ownCount == plain.count else { throw Failure("not every key was opened") }
        Figure.report(
            "reveal",
            [
                "photos": Double(photoCount), "keys": Double(plain.count), "sealProcessorSeconds": sealSeconds,
                "openOwnProcessorSeconds": ownSeconds, "openProcessorSeconds": openSeconds,
            ])
    }

    private static func processorSeconds<Result>(_ work: () throws -> Result) rethrows -> (Double, Result) {
        let start = clock()
        let result = try work()
        return (Double(clock() - start) / Double(CLOCKS_PER_SEC), result)
    }
}

/// Generated secrets by name, and blob references with keys.
enum SealedKeys {
    static func secret(_ name: String) -> SecretBytes {
        var bytes = BLAKE2b.hash(Array(name.utf8)).bytes
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    static func reference(_ number: Int, _ blobClass: BlobClass) -> BlobReference {
        let hash = BLAKE2b.hash(Array("\(number) \(blobClass)".utf8))
        var key = hash.bytes
        // Sizes that are valid for every class.
        return BlobReference(
            root: BlobRoot(hash), byteCount: 20_000, chunkLog2: ChunkLayout.chunkLog2,
            key: SecretBytes(consuming: &key, in: .ordinary), blobClass: blobClass)!
    }
}
