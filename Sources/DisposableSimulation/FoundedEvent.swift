// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// An event's keys, secret and first operations.
package struct FoundedEvent {
    package let eventKey: SigningKey
    package let deviceKey: SigningKey
    package let secret: SecretBytes
    package let operations: [VerifiedOperation]
    package var id: EventID { EventID(key: eventKey.verifyingKey) }

    /// The reveal key of an event that shows its photos later.
    package var revealKey: AgreementKey { Sealing.revealKey(eventKeySeed: eventKey.seed, event: id) }

    /// All shares of the reveal key's secret half, from index 1, where organizers reveal the photos together.
    package private(set) var shares: [RevealShare] = []

    /// - Parameters:
    ///   - frames: frames in each guest's quota, 0 for no limit.
    ///   - reveal: when photos are shown.
    ///   - rule: how many organizers reveal the photos together; `nil` if each can.
    package init(
        frames: UInt32 = 27, reveal: RevealRule = .now, needsTickets: Bool = false, shares rule: ShareRule? = nil,
        random: inout SplitMix64
    ) {
        eventKey = SigningKey(seed: random.secret())
        deviceKey = SigningKey(seed: random.secret())
        secret = random.secret()
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: NodeClock.epochMilliseconds, frames: frames)
        charter.reveal = reveal
        charter.options.needsTickets = needsTickets
        if reveal != .now {
            let event = EventID(key: eventKey.verifyingKey)
            charter.revealKey = Sealing.revealKey(eventKeySeed: eventKey.seed, event: event).publicKey.bytes32
            if let rule {
                (charter.seal, shares) = CharterSeal.shared(rule, event: event, random: &random)
            }
        }
        do throws(Refusal) {
            operations = try Founding.operations(
                charter: charter, eventKey: eventKey, deviceKey: deviceKey, charterSalt: random.bytes(16),
                joinSalt: random.bytes(16), wallClockMilliseconds: NodeClock.epochMilliseconds)
        } catch {
            preconditionFailure("founding failed: \(error)")
        }
    }
}

extension CharterSeal {
    /// Returns the same from a number.
    package static func shared(_ rule: ShareRule, event: EventID, seed: UInt64) -> (CharterSeal, [RevealShare]) {
        var random = SplitMix64(seed: seed)
        return shared(rule, event: event, random: &random)
    }

    /// Returns a new reveal key with the shares of its secret half.
    package static func shared(
        _ rule: ShareRule, event: EventID, random: inout SplitMix64
    ) -> (CharterSeal, [RevealShare]) {
        let secret = random.secret()
        var coefficients = random.bytes((rule.threshold - 1) * AgreementKey.byteCount)
        let shares = SecretSharing.split(
            secret, threshold: rule.threshold, count: rule.count,
            coefficients: SecretBytes(consuming: &coefficients, in: .ordinary)
        ).map { share in
            RevealShare(
                index: share.index, value: share.value.withSpan { span in Bytes32((0..<span.count).map { span[$0] })! })
        }
        let terms = ShareTerms(
            threshold: rule.threshold,
            commitments: shares.map { ShareTerms.commitment(event: event, index: $0.index, share: $0.value) })
        return (CharterSeal(key: AgreementKey(scalar: secret).publicKey, shares: terms), shares)
    }
}
