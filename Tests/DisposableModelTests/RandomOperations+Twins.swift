// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel

/// Galleries that are joined with those of other events, and separated.
extension RandomOperations {
    private static let twins = (800...805 as ClosedRange<UInt64>).map(signingKey)

    /// Mostly by an organizer; sometimes by anybody, or with an agreement that is for another event; or erased, removed
    /// or hidden by anybody.
    mutating func stateTwin() throws {
        let anybody = Self.everybody.randomElement(using: &random)!
        let actor = Int.random(in: 0..<3, using: &random) == 0 ? anybody : Self.latecomers[0]
        let known = operations.filter { $0.kind == .twinning }
        if Int.random(in: 0..<3, using: &random) == 0, let twinning = known.randomElement(using: &random) {
            let kind = [OperationKind.erase, .erase, .remove, .hide].randomElement(using: &random)!
            try state(kind, by: actor, subject: twinning.id)
            return
        }
        let other = Self.twins.randomElement(using: &random)!
        let isTrue = Int.random(in: 0..<6, using: &random) > 0
        let agreement = TwinAgreement(
            of: other.verifyingKey, with: isTrue ? event.event : EventID(key: anybody.verifyingKey), by: other)
        try state(
            .twinning, by: actor, subject: OperationID(agreement.event.bytes32),
            content: .twinning(.test(agreement)),
            milliseconds: TestEvent.startMilliseconds + .random(in: 0...2, using: &random))
    }
}

extension Twinning {
    /// A twinning with a secret that nobody uses.
    static func test(_ agreement: TwinAgreement, name: String = "The other party") -> Twinning {
        Twinning(
            agreement: agreement, name: name,
            secret: TwinSecret(
                epoch: .none, nonce: Bytes32([UInt8](repeating: 1, count: 32))!,
                box: [UInt8](repeating: 2, count: TwinSecret.boxByteCount))!)
    }
}
