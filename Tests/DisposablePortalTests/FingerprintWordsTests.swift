// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Testing

@Suite struct FingerprintWordsTests {
    // Computed with argon2-cffi and the page's word list.
    @Test("an event's words are the same as in other implementations")
    func vector() throws {
        let key = VerifyingKey(try #require(Bytes32(Array(0..<32))))
        #expect(try FingerprintWords.words(of: key) == ["potato", "kangaroo", "doctor", "robust"])
    }

    @Test("the list has 2,048 different words of lower-case letters")
    func list() {
        #expect(WordList.words.count == 2_048)
        #expect(Set(WordList.words).count == 2_048)
        #expect(WordList.words.allSatisfy { $0.utf8.allSatisfy { (97...122).contains($0) } })
    }

    @Test("words are read in any case and with any separator, and unknown words are refused")
    func reading() {
        #expect(WordList.indexes(of: " Ruby, CLERK;\ncurtain bacon ") == [1498, 351, 436, 126])
        #expect(WordList.indexes(of: "ruby clerk xyzzy") == nil)
    }
}
