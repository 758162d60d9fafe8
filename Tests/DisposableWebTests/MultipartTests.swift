// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Foundation
import Testing

@Suite struct MultipartParserTests {
    private static let contentType = "multipart/form-data; boundary=----Form7MA"

    /// A browser's form with two files and a field; one file has lines similar to boundaries, the other is empty.
    private static let form = """
        ignored\r
        ------Form7MA\r
        Content-Disposition: form-data; name="photo"; filename="IMG \\"1\\".jpg"\r
        Content-Type: image/jpeg\r
        \r
        first\r\n------Form7M\r\n--\r\n\r------For\n------Form7MA\r\r
        \r
        ------Form7MA \t\r
        content-disposition:form-data;name=name\r
        \r
        Zoë\r
        ------Form7MA\r
        Content-Disposition: form-data; name="photo"; filename=""\r
        Content-Type: application/octet-stream\r
        \r
        \r
        ------Form7MA--\r
        ignored, too
        """

    private static let parts: [Part] = [
        Part(
            head: .init(name: "photo", fileName: "IMG \"1\".jpg"),
            text: "first\r\n------Form7M\r\n--\r\n\r------For\n------Form7MA\r\r\n"),
        Part(head: .init(name: "name", fileName: nil), text: "Zoë"),
        Part(head: .init(name: "photo", fileName: ""), text: ""),
    ]

    private struct Part: Equatable {
        let head: MultipartParser.Head
        var text: String
    }

    /// Returns the parts of a form that arrives in these pieces.
    private func parse(_ pieces: some Sequence<some Sequence<UInt8>>, contentType: String = contentType) throws
        -> [Part]
    {
        var parser = try MultipartParser(contentType: contentType)
        var (parts, bytes, hasEnded) = ([Part](), [UInt8](), false)
        for piece in pieces {
            parser.feed(piece)
            while let event = try parser.next() {
                #expect(!hasEnded)
                switch event {
                case .part(let head): parts.append(Part(head: head, text: ""))
                case .bytes(let more): bytes += more
                case .partEnd:
                    parts[parts.count - 1].text = String(decoding: bytes, as: UTF8.self)
                    bytes = []
                case .end: hasEnded = true
                }
            }
        }
        try parser.checkComplete()
        return parts
    }

    @Test("a form split in two at any byte, or in pieces of any length, has the same parts")
    func cuts() throws {
        let form = Array(Self.form.utf8)
        for cut in 0...form.count { #expect(try parse([form[..<cut], form[cut...]]) == Self.parts, "cut at \(cut)") }
        for length in 1...20 {
            let pieces = stride(from: 0, to: form.count, by: length).map { form[$0..<min($0 + length, form.count)] }
            #expect(try parse(pieces) == Self.parts, "pieces of \(length)")
        }
    }

    @Test("a form that ends before its last boundary is incomplete")
    func truncated() throws {
        let form = Array(Self.form.utf8)
        let end = try #require(Data(form).range(of: Data("Form7MA--".utf8))).upperBound
        for count in 0..<end { #expect(throws: MultipartParser.Failure.truncated) { try parse([form[..<count]]) } }
        #expect(try parse([form[..<end]]) == Self.parts)
    }

    @Test("a form with any byte changed is read or refused")
    func changedBytes() throws {
        let form = Array(Self.form.utf8)
        for index in form.indices {
            for bit in 0..<8 {
                var changed = form
                changed[index] ^= 1 << UInt8(bit)
                do { _ = try parse([changed]) } catch { #expect(error is MultipartParser.Failure) }
            }
        }
    }

    @Test("bytes of a part are passed on immediately, except for a possible boundary")
    func keepsLittle() throws {
        var parser = try MultipartParser(contentType: Self.contentType)
        parser.feed(Array("------Form7MA\r\nContent-Disposition: form-data; name=photo; filename=a\r\n\r\n".utf8))
        #expect(try parser.next() == .part(.init(name: "photo", fileName: "a")))
        #expect(try parser.next() == nil)
        let piece = [UInt8](repeating: 0x0D, count: 65_536)
        var byteCount = 0
        for count in 1...4 {
            parser.feed(piece)
            while case .bytes(let bytes) = try parser.next() { byteCount += bytes.count }
            #expect(byteCount > count * piece.count - 20)
        }
    }

    @Test(
        "a body of another type, or without a boundary, is refused at once",
        arguments: [
            "", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/mixed; boundary=a", "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
        ])
    func noBoundary(contentType: String) {
        #expect(throws: MultipartParser.Failure.noBoundary) { try MultipartParser(contentType: contentType) }
    }

    @Test("a boundary can be quoted, follow other parameters, and have any 70 characters")
    func boundaries() throws {
        for (contentType, boundary) in [
            ("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a b'()+_,-./:=?\"", "a b'()+_,-./:=?"),
            ("multipart/form-data; boundary=" + String(repeating: "x", count: 70), String(repeating: "x", count: 70)),
        ] {
            let form = "--\(boundary)\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n--\(boundary)--"
            #expect(
                try parse([Array(form.utf8)], contentType: contentType) == [
                    Part(head: .init(name: "a", fileName: nil), text: "b")
                ])
        }
    }

    private static let malformedForms: [(String, MultipartParser.Failure)] = [
        ("--b\r\n\r\nx\r\n--b--", .malformedHead),
        ("--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--", .malformedHead),
        ("--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--", .malformedHead),
        ("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--", .malformedHead),
        ("--bx\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b--", .malformedHead),
        (long("--b\r\nX: ", "x", 8_200) + "\r\n\r\nx\r\n--b--", .headTooLong(limit: 8_192)),
        (long("--b\r\nX: ", "x", 99_000), .headTooLong(limit: 8_192)),
        (long("--b", " ", 9_000), .headTooLong(limit: 8_192)),
        (long("", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n", 101), .tooManyParts(limit: 100)),
    ]

    private static func long(_ start: String, _ text: String, _ count: Int) -> String {
        start + String(repeating: text, count: count)
    }

    @Test(
        "a part without a disposition, or with too long headers, is refused", arguments: malformedForms)
    func malformed(form: String, failure: MultipartParser.Failure) {
        for length in [1, 1_000, form.utf8.count] {
            let bytes = Array(form.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: length).map { bytes[$0..<min($0 + length, bytes.count)] }
            #expect(throws: failure) { try parse(pieces, contentType: "multipart/form-data; boundary=b") }
        }
    }
}
