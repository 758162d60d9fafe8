// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import Testing

@Suite struct GuestSeedTests {
    private func seed(_ bytes: [UInt8]) throws -> GuestSeed {
        var bytes = bytes
        return try #require(GuestSeed(SecretBytes(consuming: &bytes)))
    }

    // Made with Python's hashlib and cryptography.
    @Test("a seed gives the key and the words that other programs make of it")
    func vector() throws {
        let seed = try seed(Array(0..<16))
        let event = EventID(Bytes32([UInt8](repeating: 0xEE, count: 32))!)
        #expect(
            seed.signingKey(in: event).verifyingKey.description
                == "d6e45a8c0d0dcfa21d37f442e82b81f93a961cc85672f4fa0ed1a5ec5faf8040")
        #expect(seed.wordIndexes == [0, 64, 1030, 64, 643, 28, 257, 266, 88, 771, 540, 253])
    }

    @Test("a seed has another key in another event")
    func events() throws {
        let seed = try seed(Array(0..<16))
        let keys = (0..<3).map {
            seed.signingKey(in: EventID(Bytes32([UInt8](repeating: $0, count: 32))!)).verifyingKey
        }
        #expect(Set(keys).count == 3)
    }

    @Test("the words give the seed back", arguments: [0, 1, 127, 128, 255] as [UInt8])
    func wordsAndBack(byte: UInt8) throws {
        let words = try seed([UInt8](repeating: byte, count: 16)).wordIndexes
        let back = try #require(GuestSeed(wordIndexes: words))
        #expect(back.wordIndexes == words)
        let event = EventID(Bytes32.zero)
        #expect(
            try back.signingKey(in: event).verifyingKey
                == seed([UInt8](repeating: byte, count: 16)).signingKey(in: event).verifyingKey)
    }

    @Test("of all last words, one in sixteen passes as the check of the other eleven")
    func check() throws {
        let words = try seed(Array(0..<16)).wordIndexes
        let passing = (0..<2048).filter { GuestSeed(wordIndexes: words.dropLast() + [$0]) != nil }
        #expect(passing.contains(words[11]))
        // Each last word holds seven bits of the seed, so each of 128 seeds has one; their hashes differ.
        #expect(passing.count == 128)
    }

    @Test("numbers that are no twelve words of the list give nothing")
    func malformed() {
        #expect(GuestSeed(wordIndexes: []) == nil)
        #expect(GuestSeed(wordIndexes: [Int](repeating: 0, count: 11)) == nil)
        #expect(GuestSeed(wordIndexes: [Int](repeating: 2048, count: 12)) == nil)
        #expect(GuestSeed(wordIndexes: [Int](repeating: -1, count: 12)) == nil)
    }

    @Test("numbers are cut big-endian, eleven bits each")
    func cut() {
        #expect(WordIndexes.cut([0xFF, 0xE0, 0, 0, 0, 0x10], count: 4) == [2047, 0, 0, 1])
    }
}
