// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Bundles (protocol/bundle.md): a file of operations and blobs that was carried here, as a peer.
///
/// The file answers like a node that serves and never asks, so everything in it takes the way of a peer's data:
/// reconciliation, budgets, signatures, the list and the hash of each chunk. It differs in four points. Only this node
/// asks. It is trusted like this device, since a person here has named the file and a member has sealed it. Blobs with
/// wrong chunks are left out, and the rest is taken. And it does not end `mustReconcile`, since it may be old.
extension Replica {
    mutating func bundleOpened(_ connection: ConnectionID, _ entropy: Entropy) {
        let machine = PeerConnection.ofBundle(
            credentials: keyring.current, staticKey: identity.staticKey,
            entropy: .init(ephemeral: entropy.ephemeral, salt: entropy.salt), key: identity.deviceKey, claims: claims)
        let peer = Peer(connection: machine, address: nil, host: "", at: now.milliseconds)
        peer.isBundle = true
        peer.device = device
        peer.process.instance = identity.instance
        peers[connection] = peer
        guard !isStopping else { return remove(connection, code: .shuttingDown) }
        scheduler.addPeer(connection)
        beginAllowance(of: connection, device)
        watch(connection)
        ping(connection)
    }

    mutating func bundleAnswered(_ connection: ConnectionID, _ messages: [PeerMessage]) {
        guard let peer = peers[connection] else { return }
        peer.liveness.received(at: now.milliseconds)
        for message in messages {
            receive(message, from: connection)
            guard peers[connection] === peer else { return }
        }
    }

    /// Whether nothing of the bundle is in progress: this node has all of it that it accepts. Also true once it is
    /// closed.
    public func hasTaken(bundle connection: ConnectionID) -> Bool {
        guard let peer = peers[connection] else { return true }
        let isCompared = peer.reconciliation.isSynchronized || peer.reconciliation.hasEnded
        return isCompared && peer.reconciliation.session == nil && peer.intake.isIdle && !isReviewingInterest
            && !scheduler.awaits(connection)
    }

    public func isOpen(bundle connection: ConnectionID) -> Bool { peers[connection] != nil }

    /// Whether the operation is in the set.
    public func contains(_ item: ItemSet.Item, in set: OperationSet) -> Bool { index.contains(item, in: set) }

    /// The blobs that are completely here, of photos that are not withdrawn.
    public var completeBlobs: [BlobID] { blobs.completeBlobs }
}
