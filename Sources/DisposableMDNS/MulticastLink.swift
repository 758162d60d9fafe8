// SPDX-License-Identifier: Apache-2.0
internal import DisposableValues

/// One multicast group on one interface: passes packets to a ``Browser`` and a ``Responder`` if they are from this link
/// and within the rate limits.
struct MulticastLink: Sendable {
    private(set) var description: LinkDescription
    private let serviceType: DomainName
    var browser: Browser
    var responder = Responder()
    var output = LinkOutput()
    private var rates = SourceRates()

    /// The time of the next attempt after sending has failed.
    private var silentUntil: UInt64 = 0
    private var failureCount = 0

    init(_ description: LinkDescription, serviceType: DomainName, at now: UInt64, _ jitter: inout Jitter) {
        self.description = description
        self.serviceType = serviceType
        browser = Browser(description, serviceType: serviceType)
        browser.start(at: now, &jitter)
    }

    var nextDeadline: UInt64? {
        [browser.nextDeadline, responder.nextDeadline].compactMap(\.self).min()
    }

    /// Handles other addresses of the interface, which may be on another network now.
    mutating func change(to description: LinkDescription, at now: UInt64, _ jitter: inout Jitter) {
        self.description = description
        browser.description = description
        failureCount = 0
        silentUntil = 0
        browser.start(at: now, &jitter)
    }

    mutating func receive(
        _ datagram: Datagram, machine: Set<IPAddress>, at now: UInt64, _ jitter: inout Jitter
    ) {
        let source = datagram.source
        // RFC 6762 §11: packets to the group are from this link; for packets to this host alone the address decides.
        let isOnLink = description.isOnLink(source.address)
        guard isOnLink || datagram.isToGroup, rates.admits(source.address, at: now),
            let message = try? PacketDecoder.decode(datagram.bytes, serviceType: serviceType)
        else { return }
        let isFromResponder = source.port == Responder.port
        if message.isResponse {
            // RFC 6762 §6: responses from another port are invalid.
            guard isFromResponder, !message.answers.isEmpty || !message.additionals.isEmpty else { return }
            browser.receive(response: message, from: source.address, at: now, &jitter, &output)
            responder.receive(response: message, machine: machine, at: now, &output)
        } else {
            if isFromResponder, !message.authorities.isEmpty {
                responder.receive(probe: message, machine: machine, at: now, &output)
            }
            let reach: Responder.Reach = !isOnLink ? .groupOnly : datagram.isToGroup ? .both : .directOnly
            responder.receive(query: message, from: source, reach, at: now, &jitter, &output)
            if isFromResponder, datagram.isToGroup { browser.hear(query: message, at: now) }
        }
    }

    mutating func advance(to now: UInt64, _ jitter: inout Jitter) {
        browser.advance(to: now, &jitter, &output)
        responder.advance(to: now, &jitter, &output)
    }

    /// Starts again after a pause, which doubles: an address may not be ready yet, or the link may not carry multicast.
    mutating func sendFailed(at now: UInt64, _ jitter: inout Jitter) {
        guard now >= silentUntil else { return }
        if now > silentUntil + 120_000 { failureCount = 0 }
        silentUntil = now + 1_000 << UInt64(min(failureCount, 6))
        failureCount += 1
        browser.start(at: silentUntil, &jitter)
        if responder.service != nil { responder.wait(until: silentUntil) }
    }
}

/// A received UDP packet.
package struct Datagram: Sendable {
    package let bytes: [UInt8]
    package let source: Endpoint
    /// Whether it was sent to the group of mDNS, not to this host alone.
    package let isToGroup: Bool

    package init(bytes: [UInt8], source: Endpoint, isToGroup: Bool) {
        self.bytes = bytes
        self.source = source
        self.isToGroup = isToGroup
    }
}
