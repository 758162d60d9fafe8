// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

@Suite("The event key on paper") struct EventKeyWordsTests {
    private func seed(_ byte: UInt8) -> SecretBytes {
        var bytes = (UInt8(0)..<32).map { $0 &* 7 &+ byte }
        return SecretBytes(consuming: &bytes)
    }

    @Test("24 words bring the seed back, and it is the same key")
    func roundTrip() throws {
        for byte in UInt8(0)..<50 {
            let indexes = EventKeyWords.indexes(of: seed(byte))
            #expect(indexes.count == EventKeyWords.count && indexes.allSatisfy { (0..<2_048).contains($0) })
            let back = try #require(EventKeyWords.seed(indexes))
            #expect(SigningKey(seed: back).verifyingKey == SigningKey(seed: seed(byte)).verifyingKey)
        }
    }

    @Test("words that are missing, of no list, or changed are nearly always noticed")
    func mistakes() {
        let indexes = EventKeyWords.indexes(of: seed(1))
        #expect(EventKeyWords.seed(Array(indexes.dropLast())) == nil)
        #expect(EventKeyWords.seed(indexes + [0]) == nil)
        #expect(EventKeyWords.seed(Array(indexes.dropLast()) + [2_048]) == nil)
        var missedCount = 0
        for place in indexes.indices {
            for change in 1..<20 {
                var changed = indexes
                changed[place] = (changed[place] + change) % 2_048
                if EventKeyWords.seed(changed) != nil { missedCount += 1 }
            }
        }
        // One of 256 passes eight check bits; such a key is another event's and refused for that.
        #expect(missedCount < 12)
    }
}
