// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import Testing

@Suite("HoldingSet") struct HoldingSetTests {
    private let device = DeviceID(BLAKE2b.hash([1]))

    @Test("ranges in any order hold what a plain set holds, in as few ranges as possible", arguments: UInt64(0)..<50)
    func likeASet(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var holdings = HoldingSet()
        var plain: Set<UInt32> = []
        for _ in 0..<30 {
            let start = UInt32.random(in: 0..<100, using: &random)
            let range = start..<start + UInt32.random(in: 1...9, using: &random)
            let news = holdings.insert(range, device: device, blobClass: .preview)
            #expect(news.flatMap(\.self) == range.filter { !plain.contains($0) })
            plain.formUnion(range)
            for number in 0..<UInt32(120) {
                #expect(
                    holdings.contains(number, device: device, blobClass: .preview) == plain.contains(number))
            }
            #expect(holdings.rangeCount == plain.count { !plain.contains($0 &- 1) })
        }
    }

    @Test("classes and devices are kept apart")
    func apart() {
        var holdings = HoldingSet()
        holdings.insert(3..<5, device: device, blobClass: .preview)
        #expect(!holdings.contains(3, device: device, blobClass: .original))
        #expect(!holdings.contains(3, device: DeviceID(BLAKE2b.hash([2])), blobClass: .preview))
        #expect(!holdings.contains(5, device: device, blobClass: .preview))
    }
}
