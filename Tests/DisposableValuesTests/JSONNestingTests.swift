// SPDX-License-Identifier: Apache-2.0
import DisposableValues
import Foundation
import Testing

@Suite("The nesting of JSON from others") struct JSONNestingTests {
    private func isRefused(_ text: String) -> Bool {
        (try? JSONNesting.checked(Array(text.utf8))) == nil
    }

    @Test("arrays and objects in each other are accepted up to the limit", arguments: ["[", "{\"a\":"])
    func limit(opening: String) {
        let most = String(repeating: opening, count: JSONNesting.depthMax)
        #expect(!isRefused(most))
        #expect(isRefused(most + opening))
    }

    @Test("arrays beside each other are not counted as nested")
    func beside() { #expect(!isRefused("[" + String(repeating: "[{}],", count: 1_000) + "[]]")) }

    @Test("brackets in strings do not count, also behind escaped quotes and backslashes")
    func strings() {
        let brackets = String(repeating: "[", count: 1_000)
        #expect(!isRefused("[\"\(brackets)\"]"))
        #expect(!isRefused("[\"\\\"\(brackets)\"]"))
        #expect(isRefused("[\"\\\\\"\(brackets)"))
        // Outside a string a backslash escapes nothing.
        #expect(!isRefused("\\\"\(brackets)\""))
    }

    @Test("brackets that close too early do not make room for more")
    func closing() { #expect(isRefused("]]]]" + String(repeating: "[", count: JSONNesting.depthMax + 1))) }

    @Test("a quote behind a broken \\u hides no brackets, which the decoder would read", arguments: ["{", "["])
    func escapes(opening: String) {
        #expect(isRefused("\(opening)\"\\u123\\\":"))
        #expect(isRefused("\(opening)\"\\u12\"]"))
        #expect(!isRefused("\(opening)\"\\u12aF\\\"[[\""))
    }

    @Test("numbers are accepted up to the limit, each by itself")
    func numbers() {
        let most = String(repeating: "1", count: JSONNesting.numberByteCountMax)
        #expect(!isRefused("[\(most),-\(most.dropFirst())]"))
        #expect(isRefused("[-\(most)]"))
        #expect(isRefused("[9007199254740992" + String(repeating: "0", count: 300) + "e-300]"))
        #expect(!isRefused("[\"\(most)\(most)\"]"))
    }

    @Test("a number that passes does not end the process in Foundation's decoder, however long it is")
    func longNumbers() {
        for zeroCount in 0...400 {
            let zeros = String(repeating: "0", count: zeroCount)
            for text in ["[9007199254740992\(zeros)e-\(zeroCount)]", "[0.\(zeros)9007199254740992e\(zeroCount + 16)]"] {
                guard let bytes = try? JSONNesting.checked(Array(text.utf8)) else { continue }
                let decoded = try? JSONDecoder().decode([UInt64].self, from: Data(bytes))
                #expect(decoded == nil || decoded == [9_007_199_254_740_992])
            }
        }
    }

    @Test("other encodings than UTF-8 are refused", arguments: [String.Encoding.utf16LittleEndian, .utf32BigEndian])
    func encodings(encoding: String.Encoding) throws {
        let bytes = try #require("[\"\\\"\"".data(using: encoding))
        #expect(throws: JSONNesting.Refused()) { try JSONNesting.checked(bytes) }
    }

    @Test("what passes does not end the process in Foundation's decoder, wherever it breaks off")
    func decoder() {
        for count in 1...2_000 {
            let bytes = Array(repeating: UInt8(ascii: "["), count: count)
            let decoded = try? JSONDecoder().decode([Int].self, from: Data(JSONNesting.checked(bytes)))
            #expect(decoded == nil)
        }
    }
}
