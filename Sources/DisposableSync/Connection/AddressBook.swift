// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Where peers may be, and when to try which address next.
///
/// A sighting is a hint: it costs one dial. Failed addresses are tried again ever more rarely, 0.5 s to 60 s with a
/// quarter of jitter; a fresh sighting starts over. Addresses that were only seen are forgotten first when there are too
/// many.
struct AddressBook {
    private struct Entry {
        var isPersistent: Bool
        var failureCount = 0
        var dueAt: UInt64
        var isInUse = false
        /// Whom the last authenticated connection reached there.
        var device: DeviceID?
    }

    private var entries: OrderedDictionary<PeerAddress, Entry> = [:]
    private var random: SplitMix64

    init(random: SplitMix64) { self.random = random }

    mutating func add(_ address: PeerAddress, isPersistent: Bool, at now: Instant) {
        if var entry = entries[address] {
            entry.isPersistent = entry.isPersistent || isPersistent
            // Not sooner than the shortest backoff, so that a storm of sightings is no storm of dials.
            if !entry.isInUse, entry.failureCount > 0 {
                entry.failureCount = 0
                entry.dueAt = min(entry.dueAt, now.milliseconds + UInt64(Limits.redialMillisecondsMin))
            }
            entries[address] = entry
            return
        }
        if entries.count >= Limits.addressesMax {
            guard let oldest = entries.first(where: { !$0.value.isPersistent && !$0.value.isInUse })?.key else { return }
            entries.removeValue(forKey: oldest)
        }
        entries[address] = Entry(isPersistent: isPersistent, dueAt: now.milliseconds)
    }

    /// Addresses to dial now, which are then in use until `failed` or `closed`.
    mutating func takeDue(at now: Instant, isConnected: (DeviceID) -> Bool) -> [PeerAddress] {
        var due: [PeerAddress] = []
        for (address, entry) in entries where !entry.isInUse && entry.dueAt <= now.milliseconds {
            if let device = entry.device, isConnected(device) {
                entries[address]?.dueAt = now.milliseconds + UInt64(Limits.redialMillisecondsMax)
                continue
            }
            entries[address]?.isInUse = true
            due.append(address)
        }
        return due
    }

    mutating func authenticated(_ address: PeerAddress, as device: DeviceID) {
        entries[address]?.device = device
        entries[address]?.failureCount = 0
    }

    mutating func failed(_ address: PeerAddress, at now: Instant) {
        guard var entry = entries[address] else { return }
        entry.isInUse = false
        entry.failureCount += 1
        let longest = UInt64(Limits.redialMillisecondsMax)
        let pause = min(UInt64(Limits.redialMillisecondsMin) << UInt64(min(entry.failureCount - 1, 10)), longest)
        entry.dueAt = now.milliseconds + pause * 3 / 4 + UInt64.random(in: 0...pause / 2, using: &random)
        entries[address] = entry
    }

    /// The connection to the address has ended after it was good: try again soon.
    mutating func closed(_ address: PeerAddress, at now: Instant) {
        entries[address]?.failureCount = 0
        failed(address, at: now)
    }

    /// This node's own address, or another node's that must not be dialled.
    mutating func forget(_ address: PeerAddress) { entries.removeValue(forKey: address) }

    var nextDeadline: UInt64? { entries.values.filter { !$0.isInUse }.map(\.dueAt).min() }
}
