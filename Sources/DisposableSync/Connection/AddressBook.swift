// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Where peers may be, and when to try which address next.
///
/// A sighting is a hint: it costs one dial. Failed addresses are tried again ever more rarely, 0.5 s to 60 s with a
/// quarter of jitter; a fresh sighting starts over, and so does the end of a connection that was good for a while.
/// Addresses that were only seen are forgotten first when there are too many, then those where a member has been met.
package struct AddressBook {
    private struct Entry {
        var isPersistent: Bool
        var failureCount = 0
        var dueAt: UInt64
        var isInUse = false
        /// Whom the last authenticated connection reached there.
        var device: DeviceID?
        /// Larger for a later meeting, `nil` where nobody has been met.
        var metAt: Int?
    }

    private var entries: OrderedDictionary<PeerAddress, Entry> = [:] { didSet { overview = nil } }
    /// What a look at all entries has found, `nil` since something has changed.
    private var overview: (nextDeadline: UInt64?, inUseCount: Int)?
    private var random: SplitMix64
    private var meetingCount = 0

    package init(random: SplitMix64) { self.random = random }

    package mutating func add(_ address: PeerAddress, isPersistent: Bool, at now: Instant) {
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
            let candidates = entries.filter { !$0.value.isPersistent && !$0.value.isInUse }
            let stranger = candidates.first { $0.value.metAt == nil }?.key
            guard let oldest = stranger ?? candidates.keys.first else { return }
            entries.removeValue(forKey: oldest)
        }
        entries[address] = Entry(isPersistent: isPersistent, dueAt: now.milliseconds)
    }

    /// At most `countMax` addresses to dial now, which are then in use until `failed` or `closed`; any of them where more
    /// are due.
    /// - Parameters:
    ///   - prefersPersistent: those that a person gave come first.
    ///   - isUnwanted: whether nothing is to be had from a device: it is connected already, or shunned.
    package mutating func takeDue(
        at now: Instant, countMax: Int, prefersPersistent: Bool = false, isUnwanted: (DeviceID) -> Bool
    ) -> [PeerAddress] {
        var due: [PeerAddress] = []
        for (address, entry) in entries where !entry.isInUse && entry.dueAt <= now.milliseconds {
            if let device = entry.device, isUnwanted(device) {
                entries[address]?.dueAt = now.milliseconds + UInt64(Limits.redialMillisecondsMax)
                entries[address]?.failureCount = 0
            } else {
                due.append(address)
            }
        }
        if due.count > countMax {
            due.shuffle(using: &random)
            if prefersPersistent { due = due.filter(isPersistent) + due.filter { !isPersistent($0) } }
            due.removeLast(due.count - max(0, countMax))
        }
        for address in due { entries[address]?.isInUse = true }
        return due
    }

    private func isPersistent(_ address: PeerAddress) -> Bool { entries[address]?.isPersistent == true }

    package mutating func authenticated(_ address: PeerAddress, as device: DeviceID) {
        entries[address]?.device = device
        met(at: address)
    }

    private mutating func met(at address: PeerAddress) {
        let number = meetingCount + 1
        meetingCount = number
        entries[address]?.metAt = number
    }

    /// Addresses where members were met before this node was started, the latest first.
    package mutating func remember(_ addresses: [PeerAddress], at now: Instant) {
        for address in addresses.prefix(Limits.rememberedAddressesMax).reversed() {
            add(address, isPersistent: false, at: now)
            met(at: address)
        }
    }

    /// Where members have been met, the latest first.
    package var remembered: [PeerAddress] {
        let met = entries.filter { $0.value.metAt != nil }.sorted { ($0.value.metAt ?? 0) > ($1.value.metAt ?? 0) }
        return met.prefix(Limits.rememberedAddressesMax).map(\.key)
    }

    package mutating func failed(_ address: PeerAddress, at now: Instant) {
        guard var entry = entries[address] else { return }
        entry.isInUse = false
        entry.failureCount += 1
        let longest = UInt64(Limits.redialMillisecondsMax)
        let pause = min(UInt64(Limits.redialMillisecondsMin) << UInt64(min(entry.failureCount - 1, 10)), longest)
        entry.dueAt = now.milliseconds + pause * 3 / 4 + UInt64.random(in: 0...pause / 2, using: &random)
        entries[address] = entry
    }

    /// The connection to the address has ended.
    /// - Parameters:
    ///   - wasGood: it held for a while, so the failures before it say nothing any more.
    ///   - pause: milliseconds that the other side wants to be left alone.
    package mutating func closed(_ address: PeerAddress, at now: Instant, wasGood: Bool, pause: UInt64) {
        if wasGood { entries[address]?.failureCount = 0 }
        failed(address, at: now)
        if let dueAt = entries[address]?.dueAt { entries[address]?.dueAt = max(dueAt, now.milliseconds + pause) }
    }

    /// No connection to the device is left: its addresses that were not dialled because there was one are due soon.
    package mutating func lost(_ device: DeviceID, at now: Instant) {
        let longest = UInt64(Limits.redialMillisecondsMin)
        for (address, entry) in entries where entry.device == device && !entry.isInUse && entry.failureCount == 0 {
            let pause = longest / 2 + UInt64.random(in: 0...longest, using: &random)
            entries[address]?.dueAt = min(entry.dueAt, now.milliseconds + pause)
        }
    }

    /// This node's own address, or another node's that must not be dialled.
    package mutating func forget(_ address: PeerAddress) { entries.removeValue(forKey: address) }

    package var nextDeadline: UInt64? { (overview ?? lookedAtAll).nextDeadline }

    /// Addresses that are being dialled, or have been and are connected.
    package var inUseCount: Int { (overview ?? lookedAtAll).inUseCount }

    /// Makes the next questions cheap, until something changes.
    mutating func settle() { if overview == nil { overview = lookedAtAll } }

    private var lookedAtAll: (nextDeadline: UInt64?, inUseCount: Int) {
        var inUseCount = 0
        var next = UInt64.max
        for entry in entries.values {
            if entry.isInUse { inUseCount += 1 } else { next = min(next, entry.dueAt) }
        }
        return (next == .max ? nil : next, inUseCount)
    }
}
