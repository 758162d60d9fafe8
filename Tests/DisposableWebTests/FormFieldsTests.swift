// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct FormFieldsTests {
    private func values(_ text: String) throws -> [String: String] { try FormFields(Array(text.utf8)).values }

    @Test("names and values of fields are decoded as browsers encode them")
    func fields() throws {
        #expect(try values("") == [:])
        #expect(try values("a=1&b=2") == ["a": "1", "b": "2"])
        #expect(try values("a=b+c%20d%2B&e%3D=%26") == ["a": "b c d+", "e=": "&"])
        #expect(try values("a=Zo%C3%AB+%f0%9f%93%b8") == ["a": "Zoë 📸"])
        #expect(try values("a=Zoë") == ["a": "Zoë"])
        #expect(try values("&&a&b=&c=d=e&") == ["a": "", "b": "", "c": "d=e"])
    }

    @Test(
        "bytes that do not decode as text are malformed",
        arguments: ["a=%", "a=%1", "a=%G0", "a=%+1", "%zz=1", "a=%FF", "a=%C3", "a=%ED%A0%80", "a=%%", "a=%2"])
    func malformed(text: String) { #expect(throws: FormFields.Malformed.encoding) { try values(text) } }

    @Test("a repeated name is malformed, in any encoding")
    func repeated() {
        for text in ["a=1&a=1", "a&a", "a=1&%61=2", "=&="] {
            #expect(throws: FormFields.Malformed.repeatedName, "\(text)") { try values(text) }
        }
    }

    @Test("a form has at most 64 fields, and a million are refused at once")
    func tooMany() throws {
        let fields = (0..<64).map { "f\($0)=\($0)" }.joined(separator: "&")
        #expect(try values(fields).count == 64)
        #expect(throws: FormFields.Malformed.tooManyFields) { try values(fields + "&g=1") }
        let many = (0..<1_000_000).map { "\($0)=" }.joined(separator: "&")
        #expect(throws: FormFields.Malformed.tooManyFields) { try values(many) }
    }

    private struct Example: Decodable, Equatable {
        var code: String
        var name: String?
    }

    @Test("fields are decoded as properties, missing ones as nil, and others are ignored")
    func decoding() throws {
        func example(_ text: String) throws -> Example { try FormFields(Array(text.utf8)).decode(Example.self) }
        #expect(try example("code=1&name=%22%5C%00%22") == Example(code: "1", name: "\"\\\0\""))
        #expect(try example("code=&other=2") == Example(code: "", name: nil))
        #expect(throws: DecodingError.self) { try example("name=x") }
    }
}
