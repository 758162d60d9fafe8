// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// A portal that tries to make its removal cost others their photos. It serves guests and admits members that take
/// photos, forks its own chains, so that they have more ends than a revocation has heads, and makes sub-keys without
/// end. After its removal it has its guests' photos deleted by their sub-keys, and a member that it admitted signs for
/// one of its guests, so that the removal concerns that member, too.
struct HostageTaker {
    private var writer: ChainWriter
    private var guests: [(key: SigningKey, subKey: SigningKey)] = []
    private var photos: [(id: OperationID, subKey: SigningKey)] = []
    private var accomplice: SigningKey?
    private var friends: [SigningKey] = []
    private var hasBetrayed = false
    private var actionCount = 0
    /// Honest people whose photos may depend on how the node is removed.
    private(set) var hostages: Set<AuthorID> = []

    private static let actionCountMax = 40

    init(event: EventID) { writer = ChainWriter(event: event) }

    mutating func act(
        _ key: SigningKey, _ join: VerifiedOperation, isRemoved: Bool, _ wallClockMilliseconds: UInt64,
        _ random: inout SplitMix64
    ) -> [VerifiedOperation] {
        guard actionCount < Self.actionCountMax else { return [] }
        if actionCount == 0 { writer.follow(join) }
        actionCount += 1
        writer.wallClockMilliseconds = wallClockMilliseconds
        if isRemoved { takeRevenge(key, &random) } else { serve(key, &random) }
        return writer.take()
    }

    private mutating func serve(_ key: SigningKey, _ random: inout SplitMix64) {
        if guests.count < 5 {
            let guest = (key: SigningKey(seed: random.secret()), subKey: SigningKey(seed: random.secret()))
            writer.join(guest.subKey, sponsor: key, guest: guest.key, &random)
            guests.append(guest)
            hostages.insert(AuthorID(guest.key.verifyingKey))
        }
        if let guest = guests.randomElement(using: &random) {
            photos.append((writer.photo(by: guest.subKey, &random), guest.subKey))
        }
        if friends.count < 3 {
            let sponsor = accomplice ?? SigningKey(seed: random.secret())
            if accomplice == nil {
                accomplice = sponsor
                writer.join(sponsor, sponsor: key, &random)
            }
            let friend = SigningKey(seed: random.secret())
            writer.join(friend, sponsor: sponsor, &random)
            writer.photo(by: friend, &random)
            friends.append(friend)
            hostages.insert(AuthorID(friend.verifyingKey))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            writer.state(.name, by: key, content: .name("Mallory"), isFork: true, &random)
        }
        // A sub-key for no guest, with a chain that has several ends.
        let subKey = SigningKey(seed: random.secret())
        writer.join(subKey, sponsor: key, guest: SigningKey(seed: random.secret()), &random)
        for _ in 0..<2 { writer.state(.name, by: subKey, content: .name("Eve"), isFork: true, &random) }
    }

    private mutating func takeRevenge(_ key: SigningKey, _ random: inout SplitMix64) {
        if let photo = photos.popLast() { writer.state(.remove, by: photo.subKey, subject: photo.id, &random) }
        if let guest = guests.randomElement(using: &random) { writer.photo(by: guest.subKey, &random) }
        guard !hasBetrayed, let accomplice else { return }
        hasBetrayed = true
        writer.join(accomplice, sponsor: key, guest: SigningKey(seed: random.secret()), &random)
    }
}
