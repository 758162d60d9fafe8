// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// The remaining room in an inventory.
struct InventoryBudget {
    private var placesCount = Limits.registerPlacesMax
    /// Half a kilobyte is for the rest of it.
    private var byteCount = Limits.registerByteCountMax - 512

    /// Returns the bytes for naming these operations of one device, with protobuf's overhead: two fields and two
    /// lengths.
    static func cost(of sequences: [Int]) -> Int { 32 + (sequences.max() ?? 0) / 8 + 1 + 12 }

    /// Returns the places of the devices that fit, the first ones first; the result is in the order of keys.
    /// - Parameter others: the number of later lists that share the room.
    mutating func places(
        _ operations: [(device: DeviceID, sequences: [Int])], sharingWith others: Int
    ) -> [Register.Places] {
        let bytesLeft = byteCount - byteCount / (others + 1)
        let placesLeft = placesCount - placesCount / (others + 1)
        var result: [Register.Places] = []
        for (device, sequences) in operations {
            let cost = Self.cost(of: sequences)
            // A missing claim is not a false one.
            guard placesCount > placesLeft, byteCount - cost >= bytesLeft else { continue }
            var bits = ChunkBitmap(chunkCount: 1 + (sequences.max() ?? 0))
            for sequence in sequences { bits[sequence] = true }
            placesCount -= 1
            byteCount -= cost
            result.append(Register.Places(device: device, bits: bits))
        }
        return result.sorted { $0.device < $1.device }
    }
}
