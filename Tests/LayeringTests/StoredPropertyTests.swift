// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Keeps types and files small.
@Suite struct StoredPropertyTests {
    private static let propertyCountMax = 20
    private static let lineCountMax = 400

    @Test("no type has more stored properties than a person can keep in mind")
    func types() throws {
        var counts: [String: Int] = [:]
        for file in try SourceFile.all() where file.path.hasSuffix(".swift") && !file.isGenerated {
            for (type, count) in StoredProperties(of: file.text).counts {
                counts["\(file.target).\(type)", default: 0] += count
            }
        }
        #expect(counts.count > 500)
        for (type, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.propertyCountMax {
            Issue.record("\(type) has \(count) stored properties, more than \(Self.propertyCountMax)")
        }
    }

    @Test("no Swift file is longer than a few screens")
    func files() throws {
        let files = try TextFile.all().filter { $0.path.hasSuffix(".swift") }
        #expect(files.count > 500)
        for file in files {
            let count = file.text.count { $0 == "\n" }
            guard count > Self.lineCountMax else { continue }
            Issue.record("\(file.path) has \(count) lines, more than \(Self.lineCountMax)")
        }
    }

    private func count(_ code: String, in type: String = "A") -> Int? {
        StoredProperties(of: "struct A {\n\(code)\n}\n").counts[type]
    }

    @Test(
        "each of these is one stored property",
        arguments: [
            "let a: Int", "var a = 1", "var a: Int?", "public private(set) var a: [String: Int] = [:]",
            "@Option(name: .long, help: ArgumentHelp(\"a\", valueName: b(c))) var a: Int",
            "@Option(\n  help: \"var b: Int\")\nvar a = 1", "@TaskLocal\nvar a: Int", "lazy var a = { 1 }()",
            "var a = 1 {\n  didSet { b() }\n}", "var a: Int {\n  willSet {}\n}", "let a: (Int, Int)",
            "let a: @Sendable (_ b: Int, _ c: Int) -> String", "let a: Result<Int, Never>",
            "let a =\n  b\n  ? c : d", "let a: Int  // let b: Int", "weak var a: B?",
            "nonisolated(unsafe) var a: UnsafePointer<Int>?", "let a = b < c", "let `a`: Int",
            "var a: Int; func b() { let c = 1 }",
        ])
    func one(_ code: String) { #expect(count(code) == 1) }

    @Test(
        "these are stored in no value of the type",
        arguments: [
            "static let a = 1", "var a: Int { 1 }", "var a: Int {\n  get { 1 }\n  set {}\n}", "class var a: Int { 1 }",
            "func a() { let b = 1 }", "init(a: Int = { let b = 1; return b }()) {\n  var c = 2\n}",
            "static var a: Int = {\n  let b = 1\n  return b\n}()",
            "subscript(a: Int) -> Int {\n  let b = 1\n  return b\n}",
            "// let a: Int", "private static let a: [(b: Int, c: Int)] = [\n  (1, 2),\n  (3, 4),\n]",
            "var a: some View {\n  let b = 1\n}",
        ])
    func none(_ code: String) { #expect(count(code) ?? 0 == 0) }

    @Test("several are counted where one statement has several, and in extensions and inner types")
    func several() {
        #expect(count("let a, b: Int") == 2)
        #expect(count("var a = 1, b = [1, 2], c: Result<Int, Never>") == 3)
        #expect(count("let (a, b): (Int, Int)") == 2)
        #expect(count("let a: Int\nstruct B { let c, d: Int }\nlet e: Int") == 2)
        #expect(count("struct B { let c, d: Int }", in: "A.B") == 2)
        let parts =
            "struct A {}\nextension A.B { struct C: D where E: F {\n  let a: Int\n} }\nfinal class G { var b = 1 }"
        #expect(StoredProperties(of: parts).counts == ["A.B.C": 1, "G": 1])
    }
}
