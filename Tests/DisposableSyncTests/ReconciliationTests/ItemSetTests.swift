// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableSync
import Testing

@Suite struct ItemSetTests {
    /// The fingerprint by the book: bytes added with carry, one id after the other.
    private func fingerprint(of items: some Sequence<Item>) -> Fingerprint? {
        var sum = [UInt8](repeating: 0, count: 32)
        var count = 0
        for item in items {
            var carry = 0
            for (index, byte) in item.id.bytes.enumerated() {
                carry += Int(sum[index]) + Int(byte)
                sum[index] = UInt8(carry & 0xFF)
                carry >>= 8
            }
            count += 1
        }
        var hash = SHA256()
        hash.update(sum.span)
        let digits: [UInt8] =
            count < 128
            ? [UInt8(count)]
            : count < 16384
                ? [UInt8(count >> 7) | 0x80, UInt8(count & 0x7F)]
                : [UInt8(count >> 14) | 0x80, UInt8(count >> 7 & 0x7F) | 0x80, UInt8(count & 0x7F)]
        hash.update(digits.span)
        return Fingerprint(hash.finalize().bytes.prefix(16))
    }

    @Test("the fingerprint of no items is that of thirty-three zero bytes")
    func emptyFingerprint() {
        // printf '\0%.0s' {1..33} | sha256sum
        #expect(ItemSet().fingerprint.description == "7f9c9e31ac8256ca2f258583df262dbc")
        #expect(ItemSet().fingerprint == ItemSet.Snapshot().fingerprint)
    }

    @Test("insertions and removals in any order give the set, its order and its fingerprint", arguments: UInt64(0)..<10)
    func agreesWithModel(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pool = random.items(count: 6000, timestampStart: 0, timestampSpan: [3, 500, 1 << 40][Int(seed % 3)])
        let initial = pool.prefix(Int(random.next() % 4000))
        var set = ItemSet(initial + initial.prefix(10))
        var model = Set(initial)
        for _ in 0..<8000 {
            let item = pool.randomElement(using: &random)!
            if random.next() % 4 == 0 {
                #expect(set.remove(item) == (model.remove(item) != nil))
            } else {
                #expect(set.insert(item) == model.insert(item).inserted)
            }
            if random.next() % 2000 == 0 { #expect(set.snapshot().items == model.sorted()) }
        }
        #expect(set.count == model.count)
        #expect(pool.allSatisfy { set.contains($0) == model.contains($0) })
        #expect(set.fingerprint == fingerprint(of: model))
        let snapshot = set.snapshot()
        #expect(snapshot.items == model.sorted())
        #expect(snapshot.fingerprint == set.fingerprint)
        #expect(pool.allSatisfy { snapshot.contains($0) == model.contains($0) })
        #expect(ItemSet(model).fingerprint == set.fingerprint)
    }

    @Test("a snapshot stays as it was while the set goes on changing")
    func snapshotIsAValue() {
        var random = SplitMix64(seed: 1)
        let items = random.items(count: 5000, timestampStart: 0, timestampSpan: 1000)
        var set = ItemSet(items.prefix(1000))
        let before = set.snapshot()
        for item in items { set.insert(item) }
        set.remove(items[0])
        #expect(before.items == items.prefix(1000).sorted())
        #expect(set.snapshot().items == items.dropFirst().sorted())
    }

    @Test("an item that was removed and inserted again is there once")
    func removedAndInsertedAgain() {
        let item = Item(timestamp: 5, id: BLAKE2b.hash([5]))
        var set = ItemSet([item])
        let fingerprint = set.fingerprint
        #expect(set.remove(item) == true)
        #expect(!set.contains(item))
        #expect(set.fingerprint == ItemSet().fingerprint)
        #expect(set.remove(item) == false)
        #expect(set.insert(item) == true)
        #expect(set.insert(item) == false)
        #expect(set.count == 1)
        #expect(set.fingerprint == fingerprint)
        #expect(set.snapshot().items == [item])
    }

    @Test("a fingerprint has sixteen bytes and keeps them")
    func fingerprintBytes() throws {
        let bytes = Array(UInt8(100)..<116)
        #expect(try #require(Fingerprint(bytes)).bytes == bytes)
        #expect(Fingerprint(bytes.dropLast()) == nil)
        #expect(Fingerprint(bytes + [0]) == nil)
    }
}
