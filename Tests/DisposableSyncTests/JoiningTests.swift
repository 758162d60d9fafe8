// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

@Suite("Joining") struct JoiningTests {
    @Test("a newcomer with the secret is admitted and gets everything", arguments: [true, false])
    func newcomer(dials: Bool) throws {
        let swarm = Swarm(seed: 1)
        let host = swarm.addNode()
        try swarm.add(3, by: host)
        let newcomer = swarm.addNode()
        if dials { swarm.introduce(newcomer, to: host) } else { swarm.introduce(host, to: newcomer) }
        try swarm.settle(within: 5_000, milliseconds: 5_000)
        #expect(newcomer.replica?.state.gallery.count == 3)
        #expect(newcomer.replica?.state.membership.role(of: newcomer.device) == .participant)
    }

    @Test("somebody without the secret gets exactly 16 bytes and a closed connection")
    func stranger() throws {
        let swarm = Swarm(seed: 2)
        let host = swarm.addNode()
        let stranger = swarm.addNode(secret: swarm.random.secret())
        swarm.introduce(stranger, to: host)
        try swarm.drive(milliseconds: 30_000)
        #expect(swarm.links.count > 1)
        for link in swarm.links {
            #expect(link.deliveredByteCount[0] == 16)
            #expect(link.isOpen == [false, false])
        }
        #expect(stranger.replica?.state.charter == nil)
        #expect(host.replica?.livePeers.isEmpty == true)
    }
}
