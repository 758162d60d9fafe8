// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire

/// §5.1: what a listed event tells strangers.
struct CardVector: Vector {
    static let questions: Set = ["key", "text", "signature", "readAt"]
    static let failures: Set = ["authentication failure", "limit exceeded", "malformed"]

    private let key: Hex
    private var text: String
    private var signature: Hex
    /// The time of reading, in milliseconds since 1970 UTC, if the outcome depends on it.
    private let readAt: String?

    /// The bytes of the text, including invalid ones.
    private var bytes: [UInt8] {
        get { Array(text.utf8) }
        set { text = String(decoding: newValue, as: UTF8.self) }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] { [\.bytes, \.signature.bytes] }

    func outcome() throws -> Outcome {
        guard let signature = Signature(signature.bytes) else { return Outcome("malformed") }
        let eventKey = VerifyingKey(try key.bytes32)
        do throws(CardError) {
            let signed = try SignedCard(eventKey: eventKey, text: text, signature: signature)
            var facts: [String: JSON] = [
                "event": .text(signed.event), "name": .string(signed.card.name),
                "place": .string(signed.card.place), "revisedAt": .string("\(signed.card.revisedAtMilliseconds)"),
                "isWithdrawn": .bool(signed.card.isWithdrawn),
                "links": .list(signed.card.links.map { "\($0.kind) \($0.address)" }),
            ]
            if let position = signed.card.position { facts["position"] = .string(position.written) }
            if let readAt = readAt.flatMap({ UInt64($0) }) {
                let activity = signed.card.activity(at: readAt)
                facts["recentPhotos"] = .integer(activity.photoCount)
                facts["recentPeople"] = .integer(activity.personCount)
            }
            return .success(facts)
        } catch {
            return switch error {
            case .malformed: Outcome("malformed")
            case .tooLong: Outcome("limit exceeded")
            case .wrongSignature: Outcome("authentication failure")
            }
        }
    }
}
