// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// As much work as a member may ask of a node at once: operations of an unknown author, requests, and a holding.
struct Flood {
    private let orphans: [UncheckedOperation]

    /// - Parameter time: the operations' time, in milliseconds of a wall clock.
    init(_ event: EventID, at time: UInt64, _ random: inout SplitMix64) {
        let stranger = SigningKey(seed: random.secret())
        orphans = (0..<20).compactMap { place in
            try? VerifiedOperation(
                draft: Draft(kind: .claim, subject: OperationID(BLAKE2b.hash([UInt8(place)])), argument: 1),
                event: event, sequence: UInt32(place), previous: .none,
                timestamp: HybridTimestamp(milliseconds: time, counter: 0), key: stranger)
        }.map(UncheckedOperation.init)
    }

    /// Returns the messages to one node. Requests and holding differ from node to node.
    func messages(from device: DeviceID, _ random: inout SplitMix64) -> [PeerMessage] {
        var messages = Array(repeating: PeerMessage.operations(orphans), count: 4)
        messages.append(.want((0..<200).map { OperationID(BLAKE2b.hash([UInt8($0)])) }, set: .content))
        for _ in 0..<50 {
            messages.append(
                .request(
                    ChunkRequest(
                        request: UInt32(truncatingIfNeeded: random.next()),
                        blob: BlobID(
                            root: BlobRoot(BLAKE2b.hash(random.bytes(8))), blobClass: .original, byteCount: 1 << 20),
                        firstChunk: 0, chunkCount: 4, withList: true)))
        }
        let start = UInt32(random.next() % 200_000)
        messages.append(
            .have(Have(holdings: [.init(device: device, blobClass: .thumbnail, sequences: [start..<start + 1])])))
        return messages
    }
}
