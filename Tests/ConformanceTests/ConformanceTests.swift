// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Foundation
import Testing

/// Runs `protocol/vectors/{operation,chunk,invitation}/*.json`, which a second implementation made, against this one.
@Suite struct ConformanceTests {
    /// What all vectors have in common: one scenario, one expected end.
    struct Head: Decodable {
        let format: Int
        let about: String
        let spec: String
        let expect: String
    }

    struct Vector: CustomTestStringConvertible, Sendable {
        let name: String
        let json: Data
        var testDescription: String { name }
        func decode<Fields: Decodable>(_ type: Fields.Type) throws -> Fields {
            try JSONDecoder().decode(type, from: json)
        }
    }

    static func vectors(_ folder: String) -> [Vector] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "protocol/vectors/\(folder)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            (try? Data(contentsOf: root.appending(path: name))).map { Vector(name: "\(folder)/\(name)", json: $0) }
        }
    }

    @Test("the vectors are there, each with the common head, and every failure that can be named has one")
    func completeness() throws {
        var expectations: [String: Set<String>] = [:]
        for folder in ["operation", "chunk", "invitation", "sealing"] {
            for vector in Self.vectors(folder) {
                let head = try vector.decode(Head.self)
                #expect(head.format == 1 && !head.about.isEmpty && head.spec.hasPrefix("§"), "\(vector.name)")
                expectations[folder, default: []].insert(head.expect)
            }
        }
        #expect(
            expectations["operation"] == [
                "success", "authentication failure", "foreign event", "header length", "unsupported version",
                "wrong set",
                "sequence too large", "broken chain", "body mismatch", "limit exceeded", "malformed body",
            ])
        #expect(expectations["sealing"] == ["success", "authentication failure"])
        #expect(expectations["chunk"] == ["success", "authentication failure"])
        #expect(
            expectations["invitation"] == [
                "success", "not an invitation", "guest link", "unsupported version", "invalid character", "damaged",
                "limit exceeded", "malformed",
            ])
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

    private func secret(_ hex: String) throws -> SecretBytes {
        var bytes = try bytes(hex)
        return SecretBytes(consuming: &bytes)
    }

    struct Operation: Decodable {
        let event: String
        let header: String
        let signature: String
        let body: String?
        let id: String?
        let content: Content?
    }

    struct Content: Decodable, Equatable {
        var kind: String
        var name: String?
        var startsAtMilliseconds: UInt64?
        var durationHours: UInt32?
        var frames: UInt32?
        var retentionHours: UInt32?
        var isListed: Bool?
        var organizerName: String?
        var sponsor: String?
        var field: UInt8?
        var secret: String?
        /// Other operations that the body names.
        var names: [String]?
        var thumbnail: String?
        var preview: String?
        var takenAtMilliseconds: UInt64?
        var width: UInt32?
        var height: UInt32?
        var original: String?
        var sha256: String?
        var mediaType: String?

        /// `nil` for operations without content, or whose body is not here.
        init?(_ content: OperationContent?) {
            switch content {
            case .charter(let charter):
                kind = "charter"
                name = charter.name
                startsAtMilliseconds = charter.startsAtMilliseconds
                durationHours = charter.durationHours
                frames = charter.frames
                retentionHours = charter.retentionHours
                isListed = charter.isListed
                organizerName = charter.organizerName
            case .join(let admission, _):
                kind = "join"
                sponsor = admission.sponsor.description
            case .edit(let field, _, let follows):
                kind = "edit"
                self.field = field.rawValue
                names = follows.map(\.description)
            case .reveal(let secret):
                kind = "reveal"
                self.secret = secret.description
            case .keyRelease(let keys):
                kind = "keyRelease"
                thumbnail = keys.thumbnail?.description
                preview = keys.preview?.description
                original = keys.original?.description
            case .grant(let cancels, _):
                kind = "grant"
                names = cancels.map(\.description)
            case .revocation(let heads):
                kind = "revocation"
                names = heads.map(\.description)
            case .unhide(let hides):
                kind = "unhide"
                names = hides.map(\.description)
            case .text(let text):
                kind = "text"
                name = text
            case .name(let text):
                kind = "name"
                name = text
            case .photo(let photo):
                kind = "photo"
                thumbnail = photo.thumbnail?.root.description
                preview = photo.preview?.root.description
                takenAtMilliseconds = photo.takenAtMilliseconds
                width = photo.width
                height = photo.height
                mediaType = photo.mediaType.rawValue
            case .original(let manifest):
                kind = "original"
                original = manifest.original.root.description
                sha256 = manifest.sha256.description
                mediaType = manifest.mediaType.rawValue
            case .unreadable: kind = "unreadable"
            case .some(.none), nil: return nil
            }
        }
    }

    private func expectation(_ error: OperationError) -> String {
        switch error {
        case .headerByteCount: "header length"
        case .malformedRecord: "record"
        case .unsupportedVersion: "unsupported version"
        case .wrongSet: "wrong set"
        case .bodyMismatch: "body mismatch"
        case .bodyTooLarge: "limit exceeded"
        case .malformedBody: "malformed body"
        case .brokenChain: "broken chain"
        case .sequenceTooLarge: "sequence too large"
        case .invalidSignature: "authentication failure"
        case .foreignEvent: "foreign event"
        }
    }

    struct Sealed: Decodable {
        let secret: String
        let sealed: String
        let plaintext: String?
        let eventKeySeed: String?
        let event: String?
        let importSecret: String?
        let root: String?
        let publicKey: String?
        let ephemeral: String?
        let deviceSeed: String?
    }

    @Test("keys are sealed and opened as the vectors say", arguments: vectors("sealing"))
    func sealing(vector: Vector) throws {
        let fields = try vector.decode(Sealed.self)
        let sealed = try bytes(fields.sealed)
        let key = AgreementKey(scalar: try secret(fields.secret))
        guard let plaintextHex = fields.plaintext else {
            #expect(try vector.decode(Head.self).expect == "authentication failure")
            #expect(throws: CryptoError.authenticationFailed) { _ = try SealedBox.open(sealed, with: key) }
            return
        }
        #expect(try SealedBox.open(sealed, with: key).isEqual(to: try secret(plaintextHex)))
        // And the whole way from the secrets that a node keeps.
        let plaintext = try bytes(plaintextHex)
        if let seed = fields.deviceSeed {
            let device = SigningKey(seed: try secret(seed))
            #expect(device.agreementKey.publicKey == key.publicKey)
            let recipient = try AgreementPublicKey(of: device.verifyingKey)
            let ephemeral = AgreementKey(scalar: try secret(fields.ephemeral ?? ""))
            #expect(try SealedBox.seal(plaintext.span, to: recipient, ephemeral: ephemeral) == sealed)
            return
        }
        let event = try #require(EventID(hex: fields.event ?? ""))
        let root = try #require(BlobRoot(hex: fields.root ?? ""))
        let reveal = Sealing.revealKey(eventKeySeed: try secret(fields.eventKeySeed ?? ""), event: event)
        #expect(reveal.publicKey.bytes32.description == fields.publicKey)
        let importSecret = try secret(fields.importSecret ?? "")
        let ephemeral = Sealing.ephemeralKey(importSecret: importSecret, root: root, recipient: reveal.publicKey)
        #expect(try SealedBox.seal(plaintext.span, to: reveal.publicKey, ephemeral: ephemeral) == sealed)
    }

    @Test("operations are accepted and refused as the vectors say", arguments: vectors("operation"))
    func operation(vector: Vector) throws {
        let fields = try vector.decode(Operation.self)
        let expected = try vector.decode(Head.self).expect
        let signature = try #require(Signature(bytes(fields.signature)))
        let event = try #require(EventID(hex: fields.event))
        let header = try bytes(fields.header)
        let body = try fields.body.map(bytes)
        let operation: VerifiedOperation
        do throws(OperationError) {
            operation = try UncheckedOperation(headerBytes: header, signature: signature, body: body).verified(
                event: event)
        } catch {
            #expect(expectation(error) == expected, "\(error)")
            return
        }
        #expect(expected == "success")
        #expect(operation.id.description == fields.id)
        #expect(operation.header.bytes == header)
        #expect(Content(operation.content) == fields.content)
    }

    @Test("an operation made here from a vector's facts is the vector's, byte for byte")
    func madeHere() throws {
        let device = SigningKey(seed: try secret(String(repeating: "02", count: 32)))
        let eventKey = SigningKey(seed: try secret(String(repeating: "01", count: 32)))
        let event = EventID(key: eventKey.verifyingKey)
        let salt = [UInt8](0xA0..<0xB0)
        let admission = Admission(of: DeviceID(device.verifyingKey), to: event, by: eventKey)
        let made: [(String, OperationKind, OperationContent)] = [
            ("operation/join.json", .join, .join(admission, nil)), ("operation/name.json", .name, .name("Zoë 🌻")),
        ]
        for (name, kind, content) in made {
            let vector = try #require(Self.vectors("operation").first { $0.name == name })
            let fields = try vector.decode(Operation.self)
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
        let vector = try #require(Self.vectors("message").first { $0.name == "message/register.json" })
        let theirs = try bytes(vector.decode(Message.self).message)
        #expect(PeerMessage.register(ours).bytes == theirs)
        guard case .register(let read) = try PeerMessage(theirs) else { throw WireError.empty }
        #expect(read == ours && read.isValid(for: event))
        #expect(!read.isValid(for: EventID(key: device.verifyingKey)))
    }

    struct SealedBlob: Decodable {
        let importSecret: String
        let blobClass: String
        let byteCount: Int
        let plaintextHash: String
        let key: String
        let chunkHashes: [String]
        let root: String
        let firstCiphertextBytes: String
        let lastTag: String
    }

    struct OpenedChunk: Decodable {
        let key: String
        let index: Int
        let isLast: Bool
        let ciphertext: String
        let plaintext: String?
    }

    @Test("blobs are cut, sealed and named as the vectors say", arguments: vectors("chunk"))
    func chunk(vector: Vector) throws {
        let expected = try vector.decode(Head.self).expect
        if let opened = try? vector.decode(OpenedChunk.self) {
            let ciphertext = try bytes(opened.ciphertext)
            let key = try secret(opened.key)
            let plaintext = try? BlobSealing.openChunk(
                ciphertext.span, index: opened.index, isLast: opened.isLast, key: key)
            #expect(plaintext?.hex == opened.plaintext)
            #expect((plaintext == nil) == (expected == "authentication failure"))
            return
        }
        let blob = try vector.decode(SealedBlob.self)
        let plaintext = (0..<blob.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let plaintextHash = BLAKE2b.hash(plaintext)
        #expect(plaintextHash.description == blob.plaintextHash)
        let blobClass = try #require(
            ["thumbnail": BlobClass.thumbnail, "preview": .preview, "original": .original][blob.blobClass])
        let key = BlobSealing.key(
            importSecret: try secret(blob.importSecret), blobClass: blobClass, plaintextHash: plaintextHash)
        #expect(key.isEqual(to: try secret(blob.key)))
        let layout = ChunkLayout(plaintextByteCount: UInt64(blob.byteCount))
        #expect(layout.chunkCount == blob.chunkHashes.count)
        var ciphertexts: [[UInt8]] = []
        for index in 0..<layout.chunkCount {
            let range = layout.plaintextRange(ofChunk: index)
            let part = Array(plaintext[Int(range.lowerBound)..<Int(range.upperBound)])
            var ciphertext: [UInt8] = []
            BlobSealing.sealChunk(
                part.span, index: index, isLast: index == layout.chunkCount - 1, key: key, appendingTo: &ciphertext)
            ciphertexts.append(ciphertext)
        }
        let hashes = ciphertexts.map { BlobSealing.hash(ofChunk: $0.span) }
        #expect(hashes.map(\.description) == blob.chunkHashes)
        #expect(
            BlobSealing.root(byteCount: UInt64(blob.byteCount), chunkHashes: hashes).description == blob.root)
        #expect(ciphertexts[0].prefix(32).hex == blob.firstCiphertextBytes)
        #expect(ciphertexts.last?.suffix(16).hex == blob.lastTag)
    }

    struct InvitationText: Decodable {
        let text: String
        let eventKey: String?
        let event: String?
        let secret: String?
        let name: String?
        let addresses: [String]?
        /// Whether this is the one text that is written for these facts.
        let isCanonical: Bool?
    }

    private func expectation(_ error: InvitationError) -> String {
        switch error {
        case .notAnInvitation: "not an invitation"
        case .guestLink: "guest link"
        case .unsupportedVersion: "unsupported version"
        case .invalidCharacter: "invalid character"
        case .tooLong: "limit exceeded"
        case .damaged: "damaged"
        case .malformed: "malformed"
        }
    }

    @Test("invitations are read and written as the vectors say", arguments: vectors("invitation"))
    func invitation(vector: Vector) throws {
        let fields = try vector.decode(InvitationText.self)
        let expected = try vector.decode(Head.self).expect
        let invitation: Invitation
        do throws(InvitationError) { invitation = try Invitation(text: fields.text) } catch {
            #expect(expectation(error) == expected, "\(error)")
            return
        }
        #expect(expected == "success")
        #expect(invitation.eventKey.description == fields.eventKey)
        #expect(invitation.event.description == fields.event)
        #expect(invitation.secret.isEqual(to: try secret(#require(fields.secret))))
        #expect(invitation.name == fields.name)
        #expect(invitation.addresses.map(\.description) == fields.addresses)
        if fields.isCanonical == true { #expect(invitation.text == fields.text) }
    }
}
