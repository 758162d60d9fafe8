// SPDX-License-Identifier: Apache-2.0
package import DisposableValues

/// The source of a packet, or its destination if that is not the group.
package struct Endpoint: Hashable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

/// The outputs of a link, in order, and its remaining sending budget.
struct LinkOutput: Sendable {
    enum Item: Sendable {
        /// To the group, or to one endpoint.
        case send([UInt8], to: Endpoint?)
        case found(SeenService)
        case lost(instanceName: String)
        /// Another host has one of the names that are published here.
        case conflict(Conflict)
    }

    enum Conflict: Sendable {
        /// A probe was answered, or another host claims a published name.
        case claimed(whileProbing: Bool)
        /// Another host probes for the same name, and its records win (RFC 6762 §8.2).
        case lostTieBreak
    }

    private(set) var items: [Item] = []
    private var multicastBytes = TokenBucket(
        perSecond: MDNSLimits.multicastBytesPerSecond, burst: MDNSLimits.multicastBytesBurstMax)
    private var unicastBytes = TokenBucket(
        perSecond: MDNSLimits.unicastBytesPerSecond, burst: MDNSLimits.unicastBytesBurstMax)

    mutating func take() -> [Item] {
        defer { items.removeAll(keepingCapacity: true) }
        return items
    }

    /// Sends packets to the group. Those beyond the rate are dropped: mDNS repeats important ones.
    mutating func multicast(_ packets: [[UInt8]], at now: UInt64) {
        for packet in packets where multicastBytes.take(packet.count, at: now) {
            items.append(.send(packet, to: nil))
        }
    }

    mutating func unicast(_ packets: [[UInt8]], to endpoint: Endpoint, at now: UInt64) {
        for packet in packets where unicastBytes.take(packet.count, at: now) {
            items.append(.send(packet, to: endpoint))
        }
    }

    mutating func append(_ item: Item) { items.append(item) }
}
