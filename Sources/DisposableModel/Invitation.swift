// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The data that a node needs to join: the event's public key, secret and name, and addresses at which a member was.
///
/// The text form is in Wire (`Invitation.text`); it is a secret, because it admits anyone who reads it.
public struct Invitation: Equatable, Sendable {
    public static let secretByteCount = 32
    public static let addressCountMax = 8

    public let eventKey: VerifyingKey
    public let secret: SecretBytes
    public let name: String
    public let addresses: [PeerAddress]

    public init(eventKey: VerifyingKey, secret: SecretBytes, name: String, addresses: [PeerAddress]) {
        self.eventKey = eventKey
        self.secret = secret
        self.name = name
        self.addresses = addresses
    }

    public var event: EventID { EventID(key: eventKey) }

    public static func == (left: Self, right: Self) -> Bool {
        left.eventKey == right.eventKey && left.secret.isEqual(to: right.secret) && left.name == right.name
            && left.addresses == right.addresses
    }
}

/// An IP address with a port, as text for the socket layer: `10.0.0.7`, `fe80::1%eth0`, never a name to resolve.
public struct PeerAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    public static func < (left: Self, right: Self) -> Bool { (left.host, left.port) < (right.host, right.port) }
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Parses `host:port` and `[v6]:port`; the port is 1...65535 in digits without a sign.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0 == "[" || $0 == "]" }) else { return nil }
        self.init(host: String(host), port: port)
    }
}
