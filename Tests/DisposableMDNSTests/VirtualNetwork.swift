// SPDX-License-Identifier: Apache-2.0
import DisposableMDNS
import DisposableValues

/// Random numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    }
}

/// One link with many stacks on it, and strangers: every packet to the group reaches each of them, its sender as well,
/// unless it is lost. Time passes only as far as something is to happen.
final class VirtualNetwork {
    static let serviceType = "_disposable._tcp"
    static let serviceName = DomainName("_disposable._tcp.local")!
    static let link = LinkID(interfaceIndex: 2, isIPv6: false)

    private struct Delivery {
        let at: UInt64
        let receiver: Int
        let datagram: Datagram
    }

    private(set) var now: UInt64 = 10_000
    private(set) var stacks: [MDNSStack] = []
    private var deliveries: [Delivery] = []
    private var random: SeededGenerator
    var lossPercent: UInt64 = 0
    /// The latest report of each stack, by instance name.
    private(set) var seen: [[String: SeenService]] = []
    private(set) var reportCounts: [Int] = []
    /// Packets that stacks have sent in each second, and to one host only.
    private(set) var sentCounts: [UInt64: Int] = [:]
    private(set) var sentByteCount = 0
    private(set) var direct: [(bytes: [UInt8], to: Endpoint)] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    static func address(_ index: Int) -> IPAddress {
        IPAddress([10, 0, UInt8(index / 200), UInt8(1 + index % 200)])!
    }

    static func description(_ index: Int) -> LinkDescription {
        LinkDescription(
            id: link, networks: [LinkDescription.Network(address: address(index), prefixLength: 16)])
    }

    /// A host that publishes an instance, or only listens.
    @discardableResult
    func addHost(_ instanceName: String?, port: UInt16 = 8028, text: [String: [UInt8]] = ["v": [49]]) -> Int {
        let index = stacks.count
        stacks.append(
            MDNSStack(serviceType: Self.serviceType, random: SeededGenerator(seed: random.next())))
        seen.append([:])
        reportCounts.append(0)
        stacks[index].setLinks([Self.description(index)], at: now)
        if let instanceName { publish(instanceName, port: port, text: text, at: index) }
        collect(index)
        return index
    }

    func publish(
        _ instanceName: String?, port: UInt16 = 8028, text: [String: [UInt8]] = ["v": [49]], renewing: Bool = false,
        at index: Int
    ) {
        let service = instanceName.map { PublishedService(instanceName: $0, port: port, text: text) }
        stacks[index].publish(service, renewing: renewing, at: now)
        collect(index)
    }

    func change(_ index: Int, _ body: (inout MDNSStack, UInt64) -> Void) {
        body(&stacks[index], now)
        collect(index)
    }

    /// Cuts a host off without a goodbye.
    func remove(_ index: Int) { stacks[index] = MDNSStack(serviceType: Self.serviceType, random: random) }

    /// A packet by a stranger, to all.
    func inject(_ bytes: [UInt8], from source: IPAddress = IPAddress([10, 0, 9, 9])!, port: UInt16 = 5353) {
        multicast(Datagram(bytes: bytes, source: Endpoint(address: source, port: port), isToGroup: true))
    }

    /// A packet by a stranger, to one host alone.
    func inject(_ bytes: [UInt8], to index: Int, from source: Endpoint) {
        deliveries.append(
            Delivery(at: now, receiver: index, datagram: Datagram(bytes: bytes, source: source, isToGroup: false)))
    }

    private func multicast(_ datagram: Datagram) {
        for receiver in stacks.indices where random.next() % 100 >= lossPercent {
            deliveries.append(Delivery(at: now + 1 + random.next() % 5, receiver: receiver, datagram: datagram))
        }
    }

    private func collect(_ index: Int) {
        for output in stacks[index].takeOutputs() {
            switch output {
            case .send(let bytes, _, let endpoint):
                sentCounts[now / 1_000, default: 0] += 1
                sentByteCount += bytes.count
                if let endpoint {
                    direct.append((bytes, endpoint))
                } else {
                    multicast(
                        Datagram(
                            bytes: bytes, source: Endpoint(address: Self.address(index), port: 5353), isToGroup: true))
                }
            case .found(let service, _):
                seen[index][service.instanceName] = service
                reportCounts[index] += 1
            case .lost(let name, _): seen[index][name] = nil
            case .renamed: break
            }
        }
    }

    /// Runs until `end`, or until `condition` holds after a packet or a deadline; true if it does.
    @discardableResult
    func run(milliseconds: UInt64, until condition: (VirtualNetwork) -> Bool = { _ in false }) -> Bool {
        let end = now + milliseconds
        while true {
            if condition(self) { return true }
            let deadline = stacks.compactMap(\.nextDeadline).min() ?? .max
            let next = max(now, min(deadline, deliveries.map(\.at).min() ?? .max))
            guard next <= end else {
                now = end
                return condition(self)
            }
            now = next
            let due = deliveries.filter { $0.at <= now }
            deliveries.removeAll { $0.at <= now }
            for delivery in due {
                stacks[delivery.receiver].receive(delivery.datagram, on: Self.link, at: now)
                collect(delivery.receiver)
            }
            for index in stacks.indices {
                stacks[index].advance(to: now)
                collect(index)
            }
        }
    }
}

/// Packets by strangers, as readable as records.
enum Packet {
    static func name(_ text: String) -> DomainName { DomainName(text)! }

    static func instance(_ label: String) -> DomainName {
        DomainName(label: Array(label.utf8), below: VirtualNetwork.serviceName)!
    }

    static func pointer(_ label: String, timeToLive: UInt32 = 4_500) -> Record {
        Record(
            name: VirtualNetwork.serviceName, data: .pointer(instance(label)), timeToLive: timeToLive, isUnique: false)
    }

    static func service(_ label: String, host: String, port: UInt16 = 9, timeToLive: UInt32 = 120) -> Record {
        Record(
            name: instance(label), data: .service(port: port, target: name(host)), timeToLive: timeToLive,
            isUnique: true)
    }

    static func text(_ label: String, _ pairs: [String: [UInt8]] = [:], timeToLive: UInt32 = 4_500) -> Record {
        Record(name: instance(label), data: .text(TextRecord.encode(pairs)), timeToLive: timeToLive, isUnique: true)
    }

    static func address(_ host: String, _ bytes: [UInt8], timeToLive: UInt32 = 120) -> Record {
        Record(name: name(host), data: .address(IPAddress(bytes)!), timeToLive: timeToLive, isUnique: true)
    }

    static func response(_ answers: [Record], additionals: [Record] = []) -> [UInt8] {
        var message = Message()
        message.isResponse = true
        message.answers = answers
        message.additionals = additionals
        return message.encoded()!
    }

    /// All of an instance, at an address.
    static func announcement(_ label: String, at bytes: [UInt8] = [10, 0, 9, 9]) -> [UInt8] {
        response([
            pointer(label), service(label, host: "\(label)-host.local"), text(label),
            address("\(label)-host.local", bytes),
        ])
    }

    static func query(
        _ questions: [Question], known: [Record] = [], authorities: [Record] = [], isTruncated: Bool = false,
        id: UInt16 = 0
    ) -> [UInt8] {
        var message = Message()
        message.id = id
        message.questions = questions
        message.answers = known
        message.authorities = authorities
        message.isTruncated = isTruncated
        return message.encoded()!
    }

    static func decode(_ bytes: [UInt8]) throws -> Message {
        try PacketDecoder.decode(bytes, serviceType: VirtualNetwork.serviceName)
    }
}
