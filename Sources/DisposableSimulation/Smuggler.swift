// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// A member that continues to admit devices after it was removed: itself, with sub-keys that it made before and after,
/// and with the devices that joined in this way. All of them take photos.
struct Smuggler {
    private var writer: ChainWriter
    /// Made before the removal.
    private var subKeys: [SigningKey] = []
    /// The keys that admit others once the smuggler is removed.
    private var doors: [SigningKey] = []
    private var actionCount = 0
    private(set) var saidInVain: [OperationID] = []

    private static let actionCountMax = 40

    init(event: EventID) { writer = ChainWriter(event: event) }

    mutating func act(
        _ key: SigningKey, _ join: VerifiedOperation, isRemoved: Bool, _ wallClockMilliseconds: UInt64,
        _ random: inout SplitMix64
    ) -> [VerifiedOperation] {
        guard actionCount < Self.actionCountMax else { return [] }
        if actionCount == 0 {
            writer.follow(join)
            doors = [key]
        }
        actionCount += 1
        writer.wallClockMilliseconds = wallClockMilliseconds
        guard isRemoved else {
            if subKeys.count < 3 {
                let subKey = SigningKey(seed: random.secret())
                writer.join(subKey, sponsor: key, guest: SigningKey(seed: random.secret()), &random)
                // One of them had admitted a device before, which may stay.
                if subKeys.isEmpty { writer.join(SigningKey(seed: random.secret()), sponsor: subKey, &random) }
                subKeys.append(subKey)
            }
            writer.photo(by: random.oneIn(2) ? key : subKeys[0], &random)
            return writer.take()
        }
        let door = (doors + subKeys).randomElement(using: &random) ?? key
        let newcomer = SigningKey(seed: random.secret())
        let guest = random.oneIn(3) ? SigningKey(seed: random.secret()) : nil
        writer.join(newcomer, sponsor: door, guest: guest, &random)
        writer.photo(by: newcomer, &random)
        // A device that is a member already does not become another kind of member.
        if random.oneIn(4), let subKey = subKeys.randomElement(using: &random) {
            writer.join(subKey, sponsor: door, &random)
            writer.photo(by: subKey, &random)
        }
        doors.append(newcomer)
        let said = writer.take()
        saidInVain += said.map(\.id)
        return said
    }
}
