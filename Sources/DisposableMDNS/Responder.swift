// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// Publishes one service on one link: probing, announcing, answering, goodbye (RFC 6762 §6 to §10).
///
/// State: *silent* without a service; *waiting* for a time after a conflict; *probing*, three times, whether another
/// host has the names; *announcing*, three times; then *established*. Queries are answered from announcing on.
struct Responder: Sendable {
    enum Phase: Equatable, Sendable {
        case silent
        case waiting(until: UInt64)
        case probing(sentCount: Int, next: UInt64)
        case announcing(OwnRecords, sentCount: Int, next: UInt64)
        case established

        var next: UInt64? {
            switch self {
            case .silent, .established: nil
            case .waiting(let next), .probing(_, let next), .announcing(_, _, let next): next
            }
        }
    }

    private(set) var phase = Phase.silent
    private(set) var service: OwnService?
    /// Whether the names are known to be unique, so that no probe is needed (RFC 6762 §8.1).
    private var isAsserted = false
    /// Recent own records whose echoes may still arrive.
    private var former: [(record: Record, until: UInt64)] = []

    /// Answers to the group that are scheduled, and when each record was last sent there.
    var pending: OwnRecords = []
    var pendingDue: UInt64?
    var lastMulticast: [UInt8: UInt64] = [:]
    /// Answers to a query whose known answers are not complete yet.
    var held: [(source: Endpoint, answers: OwnRecords, due: UInt64)] = []
    /// The next time at which contradicted own records may be announced again, and the pause after that.
    private var defendedAt: UInt64?
    private var defencePause: UInt64 = 1_000

    private static let probeCount = 3
    private static let probeMilliseconds: UInt64 = 250
    private static let announcementCount = 3
    private static let echoMilliseconds: UInt64 = 5_000
    private static let formerCountMax = 32

    var isProbing: Bool { if case .probing = phase { true } else { false } }
    var isAnswering: Bool {
        switch phase {
        case .announcing, .established: true
        case .silent, .waiting, .probing: false
        }
    }

    var nextDeadline: UInt64? {
        ([phase.next, pendingDue] + held.map(\.due)).compactMap(\.self).min()
    }

    // Publishing

    /// Publishes `service` instead of the previous one: probes for new names, announces other changes.
    /// - Parameters:
    ///   - isAsserted: whether its names are random enough to be unique.
    ///   - renewing: announce it even if nothing has changed.
    mutating func publish(
        _ new: OwnService?, isAsserted: Bool, renewing: Bool, at now: UInt64, _ jitter: inout Jitter,
        _ output: inout LinkOutput
    ) {
        let old = service
        if let old { remember(old, until: now + Self.echoMilliseconds) }
        self.isAsserted = isAsserted
        service = new
        guard let new else {
            if let old, isAnswering { sayGoodbye(old, at: now, &output) }
            return reset(to: .silent)
        }
        guard let old, old.names == new.names, phase != .silent else {
            if let old, isAnswering, old.names.instance != new.names.instance { sayGoodbye(old, at: now, &output) }
            return begin(at: now, &jitter)
        }
        guard isAnswering else { return }
        var changes: OwnRecords = renewing ? .all : []
        if old.port != new.port { changes.insert(.service) }
        if old.text != new.text { changes.insert(.text) }
        if old.addresses != new.addresses { changes.insert(.addresses) }
        if !changes.isEmpty { announce(changes, at: now) }
    }

    /// Starts to publish the service, or starts again, not before `moment`.
    mutating func begin(at moment: UInt64, _ jitter: inout Jitter) {
        reset(to: .silent)
        guard service != nil else { return }
        if isAsserted {
            phase = .announcing(.all, sentCount: 0, next: moment)
        } else {
            phase = .probing(sentCount: 0, next: moment + jitter.draw(1...Self.probeMilliseconds))
        }
    }

    mutating func wait(until moment: UInt64) { reset(to: .waiting(until: moment)) }

    /// Publishes under other names after a conflict: without a goodbye, since the old name belongs to another host.
    mutating func rename(to new: OwnService, isAsserted: Bool, until moment: UInt64, at now: UInt64) {
        if let service { remember(service, until: now + Self.echoMilliseconds) }
        service = new
        self.isAsserted = isAsserted
        reset(to: .waiting(until: moment))
    }

    private mutating func reset(to phase: Phase) {
        self.phase = phase
        pending = []
        pendingDue = nil
        held = []
    }

    private mutating func announce(_ records: OwnRecords, at now: UInt64) {
        if case .announcing(let others, let count, let next) = phase, count == 0 {
            phase = .announcing(others.union(records), sentCount: 0, next: next)
        } else if case .announcing(let others, _, _) = phase {
            phase = .announcing(others.union(records), sentCount: 0, next: now)
        } else {
            phase = .announcing(records, sentCount: 0, next: now)
        }
    }

    private func sayGoodbye(_ service: OwnService, at now: UInt64, _ output: inout LinkOutput) {
        // Without the type's own pointer, which may belong to another host as well.
        var records = service.records(OwnRecords.all.subtracting(.enumeration))
        for index in records.indices { records[index].timeToLive = 0 }
        output.multicast(Packets.response(records), at: now)
    }

