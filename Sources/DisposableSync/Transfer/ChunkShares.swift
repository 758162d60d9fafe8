// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel

/// Divides the chunks that only a source has among its receivers, without messages about it: each group of chunks belongs
/// to the receiver with the highest number, a hash of device and group (rendezvous hashing).
///
/// Receivers that are connected to the same nodes divide in the same way, so none fetches from the source what another
/// is about to pass on. A share is a preference: what its owner has not fetched, a slow one for instance, is the next
/// receiver's turn, by the same numbers, so that not all others fetch it at once.
struct ChunkShares {
    /// A device, as far as shares are concerned.
    struct Member: Equatable {
        fileprivate let number: UInt64
        init(_ device: DeviceID) { number = device.bytes32.words.0 }
    }

    private let own: Member?

    /// - Parameter device: this node's; with `nil` every chunk belongs to it.
    init(of device: DeviceID?) { own = device.map { Member($0) } }

    /// The number of receivers that come before this node for a group of chunks of the blob; 0: it belongs to this node.
    /// - Parameter receivers: the other nodes that do not have the blob yet.
    func turn(at group: Int, of blob: BlobID, among receivers: [Member]) -> Int {
        guard let own else { return 0 }
        let place = Self.mix(blob.root.bytes32.words.0 &+ UInt64(group))
        let number = Self.mix(own.number ^ place)
        return receivers.count { Self.mix($0.number ^ place) > number }
    }

    private static func mix(_ number: UInt64) -> UInt64 {
        var random = SplitMix64(seed: number)
        return random.next()
    }
}
