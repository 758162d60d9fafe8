// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// Operations that arrive together, or while the disk is busy, are derived together.
@Suite("Operations in batches") struct BatchTests {
    private func joins(_ count: Int, by sponsor: SigningKey, _ puppet: Puppet) throws -> [VerifiedOperation] {
        try (0..<count).map { _ in
            try puppet.join(of: SigningKey(seed: puppet.random.secret()), sponsoredBy: sponsor)
        }
    }

    @Test("600 joins by a removed device derive nothing again, and a restart derives everything once")
    func restart() throws {
        let puppet = try Puppet(isMember: true)
        let device = DeviceID(puppet.key.verifyingKey).bytes32
        puppet.apply(
            .author(.rule(.revoke(.participant, of: device), salt: puppet.random.bytes(16)), by: nil, Ticket(1)))
        let before = puppet.replica.state.resolutionCount
        puppet.disk.write(try joins(600, by: puppet.key, puppet), durably: true)
        puppet.restart()
        #expect(before > 0 && puppet.replica.state.resolutionCount == 1)
        #expect(puppet.replica.summary(of: .authority).count == 604)
        #expect(puppet.replica.state.membership.devices.count == 1)
    }

    @Test("operations that come one a message while the disk is busy are derived from together")
    func oneAMessage() throws {
        let puppet = try Puppet(isMember: true)
        let count = puppet.replica.state.resolutionCount
        puppet.answersDisk = false
        // Each of them makes an organizer, which causes a new derivation.
        let joins = try joins(300, by: puppet.founding.eventKey, puppet)
        for join in joins { puppet.send([join]) }
        #expect(puppet.replica.state.membership.count == 2)
        puppet.answerDisk()
        #expect(puppet.replica.state.membership.count == 302)
        #expect(puppet.replica.state.resolutionCount <= count + 3)
    }

    @Test("what was checked while the disk was busy is stored though its connection has ended")
    func closedMeanwhile() throws {
        let puppet = try Puppet(isMember: true)
        puppet.answersDisk = false
        for join in try joins(20, by: puppet.key, puppet) { puppet.send([join]) }
        puppet.apply(.disconnected(ConnectionID(1)))
        puppet.answerDisk()
        #expect(puppet.replica.state.membership.count == 22)
    }
}
