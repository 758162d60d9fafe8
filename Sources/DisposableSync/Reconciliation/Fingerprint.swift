// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// A hash of 16 bytes of the ids of a set or of a range of it (negentropy V1, "Fingerprint Algorithm").
///
/// - Important: It finds differences; it does not prove equality to a third party. The ids are added before they are
///   hashed, so a member that makes a great many ids on purpose may find two lists of them with the same sum, and so
///   hide the difference between two nodes that were given one list each.
public struct Fingerprint: Hashable, Sendable {
    public static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    /// The first 16 bytes of `hash`.
    init(_ hash: Bytes32) {
        (high, low, _, _) = hash.words
    }

    /// Returns `nil` unless `bytes` holds exactly 16 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes in order.
    public var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }
}

extension Fingerprint: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public var description: String { bytes.hex }
}
