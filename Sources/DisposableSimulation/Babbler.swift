// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync
internal import DisposableWire

/// A peer that repeats the messages of others with some of the bytes wrong.
struct Babbler {
    /// The latest received messages of any type.
    private var overheard: [PeerMessage] = []

    private static let overheardMax = 32

    mutating func hear(_ message: PeerMessage) { overheard = overheard.suffix(Self.overheardMax - 1) + [message] }

    /// Sends garbage. Each connection ends with the first invalid message; the next is dialled a moment later.
    func act(_ heard: [UncheckedOperation], _ random: inout SplitMix64, _ connections: inout DishonestConnections) {
        let samples = [PeerMessage.operations(Array(heard.suffix(8))).bytes] + overheard.map(\.bytes)
        var mutator = Mutator(seed: random.next(), samples: samples, byteCountMax: 40_000)
        for connection in connections.live {
            for _ in 0..<8 { connections.send(garbage: mutator.next(), connection) }
        }
    }
}
