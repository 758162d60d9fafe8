// SPDX-License-Identifier: Apache-2.0
import Testing

/// Keeps the files of a module readable one after the other: the types that a file names are declared in files that do
/// not need it, except in small groups, which are read together.
@Suite struct FileCycleTests {
    private static let fileCountMax = 4

    @Test("at most four files of a module need each other")
    func modules() throws {
        let files = try SourceFile.all().filter { $0.path.hasSuffix(".swift") && !$0.isGenerated }
        let modules = Dictionary(grouping: files, by: \.target)
        #expect(modules.count > 20)
        for (module, files) in modules.sorted(by: { $0.key < $1.key }) {
            for group in FileCycles(in: files).groups where group.files.count > Self.fileCountMax {
                Issue.record(
                    """
                    \(group.files.count) files of \(module) need each other, more than \(Self.fileCountMax); \
                    declare a type lower, or move what names it:
                    \(group)
                    """)
            }
        }
    }

    /// Returns the groups of a module with these files, which are named A.swift, B.swift and so on.
    private func groups(_ texts: String...) -> [FileCycles.Group] {
        let files = zip("ABCDEFG", texts).map { SourceFile(target: "M", path: "M/\($0).swift", text: $1) }
        return FileCycles(in: files).groups
    }

    @Test("files that name each other's types are a group, which says by which types")
    func group() throws {
        let found = groups(
            "struct A { let b: B }", "struct B {}\nlet c = C()", "enum C { case a(A), b(B) }", "let a = A()")
        let group = try #require(found.first)
        #expect(found.count == 1)
        #expect(group.files == ["M/A.swift", "M/B.swift", "M/C.swift"])
        #expect(
            "\(group)" == """
                M/A.swift names B (B.swift)
                M/B.swift names C (C.swift)
                M/C.swift names A (A.swift), B (B.swift)
                """)
    }

    @Test("each cycle of files is a group of its own, and files that are needed one way are in none")
    func severalGroups() {
        let found = groups(
            "struct A {}\nlet b: B? = nil", "struct B {}\nlet a: A? = nil", "struct C {}\nlet a: A, b: B, d: D",
            "struct D {}\nlet e: E", "struct E {}\nlet d: D")
        #expect(found.map(\.files) == [["M/A.swift", "M/B.swift"], ["M/D.swift", "M/E.swift"]])
        #expect(groups("let b = B()", "struct B {}\nlet c = C()", "struct C {}").isEmpty)
    }

    @Test(
        "each of these declares a type that another file may need",
        arguments: [
            "struct A {}", "public final class A {}", "package actor A {}", "indirect enum A {}", "protocol A {}",
            "typealias A = Int", "@available(*, deprecated)\nstruct A<B> {}", "#if os(Linux)\nstruct A {}\n#endif",
            "private let a = 1\nstruct A {}", "private struct B {}; struct A {}", "extension Int {}\nenum A {}",
        ])
    func declaration(_ code: String) { #expect(groups("\(code)\nlet z = Z()", "struct Z { let a: A }").count == 1) }

    @Test(
        "private and inner types are nothing that another file needs",
        arguments: [
            "private struct A {}", "fileprivate final class A {}", "struct B { struct A {} }",
            "extension Int { enum A {} }",
            "func b() { typealias A = Int }", "// struct A {}", "let b = \"struct A\"", "extension A {}",
        ])
    func noDeclaration(_ code: String) { #expect(groups("\(code)\nlet z = Z()", "struct Z { let a: A }").isEmpty) }

    @Test(
        "each of these names a type",
        arguments: [
            "let a: A", "let a = A.b", "extension A {}", "func a() -> [A?] {}", "if a is A {}", "let a = \"\\(A())\"",
            "let a: Array<A>", "@A var a: Int", "let a = 0...A.b",
        ])
    func naming(_ code: String) { #expect(groups("struct A { let z: Z }", "struct Z {}\n\(code)").count == 1) }

    @Test(
        "a comment, a text, a longer word and a member name no type",
        arguments: ["// A", "/* A */", "let a = \"A\"", "let a: AB", "let a = bA", "let a: B.A", "let a = b.A()"])
    func noNaming(_ code: String) { #expect(groups("struct A { let z: Z }", "struct Z {}\n\(code)").isEmpty) }
}
