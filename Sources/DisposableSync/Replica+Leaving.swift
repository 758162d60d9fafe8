// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Leaving: another node must have this device's last operations, and the photos that are to stay, before its own node
/// forgets everything.
extension Replica {
    /// The progress of handing over the data of a leaving device to others.
    public struct Handover: Equatable, Sendable {
        /// Whether another member has the whole authority set, above all the leave and the deletions.
        public let isHeard: Bool
        /// The number of photos that are signed on this node and are to stay.
        public let photoCount: Int
        /// The number of these whose stored blobs connected members have as well; for photos beyond the quota, of which
        /// others need not fetch more (§11.4), only the thumbnail.
        public let heldCount: Int

        public var isComplete: Bool { isHeard && heldCount == photoCount }
    }

    public var handover: Handover {
        let others = peers.filter { _, peer in
            peer.device.map { $0 != device && state.membership.isMember($0) } ?? false
        }
        let photos = state.photos.filter { signs(for: $0.device) && !$0.status.isWithdrawn }
        let held = photos.count { photo in
            blobs.completeBlobs(of: photo.id).allSatisfy { blob in
                if photo.status == .waiting, blob.blobClass != .thumbnail { return true }
                return others.values.contains { blobs.holds(blob, in: $0.holdings) }
            }
        }
        let authority = summary(of: .authority)
        return Handover(
            isHeard: others.values.contains { $0.reconciliation.summaries?.authority == authority },
            photoCount: photos.count,
            heldCount: held)
    }

    /// Whether another node could receive this one's operations.
    public var hasOthers: Bool { state.membership.hasOtherNodes(than: device) }

    /// Pings members, which answer with summaries of their sets. Not more often than they accept.
    mutating func askWhatIsThere() {
        let authority = summary(of: .authority)
        for (connection, peer) in peers {
            guard let other = peer.device, other != device, state.membership.isMember(other),
                peer.reconciliation.summaries?.authority != authority,
                now.milliseconds >= peer.liveness.pingedAt + 500
            else { continue }
            ping(connection)
        }
    }
}
