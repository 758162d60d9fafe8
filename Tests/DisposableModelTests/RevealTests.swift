// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

/// Photos that stay closed until they are revealed.
@Suite struct RevealTests {
    private let event = TestEvent()
    private let host = signingKey(1)
    private let anna = signingKey(2)
    private let ben = signingKey(3)

    private var key: AgreementKey { Sealing.revealKey(eventKeySeed: event.eventKey.seed, event: event.event) }

    /// The scalar of the reveal key, as a reveal states it.
    private func secret() -> Bytes32 {
        let scalar = KeyDerivation.key(
            from: event.eventKey.seed, context: Domain.Key.reveal, input: event.event.bytes)
        return scalar.withSpan { span in Bytes32((0..<span.count).map { span[$0] })! }
    }

    private func story() throws -> Story {
        var story = Story(event)
        var charter = Charter(name: "Anna & Ben", startsAtMilliseconds: TestEvent.startMilliseconds)
        charter.reveal = .atEnd
        charter.revealKey = key.publicKey.bytes32
        try story.say(.charter, by: event.eventKey, content: .charter(charter))
        try story.join(host, sponsor: event.eventKey)
        for guest in [anna, ben] { try story.join(guest, sponsor: host) }
        return story
    }

    private func reference(_ number: UInt8, key: UInt8 = 9) -> BlobReference {
        var bytes = [UInt8](repeating: key, count: 32)
        return BlobReference(
            root: BlobRoot(Bytes32([UInt8](repeating: number, count: 32))!), byteCount: 100, chunkLog2: 18,
            key: SecretBytes(consuming: &bytes), blobClass: .thumbnail)!
    }

    private func importSecret(_ number: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: number, count: 32)
        return SecretBytes(consuming: &bytes)
    }

    @Test("a reveal with another key reveals nothing, and the true one counts from any device")
    func reveal() throws {
        var story = try story()
        #expect(try !story.outcome().isRevealed)
        try story.say(.reveal, by: ben, content: .reveal(Bytes32([UInt8](repeating: 3, count: 32))!))
        try story.say(.reveal, by: event.eventKey, content: .reveal(.zero))
        let closed = try story.outcome()
        #expect(!closed.isRevealed && closed.revealKey == nil)
        let revealed = try story.say(.reveal, by: ben, content: .reveal(secret()))
        let state = try story.outcome()
        #expect(state.isRevealed)
        #expect(state.revealID == revealed.id)
        #expect(state.revealKey?.publicKey == key.publicKey)
        #expect(state.digest != closed.digest)
    }

    @Test(
        "whatever members make up, in any order, it opens nothing but their own photos, until the true key is stated",
        arguments: UInt64(0)..<50)
    func dishonest(seed: UInt64) throws {
        let set = try RandomOperations(seed: seed, count: 120, revealKey: key.publicKey.bytes32)
        var random = SplitMix64(seed: seed ^ 0x9999)
        let madeUp = Bytes32([UInt8](repeating: UInt8(seed), count: 32))!
        let reveal = try event.operation(.reveal, by: ben, sequence: 0, content: .reveal(madeUp))
        let operations = (set.operations + [reveal]).shuffled(using: &random)
        var state = event.empty
        for operation in operations {
            state.apply(operation)
            #expect(!state.isRevealed && state.revealKey == nil)
        }
        #expect(state == event.fold(set.operations + [reveal]))
        let releases = set.operations.filter { operation in
            operation.kind == .keyRelease && state.membership.counts(operation.id, by: operation.header.device)
                && state.photo(PhotoID(operation.header.subject))?.author
                    == state.membership.author(of: operation.header.device)
        }
        let opened = Set(releases.map(\.header.subject))
        for photo in state.photos { #expect(state.isOpen(photo.id) == opened.contains(photo.id.operationID)) }

        state.apply(try event.operation(.reveal, by: ben, sequence: 0, content: .reveal(secret())))
        #expect(state.isRevealed)
    }

    @Test("an event that seals nothing is revealed from the start, and no reveal changes that")
    func nothingSealed() throws {
        var story = Story(event)
        try story.found(host: host, guests: [anna], frames: 3)
        #expect(try story.outcome().isRevealed)
        try story.say(.reveal, by: anna, content: .reveal(secret()))
        #expect(try story.outcome().revealID == nil)
    }

    @Test("no edit changes the reveal key, so nobody can have later photos sealed to a key of its own")
    func keyIsFixed() throws {
        var story = try story()
        try story.edit(.reveal, by: host) {
            $0.reveal = .byHost
            $0.revealKey = Bytes32([UInt8](repeating: 7, count: 32))!
        }
        let charter = try #require(try story.outcome().charter)
        #expect(charter.reveal == .byHost)
        #expect(charter.revealKey == key.publicKey.bytes32)
    }

    @Test("a sealed blob names the same blob without its key, and opens with the reveal key or its released key alone")
    func sealing() throws {
        let reference = reference(1)
        let sealed = try reference.sealed(to: key.publicKey, importSecret: importSecret(5))
        #expect(sealed.id == reference.id && sealed.isSealed && sealed.key == nil)
        let plain = try #require(reference.key)
        let opened = try #require(sealed.opened(with: key))
        #expect(opened.key?.isEqual(to: plain) == true)
        var scalar = [UInt8](repeating: 8, count: 32)
        #expect(sealed.opened(with: AgreementKey(scalar: SecretBytes(consuming: &scalar))) == nil)
        #expect(sealed.opened(with: plain)?.isSealed == false)
        #expect(reference.opened(with: key)?.key?.isEqual(to: plain) == true)
    }

    @Test("a device opens again what it sealed, and nobody else's secret does")
    func ownBox() throws {
        let sealed = try reference(1).sealed(to: key.publicKey, importSecret: importSecret(5))
        let opened = try #require(sealed.opened(sealedTo: key.publicKey, by: importSecret(5)))
        #expect(try opened.key?.isEqual(to: #require(reference(1).key)) == true)
        #expect(sealed.opened(sealedTo: key.publicKey, by: importSecret(6)) == nil)
    }

    @Test("boxes of two blobs, or by two authors, have nothing in common; the same box is made again the same")
    func boxes() throws {
        func box(_ reference: BlobReference, _ secret: UInt8) throws -> [UInt8] {
            guard
                case .sealed(let box) = try reference.sealed(to: key.publicKey, importSecret: importSecret(secret))
                    .content
            else { return [] }
            return box
        }
        let boxes = [try box(reference(1), 5), try box(reference(2), 5), try box(reference(1), 6)]
        #expect(Set(boxes.map { $0.prefix(32) }).count == 3)
        #expect(boxes.allSatisfy { $0.count == BlobReference.sealedKeyByteCount })
        #expect(try box(reference(1), 5) == boxes[0])
    }

    @Test("an author opens its own photos one by one, and nobody opens another's")
    func keyRelease() throws {
        var story = try story()
        let photo = try story.photo(anna, slot: 1)
        let keys = ReleasedKeys(thumbnail: Bytes32([UInt8](repeating: 9, count: 32)), preview: nil, original: nil)
        try story.say(.keyRelease, by: ben, about: photo, content: .keyRelease(keys))
        #expect(try story.outcome().album.keyReleases(of: PhotoID(photo.id)).isEmpty)
        let release = try story.say(.keyRelease, by: anna, about: photo, content: .keyRelease(keys))
        #expect(try story.outcome().album.keyReleases(of: PhotoID(photo.id)) == [release.id])
    }
}
