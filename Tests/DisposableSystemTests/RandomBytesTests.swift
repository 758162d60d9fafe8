// SPDX-License-Identifier: Apache-2.0
import DisposableSystem
import Testing

@Suite struct RandomBytesTests {
    @Test("random bytes have the length that was asked for, and no two of them are equal")
    func distinct() {
        let values = (0..<64).map { _ in [UInt8].random(count: 32) }
        #expect(values.allSatisfy { $0.count == 32 })
        #expect(Set(values).count == values.count)
        #expect([UInt8].random(count: 0).isEmpty)
    }

    @Test("each value of a byte occurs, and none much more often than the others")
    func spread() {
        var counts = [Int](repeating: 0, count: 256)
        for byte in [UInt8].random(count: 256 * 1_000) { counts[Int(byte)] += 1 }
        // Ten standard deviations around 1,000: random bytes leave this range less than once in 10^17 runs.
        #expect(counts.allSatisfy { (684...1_316).contains($0) })
    }
}
