// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The key to which photos are sealed until the reveal; fixed by the first charter (protocol/disposable-v1.md §11.2).
public struct CharterSeal: Equatable, Sendable {
    /// The public key that encrypts sealed photos' keys; zero if photos are not sealed.
    public var key = Bytes32.zero
    /// `nil` if the secret half is not shared: then every organizer may have it.
    public var shares: ShareTerms?

    public init() {}

    public init(key: AgreementPublicKey, shares: ShareTerms? = nil) {
        self.key = key.bytes32
        self.shares = shares
    }
}

/// The number of shares that make the reveal key's secret half, and commitments to all of them
/// (protocol/disposable-v1.md §9.25).
public struct ShareTerms: Equatable, Sendable {
    /// The most shares of an event: all combinations of published ones can be tried.
    public static let countMax = 8
    /// 2...`commitments.count`.
    public let threshold: Int
    /// One for each of the shares 1, 2 and so on: at most `countMax`.
    public let commitments: [Bytes32]

    /// Returns `nil` for numbers that mean no sharing.
    public init?(threshold: Int, commitments: [Bytes32]) {
        guard commitments.count <= Self.countMax, threshold >= 2, threshold <= commitments.count else { return nil }
        self.threshold = threshold
        self.commitments = commitments
    }

    public var count: Int { commitments.count }

    /// Returns the commitment to a share: who knows the share can check it, and it says nothing about the share.
    public static func commitment(event: EventID, index: UInt8, share: Bytes32) -> Bytes32 {
        var hash = BLAKE2b()
        hash.update(Domain.share + event.bytes + [index] + share.bytes)
        return Bytes32(hash.finalize())!  // 32 bytes by construction
    }

    /// Whether the share is the true one with this index.
    public func includes(_ share: RevealShare, of event: EventID) -> Bool {
        guard (1...count).contains(Int(share.index)) else { return false }
        return commitments[Int(share.index) - 1]
            == Self.commitment(event: event, index: share.index, share: share.value)
    }
}

/// The founder's choice: the number of shares, and how many of them make the secret half.
public struct ShareRule: Equatable, Sendable {
    /// 2...`count`.
    public let threshold: Int
    /// At most `ShareTerms.countMax`.
    public let count: Int

    /// Makes a rule with one share more than `threshold` where `count` is `nil`. Returns `nil` for numbers out of range.
    public init?(threshold: Int, count: Int? = nil) {
        let count = count ?? min(threshold, ShareTerms.countMax - 1) + 1
        guard threshold >= 2, threshold <= count, count <= ShareTerms.countMax else { return nil }
        self.threshold = threshold
        self.count = count
    }
}

/// One share of the reveal key's secret half, true or not.
public struct RevealShare: Hashable, Sendable {
    /// From 1.
    public let index: UInt8
    public let value: Bytes32

    public init(index: UInt8, value: Bytes32) {
        self.index = index
        self.value = value
    }
}
