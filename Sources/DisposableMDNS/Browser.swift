// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// Browses for instances of the service type on one link, without end (RFC 6762 §5.2), and resolves them.
///
/// State of an instance: *known* with its PTR record; *resolved* with SRV, TXT and an address, which is reported;
/// *lost* when one of them has expired, which is reported too. Missing records are queried at once and then after
/// pauses that double; records are queried again before they expire.
struct Browser: Sendable {
    let serviceType: DomainName
    let addressType: RecordType
    var description: LinkDescription
    var cache = ServiceCache()

    /// The next questions, all in one query, and its time.
    private var questions: [Question] = []
    private var questionsDue: UInt64?
    private var nextBrowse: UInt64?
    private var browseInterval = Browser.browseIntervalMin
    private var pointerAskedAt: UInt64?
    /// Instances with a change to report.
    private var changed: [DomainName] = []
    private var changedSet: Set<DomainName> = []
    private var sightings = TokenBucket(
        perSecond: MDNSLimits.sightingsPerSecond, burst: MDNSLimits.sightingsBurstMax)
    private var nextReport: UInt64?

    private static let browseIntervalMin: UInt64 = 1_000
    private static let browseIntervalMax: UInt64 = 3_600_000

    init(_ description: LinkDescription, serviceType: DomainName) {
        self.description = description
        self.serviceType = serviceType
        addressType = description.id.isIPv6 ? .address6 : .address4
    }

    private var pointerQuestion: Question { Question(name: serviceType, type: .pointer) }

    /// Starts to query, or starts again with short intervals.
    mutating func start(at now: UInt64, _ jitter: inout Jitter) {
        browseInterval = Self.browseIntervalMin
        nextBrowse = now + jitter.draw(20...120)
    }

    var nextDeadline: UInt64? {
        // Changes are reported at the next call, unless they have to wait.
        let report = changed.isEmpty ? nil : nextReport ?? 0
        return [cache.nextDeadline, questionsDue, nextBrowse, report].compactMap(\.self).min()
    }

    /// Whether the instance was reported and is not lost.
    func sees(_ instanceName: String) -> Bool {
        guard let name = DomainName(label: Array(instanceName.utf8), below: serviceType) else { return false }
        return cache.instances[name]?.reported != nil
    }

    mutating func advance(to now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput) {
        while let key = cache.takeDue(at: now) {
            switch key {
            case .instance(let name): instanceIsDue(name, at: now, &jitter, &output)
            case .host(let name): hostIsDue(name, at: now, &jitter, &output)
            }
        }
        if let next = nextBrowse, next <= now {
            ask(pointerQuestion, at: now, delay: 0)
            nextBrowse = now + browseInterval
            browseInterval = min(2 * browseInterval, Self.browseIntervalMax)
        }
        if let due = questionsDue, due <= now { sendQuestions(at: now, &output) }
        report(at: now, &output)
    }

    // Questions

    private mutating func ask(_ question: Question, at now: UInt64, delay: UInt64) {
        if !questions.contains(question), questions.count < MDNSLimits.pendingQuestionsMax {
            questions.append(question)
        }
        questionsDue = min(questionsDue ?? .max, now + delay)
    }

    private mutating func sendQuestions(at now: UInt64, _ output: inout LinkOutput) {
        var due = questions
        questions = []
        questionsDue = nil
        if due.contains(pointerQuestion) {
            if let asked = pointerAskedAt, now < asked + Self.browseIntervalMin {
                due.removeAll { $0 == pointerQuestion }
                ask(pointerQuestion, at: asked, delay: Self.browseIntervalMin)
            } else {
                pointerAskedAt = now
            }
        }
        guard !due.isEmpty else { return }
        let known = due.contains(pointerQuestion) ? knownAnswers(at: now) : []
        output.multicast(
            Packets.query(due, knownAnswers: known, packetCountMax: MDNSLimits.knownAnswerPacketsMax), at: now)
    }

    private func knownAnswers(at now: UInt64) -> [Record] {
        cache.instances.compactMap { name, instance in
            guard instance.pointer.isFresh(at: now) else { return nil }
            return Record(
                name: serviceType, data: .pointer(name), timeToLive: instance.pointer.secondsLeft(at: now),
                isUnique: false)
        }
    }

    /// Handles another host's query with our pending questions: its answers serve both, unless they omit records that
    /// this host does not know (RFC 6762 §7.3).
    mutating func hear(query: Message, at now: UInt64) {
        guard !questions.isEmpty, !query.isTruncated, query.authorities.isEmpty else { return }
        for question in query.questions where !question.wantsUnicast && questions.contains(question) {
            if question == pointerQuestion {
                let isSuperset = query.answers.allSatisfy { answer in
                    guard case .pointer(let name) = answer.data else { return true }
                    return cache.instances[name]?.pointer.isFresh(at: now) == true
                }
                guard isSuperset else { continue }
                pointerAskedAt = now
            }
            questions.removeAll { $0 == question }
        }
        if questions.isEmpty { questionsDue = nil }
    }

    // Deadlines

