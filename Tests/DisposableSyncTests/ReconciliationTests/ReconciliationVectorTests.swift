// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSync
import Foundation
import Testing

/// Runs `protocol/vectors/reconciliation`, which a second implementation wrote.
@Suite struct ReconciliationVectorTests {
    struct Vector: Decodable, Sendable {
        struct ListedItem: Decodable, Sendable {
            let timestamp: UInt64
            let id: String
        }
        struct Generated: Decodable, Sendable {
            let seed, timestampStart, timestampSpan: UInt64
            let both, initiatorOnly, responderOnly: Int
        }
        struct Limits: Decodable, Sendable { let initiator, responder: Int }

        let format: Int
        let expect: String
        let kind: String
        // An exchange: two sets, all messages and what the initiator learns.
        let frameSizeLimit: Limits?
        let generated: Generated?
        let initiator, responder: [ListedItem]?
        let messages, have, need: [String]?
        // One answer: a set, a message and what comes of it.
        let role: String?
        let items: [ListedItem]?
        let message: String?
        let reply: String?
        let reason: String?
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "protocol/vectors/reconciliation")

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    private func items(_ listed: [Vector.ListedItem]) throws -> [Item] {
        try listed.map { Item(timestamp: $0.timestamp, id: try #require(Bytes32(hex: $0.id))) }
    }

    @Test("all vectors are found")
    func allFound() { #expect(Self.names.count == 30) }

    @Test("vector", arguments: names)
    func vector(name: String) throws {
        let vector = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: Self.folder.appending(path: name)))
        #expect(vector.format == 1)
        switch vector.kind {
        case "exchange": try runExchange(vector)
        case "answer": try runAnswer(vector)
        default: Issue.record("unknown kind \(vector.kind)")
        }
    }

    private func runExchange(_ vector: Vector) throws {
        let first: [Item]
        let second: [Item]
        if let generated = vector.generated {
            var random = SplitMix64(seed: generated.seed)
            func next(_ count: Int) -> [Item] {
                random.items(
                    count: count, timestampStart: generated.timestampStart, timestampSpan: generated.timestampSpan)
            }
            let both = next(generated.both)
            first = both + next(generated.initiatorOnly)
            second = both + next(generated.responderOnly)
        } else {
            first = try items(#require(vector.initiator))
            second = try items(#require(vector.responder))
        }
        let limits = try #require(vector.frameSizeLimit)
        let exchange = try Exchange(first, second, initiatorLimit: limits.initiator, responderLimit: limits.responder)
        #expect(exchange.isDone)
        #expect(exchange.messages.map(\.hex) == vector.messages)
        #expect(exchange.have.sorted().map(\.description) == vector.have)
        #expect(exchange.need.sorted().map(\.description) == vector.need)
    }

    private func runAnswer(_ vector: Vector) throws {
        var set = ItemSet(try items(#require(vector.items)))
        let hex = try #require(vector.message)
        let message = try #require([UInt8](hex: hex))
        let outcome = Result { () throws(ReconciliationError) -> [UInt8] in
            if vector.role == "responder" {
                return try ReconciliationResponder(items: set.snapshot(), frameSizeLimit: 0).reconcile(message)
            }
            let step = try ReconciliationInitiator(items: set.snapshot(), frameSizeLimit: 0).reconcile(message)
            return switch step.next {
            case .send(let bytes): bytes
            case .done: [0x61]
            }
        }
        switch outcome {
        case .success(let reply):
            #expect(vector.expect == "success")
            #expect(reply.hex == vector.reply)
        case .failure(let error):
            #expect(vector.expect == "malformed")
            #expect(reason(error) == vector.reason)
        }
    }

    private func reason(_ error: ReconciliationError) -> String {
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
