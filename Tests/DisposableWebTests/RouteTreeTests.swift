// SPDX-License-Identifier: Apache-2.0
import DisposableWeb
import Testing

@Suite struct RouteTreeTests {
    private func tree(_ paths: RouterPath...) -> RouteTree<Int> {
        var tree = RouteTree<Int>()
        for (index, path) in paths.enumerated() { tree.update(path) { $0 = index } }
        return tree
    }

    private struct Match: Equatable {
        let value: Int
        let parameters: [Substring]

        init(_ value: Int, _ parameters: Substring...) { (self.value, self.parameters) = (value, parameters) }
        init(value: Int, parameters: [Substring]) { (self.value, self.parameters) = (value, parameters) }
    }

    private func match(_ path: String, in tree: RouteTree<Int>) -> Match? {
        tree.match(RouterPath.segments(of: path)).map(Match.init(value:parameters:))
    }

    @Test("empty segments of a path are ignored, and a colon makes a parameter")
    func segments() {
        #expect(RouterPath("").segments == [])
        #expect(RouterPath("///").segments == [])
        #expect(RouterPath("/a//:b/").segments == [.literal("a"), .parameter("b")])
        #expect(RouterPath("a:b").segments == [.literal("a:b")])
        #expect(RouterPath("a/:b") + RouterPath("/c") == RouterPath("a/:b/c"))
        #expect(RouterPath.segments(of: "/%2F/../é/a b/") == ["%2F", "..", "é", "a b"])
    }

    @Test("a slash followed by a combining character is still a separator")
    func combiningCharacter() { #expect(RouterPath.segments(of: "/a/\u{301}b").map(\.utf8.count) == [1, 3]) }

    @Test("a literal is preferred to a parameter, from left to right")
    func precedence() {
        let tree = tree("a/b", "a/:x", ":x/b", ":x/:y")
        #expect(match("/a/b", in: tree) == Match(0))
        #expect(match("/a/c", in: tree) == Match(1, "c"))
        #expect(match("/c/b", in: tree) == Match(2, "c"))
        #expect(match("/c/d", in: tree) == Match(3, "c", "d"))
    }

    @Test("if a literal leads to no route, the parameter is tried")
    func backtracking() {
        let tree = tree("a/b/c", ":x/b/d", "a/:y/e")
        #expect(match("/a/b/d", in: tree) == Match(1, "a"))
        #expect(match("/a/b/e", in: tree) == Match(2, "b"))
        #expect(match("/a/b/f", in: tree) == nil)
    }

    @Test("a route does not match longer or shorter paths")
    func length() {
        let tree = tree("a/:x/b")
        for path in ["", "/", "/a", "/a/x", "/a/x/b/c", "/a//b", "/b/x/b"] {
            #expect(match(path, in: tree) == nil, "\(path)")
        }
        #expect(match("/a/x/b", in: tree) == Match(0, "x"))
    }

    @Test("paths that differ only in the names of parameters are one route")
    func parameterNames() {
        var tree = tree("a/:x")
        tree.update("a/:y") { value in
            #expect(value == 0)
            value = 7
        }
        #expect(match("/a/b", in: tree) == Match(7, "b"))
    }

    @Test("a path of a million segments is refused")
    func manySegments() { #expect(match(String(repeating: "/a", count: 1_000_000), in: tree("a/:x/a")) == nil) }
}
