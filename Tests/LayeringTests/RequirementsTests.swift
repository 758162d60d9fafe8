// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The table of requirements against the tests that it names.
@Suite struct RequirementsTests {
    private struct Row {
        let id, state, evidence: Substring
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static let rows = Result {
        try String(contentsOf: folder.appending(path: "REQUIREMENTS.md"), encoding: .utf8)
            .split(separator: "\n").filter { $0.wholeMatch(of: /\| [DIPTO]-[0-9]{2,3} \|.*/) != nil }
            .map { line in
                let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
                try #require(cells.count == 4, "\(line)")
                return Row(id: cells[0].dropFirst(2), state: cells[2], evidence: cells[3].dropLast(2))
            }
    }

    @Test("each requirement is listed once, with a known state and a test or a reason")
    func rows() throws {
        let rows = try Self.rows.get()
        #expect(rows.count > 450)
        #expect(Set(rows.map(\.id)).count == rows.count)
        for row in rows {
            #expect(["works", "in part", "missing", "out"].contains(row.state), "\(row.id)")
            #expect(!row.evidence.isEmpty, "\(row.id)")
        }
    }

    @Test("each test that the table names exists")
    func names() throws {
        let named = try Set(Self.rows.get().flatMap { $0.evidence.matches(of: /\b(\w+Tests|test_\w+)\b/).map(\.output.1) })
        #expect(named.count > 50)
        var existing: Set<Substring> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path) {
            let file = Self.folder.appending(path: path)
            if file.pathExtension == "py" {
                existing.insert(Substring(file.deletingPathExtension().lastPathComponent))
            } else if file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                existing.formUnion(text.matches(of: /(?:struct|class|extension) (\w+Tests)\b/).map(\.output.1))
            }
        }
        #expect(named.subtracting(existing).sorted() == [])
    }
}