    private mutating func instanceIsDue(
        _ name: DomainName, at now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput
    ) {
        guard let instance = cache.instances[name] else { return }
        guard instance.pointer.end > now else { return forget(name, &output) }
        if let service = instance.service, service.lifetime.end <= now { _ = cache.setService(nil, of: name) }
        let isReachable = instance.service.map { hasAddress($0.host) } ?? false
        var wanted: [Question] = []
        let (pointerQuestion, addressType) = (pointerQuestion, addressType)
        cache.update(name) { instance in
            if let text = instance.text, text.lifetime.end <= now { instance.text = nil }
            if instance.pointer.takeRefresh(at: now) { wanted.append(pointerQuestion) }
            let isAttempt = instance.nextAttempt.map { $0 <= now } ?? false
            if instance.service?.lifetime.takeRefresh(at: now) ?? isAttempt {
                wanted.append(Question(name: name, type: .service))
            }
            if instance.text?.lifetime.takeRefresh(at: now) ?? isAttempt {
                wanted.append(Question(name: name, type: .text))
            }
            guard isAttempt else { return }
            if let service = instance.service, !isReachable {
                wanted.append(Question(name: service.host, type: addressType))
            }
            instance.attemptCount += 1
            instance.nextAttempt = now + min(Self.browseIntervalMin << min(instance.attemptCount, 12), 3_600_000)
        }
        for question in wanted { ask(question, at: now, delay: jitter.draw(20...120)) }
        settle(name, at: now, &jitter)
    }

    private mutating func hostIsDue(
        _ name: DomainName, at now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput
    ) {
        var isWanted = false
        var hasChanged = false
        cache.update(host: name) { host in
            for (address, lifetime) in host.addresses {
                if lifetime.end <= now {
                    host.addresses[address] = nil
                    hasChanged = true
                } else if host.addresses[address]?.takeRefresh(at: now) == true {
                    isWanted = true
                }
            }
        }
        if isWanted { ask(Question(name: name, type: addressType), at: now, delay: jitter.draw(20...120)) }
        if hasChanged { for instance in cache.hosts[name]?.instances ?? [] { settle(instance, at: now, &jitter) } }
    }

    private mutating func forget(_ name: DomainName, _ output: inout LinkOutput) {
        guard let instance = cache.remove(name), let reported = instance.reported else { return }
        output.append(.lost(instanceName: reported.instanceName))
    }

    // Reports

    private func hasAddress(_ host: DomainName) -> Bool { cache.hosts[host]?.addresses.isEmpty == false }

    /// Returns the instance as it can be dialled now, at the latest address; among several, one on this link's own
    /// networks is preferred.
    private func seen(_ name: DomainName) -> SeenService? {
        guard let instance = cache.instances[name], let service = instance.service, service.port > 0,
            let text = instance.text, let host = cache.hosts[service.host]
        else { return nil }
        let best = host.addresses.max { one, other in rank(one) < rank(other) }
        guard let address = best?.key else { return nil }
        return SeenService(
            instanceName: String(decoding: name.firstLabel, as: UTF8.self), address: address, port: service.port,
            text: text.pairs)
    }

    private func rank(_ entry: (key: IPAddress, value: Lifetime)) -> (Int, UInt64, Int, UInt64) {
        let lowest = entry.key.bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (
            entry.value.isLeaving ? 0 : 1, entry.value.receivedAt, description.isOnLink(entry.key) ? 1 : 0,
            .max - lowest
        )
    }

    /// Records a possible change, and schedules the query for missing records.
    mutating func settle(_ name: DomainName, at now: UInt64, _ jitter: inout Jitter) {
        guard let instance = cache.instances[name] else { return }
        let current = seen(name)
        if current != instance.reported { markChanged(name) }
        if current != nil, instance.nextAttempt != nil {
            cache.update(name) { $0.nextAttempt = nil }
        } else if current == nil, instance.nextAttempt == nil {
            let next = now + jitter.draw(20...120)
            cache.update(name) {
                $0.nextAttempt = next
                $0.attemptCount = 0
            }
        }
    }

    private mutating func markChanged(_ name: DomainName) {
        guard changedSet.insert(name).inserted else { return }
        changed.append(name)
        guard changed.count > 2 * MDNSLimits.instanceCountMax else { return }
        changed = changed.filter { cache.instances[$0] != nil }
        changedSet = Set(changed)
    }

    /// Reports changes in order; those beyond the rate wait, and only the latest of an instance is reported.
    private mutating func report(at now: UInt64, _ output: inout LinkOutput) {
        guard !changed.isEmpty, nextReport ?? 0 <= now else { return }
        nextReport = nil
        var count = 0
        for name in changed {
            let (current, reported) = (seen(name), cache.instances[name]?.reported)
            if current != reported {
                if let current {
                    guard sightings.take(at: now) else {
                        nextReport = sightings.nextToken(at: now)
                        break
                    }
                    output.append(.found(current))
                } else if let reported {
                    output.append(.lost(instanceName: reported.instanceName))
                }
                cache.update(name) { $0.reported = current }
            }
            count += 1
            changedSet.remove(name)
        }
        changed.removeFirst(count)
    }
}