    // Time

    mutating func advance(to now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput) {
        guard let service else { return }
        if let next = phase.next, next <= now { step(service, at: now, &jitter, &output) }
        answer(service, at: now, &output)
    }

    private mutating func step(
        _ service: OwnService, at now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput
    ) {
        switch phase {
        case .silent, .established: break
        case .waiting: begin(at: now, &jitter)
        case .probing(Self.probeCount, _): phase = .announcing(.all, sentCount: 0, next: now)
        case .probing(let count, _):
            let names = [service.names.instance, service.names.host]
            let records = service.records([.service, .text, .addresses])
            output.multicast([Packets.probe(names, records: records)], at: now)
            phase = .probing(sentCount: count + 1, next: now + Self.probeMilliseconds)
        case .announcing: break
        }
        guard case .announcing(let records, let count, let next) = phase, next <= now else { return }
        output.multicast(Packets.response(service.records(records)), at: now)
        noteMulticast(records, at: now)
        phase =
            count + 1 < Self.announcementCount
            ? .announcing(records, sentCount: count + 1, next: now + 1_000 << UInt64(count)) : .established
    }

    func isOwnName(_ name: DomainName) -> Bool { name == service?.names.instance || name == service?.names.host }

    // Conflicts

    private mutating func remember(_ service: OwnService, until: UInt64) {
        former += service.records([.service, .text, .addresses]).map { ($0, until) }
        former.removeFirst(max(0, former.count - Self.formerCountMax))
    }

    /// Whether a record contradicts a published one. An echo of a recent own record does not, nor does an address that
    /// this machine has on another interface of the same network.
    private func contradicts(_ record: Record, _ service: OwnService, _ machine: Set<IPAddress>, at now: UInt64) -> Bool
    {
        guard record.timeToLive > 0, isOwnName(record.name) else { return false }
        switch record.data {
        case .service, .text:
            guard record.name == service.names.instance else { return false }
            if service.records([.service, .text]).contains(where: { $0.data == record.data }) { return false }
        case .address(let address):
            guard record.name == service.names.host else { return false }
            if machine.contains(address) || service.addresses.contains(address) { return false }
        case .pointer, .types: return false
        }
        return !former.contains { $0.until > now && $0.record.name == record.name && $0.record.data == record.data }
    }

    /// Handles another host's response as far as it concerns published records.
    mutating func receive(
        response: Message, machine: Set<IPAddress>, at now: UInt64, _ output: inout LinkOutput
    ) {
        guard let service, phase != .silent else { return }
        let records = response.answers + response.additionals
        if records.contains(where: { contradicts($0, service, machine, at: now) }) {
            if isAsserted { return defend(at: now) }
            if isAnswering || isProbing { output.append(.conflict(.claimed(whileProbing: isProbing))) }
            return
        }
        guard isAnswering,
            records.contains(where: { isOwnName($0.name) || $0.data == .pointer(service.names.instance) })
        else { return }
        // Another host says that an own record is about to expire (RFC 6762 §6.6): it is not.
        let own = service.records(.all)
        for record in records
        where own.contains(where: {
            $0.name == record.name && $0.data == record.data && record.timeToLive < $0.timeToLive / 2
        }) {
            return defend(at: now)
        }
    }

    /// Announces the service once more, after pauses that double as long as it is contradicted. The last statement
    /// stays in caches, so the last contradiction is answered as well.
    private mutating func defend(at now: UInt64) {
        guard isAnswering else { return }
        let records = OwnRecords.all.subtracting(.enumeration)
        if let next = defendedAt, now < next { return schedule(records, at: next) }
        if let last = defendedAt, now > last + 60_000 { defencePause = 1_000 }
        defendedAt = now + defencePause
        defencePause = min(2 * defencePause, 60_000)
        schedule(records, at: now)
    }

    /// Handles another host's probe for one of the own names while this one probes: the host with the later records in
    /// the order of class, type and data wins (RFC 6762 §8.2).
    mutating func receive(probe: Message, machine: Set<IPAddress>, at now: UInt64, _ output: inout LinkOutput) {
        guard let service, case .probing(let count, _) = phase, count > 0, !isAsserted else { return }
        for name in [service.names.instance, service.names.host] {
            let theirs = probe.authorities.filter { $0.name == name }
            guard theirs.contains(where: { contradicts($0, service, machine, at: now) }) else { continue }
            let own = service.records([.service, .text, .addresses]).filter { $0.name == name }
            if Self.order(own).lexicographicallyPrecedes(Self.order(theirs), by: Self.precedes) {
                return output.append(.conflict(.lostTieBreak))
            }
        }
    }

    private static func order(_ records: [Record]) -> [[UInt8]] {
        records.map { record in
            let type = record.data.type.rawValue
            return [UInt8(type >> 8), UInt8(type & 0xFF)] + record.data.canonicalBytes
        }.sorted(by: precedes)
    }

    private static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.lexicographicallyPrecedes(other) }
}
