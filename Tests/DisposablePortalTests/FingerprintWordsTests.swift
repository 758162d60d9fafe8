// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Testing

@Suite struct FingerprintWordsTests {
    // Made with argon2-cffi and the page's own list of words.
    @Test("an event's words are those that other programs make of its key")
    func vector() throws {
        let key = VerifyingKey(try #require(Bytes32(Array(0..<32))))
        #expect(try FingerprintWords.words(of: key) == ["potato", "kangaroo", "doctor", "robust"])
    }

    @Test("there are 2,048 different words, and none is the beginning of a mistake: only small letters")
    func list() {
        #expect(WordList.words.count == 2_048)
        #expect(Set(WordList.words).count == 2_048)
        #expect(WordList.words.allSatisfy { $0.utf8.allSatisfy { (97...122).contains($0) } })
    }

    @Test("words are read however they are written, and one that is not in the list is none")
    func reading() {
        #expect(WordList.indexes(of: " Ruby, CLERK;\ncurtain bacon ") == [1498, 351, 436, 126])
        #expect(WordList.indexes(of: "ruby clerk xyzzy") == nil)
    }
}
