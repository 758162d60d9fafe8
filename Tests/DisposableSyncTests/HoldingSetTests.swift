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

    @Test("with very many ranges what lies between two of a device counts as held, and every device keeps a place")
    func coarse() {
        var holdings = HoldingSet()
        let others = (UInt8(2)..<4).map { DeviceID(BLAKE2b.hash([$0])) }
        for other in others {
            for number in 0..<UInt32(HoldingSet.exactRangesMax / 2) {
                holdings.insert(2 * number..<2 * number + 1, device: other, blobClass: .original)
            }
        }
        #expect(!holdings.isExact && !holdings.contains(1, device: others[0], blobClass: .original))
        let count = holdings.rangeCount
        for number in [UInt32(10), 20, 5, 30] {
            #expect(holdings.insert(number..<number + 2, device: device, blobClass: .original) == [number..<number + 2])
            #expect(holdings.contains(number, device: device, blobClass: .original))
            #expect(holdings.contains(number + 1, device: device, blobClass: .original))
        }
        #expect(holdings.contains(25, device: device, blobClass: .original), "between two")
        #expect(holdings.rangeCount == count + 1)
        #expect(!holdings.contains(4, device: device, blobClass: .original))
        #expect(!holdings.contains(32, device: device, blobClass: .original))
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
