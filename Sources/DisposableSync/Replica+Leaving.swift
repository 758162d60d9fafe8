// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Going: what this device says last must be with somebody else, and what is to stay of it, before its node forgets
/// all.
extension Replica {
    /// How far others have what a device leaves here.
    public struct Handover: Equatable, Sendable {
        /// Whether another member has all that was said with authority, the leave and the removals above all.
        public let isHeard: Bool
        /// The photos that are signed on this node and are to stay.
        public let photoCount: Int
        /// Of those, the ones of which all that is here is with other members that are connected; of photos beyond the
        /// roll, of which others need not fetch more (§11.4), the thumbnail.
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
            isHeard: others.values.contains { $0.told?.authority == authority }, photoCount: photos.count,
            heldCount: held)
    }

    /// Whether there is another node that could hear what this one says.
    public var hasOthers: Bool { state.membership.hasOtherNodes(than: device) }

    /// Members say in their answers what they have by then. Asked no more often than they listen.
    mutating func askWhatIsThere() {
        let authority = summary(of: .authority)
        for (connection, peer) in peers {
            guard let other = peer.device, other != device, state.membership.isMember(other),
                peer.told?.authority != authority,
                now.milliseconds >= (peer.pingSentAt?.milliseconds ?? 0) + 500
            else { continue }
            ping(connection)
        }
    }
}
