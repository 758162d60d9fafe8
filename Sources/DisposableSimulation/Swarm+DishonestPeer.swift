// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync

extension Swarm {
    /// Adds a member that misbehaves for this long from now on, with the organizer's present invitation.
    /// - Parameter host: the address of a machine that it shares with others, instead of one of its own.
    @discardableResult package func addDishonestPeer(
        _ mischief: Mischief, milliseconds: UInt64, at host: String? = nil
    ) -> SimulatedNode {
        let node = makeNode(secret: nodes[0].replica?.keyring.current.secret)
        if let host {
            let shared = PeerAddress(host: host, port: UInt16(8_028 + node.index))
            network.move(node.index, from: node.address, to: shared)
            node.address = shared
        }
        node.dishonestPeer = DishonestPeer(
            mischief, founding: founding, secret: node.secret, key: node.deviceKey, endsAt: now + milliseconds,
            random: &random)
        return node
    }
}
