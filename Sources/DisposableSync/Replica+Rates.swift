// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Rate limits for members' operations. Nothing is dropped: the node stops reading from a peer that is too fast for a
/// while, and TCP slows down the other side.
extension Replica {
    /// Starts the allowance of a device. Operations that it signed while it was not connected it may send at once: as
    /// many as it could sign in that time, which for a device that connects for the first time is any number.
    mutating func beginAllowance(of connection: ConnectionID, _ device: DeviceID) {
        let limit = Int(OperationHeader.contentSequenceLimit)
        let level = pipeline.budgets.departed[device]?.saved(at: now.milliseconds, atMost: limit) ?? limit
        peers[connection]?.rates.operations = Allowance(
            perSecond: Limits.operationsPerSecond, burst: Limits.operationsBurstMax, level: level, at: now.milliseconds)
    }

    /// Stores the allowance of a member. Those of other devices are dropped: there may be any number of them.
    mutating func keepAllowance(of peer: Peer) {
        guard !peer.isBundle, let device = peer.device, state.membership.isMember(device) else { return }
        pipeline.budgets.departed[device] = peer.rates.operations
    }

    /// Charges operations that the peer sends and that it, or a guest of its, has signed. Those of others are charged
    /// to sponsor trees (`OperationBudgets`).
    mutating func charge(_ operations: [UncheckedOperation], _ connection: ConnectionID) {
        guard let device = peers[connection]?.device else { return }
        let own = operations.count { isOwn($0.header.device, of: device) }
        if own > 0 { peers[connection]?.rates.operations?.spend(own, at: now.milliseconds) }
    }

    func isOwn(_ author: DeviceID, of device: DeviceID) -> Bool {
        author == device
            || (index.joins[author]?.sponsor == device && state.membership.author(of: author) != AuthorID(author))
    }

    mutating func charge(_ message: PeerMessage, _ connection: ConnectionID) {
        switch message {
        case .reconcile, .want, .ping, .admission, .addresses, .register, .pages, .later:
            peers[connection]?.rates.steering.spend(1, at: now.milliseconds)
        case .authentication, .pong, .close, .operations, .have, .request, .list, .data, .refusal, .cancel: break
        }
    }

    /// Pauses reading from an overdrawn peer. The pause does not count as the peer's silence.
    mutating func pauseIfOverdrawn(_ connection: ConnectionID) {
        guard let peer = peers[connection], let until = peer.rates.levelAt, until > now.milliseconds else { return }
        peer.liveness.excuse(until: until)
        outputs.append(.pause(connection, milliseconds: until - now.milliseconds))
    }
}
