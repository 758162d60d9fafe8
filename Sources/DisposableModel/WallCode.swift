// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableValues

/// The code that the wall shows beside the guests' link and the pass in its QR code, others in each period of ten
/// minutes, and the token of the wall's own link (protocol/guest-api.md §23).
///
/// All are derived from the event secret: every node has the same ones without messages, and nobody computes them from
/// the guests' link and code.
public struct WallCode: Sendable {
    public static let periodMilliseconds: UInt64 = 600_000
    /// The time for which the code of the previous period stays valid.
    public static let graceMilliseconds: UInt64 = 120_000
    /// The time before a period at which its code is valid: the clock of the node with the wall may be ahead.
    public static let leadMilliseconds: UInt64 = 60_000

    /// 16 bytes, which the wall's link carries behind `#`.
    public let token: SecretBytes
    private let key: SecretBytes

    /// - Parameters:
    ///   - event: the event of the wall.
    ///   - secret: the event secret, 32 bytes.
    public init(event: EventID, secret: SecretBytes) {
        key = KeyDerivation.key(from: secret, context: Domain.Key.wallCode, input: event.bytes)
        let derived = KeyDerivation.key(from: secret, context: Domain.Key.wallToken, input: event.bytes)
        var bytes = derived.withSpan { span in (0..<GuestLink.tokenByteCount).map { span[$0] } }
        token = SecretBytes(consuming: &bytes, in: .ordinary)
    }

    /// Returns the code of the period with this time, in milliseconds since 1970 UTC: eight characters of Crockford's
    /// base 32 in upper case.
    public func code(at milliseconds: UInt64) -> String {
        var input: [UInt8] = []
        input.appendBigEndian(milliseconds / Self.periodMilliseconds)
        return KeyDerivation.key(from: key, context: Domain.Key.wallCode, input: input).withSpan { span in
            GuestLink.code(of: (0..<5).map { span[$0] })
        }
    }

    /// Returns the pass of the period with this time, in milliseconds since 1970 UTC: 16 bytes, which the wall's QR
    /// code carries behind `#`. It is too long to guess, so that the rate of wrong codes does not delay it.
    public func pass(at milliseconds: UInt64) -> SecretBytes {
        var input: [UInt8] = []
        input.appendBigEndian(milliseconds / Self.periodMilliseconds)
        let derived = KeyDerivation.key(from: key, context: Domain.Key.wallPass, input: input)
        var bytes = derived.withSpan { span in (0..<GuestLink.tokenByteCount).map { span[$0] } }
        return SecretBytes(consuming: &bytes, in: .ordinary)
    }

    /// Returns the codes that are valid at this time: one, and two around the start of a period.
    public func codes(validAt milliseconds: UInt64) -> [String] {
        Self.times(validAt: milliseconds).map { code(at: $0) }
    }

    /// Returns the passes that are valid at this time, as long as the codes of their periods.
    public func passes(validAt milliseconds: UInt64) -> [SecretBytes] {
        Self.times(validAt: milliseconds).map { pass(at: $0) }
    }

    /// Returns the starts of the periods whose codes and passes are valid at this time.
    private static func times(validAt milliseconds: UInt64) -> [UInt64] {
        let times = [milliseconds - min(milliseconds, graceMilliseconds), milliseconds, milliseconds + leadMilliseconds]
        return Set(times.map { $0 / periodMilliseconds }).sorted().map { $0 * periodMilliseconds }
    }

    /// Returns the time until the next code, in milliseconds: 1...600,000.
    public static func remainingMilliseconds(at milliseconds: UInt64) -> UInt64 {
        periodMilliseconds - milliseconds % periodMilliseconds
    }

    /// A mark of the event secret, which does not give it: 16 hexadecimal digits.
    public var mark: String {
        KeyDerivation.key(from: key, context: Domain.Key.wallToken).withSpan { span in (0..<8).map { span[$0] }.hex }
    }

    /// The token as links have it.
    public var tokenText: String { Self.text(of: token) }

    /// Returns the pass of the period with this time as links have it.
    public func passText(at milliseconds: UInt64) -> String { Self.text(of: pass(at: milliseconds)) }

    private static func text(of bytes: SecretBytes) -> String {
        Base64URL.text(bytes.withSpan { span in (0..<span.count).map { span[$0] } })
    }
}
