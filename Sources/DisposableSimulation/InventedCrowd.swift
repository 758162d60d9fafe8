// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// A great many devices and guests that one member admits, itself or through others of them, and lets act.
struct InventedCrowd {
    private var writer: ChainWriter
    private var nodes: [SigningKey] = []
    private var everybody: [SigningKey] = []
    private var photos: [OperationID] = []
    private var hasBegun = false
    /// The number of devices and guests that join.
    var countMax = 160

    private static let countAtOnce = 4

    init(event: EventID) { writer = ChainWriter(event: event) }

    mutating func act(
        _ key: SigningKey, _ join: VerifiedOperation, _ wallClockMilliseconds: UInt64,
        _ random: inout SplitMix64
    ) -> [VerifiedOperation] {
        guard everybody.count < countMax else { return [] }
        if !hasBegun {
            writer.follow(join)
            nodes = [key]
            hasBegun = true
        }
        writer.wallClockMilliseconds = wallClockMilliseconds
        for _ in 0..<Self.countAtOnce {
            let newcomer = SigningKey(seed: random.secret())
            let sponsor = nodes.randomElement(using: &random) ?? key
            let isGuest = random.oneIn(2)
            writer.join(newcomer, sponsor: sponsor, guest: isGuest ? SigningKey(seed: random.secret()) : nil, &random)
            if !isGuest { nodes.append(newcomer) }
            everybody.append(newcomer)
        }
        for _ in 0..<Self.countAtOnce {
            guard let member = everybody.randomElement(using: &random) else { continue }
            let photo = photos.randomElement(using: &random)
            switch (Int.random(in: 0..<4, using: &random), photo) {
            case (0, _): writer.state(.name, by: member, content: .name("Guest"), &random)
            case (1, let photo?): writer.state(.remove, by: member, subject: photo, &random)
            case (2, let photo?): writer.state(.claim, by: member, subject: photo, argument: 1, &random)
            default: photos.append(writer.photo(by: member, &random))
            }
        }
        return writer.take()
    }
}
