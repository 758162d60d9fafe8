// SPDX-License-Identifier: Apache-2.0
import DisposableConformance
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Foundation
import Testing

/// Runs every file of `protocol/vectors` against this implementation.
@Suite struct ConformanceTests {
    @Test("every folder of vectors is an area that can be run, and every area has its vectors")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: VectorFile.root.path)
        let folders = names.filter { !$0.contains(".") && !$0.hasPrefix("__") }
        #expect(Set(folders) == Set(Conformance.Area.allCases.map(\.rawValue)))
        #expect(Set(VectorFile.all.map(\.area)) == Set(Conformance.Area.allCases))
    }

    @Test("each has the common head, and every failure that an area can name has one")
    func completeness() throws {
        var expectations: [Conformance.Area: Set<String>] = [:]
        for vector in VectorFile.all {
            let fields = try vector.fields
            #expect(fields["format"] == .number(1), "\(vector.name)")
            guard case .string(let about) = fields["about"], !about.isEmpty, case .string(let spec) = fields["spec"],
                spec.hasPrefix("§") || spec.hasPrefix("Noise") || spec.hasPrefix("Negentropy")
            else {
                Issue.record("\(vector.name) does not say what it is about")
                continue
            }
            expectations[vector.area, default: []].insert(try vector.expect)
        }
        for area in Conformance.Area.allCases { #expect(expectations[area] == area.outcomes, "\(area)") }
    }

    @Test("this implementation comes to what the vector says", arguments: VectorFile.all)
    func agrees(vector: VectorFile) throws {
        let answers = vector.answers
        #expect(answers.count == 1)
        for answer in answers { #expect(answer.agrees, "\(answer.json.text.prefix(2_000))") }
    }

    /// In `make test-long`, or without a seed, all vectors; otherwise a quarter of each area's, which differs from run
    /// to run.
    private static func share(_ name: String) -> [VectorFile] {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPOSABLE_LONG"] == nil, let seed = environment["DISPOSABLE_SEED"].flatMap({ UInt64($0) })
        else { return VectorFile.all }
        return Conformance.Area.allCases.flatMap { area in
            VectorFile.all.filter { $0.area == area }.share(of: 4, seed: seed, name: "\(name) \(area.rawValue)")
        }
    }

    @Test("the runner notices what differs", arguments: share("notices"))
    func notices(vector: VectorFile) throws {
        func disagrees(_ fields: [String: JSON]) throws -> Bool {
            try vector.with(fields).answers.allSatisfy { !$0.agrees }
        }
        for other in vector.area.outcomes where other != (try vector.expect) {
            #expect(try disagrees(["expect": .string(other)]), "\(other)")
        }
        #expect(try disagrees(["expect": "some failure"]))
        #expect(try disagrees(["format": .number(2)]))
        if vector.area != .noise { #expect(try disagrees(["and": "something nobody answers"])) }
        // What the answer has said must be what is in the file: each fact by itself.
        for (key, value) in try #require(vector.answers.first).outcome.values {
            let other: JSON =
                switch value {
                case .null: .string("")
                case .array(let list): .array(list + ["more"])
                case .number(let number): .number(number ^ 1)
                case .bool(let isSo): .bool(!isSo)
                // Without any value the answer is not asked for.
                case .object(let fields) where fields.isEmpty: .object(["more": .string("")])
                default: .null
                }
            #expect(try disagrees([key: other]), "\(key)")
        }
    }

    @Test("a file that is no vector is said to be none, and why")
    func unreadable() throws {
        func reason(_ text: String) -> String? {
            Conformance.answers(to: Data(text.utf8), named: "a", in: .message).first?.outcome.reason
        }
        #expect(reason("[]") == "no JSON object")
        #expect(reason(#"{"format": 2}"#) == "format: not 1")
        #expect(reason(#"{"format": 1, "expect": "ok"}"#) == "expect: none of limit exceeded, malformed, success")
        #expect(reason(#"{"format": 1, "expect": "success"}"#) == "message: is missing")
        #expect(reason(#"{"format": 1, "expect": "success", "message": "0"}"#) == "message: not hexadecimal digits")
        #expect(reason(#"{"format": 1, "expect": "success", "message": -1}"#)?.contains("below zero") == true)
        #expect(reason("{") != nil)
    }

    @Test(
        "cut off anywhere, with any bit changed or any number too large, it ends as something that has a name",
        arguments: share("damage"))
    func damage(vector: VectorFile) throws {
        let counts = try Conformance.damage(vector.data, in: vector.area)
        // Nobody reads a message of Noise that is damaged.
        if vector.area == .noise {
            #expect(counts["success"] == nil && (!counts.isEmpty || vector.name.contains("zero")))
        }
        for (name, count) in counts {
            #expect(vector.area.damagedOutcomes.contains(name), "\(count) of them end as \(name)")
        }
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    private func secret(_ hex: String) throws -> SecretBytes {
        var bytes = try bytes(hex)
        return SecretBytes(consuming: &bytes)
    }

    @Test("an operation made here from a vector's facts is the vector's, byte for byte")
    func madeHere() throws {
        struct Operation: Decodable { let header, signature, body: String }
        let device = SigningKey(seed: try secret(String(repeating: "02", count: 32)))
        let eventKey = SigningKey(seed: try secret(String(repeating: "01", count: 32)))
        let event = EventID(key: eventKey.verifyingKey)
        let salt = [UInt8](0xA0..<0xB0)
        let admission = Admission(of: DeviceID(device.verifyingKey), to: event, by: eventKey)
        let made: [(String, OperationKind, OperationContent)] = [
            ("operation/join.json", .join, .join(admission, nil)), ("operation/name.json", .name, .name("Zoë 🌻")),
        ]
        for (name, kind, content) in made {
            let fields = try VectorFile.named(name).decode(Operation.self)
            let theirs = try OperationHeader(bytes(fields.header))
            let draft = Draft(kind: kind, body: OperationBody.encode(content, salt: salt))
            let ours = try VerifiedOperation(
                draft: draft, event: event, sequence: theirs.sequence, previous: theirs.previous,
                timestamp: theirs.timestamp, key: device)
            #expect(ours.header.bytes.hex == fields.header)
            #expect(ours.signature.bytes.hex == fields.signature)
            #expect(ours.body?.hex == fields.body)
        }
    }

    @Test("a register made here from the vector's facts is the vector's, byte for byte")
    func register() throws {
        struct Message: Decodable { let message: String }
        let device = SigningKey(seed: try secret(String(repeating: "02", count: 32)))
        let event = EventID(key: SigningKey(seed: try secret(String(repeating: "01", count: 32))).verifyingKey)
        let somebody = try #require(DeviceID([UInt8](repeating: 1, count: 32)))
        let ours = Register(
            Register.Claims(
                device: DeviceID(device.verifyingKey), instance: [UInt8](0..<16), counter: 7,
                originals: [.init(device: somebody, bits: ChunkBitmap(bytes: [0b0010_0100]))],
                destroyed: [.init(device: somebody, bits: ChunkBitmap(bytes: [0, 0b1000_0000]))]),
            of: event, key: device)
        let theirs = try bytes(VectorFile.named("message/register.json").decode(Message.self).message)
        #expect(PeerMessage.register(ours).bytes == theirs)
        guard case .register(let read) = try PeerMessage(theirs) else { throw WireError.empty }
        #expect(read == ours && read.isValid(for: event))
        #expect(!read.isValid(for: EventID(key: device.verifyingKey)))
    }

    @Test("a connection as nodes run it says what the vector of a handshake says")
    func connection() throws {
        struct Fields: Decodable {
            struct Keys: Decodable { let `static`, ephemeral: String }
            struct Step: Decodable { let bytes: String }
            let eventKey, eventSecret, challenge, preface: String
            let dialler, listener: Keys
            let steps: [Step]
        }
        let fields = try VectorFile.named("handshake/frames-both-ways.json").decode(Fields.self)
        let event = EventID(key: VerifyingKey(try #require(Bytes32(hex: fields.eventKey))))
        let credentials = EventCredentials(event: event, secret: try secret(fields.eventSecret))
        let (challenge, preface) = (try bytes(fields.challenge), try bytes(fields.preface))
        let key = SigningKey(seed: try secret(String(repeating: "02", count: 32)))
        let claims = Authentication.Claims(
            device: DeviceID(key.verifyingKey), instance: [UInt8](0..<16), wallClockMilliseconds: 0, listenPort: 0)
        func entropy(_ keys: Fields.Keys) throws -> PeerConnection.Entropy {
            PeerConnection.Entropy(ephemeral: try secret(keys.ephemeral), salt: Preface.salt(of: preface))
        }
        var dialler = PeerConnection.dialled(
            credentials: credentials, staticKey: AgreementKey(scalar: try secret(fields.dialler.static)),
            entropy: try entropy(fields.dialler), key: key, claims: claims)
        var listener = PeerConnection.accepted(
            challenge: challenge, preface: preface, credentials: credentials,
            staticKey: AgreementKey(scalar: try secret(fields.listener.static)),
            entropy: try entropy(fields.listener), key: key, claims: claims)
        let steps = try fields.steps.map { try bytes($0.bytes) }
        #expect(dialler.receive(challenge) == [.send(preface), .send(steps[0])])
        #expect(listener.receive(steps[0]) == [.send(steps[1])])
        #expect(dialler.receive(steps[1]).first == .send(steps[2]))
        #expect(Preface.matches(preface, challenge: challenge, credentials: credentials))
    }
}
