// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Operations that any member can sign without end have only the photos that they concern shown again.
@Suite("What an operation changes") struct ChangeTests {
    private let puppet: Puppet
    private let ben: SigningKey

    init() throws {
        puppet = try Puppet(isMember: true)
        ben = SigningKey(seed: puppet.random.secret())
        puppet.send([try puppet.join(of: ben)])
    }

    private func photo(by signer: SigningKey) throws -> VerifiedOperation {
        let manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        return try puppet.operation(
            .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: signer)
    }

    /// A claim or gift of Ben's first frame; the one with the lowest number holds it.
    private func claim(
        _ subject: OperationID, number: UInt32, kind: OperationKind = .claim
    ) throws -> VerifiedOperation {
        try VerifiedOperation(
            draft: Draft(kind: kind, subject: subject, argument: 1), event: puppet.founding.id, sequence: number,
            previous: OperationID(puppet.random.bytes(32))!,
            timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0), key: ben)
    }

    @Test("only the first leave of a device has everything loaded again, of those that come together, too")
    func leaves() throws {
        let before = puppet.reloadCount
        puppet.send(try (0..<3).map { _ in try puppet.operation(.leave, by: ben) })
        #expect(puppet.replica.state.membership.hasLeft(DeviceID(ben.verifyingKey)))
        #expect(puppet.reloadCount == before + 1)
        for _ in 0..<20 { puppet.send([try puppet.operation(.leave, by: ben)]) }
        #expect(puppet.reloadCount == before + 1)
    }

    @Test("a claim that takes the frame of another photo changes the photos of that author")
    func claims() throws {
        let (first, second, later) = (try photo(by: ben), try photo(by: ben), try photo(by: ben))
        puppet.send([first, second, try claim(first.id, number: 9)])
        #expect(puppet.replica.state.photo(PhotoID(first.id))?.status == .frame(1))
        let before = puppet.reloadCount
        puppet.forgetChanges()
        puppet.send([try claim(second.id, number: 5)])
        #expect(puppet.replica.state.photo(PhotoID(first.id))?.status == .waiting)
        #expect(puppet.replica.state.photo(PhotoID(second.id))?.status == .frame(1))
        #expect(puppet.changedPhotos == [PhotoID(first.id), PhotoID(second.id)])
        // One that comes before its photo.
        puppet.send([try claim(later.id, number: 3)])
        puppet.forgetChanges()
        puppet.send([later])
        #expect(puppet.replica.state.photo(PhotoID(later.id))?.status == .frame(1))
        #expect(puppet.changedPhotos == Set([first, second, later].map { PhotoID($0.id) }))
        // A claim that loses the frame changes its own photo alone.
        for number in UInt32(20)..<30 {
            puppet.forgetChanges()
            puppet.send([try claim(first.id, number: number)])
            #expect(puppet.changedPhotos == [PhotoID(first.id)])
        }
        #expect(puppet.reloadCount == before)
    }

    @Test("a claim or gift that takes the frame of a gift changes the photos of all who were given it")
    func gifts() throws {
        let (cleo, dora) = (SigningKey(seed: puppet.random.secret()), SigningKey(seed: puppet.random.secret()))
        puppet.send([try puppet.join(of: cleo), try puppet.join(of: dora)])
        let photos = try [ben, cleo, dora].map(photo)
        puppet.send(photos)
        let before = puppet.reloadCount
        puppet.send([try claim(OperationID(cleo.verifyingKey.bytes32), number: 9, kind: .gift)])
        puppet.forgetChanges()
        puppet.send([try claim(OperationID(dora.verifyingKey.bytes32), number: 5, kind: .gift)])
        #expect(puppet.changedPhotos == Set(photos.map { PhotoID($0.id) }))
        puppet.forgetChanges()
        puppet.send([try claim(photos[0].id, number: 3)])
        #expect(puppet.changedPhotos == Set(photos.map { PhotoID($0.id) }))
        #expect(puppet.replica.state.photo(PhotoID(photos[0].id))?.status == .frame(1))
        #expect(puppet.reloadCount == before)
    }

    @Test("an operation that completes the proof of what a removal leaves has everything loaded again, once")
    func proof() throws {
        func next(_ kind: OperationKind, _ number: UInt32, after previous: OperationID) throws -> VerifiedOperation {
            try VerifiedOperation(
                draft: Draft(kind: kind, subject: OperationID(puppet.random.bytes(32))!), event: puppet.founding.id,
                sequence: number, previous: previous,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0), key: ben)
        }
        let photo = try photo(by: ben)
        let claim = try VerifiedOperation(
            draft: Draft(kind: .claim, subject: photo.id, argument: 1), event: puppet.founding.id, sequence: 1,
            previous: photo.id, timestamp: photo.header.timestamp, key: ben)
        let link = try next(.consent, 2, after: claim.id)
        let head = try next(.consent, 3, after: link.id)
        // The organizer knows the last one only, and removes Ben but for what precedes it.
        puppet.send([head])
        let ruling = Ruling.revoke(.participant, of: DeviceID(ben.verifyingKey).bytes32)
        puppet.apply(.author(.rule(ruling, salt: puppet.random.bytes(16)), by: nil, Ticket(1)))
        puppet.send([photo, claim])
        #expect(puppet.replica.state.gallery.isEmpty)
        let before = puppet.reloadCount
        puppet.send([link])
        #expect(puppet.replica.state.gallery.map(\.id) == [PhotoID(photo.id)])
        #expect(puppet.reloadCount == before + 1)
        for number in UInt32(4)..<24 { puppet.send([try next(.consent, number, after: head.id)]) }
        #expect(puppet.reloadCount == before + 1)
    }

    @Test("a join by which a member becomes an organizer has everything loaded again, its other joins have not")
    func joins() throws {
        let before = puppet.reloadCount
        puppet.send([try puppet.join(of: ben, sponsoredBy: puppet.founding.eventKey)])
        #expect(puppet.replica.state.membership.rank(of: DeviceID(ben.verifyingKey)) == .organizer)
        #expect(puppet.reloadCount == before + 1)
        for _ in 0..<20 { puppet.send([try puppet.join(of: ben, sponsoredBy: puppet.key)]) }
        #expect(puppet.reloadCount == before + 1)
    }

    @Test("where very many claims compete for a frame, everything is loaded again instead of listed")
    func many() throws {
        let photo = try photo(by: ben)
        puppet.send([photo])
        puppet.sendInParts(try (UInt32(1_000)..<1_300).map { try claim(photo.id, number: $0) })
        let before = puppet.reloadCount
        puppet.send([try claim(photo.id, number: 5)])
        #expect(puppet.reloadCount == before + 1)
    }
}
