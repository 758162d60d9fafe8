// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("What is taken away") struct DestructionTests {
    private let puppet: Puppet
    private let blob: SealedBlob
    private let photo: VerifiedOperation
    private let original: VerifiedOperation

    init() throws {
        puppet = try Puppet(isMember: true)
        blob = SealedBlob([1, 2, 3, 4], .original, importSecret: puppet.founding.secret)
        (photo, original) = try puppet.photo(blob)
        _ = puppet.take()
    }

    private func removal() throws -> VerifiedOperation { try puppet.operation(.remove, subject: photo.id) }

    /// The replica hears that the puppet has all that it has, and the puppet what it wants then.
    private func wanted() -> Set<OperationID> {
        _ = puppet.take()
        for _ in 0..<10 {
            puppet.send(
                .ping(
                    Ping(
                        nonce: 1, authority: puppet.replica.summary(of: .authority),
                        content: puppet.replica.summary(of: .content))))
        }
        var wanted: Set<OperationID> = []
        for case .want(let ids, _) in puppet.take() { wanted.formUnion(ids) }
        return wanted
    }

    private func answer(to ids: [OperationID]) -> [OperationID: Bool] {
        _ = puppet.take()
        puppet.send(.want(ids, set: .content))
        var operations: [UncheckedOperation] = []
        for case .operations(let some) in puppet.take() { operations += some }
        return Dictionary(operations.map { ($0.id, $0.body != nil) }) { $0 || $1 }
    }

    private func storedBodies() -> [Bool] { puppet.disk.load([photo.id, original.id]).map { $0.body != nil } }

    @Test(
        "a removal that comes before the photo: its bodies are never stored, asked for or given out, its blobs neither")
    func removalFirst() throws {
        puppet.send([try removal()])
        puppet.send([photo, original])
        #expect(storedBodies() == [false, false])
        #expect(puppet.replica.state.photo(PhotoID(photo.id))?.status == .removed)
        #expect(wanted().isEmpty)
        #expect(puppet.replica.destructible.isEmpty)
        #expect(!puppet.replica.isDescribed(blob.reference.id))
        puppet.send([photo, original])
        #expect(storedBodies() == [false, false])
        #expect(answer(to: [photo.id, original.id]) == [photo.id: false, original.id: false])
    }

    @Test("a body that was missing is asked for, and no more once the photo is taken away")
    func missing() throws {
        puppet.send([photo.bodiless, original])
        #expect(wanted() == [photo.id])
        puppet.send([try removal()])
        #expect(wanted().isEmpty)
        #expect(puppet.replica.destructible == [photo.id])
        #expect(puppet.replica.remains(of: [photo.id]).blobs == [blob.reference.root])
    }

    @Test("a photo that was taken away is given out as a header at once, and is not taken again once it is destroyed")
    func destroyed() throws {
        puppet.send([photo, original])
        #expect(storedBodies() == [true, true])
        #expect(answer(to: [photo.id, original.id]) == [photo.id: true, original.id: true])
        puppet.send([try removal()])
        #expect(answer(to: [photo.id, original.id]) == [photo.id: false, original.id: false])
        let remains = puppet.replica.remains(of: [photo.id])
        #expect(Set(remains.bodies) == [photo.id, original.id])
        puppet.apply(.destroyed([photo.id], blobs: remains.blobs))
        #expect(puppet.replica.destructible.isEmpty)
        puppet.send([photo, original])
        #expect(puppet.replica.destructible.isEmpty)
        #expect(wanted().isEmpty)
    }

    @Test("a body that was being stored when its photo was taken away is destroyed as well")
    func crossing() throws {
        puppet.send([photo.bodiless, original.bodiless])
        puppet.answersDisk = false
        puppet.send([photo])
        puppet.send([try removal()])
        puppet.answerDisk()
        #expect(puppet.replica.destructible == [photo.id])
    }

    @Test("a remark that was taken away goes alone, and what is said about a photo goes with it")
    func remarks() throws {
        let comment = try puppet.operation(
            .comment, subject: photo.id, body: OperationBody.encode(.text("nice"), salt: puppet.random.bytes(16)))
        let caption = try puppet.operation(
            .caption, subject: photo.id, body: OperationBody.encode(.text("us"), salt: puppet.random.bytes(16)))
        puppet.send([photo, original, comment, caption])
        puppet.send([try puppet.operation(.remove, subject: comment.id)])
        #expect(puppet.replica.destructible == [comment.id])
        puppet.apply(.destroyed([comment.id], blobs: []))
        #expect(puppet.replica.state.album.caption(of: PhotoID(photo.id))?.text == "us")
        #expect(puppet.replica.isDescribed(blob.reference.id))
        puppet.send([try removal()])
        #expect(Set(puppet.replica.remains(of: [photo.id]).bodies) == [photo.id, original.id, comment.id, caption.id])
        puppet.apply(.destroyed([photo.id], blobs: [blob.reference.root]))
        #expect(puppet.replica.state.album.caption(of: PhotoID(photo.id))?.text == nil)
    }

    @Test("a blob that another photo describes stays, also where that one is taken away and not yet due")
    func shared() throws {
        let (second, secondOriginal) = try puppet.photo(blob)
        puppet.send([photo, original, second, secondOriginal])
        puppet.send([try removal()])
        #expect(puppet.replica.remains(of: [photo.id]).blobs.isEmpty)
        puppet.send([try puppet.operation(.remove, subject: second.id)])
        #expect(puppet.replica.remains(of: [photo.id]).blobs.isEmpty)
        #expect(puppet.replica.remains(of: [photo.id, second.id]).blobs == [blob.reference.root])
        puppet.apply(.destroyed([photo.id], blobs: []))
        #expect(puppet.replica.remains(of: [second.id]).blobs == [blob.reference.root])
    }

    @Test(
        "an erase that turns out void: what was destroyed is asked for again, bodies and blobs; what was not is back at once"
    )
    func voidErase() throws {
        let thief = SigningKey(seed: puppet.random.secret())
        func ruling(
            _ kind: OperationKind, _ argument: UInt64 = 0, _ content: OperationContent
        ) throws -> VerifiedOperation {
            try VerifiedOperation(
                draft: Draft(
                    kind: kind, subject: OperationID(thief.verifyingKey.bytes32), argument: argument,
                    body: OperationBody.encode(content, salt: puppet.random.bytes(16))),
                event: puppet.founding.id, sequence: 0, previous: .none,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0),
                key: puppet.founding.eventKey)
        }
        let join = try puppet.join(of: thief)
        let keptBlob = SealedBlob([5, 6, 7, 8], .original, importSecret: puppet.founding.secret)
        let (kept, keptOriginal) = try puppet.photo(keptBlob)
        puppet.send([join, try ruling(.grant, UInt64(Role.organizer.rawValue), .grant(cancels: []))])
        puppet.send([photo, original, kept, keptOriginal])
        for subject in [photo.id, kept.id] { puppet.send([try puppet.operation(.erase, subject: subject, by: thief)]) }
        #expect(puppet.replica.destructible == [photo.id, kept.id])
        #expect(!puppet.replica.isDescribed(keptBlob.reference.id))
        puppet.apply(.destroyed([photo.id], blobs: [blob.reference.root]))
        #expect(wanted().isEmpty)
        puppet.send([try ruling(.revokeDevice, 0, .revocation(heads: [join.id]))])
        #expect(puppet.replica.destructible.isEmpty)
        #expect(puppet.replica.state.photo(PhotoID(photo.id))?.status == .waiting)
        #expect(puppet.replica.isDescribed(keptBlob.reference.id))
        #expect(wanted() == [photo.id, original.id])
        puppet.send([photo, original])
        #expect(storedBodies() == [true, true])
        #expect(puppet.replica.isDescribed(blob.reference.id))
        #expect(wanted().isEmpty)
    }

    @Test("a node that starts again knows without the bodies what it has destroyed, and what it has still to destroy")
    func restart() throws {
        let other = try Puppet(seed: 2, isMember: true)
        let (waiting, waitingOriginal) = try other.photo(blob)
        let (gone, goneOriginal) = try other.photo(SealedBlob([9, 9], .original, importSecret: other.founding.secret))
        other.send([waiting, waitingOriginal, gone.bodiless, goneOriginal.bodiless])
        for id in [waiting.id, gone.id] { other.send([try other.operation(.remove, subject: id)]) }
        let started = other.restarted()
        #expect(started.destructible == [waiting.id])
        #expect(started.remains(of: [waiting.id]).blobs == [blob.reference.root])
        #expect(!started.isDescribed(blob.reference.id))
    }
}
