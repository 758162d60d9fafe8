// SPDX-License-Identifier: Apache-2.0

/// The groups of files of one module that need each other: a file needs another one that declares, outside of all other
/// types, a type that it names. It knows no grammar: it reads braces and words.
struct FileCycles {
    /// Files each of which needs all the others, directly or by others.
    struct Group: CustomStringConvertible {
        /// For each file, by its path, the types that it names by the file of the group that declares them.
        let names: [String: [String: Set<String>]]

        var files: [String] { names.keys.sorted() }

        /// One line for each file.
        var description: String {
            files.map { file in
                let needs = names[file]!.sorted { $0.key < $1.key }.map { other, types in
                    "\(types.sorted().joined(separator: ", ")) (\(other.split(separator: "/").last!))"
                }
                return "\(file) names \(needs.joined(separator: ", "))"
            }.joined(separator: "\n")
        }
    }

    /// The groups of at least two files, by their first file.
    private(set) var groups: [Group] = []

    /// - Parameter files: the Swift files of one module.
    init(in files: [SourceFile]) {
        let words = files.map { FileWords(of: $0.text) }
        var places: [String: Int] = [:]
        for (file, words) in words.enumerated() {
            for type in words.declared { places[type] = places[type] ?? file }
        }
        let needs = words.enumerated().map { file, words in
            Dictionary(grouping: words.named) { places[$0] ?? file }.filter { $0.key != file }
        }
        let reached = needs.indices.map { Self.files(reachedFrom: $0, needs.map { Array($0.keys) }) }
        for file in files.indices {
            let members = reached[file].filter { reached[$0].contains(file) }
            // Once for each group.
            guard members.min() == file else { continue }
            let names = members.map { file in
                let inside = needs[file].filter { members.contains($0.key) }
                return (
                    files[file].path,
                    Dictionary(uniqueKeysWithValues: inside.map { (files[$0.key].path, Set($0.value)) })
                )
            }
            groups.append(Group(names: Dictionary(uniqueKeysWithValues: names)))
        }
    }

    /// Returns the files that `start` leads to; itself only by a way through another one.
    private static func files(reachedFrom start: Int, _ needs: [[Int]]) -> Set<Int> {
        var reached: Set<Int> = []
        var next = needs[start]
        while let file = next.popLast() {
            if reached.insert(file).inserted { next += needs[file] }
        }
        return reached
    }
}

/// The words of one file that may be types.
private struct FileWords {
    /// The types that other files of the module may name.
    private(set) var declared: Set<String> = []
    /// The words that begin with a capital letter, except for the members of something.
    private(set) var named: Set<String> = []

    private static let typeWords: Set<String> = ["struct", "class", "actor", "enum", "protocol", "typealias"]

    init(of text: String) {
        let code = Array(SourceChecker.code(of: text).utf8)
        var position = 0
        var depth = 0
        var (isDeclared, isPrivate) = (false, false)
        while position < code.count {
            let start = position
            while position < code.count, Self.isLetter(code[position]) { position += 1 }
            guard position > start else {
                switch code[position] {
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: "\n"), UInt8(ascii: ";"): isPrivate = false
                default: break
                }
                position += 1
                continue
            }
            let isCapital = (0x41...0x5A).contains(code[start])
            guard isCapital || depth == 0 else { continue }
            let word = String(decoding: code[start..<position], as: UTF8.self)
            if isCapital, !Self.isMember(code[..<start]) {
                named.insert(word)
                if isDeclared, !isPrivate, depth == 0 { declared.insert(word) }
            }
            isDeclared = depth == 0 && Self.typeWords.contains(word)
            isPrivate = isPrivate || word == "private" || word == "fileprivate"
        }
    }

    /// Whether a member's name follows `code`: it ends with one point. More are a range.
    private static func isMember(_ code: ArraySlice<UInt8>) -> Bool {
        code.last == UInt8(ascii: ".") && code.dropLast().last != UInt8(ascii: ".")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F || byte >= 0x80
    }
}
