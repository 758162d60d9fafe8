// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// The received records of one link: instances of the service type, and their hosts.
///
/// Bounded in total and by the address from which an instance was first received (``MDNSLimits``). An instance is kept
/// as long as its PTR record; a host as long as an instance names it. Each change costs the logarithm of the count.
struct ServiceCache: Sendable {
    struct Instance: Sendable {
        let source: IPAddress
        var pointer: Lifetime
        var service: (port: UInt16, host: DomainName, lifetime: Lifetime)?
        var text: (bytes: [UInt8], pairs: [String: [UInt8]], lifetime: Lifetime)?
        /// The last report.
        var reported: SeenService?
        /// The time of the next query for missing records, and the number of earlier ones.
        var nextAttempt: UInt64?
        var attemptCount = 0

        var nextDeadline: UInt64 {
            [service?.lifetime.nextDeadline, text?.lifetime.nextDeadline, nextAttempt].compactMap(\.self)
                .reduce(pointer.nextDeadline, min)
        }
    }

    struct Host: Sendable {
        var addresses: [IPAddress: Lifetime] = [:]
        var instances: Set<DomainName> = []
        var nextDeadline: UInt64? { addresses.values.map(\.nextDeadline).min() }
    }

    enum Key: Hashable, Sendable { case instance(DomainName), host(DomainName) }

    private(set) var instances: [DomainName: Instance] = [:]
    private(set) var hosts: [DomainName: Host] = [:]
    private var sources: [IPAddress: [DomainName]] = [:]
    private var deadlines = DeadlineQueue<Key>()
    private var newcomers = TokenBucket(
        perSecond: MDNSLimits.newInstancesPerSecond, burst: MDNSLimits.newInstancesBurstMax)

    var nextDeadline: UInt64? { deadlines.first?.deadline }
    mutating func takeDue(at now: UInt64) -> Key? { deadlines.takeDue(at: now) }

    /// Changes an existing instance; its deadline is updated.
    mutating func update(_ name: DomainName, _ change: (inout Instance) -> Void) {
        guard var instance = instances.removeValue(forKey: name) else { return }
        change(&instance)
        deadlines.set(.instance(name), to: instance.nextDeadline)
        instances[name] = instance
    }

    mutating func update(host name: DomainName, _ change: (inout Host) -> Void) {
        guard var host = hosts.removeValue(forKey: name) else { return }
        change(&host)
        deadlines.set(.host(name), to: host.nextDeadline)
        hosts[name] = host
    }

    /// Inserts an instance. Returns whether it is in the cache now, and the one that was removed for it.
    mutating func insert(
        _ name: DomainName, pointer: Lifetime, from source: IPAddress, at now: UInt64
    ) -> (isInserted: Bool, evicted: (name: DomainName, instance: Instance)?) {
        let count = sources[source]?.count ?? 0
        guard count < MDNSLimits.instancesPerSourceMax, newcomers.take(at: now) else { return (false, nil) }
        var evicted: (name: DomainName, instance: Instance)?
        if instances.count >= MDNSLimits.instanceCountMax {
            // The source with the fewest loses nothing to one with more; a host that invents instances loses its own.
            guard let largest = sources.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
                largest.value.count > count + 1, let victim = largest.value.first
            else { return (false, nil) }
            evicted = remove(victim).map { (victim, $0) }
        }
        let instance = Instance(source: source, pointer: pointer)
        instances[name] = instance
        sources[source, default: []].append(name)
        deadlines.set(.instance(name), to: instance.nextDeadline)
        return (true, evicted)
    }

    mutating func remove(_ name: DomainName) -> Instance? {
        guard let instance = instances.removeValue(forKey: name) else { return nil }
        if let host = instance.service?.host { detach(name, from: host) }
        sources[instance.source]?.removeAll { $0 == name }
        if sources[instance.source]?.isEmpty == true { sources[instance.source] = nil }
        deadlines.set(.instance(name), to: nil)
        return instance
    }

    /// Sets the location of an instance, or removes it. Returns false, without a change, if too many instances are on
    /// that host.
    mutating func setService(
        _ service: (port: UInt16, host: DomainName, lifetime: Lifetime)?, of name: DomainName
    ) -> Bool {
        guard let old = instances[name] else { return false }
        if old.service?.host != service?.host {
            if let host = service?.host {
                guard hosts[host]?.instances.count ?? 0 < MDNSLimits.instancesPerHostMax else { return false }
                hosts[host, default: Host()].instances.insert(name)
            }
            if let host = old.service?.host { detach(name, from: host) }
        }
        update(name) { $0.service = service }
        return true
    }

    private mutating func detach(_ name: DomainName, from host: DomainName) {
        hosts[host]?.instances.remove(name)
        guard hosts[host]?.instances.isEmpty == true else { return }
        hosts[host] = nil
        deadlines.set(.host(host), to: nil)
    }
}
