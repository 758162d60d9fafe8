// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One file of `Sources`.
struct SourceFile {
    /// The folder below `Sources`: the target.
    let target: String
    /// Path below `Sources`, for messages.
    let path: String
    let text: String

    var isGenerated: Bool { path.contains("/Generated/") }

    /// Every file of `Sources`, found from where this file is.
    static func all(testFile: String = #filePath) throws -> [SourceFile] {
        let root = URL(filePath: testFile).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        var files: [SourceFile] = []
        for target in try FileManager.default.contentsOfDirectory(atPath: root.path) {
            let folder = root.appending(path: target)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                guard [".swift", ".h", ".c", ".js"].contains(where: path.hasSuffix) else { continue }
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                files.append(SourceFile(target: target, path: "\(target)/\(path)", text: text))
            }
        }
        return files.sorted { $0.path < $1.path }
    }
}

/// A rule that a file breaks.
struct Breach: Hashable, CustomStringConvertible {
    let path: String
    let what: String
    var description: String { "\(path): \(what)" }
}

/// The rules on what sources may import and use: the layers of README.md.
struct SourceChecker {
    /// For each target all that it may import, besides the standard library: lower layers and what Package.swift names.
    let imports: [String: Set<String>]
    /// Targets without clock, randomness, tasks, files, sockets.
    let pure: Set<String>
    /// The end of the names of files in DisposableWire that may import Foundation, because swift-protobuf's bytes are
    /// its `Data`.
    let codecs: String

    func breaches(in files: [SourceFile]) -> [Breach] { files.flatMap(breaches) }

    private func breaches(in file: SourceFile) -> [Breach] {
        var found: [String] = []
        if !file.isGenerated, !file.text.hasPrefix(Self.licenceLine) {
            found.append("does not start with the licence line")
        }
        guard file.path.hasSuffix(".swift") else { return found.map { Breach(path: file.path, what: $0) } }
        let code = Self.code(of: file.text)
        guard let allowed = imports[file.target] else {
            return [Breach(path: file.path, what: "target \(file.target) is not in the table")]
        }
        for module in Self.imports(in: code) where !allowed.contains(module) {
            if module == "Foundation", file.target == "DisposableWire", file.path.hasSuffix(codecs) { continue }
            if module.hasPrefix("Foundation"), file.isGenerated { continue }
            found.append("imports \(module)")
        }
        if pure.contains(file.target), !file.isGenerated {
            // A function may be called open; what counts is calling the system's.
            let calls = code.replacing(/\bfunc\s+\w+/, with: "func")
            found += Self.impurities.filter { calls.contains($0.pattern.wordBoundaryKind(.simple)) }.map {
                "uses \($0.name)"
            }
        }
        return found.map { Breach(path: file.path, what: $0) }
    }

    private static let licenceLine = "// SPDX-License-Identifier: Apache-2.0\n"

    /// The modules that `code` imports, with whatever attributes and access level.
    static func imports(in code: String) -> Set<String> {
        let levels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        var modules: Set<String> = []
        for statement in code.split(whereSeparator: { $0.isNewline || $0 == ";" }) {
            let words = statement.split(whereSeparator: \.isWhitespace)
                .drop { $0.hasPrefix("@") || levels.contains($0) }
            guard words.first == "import" else { continue }
            let name = words.dropFirst().first { !kinds.contains($0) } ?? ""
            modules.insert(String(name.prefix { $0 != "." }))
        }
        return modules
    }

    /// The names that a pure target must not use. A name counts as a whole word: `Instant` is not `Date`.
    private static var impurities: [(name: String, pattern: Regex<Substring>)] {
        [
            ("Date", /\bDate\s*[(.]/), ("ContinuousClock", /\bContinuousClock\b/),
            ("SuspendingClock", /\bSuspendingClock\b/),
            ("clock_gettime", /\bclock_gettime\b/), ("gettimeofday", /\bgettimeofday\b/),
            ("time()", /(?:^|[^.\w])time\s*\(/),
            ("DispatchTime", /\bDispatch\w*\b/), ("ProcessInfo", /\bProcessInfo\b/),
            ("SystemRandomNumberGenerator", /\bSystemRandomNumberGenerator\b/), ("UUID", /\bUUID\s*\(/),
            ("system randomness", /\.random\s*\((?![^)]*\busing:)/),
            ("system randomness in shuffle", /\.(?:shuffle|shuffled|randomElement)\s*\(\s*\)/),
            ("randombytes", /\b(?:randombytes\w*|arc4random\w*|getrandom|getentropy)\b/),
            ("Task", /\bTask(?:Group)?\b/), ("async", /\basync\b/), ("await", /\bawait\b/), ("actor", /\bactor\b/),
            ("open()", /(?:^|[^.\w])open\s*\(/), ("fopen()", /\bfopen\s*\(/), ("FileManager", /\bFileManager\b/),
            ("FileHandle", /\bFileHandle\b/), ("socket()", /(?:^|[^.\w])socket\s*\(/),
            ("print()", /(?:^|[^.\w])print\s*\(/),
        ]
    }

    /// `text` with comments and string literals blanked out, so that words in them do not count; line breaks stay, and
    /// so does the code inside of interpolations.
    static func code(of text: String) -> String {
        var scanner = Scanner(text: Array(text))
        scanner.skipCode(until: nil)
        return String(scanner.code)
    }

    private struct Scanner {
        let text: [Character]
        var position = 0
        var code: [Character] = []

        init(text: [Character]) { self.text = text }

        private func starts(with prefix: String) -> Bool { text[position...].starts(with: prefix) }

        /// Steps over `count` characters of comment or literal.
        private mutating func blank(_ count: Int = 1) {
            for _ in 0..<count where position < text.count {
                code.append(text[position].isNewline ? "\n" : " ")
                position += 1
            }
        }

        /// Copies code up to the parenthesis that closes an interpolation, or to the end.
        mutating func skipCode(until closing: Character?) {
            var depth = 0
            while position < text.count {
                if starts(with: "//") {
                    while position < text.count, !text[position].isNewline { blank() }
                } else if starts(with: "/*") {
                    blankComment()
                } else if let (hashes, quotes) = literalStart() {
                    blankLiteral(hashes: hashes, quotes: quotes)
                } else {
                    let character = text[position]
                    if let closing {
                        if character == closing, depth == 0 { return }
                        if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
                    }
                    code.append(character)
                    position += 1
                }
            }
        }

        private mutating func blankComment() {
            var depth = 0
            repeat {
                if starts(with: "/*") {
                    depth += 1
                    blank(2)
                } else if starts(with: "*/") {
                    depth -= 1
                    blank(2)
                } else {
                    blank()
                }
            } while depth > 0 && position < text.count
        }

        private func literalStart() -> (hashes: Int, quotes: Int)? {
            var index = position
            while index < text.count, text[index] == "#" { index += 1 }
            guard index < text.count, text[index] == "\"" else { return nil }
            let isMultiline = text[index...].starts(with: "\"\"\"")
            return (index - position, isMultiline ? 3 : 1)
        }

        private mutating func blankLiteral(hashes: Int, quotes: Int) {
            let hash = String(repeating: "#", count: hashes)
            let end = String(repeating: "\"", count: quotes) + hash
            blank(hashes + quotes)
            while position < text.count {
                if starts(with: end) { return blank(end.count) }
                if starts(with: "\\\(hash)(") {
                    blank(2 + hashes)
                    skipCode(until: ")")
                    blank()
                } else if starts(with: "\\\(hash)") {
                    blank(2 + hashes)
                } else {
                    blank()
                }
            }
        }
    }
}
