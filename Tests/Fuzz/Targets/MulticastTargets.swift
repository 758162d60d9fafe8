// SPDX-License-Identifier: Apache-2.0
internal import DisposableMDNS
internal import DisposableValues

/// Multicast packets of other hosts.
enum MulticastTargets {
    private static let serviceType = "_disposable._tcp"

    /// One packet: what is read of it is written, and reads as itself again.
    static func packet(_ input: [UInt8]) throws(Broken) {
        guard let type = DomainName(serviceType + ".local"),
            let message = try? PacketDecoder.decode(input, serviceType: type)
        else { return }
        let entryCount =
            message.questions.count + message.answers.count + message.authorities.count + message.additionals.count
        try check(entryCount <= MDNSLimits.entriesPerPacketMax, "\(entryCount) entries")
        guard let packet = message.encoded(byteCountMax: 65_535) else { return }
        guard packet.count <= MDNSLimits.packetByteCountMax else { return }
        try check((try? PacketDecoder.decode(packet, serviceType: type)) == message, "does not read as itself again")
    }

    /// A whole stack, given packets and time: each packet is the pause before it (a byte, of which the highest bits say
    /// where it comes from), its length (two bytes) and itself. It keeps its limits, it never sends more than it may,
    /// and in the end it publishes.
    static func stack(_ input: [UInt8]) throws(Broken) {
        guard let address = IPAddress([10, 0, 0, 1]) else { return }
        var stack = MDNSStack(serviceType: serviceType, random: FixedSequence())
        let link = LinkDescription(
            id: LinkID(interfaceIndex: 2, isIPv6: false),
            networks: [LinkDescription.Network(address: address, prefixLength: 24)])
        var now: UInt64 = 1_000
        var (sentByteCount, sightingCount) = (0, 0)
        func run(_ stack: inout MDNSStack) throws(Broken) {
            stack.advance(to: now)
            for output in stack.takeOutputs() {
                switch output {
                case .send(let bytes, _, _):
                    sentByteCount += bytes.count
                    try check(bytes.count <= MDNSLimits.sentPacketByteCountMax, "a packet of \(bytes.count) bytes")
                case .found: sightingCount += 1
                case .lost, .renamed: break
                }
            }
            try check(stack.nextDeadline.map { $0 >= now } ?? true, "a deadline that has passed")
        }
        stack.setLinks([link], at: now)
        stack.publish(PublishedService(instanceName: "own", port: 1, text: ["v": [49]]), renewing: false, at: now)
        var rest = input[...]
        while rest.count >= 3, let head = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst() {
            now += UInt64(head & 0x1F) * UInt64(head & 0x1F) * 10
            try run(&stack)
            let bytes = Array(rest.prefix(Int(high) << 8 | Int(low)))
            rest = rest.dropFirst(bytes.count)
            guard let source = IPAddress([10, 0, 0, 2 + (head >> 7)]) else { return }
            stack.receive(
                Datagram(
                    bytes: bytes, source: Endpoint(address: source, port: head & 0x40 == 0 ? 5353 : 7_777),
                    isToGroup: head & 0x20 == 0), on: link.id, at: now)
            try run(&stack)
        }
        for _ in 0..<200 {
            guard let next = stack.nextDeadline else { break }
            now = max(now, next)
            try run(&stack)
        }
        let seconds = Int((now - 1_000) / 1_000) + 1
        try check(
            sentByteCount <= MDNSLimits.multicastBytesBurstMax + MDNSLimits.unicastBytesBurstMax
                + seconds * (MDNSLimits.multicastBytesPerSecond + MDNSLimits.unicastBytesPerSecond),
            "\(sentByteCount) bytes in \(seconds) s")
        try check(
            sightingCount <= MDNSLimits.sightingsBurstMax + seconds * MDNSLimits.sightingsPerSecond,
            "\(sightingCount) sightings in \(seconds) s")
        try check(stack.instanceName?.hasPrefix("own") == true, "no longer publishes")
    }

    /// The same delays each time, so that an input always does the same.
    private struct FixedSequence: RandomNumberGenerator, Sendable {
        private var state: UInt64 = 0
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return state ^ (state >> 29)
        }
    }
}
