// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Organizers take roles away and remove devices; nobody else loses anything by that.
@Suite("A removal and third parties") struct RemovalHarmTests {
    /// A guest of the puppet's node, and everything that the guest has stated there: a join and a photo with a claim.
    private func guest(_ puppet: Puppet, at node: SigningKey? = nil) throws -> [VerifiedOperation] {
        let (guest, device) = (SigningKey(seed: puppet.random.secret()), SigningKey(seed: puppet.random.secret()))
        let (node, event) = (node ?? puppet.key, puppet.founding.id)
        let delegation = Delegation(
            to: DeviceID(device.verifyingKey), at: DeviceID(node.verifyingKey), event: event, by: guest)
        let admission = Admission(of: DeviceID(device.verifyingKey), to: event, by: node)
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        let join = try puppet.operation(
            .join, body: OperationBody.encode(.join(admission, delegation), salt: puppet.random.bytes(16)), by: device)
        let photo = try puppet.operation(
            .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: device)
        let claim = try VerifiedOperation(
            draft: Draft(kind: .claim, subject: photo.id, argument: 1), event: event, sequence: 1, previous: photo.id,
            timestamp: photo.header.timestamp, key: device)
        return [join, photo, claim]
    }

    @Test("320 guests of a page node keep their photos when its page role is taken away, and when it is removed")
    func guestsOfPageNode() throws {
        let puppet = try Puppet(isMember: true)
        let node = puppet.key.verifyingKey
        puppet.apply(
            .author(.rule(.grant(.page, to: DeviceID(node).bytes32), salt: puppet.random.bytes(16)), by: nil, Ticket(1))
        )
        for _ in 0..<320 { puppet.send(try guest(puppet)) }
        #expect(puppet.replica.state.gallery.count == 320)
        let count = puppet.disk.operations.count
        puppet.apply(
            .author(
                .rule(.revoke(.page, of: DeviceID(node).bytes32), salt: puppet.random.bytes(16)), by: nil, Ticket(2)))
        #expect(puppet.disk.operations.count > count)
        #expect(puppet.replica.state.gallery.count == 320)
        puppet.apply(
            .author(
                .rule(.revoke(.participant, of: DeviceID(node).bytes32), salt: puppet.random.bytes(16)), by: nil,
                Ticket(3)))
        #expect(puppet.replica.state.membership.isRevoked(DeviceID(node)))
        #expect(puppet.replica.state.gallery.count == 320)
    }

    @Test("an original that a stranger describes is nobody's, whether it came before or after the photo")
    func originalOfStranger() throws {
        for isEarly in [true, false] {
            let puppet = try Puppet(isMember: true)
            let stranger = SigningKey(seed: puppet.random.secret())
            puppet.send([try puppet.join(of: stranger)])
            let (own, false_) = (
                SealedBlob([1, 2, 3], .original, importSecret: puppet.founding.secret),
                SealedBlob([4, 5, 6], .original, importSecret: puppet.founding.secret)
            )
            let (photo, original) = try puppet.photo(own)
            let manifest = OriginalManifest(original: false_.reference, sha256: .zero, mediaType: .jpeg)
            let lie = try puppet.operation(
                .original, subject: photo.id,
                body: OperationBody.encode(.original(manifest), salt: puppet.random.bytes(16)), by: stranger)
            for operation in isEarly ? [lie, photo, original] : [photo, original, lie] { puppet.send([operation]) }
            #expect(puppet.replica.isDescribed(own.reference.id))
            #expect(!puppet.replica.isDescribed(false_.reference.id), "early: \(isEarly)")
        }
    }

    @Test(
        "what a removal would take from others is known before it is signed, and what came too late is left by a second one"
    )
    func effect() throws {
        let puppet = try Puppet(isMember: true)
        let node = DeviceID(puppet.key.verifyingKey)
        func author(_ ruling: Ruling, _ ticket: UInt64) {
            puppet.apply(.author(.rule(ruling, salt: puppet.random.bytes(16)), by: nil, Ticket(ticket)))
        }
        author(.grant(.page, to: node.bytes32), 1)
        for _ in 0..<3 { puppet.send(try guest(puppet)) }
        let late = try guest(puppet)
        var effect = try puppet.replica.effect(of: .page, of: node.bytes32)
        #expect(effect.lostPhotos.isEmpty && effect.keptPhotoCount == 3 && effect.keptPeopleCount == 3)
        #expect(!effect.harmsOthers(than: node.bytes32))
        #expect(puppet.replica.state.membership.mayServePages(node), "nothing was done")
        author(.revoke(.page, of: node.bytes32), 2)
        #expect(throws: AuthoringError.nothingToDo) { try puppet.replica.effect(of: .page, of: node.bytes32) }
        puppet.send(late)
        #expect(puppet.replica.state.gallery.count == 3)
        effect = try puppet.replica.effect(of: .page, of: node.bytes32)
        #expect(effect.regainedPhotos.values.reduce(0, +) == 1)
        author(.revoke(.page, of: node.bytes32), 3)
        #expect(puppet.replica.state.gallery.count == 4)
    }
}
