// SPDX-License-Identifier: Apache-2.0
internal import CBLAKE2

extension BLAKE2b {
    /// Returns the 32-byte hash of each message. Of messages of the same length four are hashed at once, where the
    /// processor can, in less time than two.
    public static func hashes(of messages: [[UInt8]]) -> [Bytes32] {
        guard cblake2_is_fast() != 0 else { return messages.map { hash($0.span) } }
        var hashes = [Bytes32?](repeating: nil, count: messages.count)
        var waiting: [Int: [Int]] = [:]
        func fill(_ places: [Int]) {
            guard places.count > 1, !messages[places[0]].isEmpty else {
                for place in places { hashes[place] = hash(messages[place]) }
                return
            }
            // Fewer than four are filled up with the first.
            let four = places + Array(repeating: places[0], count: 4 - places.count)
            for (place, hash) in zip(places, hashFour(four.map { messages[$0] })) { hashes[place] = hash }
        }
        for (place, message) in messages.enumerated() {
            waiting[message.count, default: []].append(place)
            if waiting[message.count]?.count == 4, let four = waiting.removeValue(forKey: message.count) { fill(four) }
        }
        for rest in waiting.values { fill(rest) }
        return hashes.map { $0! }  // each place was in `waiting`
    }

    private static func hashFour(_ messages: [[UInt8]]) -> [Bytes32] {
        let byteCount = messages[0].count
        precondition(messages.count == 4 && byteCount > 0 && messages.allSatisfy { $0.count == byteCount })
        let hashes = [UInt8](unsafeUninitializedCapacity: 4 * Bytes32.byteCount) { hashes, count in
            messages[0].withUnsafeBufferPointer { first in
                messages[1].withUnsafeBufferPointer { second in
                    messages[2].withUnsafeBufferPointer { third in
                        messages[3].withUnsafeBufferPointer { fourth in
                            cblake2_hash_four(
                                [first.baseAddress, second.baseAddress, third.baseAddress, fourth.baseAddress],
                                byteCount, hashes.baseAddress)
                        }
                    }
                }
            }
            count = 4 * Bytes32.byteCount
        }
        return (0..<4).map { Bytes32(Array(hashes[$0 * Bytes32.byteCount..<($0 + 1) * Bytes32.byteCount]))! }
    }
}
