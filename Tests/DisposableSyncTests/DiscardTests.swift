// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// A member is removed with everything that it stated.
@Suite("A removal with everything") struct DiscardTests {
    private let puppet: Puppet
    private let thief: SigningKey
    private let blob: SealedBlob
    private let photo: VerifiedOperation
    private let original: VerifiedOperation
    private let name: VerifiedOperation
    private let unknown: VerifiedOperation
    private let bodies: Set<OperationID>

    init() throws {
        puppet = try Puppet(isMember: true)
        thief = SigningKey(seed: puppet.random.secret())
        blob = SealedBlob([1, 2, 3, 4], .original, importSecret: puppet.founding.secret)
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        photo = try puppet.operation(
            .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: thief)
        original = try puppet.operation(
            .original, subject: photo.id,
            body: OperationBody.encode(
                .original(OriginalManifest(original: blob.reference, sha256: .zero, mediaType: .jpeg)),
                salt: puppet.random.bytes(16)), by: thief)
        name = try puppet.name("Eve", by: thief)
        unknown = try puppet.unknown(bodyByteCount: 5_000, by: thief).verified(event: puppet.founding.id)
        bodies = [photo.id, original.id, name.id, unknown.id]
        puppet.send([try puppet.join(of: thief), photo, original, name, unknown])
        #expect(puppet.disk.load(Array(bodies)).count { $0.body != nil } == 4)
        _ = puppet.take()
    }

    private var grantee: Grantee { DeviceID(thief.verifyingKey).bytes32 }

    private func state(_ ruling: Ruling, _ ticket: UInt64) {
        puppet.apply(.author(.rule(ruling, salt: puppet.random.bytes(16)), by: nil, Ticket(ticket)))
    }

    private func answer() -> [OperationID: Bool] {
        _ = puppet.take()
        puppet.send(.want(Array(bodies), set: .content))
        var operations: [UncheckedOperation] = []
        for case .operations(let some) in puppet.take() { operations += some }
        return Dictionary(operations.map { ($0.id, $0.body != nil) }) { $0 || $1 }
    }

    /// Returns the operations that the replica requests from a peer with the same sets.
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

    @Test("what is lost is said before; bodies and blobs are given out no more at once, and a grant brings all back")
    func cancelled() throws {
        let effect = try puppet.replica.effect(of: .participant, of: grantee, everything: true)
        #expect(effect.destroyedPhotoCount == 1 && effect.removedDevices.map(\.bytes32) == [grantee])
        #expect(try puppet.replica.effect(of: .participant, of: grantee).destroyedPhotoCount == 0)
        #expect(answer().values.allSatisfy { $0 })
        state(.revoke(.participant, of: grantee, everything: true), 1)
        #expect(puppet.refused.isEmpty)
        #expect(puppet.disk.operations.last?.header.argument == Membership.discardArgument)
        #expect(puppet.replica.destructible == bodies)
        #expect(!puppet.replica.isDescribed(blob.reference.id))
        #expect(answer() == Dictionary(uniqueKeysWithValues: bodies.map { ($0, false) }))
        #expect(puppet.restarted().destructible == bodies)
        state(.grant(.participant, to: grantee), 2)
        #expect(puppet.replica.destructible.isEmpty)
        #expect(puppet.replica.isDescribed(blob.reference.id))
        #expect(answer().values.allSatisfy { $0 })
        #expect(puppet.replica.state.photo(PhotoID(photo.id)) != nil)
        #expect(puppet.replica.state.album.name(of: AuthorID(thief.verifyingKey)) == "Eve")
        #expect(wanted().isEmpty)
    }

    @Test("what was destroyed stays so, also where others bring it, until a grant has it asked for again")
    func destroyed() throws {
        state(.revoke(.participant, of: grantee, everything: true), 1)
        let remains = puppet.replica.remains(of: bodies.sorted())
        #expect(Set(remains.bodies) == bodies && remains.blobs == [blob.reference.root])
        puppet.apply(.destroyed(bodies.sorted(), blobs: remains.blobs))
        #expect(puppet.replica.destructible.isEmpty)
        puppet.send([photo, original, name, unknown])
        #expect(puppet.replica.destructible.isEmpty)
        #expect(wanted().isEmpty)
        state(.grant(.participant, to: grantee), 2)
        #expect(wanted() == bodies)
        puppet.send([photo, original, name, unknown])
        #expect(wanted().isEmpty)
        #expect(puppet.replica.isDescribed(blob.reference.id))
        #expect(puppet.replica.state.album.name(of: AuthorID(thief.verifyingKey)) == "Eve")
    }

    @Test("what comes after the removal is stored without its body")
    func late() throws {
        state(.revoke(.participant, of: grantee, everything: true), 1)
        let late = [
            try puppet.name("Eve again", by: thief),
            try puppet.unknown(bodyByteCount: 5_000, by: thief).verified(event: puppet.founding.id),
        ]
        puppet.send(late)
        #expect(puppet.disk.load(late.map(\.id)).map { $0.body == nil } == [true, true])
        #expect(puppet.replica.destructible == bodies)
        #expect(wanted().isEmpty)
    }

    @Test("a removal is stated again with everything, and once more without, each of which changes what counts")
    func again() throws {
        state(.revoke(.participant, of: grantee), 1)
        #expect(puppet.replica.destructible.isEmpty)
        state(.revoke(.participant, of: grantee), 2)
        #expect(puppet.refused[Ticket(2)] == .nothingToDo)
        state(.revoke(.participant, of: grantee, everything: true), 3)
        #expect(puppet.replica.destructible == bodies)
        state(.revoke(.participant, of: grantee, everything: true), 4)
        #expect(puppet.refused[Ticket(4)] == .nothingToDo)
        state(.revoke(.participant, of: grantee), 5)
        #expect(puppet.refused[Ticket(5)] == nil)
        #expect(puppet.replica.destructible.isEmpty)
        #expect(puppet.replica.state.photo(PhotoID(photo.id)) != nil)
        #expect(!puppet.replica.state.membership.isMember(DeviceID(thief.verifyingKey)))
    }
}
