// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Connections in doubt") struct DoubtTests {
    private static let patience = UInt64(Limits.probeMillisecondsMax)

    @Test("a node that has slept asks at once who is still there, and soon lets go of who is not")
    func silentPeer() throws {
        let puppet = try Puppet(isMember: true)
        _ = puppet.take()
        puppet.readsBytes = false
        puppet.apply(.interrupted)
        puppet.wait(milliseconds: Self.patience - 1)
        #expect(!puppet.isClosed)
        puppet.wait(milliseconds: 1)
        #expect(puppet.replicaCode == .unresponsive)
    }

    @Test("any sign of life is enough, however long the node has slept")
    func livePeer() throws {
        let puppet = try Puppet(isMember: true)
        _ = puppet.take()
        puppet.sleep(milliseconds: 600_000)
        puppet.apply(.interrupted)
        let nonces = puppet.take().compactMap { if case .ping(let ping) = $0 { ping.nonce } else { nil } }
        #expect(nonces.count == 1, "asked once")
        puppet.wait(milliseconds: Self.patience - 1)
        puppet.send(.cancel(request: 1))
        puppet.wait(milliseconds: 10_000)
        #expect(!puppet.isClosed)
    }

    @Test("being interrupted again and again neither storms the peers nor puts off the end of a dead one")
    func manyInterruptions() throws {
        let puppet = try Puppet(isMember: true)
        _ = puppet.take()
        for _ in 0..<100 { puppet.apply(.interrupted) }
        #expect(puppet.take().count { if case .ping = $0 { true } else { false } } == 1)
        for _ in 0..<10 where !puppet.isClosed {
            puppet.wait(milliseconds: Self.patience / 4)
            puppet.apply(.interrupted)
        }
        #expect(puppet.replicaCode == .unresponsive)
    }

    @Test("addresses that failed are dialled again at once after an interruption, also those due in a minute")
    func redial() throws {
        let puppet = try Puppet(isMember: true)
        let address = PeerAddress(host: "10.0.0.77", port: 8028)
        puppet.apply(.sighted(address, isPersistent: true))
        func dialCount() -> Int { puppet.dialled.count { $0 == address } }
        while dialCount() < 8 { puppet.wait(milliseconds: 1_000) }
        puppet.wait(milliseconds: 1_000)
        let count = dialCount()
        puppet.apply(.interrupted)
        puppet.wait(milliseconds: 500)
        #expect(dialCount() > count)
    }
}
