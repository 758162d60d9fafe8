// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// A new secret can always be given out, to those who need it first.
@Suite("Recipients of a new secret") struct RecipientTests {
    @Test("9,200 devices of one tree do not keep the secret from being replaced, nor 99 others from having it")
    func crowd() throws {
        let puppet = try Puppet(isMember: true)
        let others = (0..<99).map { _ in SigningKey(seed: puppet.random.secret()) }
        var joins = try others.map { try puppet.join(of: $0) }
        for _ in 0..<9_200 {
            joins.append(try puppet.join(of: SigningKey(seed: puppet.random.secret()), sponsoredBy: puppet.key))
        }
        puppet.disk.write(joins.shuffled(using: &puppet.random), durably: true)
        puppet.restart()
        let entropy = EpochEntropy(
            secret: puppet.random.secret(), seed: puppet.random.secret(), salt: puppet.random.bytes(16))
        puppet.apply(.author(.rotate(entropy), by: nil, Ticket(1)))
        let state = puppet.replica.state
        #expect(state.epochs.chain.count == 1)
        #expect(puppet.disk.operations.count { $0.kind == .epoch } <= 8)
        let insiders = state.insiders
        #expect(others.allSatisfy { insiders.contains(DeviceID($0.verifyingKey)) })
    }
}
