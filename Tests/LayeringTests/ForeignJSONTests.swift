// SPDX-License-Identifier: Apache-2.0
import Testing

/// Foundation's decoder ends the process at some texts, which `JSONNesting` refuses before (Swift 6.3.1).
@Suite struct ForeignJSONTests {
    /// The files that decode JSON which no peer, guest or other machine has written, with its writer.
    private static let own = [
        "DisposableConformance/Conformance.swift": "the vectors, which `JSON` has checked",
        "DisposableNode/ControlServer.swift": "the node of this machine, in its answer to a command",
        "DisposableNode/EventNode+Leaving.swift": "this node, in its database",
        "DisposableNode/EventNode+Retention.swift": "this node, in its database",
        "DisposableNode/RemovalFolder.swift": "this node, in its folder",
        "DisposableNode/Tombstone.swift": "this node, in its folder",
        "DisposablePortal/Sessions/SessionStore.swift": "this node, in its folder",
        "DisposableStore/Maps/MapStore.swift": "this node, in its folder",
        "DisposableWeb/Forms/FormFields.swift": "this node, from a form's fields",
        "disposable-lab/Bench/DeskBench.swift": "the node that the benchmark measures",
    ]

    /// Returns the lines of a file that decode JSON without checking it.
    private func unchecked(_ file: SourceFile) -> [Substring] {
        file.text.split(separator: "\n").filter { line in
            line.contains("JSONDecoder()") && !line.contains("JSONNesting.checked(")
                && !line.drop { $0 == " " }.hasPrefix("//")
        }
    }

    @Test("all JSON from others is checked on the line that decodes it")
    func checked() throws {
        let files = try SourceFile.all().filter { $0.path.hasSuffix(".swift") && !unchecked($0).isEmpty }
        for file in files where Self.own[file.path] == nil {
            Issue.record("\(file.path) decodes JSON that `JSONNesting` has not checked: \(unchecked(file))")
        }
        let stale = Set(Self.own.keys).subtracting(files.map(\.path))
        #expect(stale.isEmpty, "these check all of their JSON, or decode none")
    }

    @Test("a line that decodes without checking is found, one that checks or is a comment is not")
    func rule() {
        func isFound(_ text: String) -> Bool {
            !unchecked(SourceFile(target: "A", path: "A/B.swift", text: text)).isEmpty
        }
        #expect(isFound("let a = try JSONDecoder().decode(A.self, from: data)"))
        #expect(!isFound("let a = try JSONDecoder().decode(A.self, from: JSONNesting.checked(data))"))
        #expect(!isFound("  // JSONDecoder() traps."))
    }
}
