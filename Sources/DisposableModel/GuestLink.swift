// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableValues

/// The token and code that open an event's pages to guests without a node (protocol/guest-api.md §1). They admit no
/// node.
public struct GuestLink: Sendable {
    public static let tokenByteCount = 16
    public static let codeCharacterCount = 8

    /// 16 bytes, which a link carries behind `#`.
    public let token: SecretBytes
    /// Eight characters of Crockford's base 32 in upper case, for people who type it.
    public let code: String

    /// - Parameters:
    ///   - event: the event that the link opens.
    ///   - secret: the event secret, 32 bytes.
    public init(event: EventID, secret: SecretBytes) {
        func derive(_ context: String) -> [UInt8] {
            KeyDerivation.key(from: secret, context: context, input: event.bytes).withSpan { span in
                (0..<Self.tokenByteCount).map { span[$0] }
            }
        }
        var bytes = derive(Domain.Key.portal)
        token = SecretBytes(consuming: &bytes)
        code = Self.code(of: derive(Domain.Key.portalCode))
    }

    /// Returns the code of the first five bytes: eight characters of Crockford's base 32 in upper case.
    package static func code(of bytes: some Sequence<UInt8>) -> String {
        let number = bytes.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return String((0..<codeCharacterCount).map { alphabet[Int(number >> UInt64(35 - 5 * $0)) & 31] })
    }

    /// The code in display form: `K7QM-3XPD`.
    public var spacedCode: String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// Returns the link to the pages at an address.
    public func text(at pages: PageAddress) -> String {
        let token = token.withSpan { span in (0..<span.count).map { span[$0] } }
        return "\(pages.origin)/#\(Base64URL.text(token))"
    }
}

/// The address of pages for browsers: host and port, and whether over HTTPS.
public struct PageAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host may be a name.
    public let address: PeerAddress
    public let isSecure: Bool

    public init(_ address: PeerAddress, isSecure: Bool = false) {
        self.address = address
        self.isSecure = isSecure
    }

    /// Parses an origin, `http://10.0.0.7:8027`, with anything behind it; the port may be left out where it is the
    /// scheme's own.
    public init?(url: some StringProtocol) {
        guard let scheme = ["http", "https"].first(where: { url.hasPrefix("\($0)://") }) else { return nil }
        let authority = url.dropFirst(scheme.count + 3).prefix { $0 != "/" && $0 != "#" && $0 != "?" }
        let isSecure = scheme == "https"
        guard let address = PeerAddress(authority) ?? PeerAddress("\(authority):\(isSecure ? 443 : 80)") else {
            return nil
        }
        self.init(address, isSecure: isSecure)
    }

    /// As browsers write it: without the scheme's own port.
    public var origin: String {
        let (scheme, port) = isSecure ? ("https", ":443") : ("http", ":80")
        let authority = address.description
        return "\(scheme)://\(authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority)"
    }

    /// For people who type it: browsers complete the scheme of plain HTTP themselves.
    public var description: String { isSecure ? origin : address.description }
}
