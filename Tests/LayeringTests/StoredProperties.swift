// SPDX-License-Identifier: Apache-2.0

/// Counts the stored properties of the types that source text declares. Property wrappers count; computed and static
/// properties do not. It knows no grammar: it reads braces, and the words at the start of statements.
struct StoredProperties {
    /// By the type's name with those of its outer types, as `Charter.Schedule`. Extensions add to the type.
    private(set) var counts: [String: Int] = [:]

    private let code: [UInt8]
    private var position = 0
    private var scopes: [Scope] = []

    private struct Scope {
        /// The name with those of outer types; `nil` for the braces of code.
        let type: String?
        /// The open parentheses and brackets.
        var depth = 0
    }

    /// Counts those of one file.
    init(of text: String) {
        code = Array(SourceChecker.code(of: text).utf8)
        read()
    }

    private mutating func read() {
        var declared: String?
        var isStart = true
        while position < code.count {
            if isStart, depth == 0 {
                isStart = false
                if let type = readStatement() { declared = type }
                continue
            }
            switch code[position] {
            case UInt8(ascii: "\n"), UInt8(ascii: ";"): isStart = true
            case UInt8(ascii: "("), UInt8(ascii: "["): add(1)
            case UInt8(ascii: ")"), UInt8(ascii: "]"): add(-1)
            case UInt8(ascii: "{"):
                scopes.append(Scope(type: depth == 0 ? declared : nil))
                declared = nil
                isStart = true
            case UInt8(ascii: "}"):
                _ = scopes.popLast()
                isStart = true
            default: break
            }
            position += 1
        }
    }

    private var depth: Int { scopes.last?.depth ?? 0 }

    private mutating func add(_ change: Int) {
        if !scopes.isEmpty { scopes[scopes.count - 1].depth += change }
    }

    // Statements

    private static let typeWords: Set<String> = ["struct", "class", "actor", "enum", "extension", "protocol"]
    private static let modifiers: Set<String> = [
        "public", "package", "internal", "private", "fileprivate", "open", "final", "lazy", "weak", "unowned",
        "override", "nonisolated", "indirect", "distributed", "static",
    ]

    /// Reads attributes, modifiers and the word after them. Returns the name of a type that begins here. Counts the
    /// properties that a statement of a type declares.
    private mutating func readStatement() -> String? {
        var isStatic = false
        while true {
            skipSpace()
            guard position < code.count else { return nil }
            if code[position] == UInt8(ascii: "@") {
                position += 1
                _ = word()
                if position < code.count, code[position] == UInt8(ascii: "(") { skipParentheses() }
                continue
            }
            let start = position
            let word = word()
            if Self.modifiers.contains(word) || word == "class" && isModifier() {
                isStatic = isStatic || word == "static" || word == "class"
                if position < code.count, code[position] == UInt8(ascii: "(") { skipParentheses() }
                continue
            }
            if Self.typeWords.contains(word) {
                skipSpace()
                let name = self.word(withDots: true)
                guard !name.isEmpty else { return nil }
                return scopes.lazy.compactMap(\.type).last.map { "\($0).\(name)" } ?? name
            }
            if word == "let" || word == "var", let type = scopes.last?.type {
                let count = bindingCount()
                if !isStatic { counts[type, default: 0] += count }
                return nil
            }
            // What was read may be a brace or a line break as well.
            position = start + word.utf8.count
            return nil
        }
    }

    /// Whether `class`, which was read, is that of a property or function and declares no type.
    private func isModifier() -> Bool {
        var copy = self
        copy.skipSpace()
        return ["var", "let", "func"].contains(copy.word())
    }

    /// Returns the number of stored properties after `let` or `var`: none if a block computes the value. Stops before
    /// the block, or at the end of the statement.
    private mutating func bindingCount() -> Int {
        skipSpace()
        var count = 1
        if position < code.count, code[position] == UInt8(ascii: "(") {
            let start = position
            skipParentheses()
            count += code[start..<position].count { $0 == UInt8(ascii: ",") }
        }
        let first = position
        var (depth, typeListDepth, hasValue) = (0, 0, false)
        while position < code.count {
            switch code[position] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "<") where Self.isLetter(code[position - 1]): typeListDepth += 1
            case UInt8(ascii: ">") where typeListDepth > 0 && !" -".utf8.contains(code[position - 1]):
                typeListDepth -= 1
            case UInt8(ascii: ",") where depth == 0 && typeListDepth == 0: count += 1
            case UInt8(ascii: "=") where depth == 0: hasValue = true
            case UInt8(ascii: "{") where !hasValue && depth == 0: return isObserved ? count : 0
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth == 0: return count
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ";") where depth == 0: return count
            case UInt8(ascii: "\n") where depth == 0 && !continues(from: first): return count
            default: break
            }
            position += 1
        }
        return count
    }

    /// Whether the block that begins here observes a stored property.
    private var isObserved: Bool {
        var copy = self
        copy.position += 1
        copy.skipSpace()
        return ["willSet", "didSet"].contains(copy.word())
    }

    /// Whether more properties, or the block that computes the value, may follow after the line break at `position`.
    private func continues(from first: Int) -> Bool {
        let last = code[first..<position].last { $0 != UInt8(ascii: " ") }
        if let last, ":,&".utf8.contains(last) { return true }
        var copy = self
        copy.skipSpace()
        return copy.position < code.count && "=&{".utf8.contains(code[copy.position])
    }

    // Characters

    private mutating func skipSpace() {
        while position < code.count, " \n\t".utf8.contains(code[position]) { position += 1 }
    }

    private mutating func word(withDots: Bool = false) -> String {
        let start = position
        while position < code.count, Self.isLetter(code[position]) || withDots && code[position] == UInt8(ascii: ".") {
            position += 1
        }
        return String(decoding: code[start..<position], as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F || byte >= 0x80
    }

    private mutating func skipParentheses() {
        var depth = 0
        repeat {
            if code[position] == UInt8(ascii: "(") { depth += 1 }
            if code[position] == UInt8(ascii: ")") { depth -= 1 }
            position += 1
        } while depth > 0 && position < code.count
    }
}
