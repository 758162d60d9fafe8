// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Copies from one source to many") struct SwarmingTests {
    /// Eight receivers and one source of 80 MB, on a switch with 50 Mbit/s to each.
    @Test("each chunk leaves the source about once, and all have it in little more time than one copy takes")
    func oneSource() throws {
        let swarm = try Swarm.joined(9, seed: 70, frames: 100)
        swarm.network.medium.hostRate = 6_250
        swarm.network.medium.latencies = 1...2
        let source = swarm.nodes[0]
        for other in swarm.nodes.dropFirst() { swarm.cut(source, other) }
        let chunkCount = 16
        let photoCount = 20
        try swarm.add(
            photoCount, by: source,
            Swarm.Sizes(thumbnail: nil, preview: nil, original: chunkCount * ChunkLayout.chunkPlaintextByteCount))
        var served = 0
        source.storage.answerRead = { read, result in
            if case .chunk = read { served += 1 }
            return result
        }
        let sentBefore = swarm.network.sentByteCount
        swarm.healAll()
        try swarm.drive("connections") { swarm.nodes.dropFirst().allSatisfy { !swarm.openLinks(source, $0).isEmpty } }
        let began = swarm.now
        try swarm.drive(within: 4_000_000, milliseconds: 600_000, askingEvery: 500, "all copies") { swarm.isComplete() }
        let byteCount = photoCount * chunkCount * ChunkLayout.chunkPlaintextByteCount
        let timePerBound = Double(swarm.now - began) / Double(byteCount / 6_250)
        let copiesFromSource = Double(served) / Double(photoCount * chunkCount)
        let bytesPerNeeded = Double(swarm.network.sentByteCount - sentBefore) / Double(8 * byteCount)
        // 1.25 with this seed; 1.9 without shares.
        #expect(timePerBound < 1.4)
        #expect(copiesFromSource < 1.4)
        #expect(bytesPerNeeded < 1.05)
    }
}
