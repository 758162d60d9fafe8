// SPDX-License-Identifier: Apache-2.0
package import DisposableValues

/// The decisions of a spare node: to use the address of a machine that no longer answers, and to give it back, by the
/// rules of RFC 5227.
///
/// It has no clock, socket or randomness of its own: `advance` and `handle` get the present time, in milliseconds of a
/// clock that never goes back, and return what to do. Call `advance` several times a second.
///
/// - **Watching.** It asks for the address every two seconds. It may take the address over after four questions without
///   an answer, but only if the address has answered before, a member of the event was connected from there, and none
///   is now. So it takes no address that the event does not know, and none on a network that hides other machines.
///   After half an hour without a link, sleep included, all of that is forgotten: the next network may be another one.
/// - **Probing.** It sends the three probes of RFC 5227. Any sign of another station ends this.
/// - **Holding.** It announces the address twice, and keeps asking whether another station has it. It gives the address
///   up at once if that is a station which had it before, and repeats that station's claim to all; or if it is one that
///   shows itself twice within ten seconds. The first sign of a station that never had it is answered with an
///   announcement, as RFC 5227 §2.4 permits.
package struct AddressTakeover: Sendable {
    package enum Output: Equatable, Sendable {
        case send(ARPPacket, to: HardwareAddress)
        /// Add the address to the interface, or prolong it there, for ``lifetimeSeconds``.
        case hold
        /// Remove the address from the interface.
        case release(Reason)
        /// A station answers for the address: the first one, or another one than before.
        case found(HardwareAddress, isFirst: Bool)
    }

    /// The reason for which an address is given up.
    package enum Reason: Equatable, Sendable {
        /// A station that had the address before has it again.
        case ownerReturned(HardwareAddress)
        /// A station that never had the address insists on it.
        case conflict(HardwareAddress)
        /// The interface has no link, or no address on that network.
        case noLink
        /// The node may not serve guests, or does not serve them.
        case notServing
        /// The machine has slept: it does not know what happened meanwhile.
        case slept
    }

    /// This machine on the network of the address.
    package struct Station: Equatable, Sendable {
        package let hardware: HardwareAddress
        package let address: IPAddress

        package init(hardware: HardwareAddress, address: IPAddress) {
            (self.hardware, self.address) = (hardware, address)
        }
    }

    package struct Surroundings: Equatable, Sendable {
        /// `nil` without a link.
        package var own: Station?
        /// Whether a member of the event that is at the address, or serves guests there, is connected.
        package var isMemberConnected: Bool
        /// Whether this node serves guests, and an organizer lets it.
        package var isServing: Bool

        package init(own: Station?, isMemberConnected: Bool, isServing: Bool) {
            self.own = own
            self.isMemberConnected = isMemberConnected
            self.isServing = isServing
        }
    }

    /// The kernel removes the address after so long, unless it is prolonged: also if this process was killed.
    package static let lifetimeSeconds: UInt32 = 30
    private static let renewalMilliseconds: UInt64 = 10_000

    private static let requestMilliseconds: UInt64 = 2_000
    private static let unansweredCountMin = 4
    /// The values of RFC 5227 §1.1: PROBE_WAIT, PROBE_NUM, PROBE_MIN, PROBE_MAX, ANNOUNCE_WAIT, ANNOUNCE_NUM,
    /// ANNOUNCE_INTERVAL, DEFEND_INTERVAL.
    private static let probeWaitMillisecondsMax: UInt64 = 1_000
    private static let probeCount = 3
    private static let probeMilliseconds: ClosedRange<UInt64> = 1_000...2_000
    private static let announceWaitMilliseconds: UInt64 = 2_000
    private static let announcementCount = 2
    private static let announcementMilliseconds: UInt64 = 2_000
    private static let defenceMilliseconds: UInt64 = 10_000
    /// The interval of questions while the address is held.
    private static let checkMilliseconds: UInt64 = 5_000
    /// The first pause between giving the address up and the next takeover. It doubles each time, up to the second one,
    /// and is the first one again after an hour without a takeover.
    private static let pauseMilliseconds: ClosedRange<UInt64> = 30_000...480_000
    private static let calmMilliseconds: UInt64 = 3_600_000
    private static let sleepMilliseconds: UInt64 = 10_000
    /// The time without a link after which the network may be that of another place, with the same addresses.
    private static let absenceMilliseconds: UInt64 = 1_800_000
    private static let ownersMax = 8
    private static let findingMilliseconds: UInt64 = 60_000

    private enum Phase: Sendable {
        case watching(requestAt: UInt64)
        case probing(sentCount: Int, nextAt: UInt64)
        case holding(Holding)
    }

    private struct Holding: Sendable {
        var announcedCount = 1
        var announceAt: UInt64
        var checkAt: UInt64
        var renewAt: UInt64
        var defendedAt: UInt64?
    }

    package let address: IPAddress
    private var random: any RandomNumberGenerator & Sendable
    private var phase = Phase.watching(requestAt: 0)
    private var surroundings = Surroundings(own: nil, isMemberConnected: false, isServing: false)
    private var advancedAt: UInt64?
    /// The latest time with a link.
    private var linkedAt: UInt64?
    /// The stations that have answered for the address, the latest last.
    private var owners: [HardwareAddress] = []
    private var reported: (station: HardwareAddress, at: UInt64)?
    private var wasMemberConnected = false
    /// The number of questions since the last sign of a station with the address.
    private var unansweredCount = 0
    private var pause = Self.pauseMilliseconds.lowerBound
    private var releasedAt: UInt64?

    package init(of address: IPAddress, random: any RandomNumberGenerator & Sendable) {
        self.address = address
        self.random = random
    }

    package var isHolding: Bool {
        if case .holding = phase { true } else { false }
    }

    // Time

    package mutating func advance(to now: UInt64, in surroundings: Surroundings) -> [Output] {
        let hasSlept = now - (advancedAt ?? now) > Self.sleepMilliseconds
        advancedAt = now
        self.surroundings = surroundings
        if let linkedAt, now - linkedAt > Self.absenceMilliseconds { (owners, wasMemberConnected) = ([], false) }
        guard let own = surroundings.own else { return start(at: now, because: .noLink) }
        linkedAt = now
        guard surroundings.isServing else { return start(at: now, because: .notServing) }
        guard !hasSlept else { return start(at: now, because: .slept) }
        wasMemberConnected = wasMemberConnected || surroundings.isMemberConnected
        switch phase {
        case .watching(let requestAt): return now < requestAt ? [] : watch(own, at: now)
        case .probing(let sentCount, let nextAt): return now < nextAt ? [] : probe(own, sentCount, at: now)
        case .holding(let holding): return keep(holding, own, at: now)
        }
    }

    /// Begins to watch, with nothing known about the present. Gives the address up if it is held.
    private mutating func start(at now: UInt64, because reason: Reason) -> [Output] {
        let wasHolding = isHolding
        phase = .watching(requestAt: now)
        unansweredCount = 0
        return wasHolding ? [release(reason, at: now)] : []
    }

    private func isReady(at now: UInt64) -> Bool {
        let isPaused = releasedAt.map { now - $0 < pause } ?? false
        return wasMemberConnected && !owners.isEmpty && !surroundings.isMemberConnected && !isPaused
    }

    private mutating func watch(_ own: Station, at now: UInt64) -> [Output] {
        guard unansweredCount < Self.unansweredCountMin || !isReady(at: now) else {
            phase = .probing(sentCount: 0, nextAt: now + draw(0...Self.probeWaitMillisecondsMax))
            return []
        }
        // While it answers, no other station needs to hear the question.
        let to = unansweredCount == 0 ? owners.last ?? .broadcast : .broadcast
        unansweredCount = min(unansweredCount + 1, Self.unansweredCountMin)
        phase = .watching(requestAt: now + Self.requestMilliseconds)
        return [.send(.request(for: address, from: own.hardware, at: own.address), to: to)]
    }

    private mutating func probe(_ own: Station, _ sentCount: Int, at now: UInt64) -> [Output] {
        guard isReady(at: now) else {
            phase = .watching(requestAt: now)
            return []
        }
        guard sentCount < Self.probeCount else {
            phase = .holding(
                Holding(
                    announceAt: now + Self.announcementMilliseconds, checkAt: now + Self.checkMilliseconds,
                    renewAt: now + Self.renewalMilliseconds))
            return [.hold, announcement(own)]
        }
        let isLast = sentCount + 1 == Self.probeCount
        let wait = isLast ? Self.announceWaitMilliseconds : draw(Self.probeMilliseconds)
        phase = .probing(sentCount: sentCount + 1, nextAt: now + wait)
        return [.send(.probe(for: address, from: own.hardware), to: .broadcast)]
    }

    private mutating func keep(_ earlier: Holding, _ own: Station, at now: UInt64) -> [Output] {
        var (holding, outputs) = (earlier, [Output]())
        if now >= holding.renewAt {
            holding.renewAt = now + Self.renewalMilliseconds
            outputs.append(.hold)
        }
        if holding.announcedCount < Self.announcementCount, now >= holding.announceAt {
            holding.announcedCount += 1
            holding.announceAt = now + Self.announcementMilliseconds
            outputs.append(announcement(own))
        }
        if now >= holding.checkAt {
            holding.checkAt = now + Self.checkMilliseconds
            outputs.append(.send(.probe(for: address, from: own.hardware), to: .broadcast))
        }
        phase = .holding(holding)
        return outputs
    }

    /// The system did not add the address.
    package mutating func fail(at now: UInt64) {
        _ = start(at: now, because: .notServing)
    }

    // Packets

    package mutating func handle(_ packet: ARPPacket, at now: UInt64) -> [Output] {
        guard let own = surroundings.own, packet.sender != own.hardware else { return [] }
        if packet.claims(address) { return hear(packet.sender, own, at: now) }
        return packet.isProbe(for: address) ? hearProbe(by: packet.sender, at: now) : []
    }

    /// A station says that it has the address.
    private mutating func hear(_ station: HardwareAddress, _ own: Station, at now: UInt64) -> [Output] {
        guard case .holding(var holding) = phase else {
            if case .probing = phase { phase = .watching(requestAt: now + Self.requestMilliseconds) }
            unansweredCount = 0
            return remember(station, at: now)
        }
        let hadIt = owners.contains(station)
        guard hadIt || holding.defendedAt.map({ now - $0 < Self.defenceMilliseconds }) ?? false else {
            holding.defendedAt = now
            phase = .holding(holding)
            return [announcement(own)]
        }
        guard hadIt else { return start(at: now, because: .conflict(station)) + remember(station, at: now) }
        // Many systems do not announce themselves, and phones would use this machine for up to a minute.
        return start(at: now, because: .ownerReturned(station)) + remember(station, at: now)
            + [.send(.announcement(of: address, by: station), to: .broadcast)]
    }

    /// A station is about to take the address: the machine that returns, or another spare.
    private mutating func hearProbe(by station: HardwareAddress, at now: UInt64) -> [Output] {
        if isHolding {
            return owners.contains(station) ? start(at: now, because: .ownerReturned(station)) : []
        }
        unansweredCount = 0
        // Two spares that probe at the same moment both withdraw; chance decides between them.
        if case .probing = phase {
            phase = .watching(requestAt: now + draw(0...(2 * Self.requestMilliseconds)))
        }
        return []
    }

    private mutating func remember(_ station: HardwareAddress, at now: UInt64) -> [Output] {
        if owners.last != station {
            owners.removeAll { $0 == station }
            owners.append(station)
            if owners.count > Self.ownersMax { owners.removeFirst() }
        }
        // A station that invents others gets no report for each.
        let earlier = reported
        if let earlier, earlier.station == station || now - earlier.at < Self.findingMilliseconds { return [] }
        reported = (station, now)
        return [.found(station, isFirst: earlier == nil)]
    }

    // Outputs

    private func announcement(_ own: Station) -> Output {
        .send(.announcement(of: address, by: own.hardware), to: .broadcast)
    }

    private mutating func release(_ reason: Reason, at now: UInt64) -> Output {
        let isCalm = releasedAt.map { now - $0 > Self.calmMilliseconds } ?? true
        pause = isCalm ? Self.pauseMilliseconds.lowerBound : min(2 * pause, Self.pauseMilliseconds.upperBound)
        releasedAt = now
        return .release(reason)
    }

    private mutating func draw(_ range: ClosedRange<UInt64>) -> UInt64 {
        range.lowerBound + random.next() % (range.upperBound - range.lowerBound + 1)
    }
}
