// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// The known addresses of peers, and when to dial which.
///
/// A sighting is a hint: it costs one dial. Failed addresses are retried with growing pauses, 0.5 s to 60 s with a
/// quarter of jitter, and to 15 s where a member was met: nodes that a flood keeps apart meet soon after its end. A new
/// sighting resets the pause, and so does the end of a connection that was good for a while. A pause that the other side
/// requests is always kept.
/// An address is known if a person has named it or a member was met there. Known addresses are dialled first, and
/// forgotten last if there are too many: anyone can invent sightings.
package struct AddressBook {
    private struct Entry {
        var isPersistent: Bool
        var failureCount = 0
        var dueAt: UInt64
        /// The end of the pause that the other side requested.
        var pausedUntil: UInt64 = 0
        var isInUse = false
        /// The number of the event secret to use there, among the known ones.
        var attempt = 0
        /// The device that the last authenticated connection reached there.
        var device: DeviceID?
        /// Larger for a later meeting, `nil` if no member was met.
        var metAt: Int?

        var isKnown: Bool { isPersistent || metAt != nil }

        mutating func isDue(at time: UInt64) { dueAt = max(time, pausedUntil) }
    }

    private struct Overview {
        var knownDueAt = UInt64.max
        var strangerDueAt = UInt64.max
        var inUseCount = 0
        var strangersInUseCount = 0
    }

    private var entries: OrderedDictionary<PeerAddress, Entry> = [:] { didSet { overview = nil } }
    /// The overview of all entries, `nil` after a change.
    private var overview: Overview?
    private var random: SplitMix64
    private var meetingCount = 0

    package init(random: SplitMix64) { self.random = random }

    package mutating func add(_ address: PeerAddress, isPersistent: Bool, attempt: Int = 0, at now: Instant) {
        if var entry = entries[address] {
            if !entry.isInUse, attempt > 0 { entry.attempt = attempt }
            entry.isPersistent = entry.isPersistent || isPersistent
            // Not before the shortest backoff, so that a storm of sightings causes no storm of dials.
            if !entry.isInUse, entry.failureCount > 0 {
                entry.failureCount = 0
                entry.isDue(at: min(entry.dueAt, now.milliseconds + UInt64(Limits.redialMillisecondsMin)))
            }
            entries[address] = entry
            return
        }
        if entries.count >= Limits.addressesMax {
            guard let least = leastMissed else { return }
            entries.removeValue(forKey: least)
        }
        entries[address] = Entry(isPersistent: isPersistent, dueAt: now.milliseconds, attempt: attempt)
    }

    /// The address to forget if there are too many: one without a meeting, otherwise the one with the oldest meeting of
    /// the source with the most. A machine with any number of ports makes room at its own expense.
    private var leastMissed: PeerAddress? {
        let candidates = entries.filter { !$0.value.isPersistent && !$0.value.isInUse }
        if let stranger = candidates.first(where: { $0.value.metAt == nil }) { return stranger.key }
        let sources = PeerSource.merged(candidates.keys.map(\.host))
        let counts = sources.reduce(into: [PeerSource: Int]()) { $0[$1, default: 0] += 1 }
        let most = counts.values.max()
        return zip(candidates, sources).filter { counts[$1] == most }.map(\.0)
            .min { ($0.value.metAt ?? 0) < ($1.value.metAt ?? 0) }?.key
    }

    /// Returns at most `countMax` addresses to dial now, which are then in use until `failed` or `closed`.
    /// - Parameters:
    ///   - atRandom: any of the due addresses, instead of known ones first.
    ///   - connected: hosts to leave out. If it is not `nil`, one address is taken of each source that none of them
    ///     and no dial belongs to.
    ///   - isUnwanted: whether a connection to the device is useless: it is connected already, or banned.
    package mutating func takeDue(
        at now: Instant, countMax: Int, atRandom: Bool = false, elsewhereThan connected: [String]? = nil,
        isUnwanted: (DeviceID) -> Bool
    ) -> [PeerAddress] {
        var known: [PeerAddress] = []
        var strangers: [PeerAddress] = []
        for (address, entry) in entries where !entry.isInUse && entry.dueAt <= now.milliseconds {
            if let device = entry.device, isUnwanted(device) {
                entries[address]?.isDue(at: now.milliseconds + UInt64(Limits.redialMillisecondsMax))
                entries[address]?.failureCount = 0
            } else if entry.isKnown {
                known.append(address)
            } else {
                strangers.append(address)
            }
        }
        if let connected {
            known.shuffle(using: &random)
            strangers.shuffle(using: &random)
            let elsewhere = oneOfEachSource(known + strangers, elsewhereThan: connected)
            known.removeAll { !elsewhere.contains($0) }
            strangers.removeAll { !elsewhere.contains($0) }
        }
        var due = known + strangers.prefix(strangerDialsLeft)
        if atRandom { due.shuffle(using: &random) }
        due.removeLast(due.count - min(due.count, max(0, countMax)))
        for address in due { entries[address]?.isInUse = true }
        return due
    }

    /// Returns the first address of each source that none of the hosts belongs to, and no address in use.
    private func oneOfEachSource(
        _ addresses: [PeerAddress], elsewhereThan hosts: [String]
    ) -> Set<PeerAddress> {
        let hosts = hosts + entries.filter(\.value.isInUse).keys.map(\.host)
        let present = Set(hosts.map { PeerSource($0) })
        var taken = present.union(PeerSource.merged(hosts))
        return Set(addresses.filter { taken.insert(PeerSource($0.host).merged(beside: present)).inserted })
    }

    /// The number of addresses with a dial or a dialled connection.
    package var inUseCount: Int { (overview ?? lookedAtAll).inUseCount }

    private var strangerDialsLeft: Int { max(0, Limits.dialsMax - (overview ?? lookedAtAll).strangersInUseCount) }

    // Secrets

    package func attempt(at address: PeerAddress) -> Int { entries[address]?.attempt ?? 0 }

    /// The listener at a dialled address has rejected the secret. Returns whether another one is tried soon.
    package mutating func triesAgain(_ address: PeerAddress, secretCount: Int, at now: Instant) -> Bool {
        guard var entry = entries[address] else { return false }
        entry.attempt = (entry.attempt + 1) % max(secretCount, 1)
        if entry.attempt > 0 {
            entry.failureCount = max(0, entry.failureCount - 1)
            entry.isDue(at: now.milliseconds + UInt64(Limits.redialMillisecondsMin) / 4)
        }
        entries[address] = entry
        return entry.attempt > 0
    }

    /// A secret was accepted; the next dial starts with the current one.
    package mutating func answered(_ address: PeerAddress) { entries[address]?.attempt = 0 }

    /// The event has another secret: results with the one before are discarded.
    package mutating func renewed(at now: Instant) {
        for (address, entry) in entries {
            entries[address]?.attempt = 0
            entries[address]?.pausedUntil = 0
            entries[address]?.failureCount = 0
            guard !entry.isInUse else { continue }
            let quarter = UInt64(Limits.redialMillisecondsMin) / 4
            let spread = UInt64.random(in: 0...quarter, using: &random)
            entries[address]?.isDue(at: now.milliseconds + spread)
        }
    }

    package mutating func authenticated(_ address: PeerAddress, as device: DeviceID) {
        answered(address)
        entries[address]?.device = device
    }

    /// Records that a member was met at the address.
    package mutating func met(at address: PeerAddress) {
        let number = meetingCount + 1
        meetingCount = number
        entries[address]?.metAt = number
    }

    /// Adds addresses where members were met before this node started, latest first.
    package mutating func remember(_ addresses: [PeerAddress], at now: Instant) {
        for address in addresses.prefix(Limits.rememberedAddressesMax).reversed() {
            add(address, isPersistent: false, at: now)
            met(at: address)
        }
    }

    /// The addresses where members were met, latest first. If there are more than are kept, sources take turns.
    package var remembered: [PeerAddress] {
        let met = entries.filter { $0.value.metAt != nil }.sorted { ($0.value.metAt ?? 0) > ($1.value.metAt ?? 0) }
            .map(\.key)
        guard met.count > Limits.rememberedAddressesMax else { return met }
        let turns = PeerSource.turns(met.map(\.host))
        let chosen = met.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }.prefix(Limits.rememberedAddressesMax)
        return chosen.sorted().map { met[$0] }
    }

    /// Whether a member was met at an address of this host.
    package func isKnown(host: String) -> Bool { entries.contains { $0.key.host == host && $0.value.metAt != nil } }

    package mutating func failed(_ address: PeerAddress, at now: Instant) {
        guard var entry = entries[address] else { return }
        entry.isInUse = false
        entry.failureCount += 1
        let longest = UInt64(entry.metAt == nil ? Limits.redialMillisecondsMax : Limits.redialMemberMillisecondsMax)
        let pause = min(UInt64(Limits.redialMillisecondsMin) << UInt64(min(entry.failureCount - 1, 10)), longest)
        entry.isDue(at: now.milliseconds + pause * 3 / 4 + UInt64.random(in: 0...pause / 2, using: &random))
        entries[address] = entry
    }

    /// The connection to the address has ended.
    /// - Parameters:
    ///   - wasGood: the connection lasted for a while, so earlier failures are outdated.
    ///   - pause: milliseconds that the other side requests without a dial.
    package mutating func closed(_ address: PeerAddress, at now: Instant, wasGood: Bool, pause: UInt64) {
        if wasGood { entries[address]?.failureCount = 0 }
        entries[address]?.pausedUntil = now.milliseconds + pause
        failed(address, at: now)
    }

    /// The last connection to the device has ended: its other addresses become due soon.
    /// - Parameter pause: milliseconds that the device requests without a dial, at any of its addresses.
    package mutating func lost(_ device: DeviceID, at now: Instant, pause: UInt64) {
        let longest = UInt64(Limits.redialMillisecondsMin)
        for (address, entry) in entries where entry.device == device && !entry.isInUse {
            entries[address]?.pausedUntil = max(entry.pausedUntil, now.milliseconds + pause)
            let soon = now.milliseconds + longest / 2 + UInt64.random(in: 0...longest, using: &random)
            entries[address]?.isDue(at: entry.failureCount == 0 ? min(entry.dueAt, soon) : entry.dueAt)
        }
    }

    /// The machine has slept, or is on another network: failed addresses may work now. All become due at once, slightly
    /// spread, since many machines wake when a network comes back.
    package mutating func interrupted(at now: Instant) {
        for (address, entry) in entries where !entry.isInUse {
            entries[address]?.failureCount = 0
            let quarter = UInt64(Limits.redialMillisecondsMin) / 4
            let spread = UInt64.random(in: 0...quarter, using: &random)
            entries[address]?.isDue(at: now.milliseconds + spread)
        }
    }

    /// Removes this node's own address, or another node's that must not be dialled.
    package mutating func forget(_ address: PeerAddress) { entries.removeValue(forKey: address) }

    package var nextDeadline: UInt64? {
        let overview = overview ?? lookedAtAll
        let next = strangerDialsLeft > 0 ? min(overview.knownDueAt, overview.strangerDueAt) : overview.knownDueAt
        return next == .max ? nil : next
    }

    /// Makes the next queries cheap, until something changes.
    mutating func settle() { if overview == nil { overview = lookedAtAll } }

    private var lookedAtAll: Overview {
        var overview = Overview()
        for entry in entries.values {
            switch (entry.isInUse, entry.isKnown) {
            case (true, let isKnown):
                overview.inUseCount += 1
                if !isKnown { overview.strangersInUseCount += 1 }
            case (false, true): overview.knownDueAt = min(overview.knownDueAt, entry.dueAt)
            case (false, false): overview.strangerDueAt = min(overview.strangerDueAt, entry.dueAt)
            }
        }
        return overview
    }
}
