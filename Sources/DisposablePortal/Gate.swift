// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// Who is let through how often: the rates by address, and the open connections.
final class Gate: Sendable {
    private struct State {
        var requests: TokenBuckets<String>
        var sessions: TokenBuckets<String>
        var wrongCodes: TokenBuckets<String>
        var wrongCodesInAll: TokenBuckets<Int>
        var newGuests: TokenBuckets<String>
        var connections: [ObjectIdentifier: (channel: any Channel, address: String)] = [:]
        var connectionCounts: [String: Int] = [:]
    }

    private let limits: PortalLimits
    private let state: Mutex<State>

    init(_ limits: PortalLimits) {
        self.limits = limits
        let count = limits.addressCountMax
        state = Mutex(
            State(
                requests: TokenBuckets(limits.requests, keyCountMax: count),
                sessions: TokenBuckets(limits.sessions, keyCountMax: count),
                wrongCodes: TokenBuckets(limits.wrongCodes, keyCountMax: count),
                wrongCodesInAll: TokenBuckets(limits.wrongCodesInAll, keyCountMax: 1),
                newGuests: TokenBuckets(limits.newGuests, keyCountMax: count)))
    }

    // Rates

    func admitRequest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.requests.take(for: address, at: .now) })
    }

    func admitSession(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.sessions.take(for: address, at: .now) })
    }

    func admitNewGuest(from address: String) throws(PortalError) {
        try refuse(after: state.withLock { $0.newGuests.take(for: address, at: .now) })
    }

    /// Before a code is looked at, so that the right one tells nothing either while the address has to wait.
    func admitCode(from address: String) throws(PortalError) {
        let wait = state.withLock { state in
            state.wrongCodes.wait(for: address, at: .now) ?? state.wrongCodesInAll.wait(for: 0, at: .now)
        }
        guard let wait else { return }
        throw PortalError(
            .tooManyRequests, "too-many-codes", "too many wrong codes were typed",
            hint: "Wait a little, then type the code from the poster again.", retryAfter: Self.seconds(wait))
    }

    func noteWrongCode(from address: String) {
        state.withLock { state in
            _ = state.wrongCodes.take(for: address, at: .now)
            _ = state.wrongCodesInAll.take(for: 0, at: .now)
        }
    }

    private func refuse(after wait: Duration?) throws(PortalError) {
        guard let wait else { return }
        throw PortalError(
            .tooManyRequests, "too-many-requests", "too many requests came from this address",
            hint: "Wait a moment, then try again.", retryAfter: Self.seconds(wait))
    }

    private static func seconds(_ wait: Duration) -> Int { max(1, Int((wait / .seconds(1)).rounded(.up))) }

    // Connections

    /// False when there are too many, from its address or in all; each admitted one is `closed` later.
    func admit(_ channel: any Channel) -> Bool {
        let address = AddressKey(channel.remoteAddress?.ipAddress)
        return state.withLock { state in
            let count = state.connectionCounts[address.text] ?? 0
            guard state.connections.count < limits.connectionCountMax,
                count < limits.connectionCountByAddressMax || address.isThisMachine
            else { return false }
            state.connectionCounts[address.text] = count + 1
            state.connections[ObjectIdentifier(channel)] = (channel, address.text)
            return true
        }
    }

    func closed(_ channel: any Channel) {
        state.withLock { state in
            guard let (_, address) = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            let count = state.connectionCounts[address] ?? 0
            state.connectionCounts[address] = count > 1 ? count - 1 : nil
        }
    }

    func closeAll() {
        for (channel, _) in state.withLock({ Array($0.connections.values) }) { channel.close(promise: nil) }
    }
}

/// What counts as one address: an IPv4 address, an IPv6 network of 64 bits, or one link-local IPv6 address.
package struct AddressKey: Sendable {
    package let text: String
    package let isThisMachine: Bool

    /// - Parameter address: an IP address in its usual form; `nil` where the connection has none.
    package init(_ address: String?) {
        var bytes = IPAddress.bytes(address ?? "") ?? []
        bytes = IPAddress.v4(bytes) ?? bytes
        isThisMachine = bytes.first == 127 && bytes.count == 4 || bytes == Array(repeating: 0, count: 15) + [1]
        // Of link-local addresses the whole network is one link, so only the whole address tells guests apart.
        let isLinkLocal = bytes.starts(with: [0xFE]) && bytes[1] & 0xC0 == 0x80
        text = (bytes.count == 16 && !isLinkLocal ? Array(bytes[..<8]) : bytes).hex
    }
}

enum IPAddress {
    /// The 4 bytes of an IPv4 address, also of one seen through an IPv6 socket; `nil` for others.
    static func v4(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.count == 4 { return bytes }
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        return isMapped ? Array(bytes[12...]) : nil
    }

    /// The 4 or 16 bytes of an address in its usual form; `nil` for anything else, names among them.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}
