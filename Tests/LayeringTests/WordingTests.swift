// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Keeps the wording of comments, messages and test names plain (protocol/glossary.md).
@Suite struct WordingTests {
    @Test("sources avoid the listed phrases, and doc comments start with a noun phrase or a verb")
    func sources() throws {
        let files = try TextFile.all()
        #expect(files.count > 100)
        for breach in files.flatMap(WordingChecker.breaches) { Issue.record("\(breach)") }
    }

    @Test(
        "the README, the manual and the specification avoid the listed phrases",
        arguments: ["README.md", "protocol/disposable-v1.md", "protocol/guest-api.md"]
            + ["architecture", "changelog", "embedding", "guest", "operations", "organizer", "trial", "troubleshooting", "venue"].map {
                "docs/\($0).md"
            })
    func documents(path: String) throws {
        for breach in WordingChecker.breaches(in: try TextFile(path: path)) { Issue.record("\(breach)") }
    }

    private func breaches(_ text: String) -> [String] {
        WordingChecker.breaches(in: TextFile(path: "File.swift", text: text))
    }

    @Test(
        "a phrase is found with its line, in any case and across the lines of a comment",
        arguments: [
            ("let a = 1\n// It is made Anew.", "File.swift:2: \"anew\""),
            ("let text = \"she was put out\"", "File.swift:1: \"put out\""),
            ("/// It is not there any\n/// more.", "File.swift:1: \"any more\""),
            ("# nothing comes\n# to nothing", "File.swift:1: \"comes to nothing\""),
        ])
    func phrase(text: String, breach: String) { #expect(breaches(text) == [breach]) }

    @Test(
        "words inside of other words, in other orders, or separated by punctuation are no phrase",
        arguments: ["case putOut", "out put", "any, more", "itself of", "celestial", "put\n\nout(1)"])
    func noPhrase(_ text: String) { #expect(breaches(text) == []) }

    @Test("only the first line of a doc comment must not start with a question word")
    func start() {
        #expect(breaches("    /// What it is.\n    let a = 1") == ["File.swift:1: a doc comment starts with \"What\""])
        #expect(breaches("/// The time\n/// of the event.\nlet a = 1\n// Where not.") == [])
        #expect(breaches("/// Whether it is.\nlet a = 1") == [])
    }
}

/// A Swift, JavaScript or Python file of the project.
struct TextFile {
    /// Path below the project's folder.
    let path: String
    let text: String

    /// Returns every such file of the project, except for generated ones and this one, which lists the phrases. The
    /// generators in `protocol` are not read: the labels in the vectors are frozen.
    static func all() throws -> [TextFile] {
        var files: [TextFile] = []
        for folder in ["Sources", "Tests", "examples"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            for path in paths.map({ "\(folder)/\($0)" }).sorted()
            where [".swift", ".js", ".py"].contains(where: path.hasSuffix)
                && !path.contains("/Generated/") && !#filePath.hasSuffix(path)
            {
                files.append(try TextFile(path: path))
            }
        }
        return files
    }

    fileprivate static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }
}

extension TextFile {
    /// Reads a file of the project.
    init(path: String) throws {
        self.init(path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
    }
}

/// Finds phrases that are translated too literally, and doc comments that are no noun phrase or verb.
enum WordingChecker {
    static let phrases = [
        "anew", "whoever", "whomever", "whom", "lest", "put out", "taken back", "come to be", "comes to nothing",
        "all the same", "any more", "of itself",
    ]
    static let starts: Set<Substring> = ["Who", "Whom", "Whose", "What", "Of", "Where", "Those", "How"]

    private static let wordsByFirst = Dictionary(
        grouping: phrases.map { $0.split(separator: " ").map(String.init) }, by: { $0[0] })

    /// Returns a line "path:line: problem" for each breach.
    static func breaches(in file: TextFile) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        let words = words(of: lines)
        var found: [(line: Int, problem: String)] = []
        for (index, word) in words.enumerated() {
            for phrase in wordsByFirst[word.text] ?? []
            where words[index...].prefix(phrase.count).map(\.text) == phrase
                && words[(index + 1)...].prefix(phrase.count - 1).allSatisfy(\.followsWord)
            {
                found.append((word.line, "\"\(phrase.joined(separator: " "))\""))
            }
        }
        for (index, line) in lines.enumerated() {
            guard let start = docCommentStart(line), index == 0 || docCommentStart(lines[index - 1]) == nil else {
                continue
            }
            let word = start.prefix { $0.isLetter }
            if starts.contains(word) { found.append((index + 1, "a doc comment starts with \"\(word)\"")) }
        }
        return found.sorted { $0.line < $1.line }.map { "\(file.path):\($0.line): \($0.problem)" }
    }

    private struct Word {
        let text: String
        let line: Int
        /// Whether there is only white space, or the start of a comment line, before it.
        let followsWord: Bool
    }

    /// Splits lines into their lower-case words. An empty line separates words like punctuation.
    private static func words(of lines: [Substring]) -> [Word] {
        var words: [Word] = []
        var isJoined = false
        for (index, line) in lines.enumerated() {
            let text = line.drop { " /#*".contains($0) }
            if text.isEmpty { isJoined = false }
            var letters: [UInt8] = []
            for byte in Array(text.utf8) + [0x20] {
                if isLetter(byte) {
                    letters.append(byte)
                    continue
                }
                if !letters.isEmpty {
                    let word = String(decoding: letters, as: UTF8.self).lowercased()
                    words.append(Word(text: word, line: index + 1, followsWord: isJoined))
                    letters = []
                    isJoined = true
                }
                if byte != 0x20 { isJoined = false }
            }
        }
        return words
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte | 0x20 || byte == 0x5F || byte >= 0x80
    }

    /// Returns the text of a line `/// text`, `nil` for other lines.
    private static func docCommentStart(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        return text.hasPrefix("///") ? text.dropFirst(3).drop { $0 == " " } : nil
    }
}
