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
        #expect(throws: Refusal.nothingToDo) { try puppet.replica.effect(of: .page, of: node.bytes32) }
        puppet.send(late)
        #expect(puppet.replica.state.gallery.count == 3)
        effect = try puppet.replica.effect(of: .page, of: node.bytes32)
        #expect(effect.regainedPhotos.values.reduce(0, +) == 1)
        author(.revoke(.page, of: node.bytes32), 3)
        #expect(puppet.replica.state.gallery.count == 4)
    }

    /// Lets in `count` devices by the sponsor, each of which states a photo with a claim.
    private func admitted(
        _ count: Int, by sponsor: SigningKey, _ puppet: Puppet
    ) throws -> (devices: [SigningKey], operations: [VerifiedOperation]) {
        let devices = (0..<count).map { _ in SigningKey(seed: puppet.random.secret()) }
        let operations = try devices.flatMap { device in
            let manifest = PhotoManifest(
                thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
            let photo = try puppet.operation(
                .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: device)
            let claim = try VerifiedOperation(
                draft: Draft(kind: .claim, subject: photo.id, argument: 1), event: puppet.founding.id, sequence: 1,
                previous: photo.id, timestamp: photo.header.timestamp, key: device)
            return [try puppet.join(of: device, sponsoredBy: sponsor), photo, claim]
        }
        return (devices, operations)
    }

    @Test(
        "a member is removed with the 300 devices that only it vouches for: they are named before, and keep their photos"
    )
    func withAdmitted() throws {
        let puppet = try Puppet(isMember: true)
        let eve = SigningKey(seed: puppet.random.secret())
        let member = DeviceID(eve.verifyingKey)
        puppet.send([try puppet.join(of: eve)])
        let (own, operations) = try admitted(300, by: eve, puppet)
        let (others, otherOperations) = try admitted(2, by: puppet.founding.deviceKey, puppet)
        // One of those has a second way in, and one a role.
        let (double, photographer) = (own[0], own[1])
        for start in stride(from: 0, to: operations.count, by: 150) {
            puppet.send(Array(operations[start..<min(start + 150, operations.count)]))
        }
        puppet.send(otherOperations + [try puppet.join(of: double)])
        let granted = DeviceID(photographer.verifyingKey).bytes32
        puppet.apply(
            .author(.rule(.grant(.photographer, to: granted), salt: puppet.random.bytes(16)), by: nil, Ticket(1)))
        #expect(puppet.replica.state.gallery.count == 302)

        let alone = try puppet.replica.effect(of: .participant, of: member.bytes32)
        #expect(alone.removedDevices == [member])
        #expect(!alone.harmsOthers(than: member.bytes32))
        let tree = Set(own.dropFirst(2).map { DeviceID($0.verifyingKey) })
        #expect(Set(alone.admittedDevices) == tree)
        let effect = try puppet.replica.effect(of: .participant, of: member.bytes32, withAdmitted: true)
        #expect(Set(effect.removedDevices) == tree.union([member]))
        #expect(effect.harmsOthers(than: member.bytes32))
        #expect(effect.lostPhotos.isEmpty && effect.keptPhotoCount == 298)
        #expect(puppet.replica.state.membership.isMember(member), "nothing was done")

        let before = puppet.disk.operations.count
        let removal = Statement.rule(
            .revoke(.participant, of: member.bytes32, withAdmitted: true), salt: puppet.random.bytes(16))
        puppet.apply(.author(removal, by: nil, Ticket(2)))
        #expect(puppet.refused.isEmpty)
        #expect(puppet.authored[Ticket(2)]?.count == 299)
        let stated = puppet.disk.operations.dropFirst(before)
        #expect(stated.count == 299 && stated.allSatisfy { $0.kind == .revokeDevice })
        #expect(stated.first?.header.subject.bytes32 == member.bytes32)
        let after = puppet.replica.state.membership
        #expect(tree.allSatisfy { after.isRevoked($0) } && after.isRevoked(member))
        for device in [double, photographer] + others { #expect(after.isMember(DeviceID(device.verifyingKey))) }
        #expect(puppet.replica.state.gallery.count == 302)
        // What a thief of their keys states afterwards counts for nothing, nor does a device that they let in.
        let late = try admitted(1, by: own[2], puppet).operations
        puppet.send(late)
        #expect(puppet.disk.load(late.map(\.id)).count == 3)
        #expect(puppet.replica.state.gallery.count == 302)
    }

    @Test("a removal is stated again, with those who were let in, only where that leaves more or removes more")
    func withAdmittedAgain() throws {
        let puppet = try Puppet(isMember: true)
        let eve = SigningKey(seed: puppet.random.secret())
        let member = DeviceID(eve.verifyingKey)
        puppet.send([try puppet.join(of: eve)])
        let (own, operations) = try admitted(2, by: eve, puppet)
        let (late, lateOperations) = try admitted(1, by: own[0], puppet)
        puppet.send(operations)
        func remove(_ ticket: UInt64) {
            puppet.apply(
                .author(
                    .rule(
                        .revoke(.participant, of: member.bytes32, withAdmitted: true), salt: puppet.random.bytes(16)),
                    by: nil, Ticket(ticket)))
        }
        remove(1)
        #expect(puppet.authored[Ticket(1)]?.count == 3)
        remove(2)
        #expect(puppet.refused[Ticket(2)] == .nothingToDo)
        // A device that one of them let in before, and that this node did not know.
        puppet.send(lateOperations)
        #expect(!puppet.replica.state.membership.isMember(DeviceID(late[0].verifyingKey)))
        #expect(puppet.replica.state.gallery.count == 2)
        remove(3)
        #expect(puppet.authored[Ticket(3)]?.count == 1, "the sponsor's revocation leaves the join now")
        #expect(puppet.replica.state.gallery.count == 3)
        remove(4)
        #expect(puppet.authored[Ticket(4)]?.count == 1, "which makes the device a member, to be removed itself")
        #expect(puppet.replica.state.gallery.count == 3)
        #expect(!puppet.replica.state.membership.isMember(DeviceID(late[0].verifyingKey)))
        remove(5)
        #expect(puppet.refused[Ticket(5)] == .nothingToDo)
    }

    @Test("a statement of many operations of which the disk takes only a part is made up for by the next one")
    func partOfRemoval() throws {
        let puppet = try Puppet(isMember: true)
        let eve = SigningKey(seed: puppet.random.secret())
        let member = DeviceID(eve.verifyingKey)
        puppet.send([try puppet.join(of: eve)])
        let (own, operations) = try admitted(299, by: eve, puppet)
        for start in stride(from: 0, to: operations.count, by: 150) {
            puppet.send(Array(operations[start..<min(start + 150, operations.count)]))
        }
        let removal = Statement.rule(
            .revoke(.participant, of: member.bytes32, withAdmitted: true), salt: puppet.random.bytes(16))
        puppet.answersDisk = false
        puppet.apply(.author(removal, by: nil, Ticket(1)))
        puppet.answerDisk(upTo: 1)
        #expect(puppet.authored[Ticket(1)] == nil)
        #expect(own.count { puppet.replica.state.membership.isRevoked(DeviceID($0.verifyingKey)) } == 255)
        puppet.failDisk()
        #expect(puppet.refused[Ticket(1)] == .notStored)
        puppet.wait(milliseconds: 60_000)
        puppet.apply(.author(removal, by: nil, Ticket(2)))
        #expect(puppet.authored[Ticket(2)]?.count == 44)
        #expect(own.allSatisfy { puppet.replica.state.membership.isRevoked(DeviceID($0.verifyingKey)) })
        #expect(puppet.replica.state.gallery.count == 299)
    }
}
