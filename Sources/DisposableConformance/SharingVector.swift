// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// §9.25: the shares of a reveal key's secret half, their commitments, and what some of them make.
struct SharingVector: Vector {
    static let questions: Set = ["event", "secret", "coefficients", "threshold", "count", "chosen"]
    static let failures: Set<String> = []

    private let event, secret, coefficients: Hex
    private let threshold, count: Int
    private let chosen: [UInt8]

    var received: [WritableKeyPath<Self, [UInt8]>] { [] }

    func outcome() throws -> Outcome {
        guard (1...255).contains(count), (1...count).contains(threshold),
            coefficients.bytes.count == (threshold - 1) * secret.bytes.count
        else { throw Unreadable("no numbers of shares") }
        let event = EventID(try event.bytes32)
        let shares = SecretSharing.split(
            secret.secret, threshold: threshold, count: count, coefficients: coefficients.secret)
        let values = shares.map { share in share.value.withSpan { span in (0..<span.count).map { span[$0] } } }
        guard let combined = SecretSharing.combine(shares.filter { chosen.contains($0.index) }) else {
            throw Unreadable("no share is chosen")
        }
        // Any share follows from the others that it takes.
        let first = Array(shares.prefix(threshold))
        for share in shares {
            guard let again = SecretSharing.share(share.index, of: first), again.value.isEqual(to: share.value) else {
                return .unstable
            }
        }
        return .success([
            "shares": .array(values.map { .hex($0) }),
            "commitments": .list(
                try zip(shares, values).map { share, value in
                    guard let value = Bytes32(value) else { throw Unreadable("a share that has not 32 bytes") }
                    return ShareTerms.commitment(event: event, index: share.index, share: value)
                }),
            "revealKey": .text(AgreementKey(scalar: secret.secret).publicKey.bytes32),
            "combined": .hex(combined.withSpan { span in (0..<span.count).map { span[$0] } }),
        ])
    }
}
