// SPDX-License-Identifier: Apache-2.0

/// Answers to queries (RFC 6762 §6). An answer to the group waits for others to be sent with it, and no record is sent
/// there twice within a second; the queue is a subset of the few own records, whatever the number of queries.
extension Responder {
    /// The allowed destinations of the answers to a query.
    enum Reach {
        /// The group, or the querier if it requests that.
        case both
        /// The query was sent to this host alone, and so is the answer.
        case directOnly
        /// The querier is not on this link's networks and could not be reached.
        case groupOnly
    }

    mutating func receive(
        query: Message, from source: Endpoint, _ reach: Reach, at now: UInt64, _ jitter: inout Jitter,
        _ output: inout LinkOutput
    ) {
        guard let service, isAnswering else { return }
        guard !query.questions.isEmpty else { return receive(knownAnswers: query, of: service, from: source) }
        var (toGroup, toSource): (OwnRecords, OwnRecords) = ([], [])
        for question in query.questions {
            let answers = service.answers(to: question)
            let isDirect = reach == .directOnly || question.wantsUnicast && reach == .both
            if isDirect { toSource.formUnion(answers) } else { toGroup.formUnion(answers) }
        }
        guard !toGroup.union(toSource).isEmpty else { return }
        let known = service.known(toGroup.union(toSource), in: query.answers)
        toGroup.subtract(known)
        toSource.subtract(known)

        // A simple resolver, which only listens on its own port (RFC 6762 §6.7).
        guard source.port == Self.port else {
            guard reach != .groupOnly else { return }
            let answers = toGroup.union(toSource)
            return sendLegacy(answers, of: service, to: source, query, at: now, &output)
        }
        // Records that were not sent to the group for a quarter of their time are sent there nevertheless (RFC 6762
        // §5.4).
        for kind in OwnRecords.each where toSource.contains(kind) && reach == .both && isOld(kind, service, at: now) {
            toSource.remove(kind)
            toGroup.insert(kind)
        }
        if !toSource.isEmpty { send(toSource, of: service, to: source, at: now, &output) }
        guard !toGroup.isEmpty else { return }

        if !query.authorities.isEmpty, query.authorities.contains(where: { isOwnName($0.name) }) {
            // A probe for a name that is taken is answered without delay (RFC 6762 §8.1).
            schedule(toGroup, at: now, isDefence: true)
        } else if query.isTruncated, held.count < MDNSLimits.heldAnswersMax {
            held.append((source, toGroup, now + jitter.draw(400...500)))
        } else {
            schedule(toGroup, at: toGroup.isDisjoint(with: .shared) ? now : now + jitter.draw(20...120))
        }
    }

    private func isOld(_ kind: OwnRecords, _ service: OwnService, at now: UInt64) -> Bool {
        guard let last = lastMulticast[kind.rawValue] else { return true }
        return now > last + UInt64(service.records(kind).first?.timeToLive ?? 0) * 250
    }

    static var port: UInt16 { 5353 }

    /// Adds more known answers of a query that was too long for one packet (RFC 6762 §7.2).
    private mutating func receive(knownAnswers query: Message, of service: OwnService, from source: Endpoint) {
        for index in held.indices where held[index].source == source {
            held[index].answers.subtract(service.known(held[index].answers, in: query.answers))
        }
        held.removeAll { $0.answers.isEmpty }
    }

    /// Schedules records for the group at `moment`, or when they may be sent there again.
    mutating func schedule(_ records: OwnRecords, at moment: UInt64, isDefence: Bool = false) {
        // RFC 6762 §6: a second; a quarter of one for defence.
        let pause: UInt64 = isDefence ? 250 : 1_000
        var due = moment
        if isDefence, let last = lastMulticast[OwnRecords.service.rawValue] { due = max(due, last + pause) }
        pending.formUnion(records)
        if isDefence {
            for kind in OwnRecords.each where records.contains(kind) {
                if let last = lastMulticast[kind.rawValue], last + pause <= due { lastMulticast[kind.rawValue] = nil }
            }
        }
        pendingDue = min(pendingDue ?? .max, due)
    }

    /// Sends due answers.
    mutating func answer(_ service: OwnService, at now: UInt64, _ output: inout LinkOutput) {
        for entry in held where entry.due <= now { schedule(entry.answers, at: now) }
        held.removeAll { $0.due <= now }
        guard let due = pendingDue, due <= now else { return }
        var sendable: OwnRecords = []
        var later: UInt64?
        for kind in OwnRecords.each where pending.contains(kind) {
            if let last = lastMulticast[kind.rawValue], now < last + 1_000 {
                later = min(later ?? .max, last + 1_000)
            } else {
                sendable.insert(kind)
            }
        }
        pending.subtract(sendable)
        pendingDue = later
        guard !sendable.isEmpty else { return }
        let additionals = sendable.additionals
        output.multicast(
            Packets.response(service.records(sendable), additionals: service.records(additionals)), at: now)
        noteMulticast(sendable.union(additionals), at: now)
    }

    mutating func noteMulticast(_ records: OwnRecords, at now: UInt64) {
        for kind in OwnRecords.each where records.contains(kind) { lastMulticast[kind.rawValue] = now }
    }

    private func send(
        _ records: OwnRecords, of service: OwnService, to endpoint: Endpoint, at now: UInt64,
        _ output: inout LinkOutput
    ) {
        let additionals = service.records(records.additionals)
        output.unicast(Packets.response(service.records(records), additionals: additionals), to: endpoint, at: now)
    }

    /// Sends an answer with the query's id and questions, as in unicast DNS, and ten seconds to live.
    private func sendLegacy(
        _ records: OwnRecords, of service: OwnService, to endpoint: Endpoint, _ query: Message, at now: UInt64,
        _ output: inout LinkOutput
    ) {
        guard !records.isEmpty else { return }
        func shortened(_ records: OwnRecords) -> [Record] {
            service.records(records).map { record in
                var record = record
                record.timeToLive = min(record.timeToLive, 10)
                return record
            }
        }
        let packets = Packets.response(
            shortened(records), additionals: shortened(records.additionals), id: query.id, echoing: query.questions,
            isLegacy: true)
        output.unicast(packets, to: endpoint, at: now)
    }
}
