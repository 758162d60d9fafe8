// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Runs vectors, files in the format of protocol/vectors/README.md, against this implementation: for `disposable-lab
/// conformance`, and for the tests.
public enum Conformance {
    /// One for each folder of protocol/vectors.
    public enum Area: String, CaseIterable, Sendable {
        case agreement, auth, card, chunk, fold, handshake, invitation, message, noise, operation, preface,
            reconciliation, sealing, sharing

        var vector: any Vector.Type {
            switch self {
            case .agreement: AgreementVector.self
            case .auth: AuthVector.self
            case .card: CardVector.self
            case .chunk: ChunkVector.self
            case .fold: FoldVector.self
            case .handshake: HandshakeVector.self
            case .invitation: InvitationVector.self
            case .message: MessageVector.self
            case .noise: NoiseVectorRecord.self
            case .operation: OperationVector.self
            case .preface: PrefaceVector.self
            case .reconciliation: ReconciliationVector.self
            case .sealing: SealingVector.self
            case .sharing: SharingVector.self
            }
        }

        /// The outcomes that a vector of this area may expect.
        public var outcomes: Set<String> { vector.failures.union(["success"]) }
        /// The outcomes of its damaged forms.
        public var damagedOutcomes: Set<String> { vector.damagedFailures.union(["success"]) }
    }

    /// The result of this implementation, with its differences from the vector.
    public struct Answer: Sendable {
        public let name: String
        public let outcome: Outcome
        /// The expected values that differ, by key.
        public let differences: [String: JSON]
        public var agrees: Bool { differences.isEmpty && !isUnsupported }
        /// Whether the vector's feature is not supported: a Noise pattern with another cipher.
        public var isUnsupported: Bool { outcome.name == Outcome.unsupported }

        /// One line of the command's output.
        public var json: JSON {
            var fields: [String: JSON] = [
                "name": .string(name), "outcome": .string(outcome.name), "agrees": .bool(agrees),
            ]
            if !outcome.values.isEmpty { fields["values"] = .object(outcome.values) }
            if let reason = outcome.reason { fields["reason"] = .string(reason) }
            if !differences.isEmpty { fields["expected"] = .object(differences) }
            return .object(fields)
        }
    }

    /// Returns the answers to the vectors of a file: one, or those under `vectors`, as in the public sets of Noise.
    public static func answers(to file: Data, named name: String, in area: Area) -> [Answer] {
        do {
            guard case .object(let fields) = try JSON(file) else { throw Unreadable("no JSON object") }
            guard case .array(let vectors) = fields["vectors"] else {
                return [answer(to: file, fields, named: name, in: area)]
            }
            return try vectors.enumerated().map { index, vector in
                guard case .object(let fields) = vector else { throw Unreadable("vector \(index) is no JSON object") }
                return answer(to: Data(vector.text.utf8), fields, named: "\(name)#\(index)", in: area)
            }
        } catch { return [unreadable(name, error)] }
    }

    private static func unreadable(_ name: String, _ error: any Error) -> Answer {
        let reason = (error as? Unreadable)?.reason ?? (error as? DecodingError).map(words) ?? "\(error)"
        return Answer(
            name: name, outcome: Outcome(Outcome.unreadable, reason: reason), differences: ["format": .number(1)])
    }

    private static func words(_ error: DecodingError) -> String {
        let context =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context
            case .keyNotFound(let key, let context):
                DecodingError.Context(
                    codingPath: context.codingPath + [key], debugDescription: "is missing")
            @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
            }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    }

    private static func answer(
        to vector: Data, _ fields: [String: JSON], named name: String, in area: Area
    ) -> Answer {
        do {
            // The public sets of Noise have no head, and all expect success.
            if fields["format"] != nil || area != .noise {
                guard fields["format"] == .number(1) else { throw Unreadable("format: not 1") }
            }
            let expected = fields["expect"] ?? (area == .noise ? .string("success") : .null)
            guard case .string(let expect) = expected, area.outcomes.contains(expect) else {
                throw Unreadable("expect: none of \(area.outcomes.sorted().joined(separator: ", "))")
            }
            let type = area.vector
            let outcome = try JSONDecoder().decode(type, from: vector).outcome()
            var differences: [String: JSON] = [:]
            if outcome.name != expect { differences["expect"] = expected }
            // Every key of the file that is not an input is an expected result, and no other result is allowed.
            let facts = Set(fields.keys).subtracting(type.questions).subtracting(head)
            for key in facts.union(outcome.values.keys) where fields[key] ?? .null != outcome.values[key] ?? .null {
                differences[key] = fields[key] ?? .null
            }
            if outcome.name == Outcome.unsupported { differences = [:] }
            return Answer(name: name, outcome: outcome, differences: differences)
        } catch { return unreadable(name, error) }
    }

    /// The keys of every file, and those for people.
    private static let head: Set<String> = ["format", "about", "spec", "expect", "why"]

    /// Returns the outcomes of the damaged forms of a vector (`DamagedForms`), counted by name. A value that decodes
    /// differently after encoding is an outcome too: `unstable`.
    public static func damage(_ file: Data, in area: Area) throws -> [String: Int] {
        try JSONDecoder().decode(area.vector, from: file).damage()
    }
}
