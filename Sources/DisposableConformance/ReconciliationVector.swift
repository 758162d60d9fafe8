// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableSync

/// §10: a whole exchange of two sets, or one message and its answer.
struct ReconciliationVector: Vector {
    static let questions: Set = [
        "kind", "frameSizeLimit", "generated", "initiator", "responder", "role", "items", "message",
    ]
    static let failures: Set = ["malformed"]

    private struct ListedItem: Decodable {
        let timestamp: UInt64
        let id: Hex
    }
    private struct Generated: Decodable {
        let seed, timestampStart, timestampSpan: UInt64
        let both, initiatorOnly, responderOnly: Int
    }
    private struct Limits: Decodable { let initiator, responder: Int }

    private let kind: String
    private let frameSizeLimit: Limits?
    private let generated: Generated?
    private let initiator, responder, items: [ListedItem]?
    private let role: String?
    private var message: Hex?

    private var bytes: [UInt8] {
        get { message?.bytes ?? [] }
        set { message?.bytes = newValue }
    }
    var received: [WritableKeyPath<Self, [UInt8]>] { message == nil ? [] : [\.bytes] }

    func outcome() throws -> Outcome {
        switch kind {
        case "exchange": return try exchange()
        case "answer": return try answer()
        default: throw Unreadable("kind: neither exchange nor answer")
        }
    }

    private func set(_ listed: [ListedItem]?) throws -> ItemSet.Snapshot {
        guard let listed else { throw Unreadable("a set is missing") }
        var set = ItemSet(try listed.map { ItemSet.Item(timestamp: $0.timestamp, id: try $0.id.bytes32) })
        return set.snapshot()
    }

    private func sets() throws -> (ItemSet.Snapshot, ItemSet.Snapshot) {
        guard let generated else { return (try set(initiator), try set(responder)) }
        let counts = [generated.both, generated.initiatorOnly, generated.responderOnly]
        guard generated.timestampSpan > 0, counts.allSatisfy((0...1_000_000).contains) else {
            throw Unreadable("generated: a span of 0, or not from 0 to 1,000,000 items")
        }
        var random = SplitMix64(seed: generated.seed)
        let items = counts.map { count in
            (0..<count).map { _ in
                let timestamp = generated.timestampStart &+ random.next() % generated.timestampSpan
                let id = Bytes32(words: random.next(), random.next(), random.next(), random.next())
                return ItemSet.Item(timestamp: timestamp, id: id)
            }
        }
        var (first, second) = (ItemSet(items[0] + items[1]), ItemSet(items[0] + items[2]))
        return (first.snapshot(), second.snapshot())
    }

    private func exchange() throws -> Outcome {
        let (first, second) = try sets()
        guard let frameSizeLimit else { throw Unreadable("frameSizeLimit: is missing") }
        let initiator = ReconciliationInitiator(items: first, frameSizeLimit: frameSizeLimit.initiator)
        let responder = ReconciliationResponder(items: second, frameSizeLimit: frameSizeLimit.responder)
        var messages = [initiator.initiate()]
        var have: Set<Bytes32> = []
        var need: Set<Bytes32> = []
        // Far more than an honest exchange takes.
        for _ in 0..<10_000 {
            let answer = try responder.reconcile(messages[messages.count - 1])
            messages.append(answer)
            let step = try initiator.reconcile(answer)
            have.formUnion(step.have)
            need.formUnion(step.need)
            guard case .send(let next) = step.next else {
                return .success([
                    "messages": .array(messages.map { .hex($0) }), "have": .list(have.sorted()),
                    "need": .list(need.sorted()),
                ])
            }
            messages.append(next)
        }
        return Outcome("unstable", reason: "no end after 10,000 rounds")
    }

    private func answer() throws -> Outcome {
        let items = try set(items)
        guard let message = message?.bytes else { throw Unreadable("message: is missing") }
        do throws(ReconciliationError) {
            switch role {
            case "responder":
                let reply = try ReconciliationResponder(items: items, frameSizeLimit: 0).reconcile(message)
                return .success(["reply": .hex(reply)])
            case "initiator":
                let step = try ReconciliationInitiator(items: items, frameSizeLimit: 0).reconcile(message)
                if case .send(let reply) = step.next { return .success(["reply": .hex(reply)]) }
                return .success(["reply": "61"])
            default: break
            }
        } catch { return Outcome("malformed", ["reason": .string(Self.reason(error))]) }
        throw Unreadable("role: neither initiator nor responder")
    }

    private static func reason(_ error: ReconciliationError) -> String {
        switch error {
        case .messageTruncated: "truncated"
        case .protocolVersionInvalid: "version invalid"
        case .protocolVersionUnsupported: "version unsupported"
        case .varintTooLarge: "number too large"
        case .idPrefixTooLong: "id prefix too long"
        case .modeUnknown: "mode unknown"
        }
    }
}
