// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableWire
import Foundation
import Testing

/// Compares the tables of `protocol/disposable-v1.md` with the code: each number stands once in both.
@Suite struct SpecificationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func files(in folders: [String], _ suffixes: [String]) throws -> [String] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
                .filter { suffixes.contains(where: $0.hasSuffix) }.map { "\(folder)/\($0)" }
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func specification() throws -> Specification {
        Specification(try text("protocol/disposable-v1.md"))
    }

    @Test("the limits of §14 are those of Limits.swift, name by name and value by value")
    func limits() throws {
        var inCode: [String: Int] = [:]
        for match in try text("Sources/DisposableWire/Limits.swift").matches(of: /static let (\w+) = ([\d_]+)\n/) {
            inCode[String(match.1)] = Int(match.2.replacing("_", with: ""))
        }
        #expect(try text("Sources/DisposableWire/Limits.swift").matches(of: /static (let|var)/).count == inCode.count)
        #expect(inCode["frameByteCountMax"] == Limits.frameByteCountMax)
        let table = try specification().table(in: 14, columns: ["name", "value", "unit", "why"])
        var inText: [String: Int] = [:]
        for row in table {
            let name = try #require(row["name"]?.code)
            #expect(inText.updateValue(try #require(row.number("value")), forKey: name) == nil, "\(name) twice")
            #expect(row["why"]?.isEmpty == false, "\(name)")
        }
        #expect(inText == inCode)
    }

    @Test("the codes of §15 are those of ProtocolCode, with their meaning and whether they may be retried")
    func codes() throws {
        struct Row: Equatable {
            let number: UInt32
            let name: String
            let meaning: String
            let mayRetry: Bool
        }
        let table = try specification().table(in: 15, columns: ["number", "name", "meaning", "may retry"])
        let inText = try table.map { row in
            Row(
                number: UInt32(try #require(row.number("number"))), name: try #require(row["name"]?.code),
                meaning: try #require(row["meaning"]), mayRetry: try row.flag("may retry"))
        }
        let inCode = ProtocolCode.allCases.map { code in
            Row(number: code.rawValue, name: "\(code)", meaning: code.meaning, mayRetry: code.mayRetry)
        }
        #expect(inText == inCode)
    }

    @Test("the kinds of §8 are those of OperationKind, with their set and what is said of their bodies")
    func kinds() throws {
        struct Row: Equatable {
            let number: UInt8
            let name: String
            let set: String
            let hasBody: Bool
            let foldReadsBody: Bool
        }
        let table = try specification().table(
            in: 8, columns: ["number", "name", "set", "body", "read by the fold", "erasable", "subject", "argument"])
        let inText = try table.map { row in
            Row(
                number: UInt8(try #require(row.number("number"))), name: try #require(row["name"]?.code),
                set: try #require(row["set"]), hasBody: try row.flag("body"),
                foldReadsBody: try row.flag("read by the fold"))
        }
        let inCode = OperationKind.allCases.map { kind in
            Row(
                number: kind.rawValue, name: "\(kind)", set: "\(kind.set)", hasBody: kind.hasBody,
                foldReadsBody: kind.foldReadsBody)
        }
        #expect(inText == inCode)
        // A body that the fold reads is never erased; a kind without a body has none to erase.
        for (row, kind) in zip(table, OperationKind.allCases) {
            #expect(row["erasable"] == (!kind.hasBody ? "-" : kind.foldReadsBody ? "no" : "yes"), "\(kind)")
        }
    }

    @Test("the header's layout in §8 is without a gap and as long as the code's, and its numbers are where it says")
    func header() throws {
        let table = try specification().table(in: 8, columns: ["offset", "length", "field", "meaning"])
        var places: [String: Range<Int>] = [:]
        var end = 0
        for row in table {
            let (offset, length) = (try #require(row.number("offset")), try #require(row.number("length")))
            #expect(offset == end)
            end = offset + length
            places[try #require(row["field"])] = offset..<end
        }
        #expect(end == OperationHeader.byteCount)
        func id(_ byte: UInt8) throws -> OperationID { try #require(OperationID([UInt8](repeating: byte, count: 32))) }
        let header = OperationHeader(
            kind: 0x11, flags: .init(rawValue: 0x2222), event: EventID(try id(1).bytes32),
            device: DeviceID(try id(2).bytes32), sequence: 0x4444_4444, previous: try id(3),
            timestamp: HybridTimestamp(packed: 0x6666_6666_6666_6666), subject: try id(4),
            argument: 0x5555_5555_5555_5555, bodyHash: try id(5).bytes32, bodyByteCount: 0x3333_3333)
        let expected: [String: UInt8] = [
            "version": 1, "kind": 0x11, "flags": 0x22, "body length": 0x33, "sequence": 0x44, "argument": 0x55,
            "timestamp": 0x66, "event": 1, "device": 2, "previous": 3, "subject": 4, "body hash": 5,
        ]
        #expect(Set(places.keys) == Set(expected.keys))
        for (field, place) in places { #expect(header.bytes[place].allSatisfy { $0 == expected[field] }, "\(field)") }
    }

    @Test("the domain strings of §4 are those of Domain, name by name")
    func domains() throws {
        let source = try text("Sources/DisposableModel/Domain.swift")
        var inCode: [String: String] = [:]
        let parts = source.split(separator: "enum Key {")
        #expect(parts.count == 2)
        for match in parts[0].matches(of: /static let (\w+) = bytes\("([^"]+)"\)/) {
            inCode[String(match.1)] = String(match.2)
        }
        for match in parts[1].matches(of: /static let (\w+) = "([^"]+)"/) {
            inCode["Key.\(match.1)"] = String(match.2)
        }
        #expect(source.matches(of: /static let/).count == inCode.count)
        #expect(inCode["event"].map { Array($0.utf8) + [0] } == Domain.event)
        #expect(inCode["Key.noise"] == Domain.Key.noise)
        #expect(Set(inCode.values).count == inCode.count)
        var inText: [String: String] = [:]
        for columns in [["name", "string", "used for"], ["name", "string", "derives"]] {
            for row in try specification().table(in: 4, columns: columns) {
                inText[try #require(row["name"]?.code)] = try #require(row["string"]?.code)
            }
        }
        #expect(inText == inCode)
    }

    @Test("the message types of §7 are those of the codec")
    func messageTypes() throws {
        let source = try text("Sources/DisposableWire/PeerMessage+Coding.swift")
        var inCode: [String: String] = [:]
        for match in source.matches(of: /case (\w+) = (0x[0-9a-f]{2})\n/) {
            inCode[String(match.1)] = String(match.2)
        }
        #expect(inCode["data"] == "0x23")
        var inText: [String: String] = [:]
        for row in try specification().table(in: 7, columns: ["type", "message", "sent"]) {
            inText[try #require(row["message"]?.code)] = row["type"]
        }
        #expect(inText == inCode)
    }

    @Test("every field of the schema says what may be in it")
    func fields() throws {
        var fieldCount = 0
        var previous: Substring = ""
        for line in try text("protocol/disposable.proto").split(separator: "\n") {
            if let match = line.firstMatch(of: /^ +.*\b(\w+) = \d+;(.*)$/) {
                fieldCount += 1
                let isExplained = match.2.contains(/\/\/ \S/) || previous.contains(/^ *\/\/ \S/)
                #expect(isExplained, "\(match.1) has no comment")
            }
            previous = line
        }
        #expect(fieldCount > 100)
    }

    @Test("rules are numbered once and in order, and every rule that a text or a comment cites is there")
    func rules() throws {
        let lines = try text("protocol/disposable-v1.md").split(separator: "\n")
        let numbers = lines.compactMap { $0.prefixMatch(of: #/- \*\*R-(\d+)\*\* /#).flatMap { Int($0.1) } }
        #expect(!numbers.isEmpty && numbers == Array(1...numbers.count))
        var citations = 0
        for file in try files(in: ["protocol", "Sources", "examples/python-peer"], [".md", ".swift", ".py", ".proto"]) {
            for match in try text(file).matches(of: /\bR-(\d+)\b/) {
                citations += 1
                #expect(numbers.contains(Int(match.1) ?? 0), "\(file) cites R-\(match.1)")
            }
        }
        #expect(citations > numbers.count)
    }

    @Test("every section that a comment in the code names is there")
    func sections() throws {
        let numbers = try specification().sectionNumbers
        #expect(numbers == Array(1...18))
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        var references = 0
        for file in files where file.hasSuffix(".swift") {
            for match in try text("Sources/\(file)").matches(of: /disposable-v1\.md §(\d+)/) {
                references += 1
                #expect(numbers.contains(Int(match.1) ?? 0), "\(file) names §\(match.1)")
            }
        }
        #expect(references > 10)
    }
}

/// The specification's text, cut into sections and tables.
private struct Specification {
    /// A row by the names of its columns.
    struct Row {
        let cells: [String: String]
        subscript(_ column: String) -> String? { cells[column] }

        /// A decimal number, with commas between thousands.
        func number(_ column: String) -> Int? { cells[column].flatMap { Int($0.replacing(",", with: "")) } }

        func flag(_ column: String) throws -> Bool {
            let text = try #require(cells[column])
            try #require(text == "yes" || text == "no", "\(column)")
            return text == "yes"
        }
    }

    private var sections: [(number: Int, lines: [Substring])] = []

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("## "), let match = line.dropFirst(3).prefixMatch(of: /(\d+)\.\s/) {
                sections.append((Int(match.1) ?? 0, []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
    }

    var sectionNumbers: [Int] { sections.map(\.number) }

    /// The rows of the one table of a section that has these columns; there is such a table, and it is not empty.
    func table(in section: Int, columns: [String]) throws -> [Row] {
        let lines = try #require(sections.first { $0.number == section }).lines
        let start = try #require(lines.firstIndex { $0.hasPrefix("|") && cells($0) == columns })
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { cells($0) }
        #expect(!rows.isEmpty, "the table of §\(section) has no rows")
        return try rows.map { cells in
            try #require(cells.count == columns.count, "§\(section): \(cells)")
            return Row(cells: Dictionary(uniqueKeysWithValues: zip(columns, cells)))
        }
    }

    /// Returns the texts between bars; escaped bars are text.
    private func cells(_ line: Substring) -> [String] {
        line.replacing("\\|", with: "\u{1}").split(separator: "|").map {
            $0.replacing("\u{1}", with: "|").trimmingCharacters(in: .whitespaces)
        }
    }
}

extension String {
    /// The text in code quotes, if there is nothing else.
    fileprivate var code: String? { wholeMatch(of: /`([^`]+)`/).map { String($0.1) } }
}
