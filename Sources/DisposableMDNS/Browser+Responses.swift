// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// The effect of other hosts' records.
extension Browser {
    mutating func receive(
        response: Message, from source: IPAddress, at now: UInt64, _ jitter: inout Jitter, _ output: inout LinkOutput
    ) {
        let perMille = jitter.draw(0...20)
        let records = response.answers + response.additionals
        var touched: Set<DomainName> = []
        // In this order, because a record is only usable once its owner is known.
        for record in records { receive(pointer: record, from: source, at: now, perMille, &touched, &output) }
        for record in records { receive(detail: record, at: now, perMille, &touched) }
        for record in records { receive(address: record, at: now, perMille, &touched) }
        for name in touched { settle(name, at: now, &jitter) }
    }

    private mutating func receive(
        pointer record: Record, from source: IPAddress, at now: UInt64, _ perMille: UInt64,
        _ touched: inout Set<DomainName>, _ output: inout LinkOutput
    ) {
        guard case .pointer(let name) = record.data, record.name == serviceType, name.isChild(of: serviceType)
        else { return }
        if cache.instances[name] != nil {
            cache.update(name) { instance in
                if record.timeToLive == 0 {
                    instance.pointer.leave(at: now)
                } else {
                    instance.pointer = Lifetime(seconds: record.timeToLive, at: now, jitterPerMille: perMille)
                }
            }
            touched.insert(name)
        } else if record.timeToLive > 0, String(validating: name.firstLabel, as: UTF8.self) != nil {
            let pointer = Lifetime(seconds: record.timeToLive, at: now, jitterPerMille: perMille)
            let (isInserted, evicted) = cache.insert(name, pointer: pointer, from: source, at: now)
            if let reported = evicted?.instance.reported { output.append(.lost(instanceName: reported.instanceName)) }
            if isInserted { touched.insert(name) }
        }
    }

    private mutating func receive(
        detail record: Record, at now: UInt64, _ perMille: UInt64, _ touched: inout Set<DomainName>
    ) {
        guard let instance = cache.instances[record.name] else { return }
        let lifetime =
            record.timeToLive > 0
            ? Lifetime(seconds: record.timeToLive, at: now, jitterPerMille: perMille) : nil
        switch record.data {
        case .service(let port, let host):
            if let lifetime {
                guard cache.setService((port, host, lifetime), of: record.name) else { return }
            } else if instance.service?.port == port, instance.service?.host == host {
                cache.update(record.name) { $0.service?.lifetime.leave(at: now) }
            }
        case .text(let bytes):
            cache.update(record.name) { instance in
                let isSame = instance.text?.bytes == bytes
                if let lifetime {
                    if !isSame { instance.text = TextRecord.pairs(of: bytes).map { (bytes, $0, lifetime) } }
                    instance.text?.lifetime = lifetime
                } else if isSame {
                    instance.text?.lifetime.leave(at: now)
                }
            }
        default: return
        }
        touched.insert(record.name)
    }

    private mutating func receive(
        address record: Record, at now: UInt64, _ perMille: UInt64, _ touched: inout Set<DomainName>
    ) {
        guard case .address(let address) = record.data, record.data.type == addressType, address.isDialable,
            address.isLoopback == description.isLoopback || !address.isLoopback, cache.hosts[record.name] != nil
        else { return }
        cache.update(host: record.name) { host in
            guard record.timeToLive > 0 else {
                host.addresses[address]?.leave(at: now)
                return
            }
            if record.isUnique {
                for (other, lifetime) in host.addresses where lifetime.receivedAt + 1_000 < now {
                    host.addresses[other]?.leave(at: now)
                }
            }
            if host.addresses[address] == nil, host.addresses.count >= MDNSLimits.addressesPerHostMax {
                guard let oldest = host.addresses.min(by: { $0.value.receivedAt < $1.value.receivedAt }) else { return }
                host.addresses[oldest.key] = nil
            }
            host.addresses[address] = Lifetime(seconds: record.timeToLive, at: now, jitterPerMille: perMille)
        }
        touched.formUnion(cache.hosts[record.name]?.instances ?? [])
    }
}
