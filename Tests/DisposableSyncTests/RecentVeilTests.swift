// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Devices that knock at an organizer's door, each of which asks for photos of the organizer.
@Suite("Veils that only newly admitted devices ask for") struct RecentVeilTests {
    private let puppet: Puppet
    private let photos: [PhotoID]
    /// Between the admissions of the puppet's device and of the others.
    private let since: UInt64

    init() throws {
        puppet = try Puppet(isMember: false, photos: 3)
        puppet.apply(.author(.rule(.veils(isOn: true), salt: puppet.random.bytes(16)), by: nil, Ticket(100)))
        photos = puppet.replica.state.gallery.map(\.id)
        try #require(photos.count == 3 && puppet.replica.state.album.areVeilsOn)
        puppet.send([try Self.join(puppet.key, puppet)])
        puppet.sleep(milliseconds: 1_000)
        since = NodeClock.epochMilliseconds + puppet.now
        puppet.sleep(milliseconds: 1_000)
    }

    /// A join that claims to be of an hour ago.
    private static func join(
        _ key: SigningKey, sponsoredBy sponsor: SigningKey? = nil, _ puppet: Puppet
    ) throws -> VerifiedOperation {
        let admission = Admission(
            of: DeviceID(key.verifyingKey), to: puppet.founding.id, by: sponsor ?? puppet.founding.deviceKey)
        return try VerifiedOperation(
            draft: Draft(kind: .join, body: OperationBody.encode(.join(admission, nil), salt: puppet.random.bytes(16))),
            event: puppet.founding.id, sequence: 0, previous: .none,
            timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds - 3_600_000, counter: 0), key: key)
    }

    /// Lets in a device, which asks for these photos.
    private func letIn(_ asked: [PhotoID], sponsoredBy sponsor: SigningKey? = nil) throws -> SigningKey {
        let key = SigningKey(seed: puppet.random.secret())
        puppet.send([try Self.join(key, sponsoredBy: sponsor, puppet)])
        puppet.send(try asked.map { try puppet.operation(.veil, subject: $0.operationID, by: key) })
        let album = puppet.replica.state.album
        try #require(asked.allSatisfy { album.veilRequesters(of: $0).contains(DeviceID(key.verifyingKey)) })
        return key
    }

    @Test("a photo that an earlier device asks for is none of them, and a device that claims an earlier time is new")
    func earlier() throws {
        puppet.send(try photos.prefix(2).map { try puppet.operation(.veil, subject: $0.operationID) })
        let first = try letIn([photos[1], photos[2]])
        _ = try letIn([photos[2]], sponsoredBy: first)
        #expect(puppet.replica.state.album.veiledPhotos == Set(photos))
        let recent = puppet.replica.veils(admittedSince: since)
        #expect(recent.photos == [photos[2]] && recent.deviceCount == 2)
        let all = puppet.replica.veils(admittedSince: 0)
        #expect(Set(all.photos) == Set(photos) && all.deviceCount == 3)
        #expect(puppet.replica.veils(admittedSince: since + 3_600_000).photos.isEmpty)
        // Nothing but the claims is left.
        #expect(puppet.restarted().veils(admittedSince: since).photos.isEmpty)
    }

    @Test("what a device with a role asks for is none of them")
    func established() throws {
        let key = try letIn([photos[0]])
        #expect(puppet.replica.veils(admittedSince: since).photos == [photos[0]])
        let grant = Ruling.grant(.photographer, to: DeviceID(key.verifyingKey).bytes32)
        puppet.apply(.author(.rule(grant, salt: puppet.random.bytes(16)), by: nil, Ticket(101)))
        #expect(puppet.replica.veils(admittedSince: since).photos.isEmpty)
    }

    @Test("all of them are lifted by one statement, which leaves the photos that others have decided about")
    func lifted() throws {
        _ = try letIn(photos)
        let recent = puppet.replica.veils(admittedSince: since)
        #expect(Set(recent.photos) == Set(photos))
        puppet.apply(.author(.rule(.hide(photos[0]), salt: puppet.random.bytes(16)), by: nil, Ticket(102)))
        puppet.apply(.author(.rule(.lift(recent.photos), salt: puppet.random.bytes(16)), by: nil, Ticket(103)))
        #expect(puppet.authored[Ticket(103)]?.count == 2)
        #expect(Set(puppet.replica.state.gallery.map(\.id)) == Set(photos[1...]))
        #expect(puppet.replica.veils(admittedSince: since) == RecentVeils(photos: [], deviceCount: 0))
        puppet.apply(.author(.rule(.lift(recent.photos), salt: puppet.random.bytes(16)), by: nil, Ticket(104)))
        #expect(puppet.refused[Ticket(104)] == .nothingToDo)
    }
}
