// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The README and the manual, compared with the programs' help.
@Suite("The manual")
struct ManualTests {
    static let documents = [
        "README.md", "docs/guest.md", "docs/operations.md", "docs/organizer.md", "docs/trial.md",
        "docs/troubleshooting.md", "docs/venue.md", "docs/architecture.md", "docs/embedding.md", "protocol/README.md",
        "docs/fr/guest.md", "docs/fr/operations.md", "docs/fr/organizer.md", "docs/fr/troubleshooting.md",
        "docs/fr/trial.md", "docs/fr/venue.md",
    ]

    private static let help = Help()

    @Test("Every command and option that a document names exists", arguments: documents)
    func commands(document: String) async throws {
        let code = try Self.code(in: String(contentsOfFile: Product.file(document), encoding: .utf8))
        var commandCount = 0
        for line in code {
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\n" }.map(String.init)
            guard let first = words.first, words.count > 1, words[1].first?.isUppercase == false else { continue }
            if first.hasPrefix("--") { continue }
            let program = first.replacing(".build/release/", with: "")
            guard ["disposable", "disposable-lab"].contains(program) else { continue }
            commandCount += 1
            var (command, rest) = ([program], words.dropFirst()[...])
            while let word = rest.first, try await Self.help.subcommands(of: command).contains(word) {
                command.append(word)
                rest.removeFirst()
            }
            let text = try await Self.help.text(of: command)
            let needsMore = text.contains("USAGE: \(command.joined(separator: " ")) <subcommand>")
            let isImplied = text.contains("(default)") && rest.first?.first == "-"
            #expect(!needsMore || isImplied || rest.isEmpty, "\(document) says \(line): there is no such command")
            for option in rest.compactMap(Self.option) {
                #expect(text.contains(option), "\(document) says \(line): \(command) has no \(option)")
            }
        }
        let all = try await Self.help.everything
        for line in code where line.hasPrefix("--") {
            let option = try #require(Self.option(line))
            #expect(all.contains(option), "\(document) names \(option), which no command has")
        }
        #expect(commandCount > 0)
    }

    /// Returns the text in back quotes, and the lines of code blocks without the prompt.
    static func code(in text: String) -> [String] {
        var (found, prose, isBlock) = ([String](), "", false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isBlock.toggle()
            } else if isBlock || line.hasPrefix("    ") {
                let line = line.drop { $0 == " " }
                found.append(String(line.hasPrefix("$ ") ? line.dropFirst(2) : line))
            } else {
                prose += line + "\n"
            }
        }
        return found + prose.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    private static func option(_ word: String) -> String? {
        word.prefixMatch(of: /--[a-z][a-z-]*/).map { String($0.0) }
    }
}

/// The help texts of the programs, with each command asked once.
private actor Help {
    private var texts: [[String]: String] = [:]

    struct Unknown: Error, CustomStringConvertible {
        let command: [String]
        var description: String { "there is no command `\(command.joined(separator: " "))`" }
    }

    /// Returns the help of a command, and that of its default subcommand.
    func text(of command: [String]) async throws -> String {
        let own = try await own(command)
        guard let implied = own.firstMatch(of: /\n +([a-z][a-z-]*) \(default\)/) else { return own }
        return try await own + self.own(command + [String(implied.1)])
    }

    func subcommands(of command: [String]) async throws -> [String] {
        let text = try await own(command)
        guard let list = text.firstRange(of: "SUBCOMMANDS:") else { return [] }
        return text[list.upperBound...].matches(of: /\n  ([a-z][a-z-]*)[ \n]/).map { String($0.1) }
    }

    private func own(_ command: [String]) async throws -> String {
        if let text = texts[command] { return text }
        let program = try command[0] == "disposable" ? Product.disposable : Product.lab
        let text = try await Command.run([program] + command.dropFirst() + ["--help"]).output.joined(separator: "\n")
        let usage = text.split { $0.isWhitespace }.joined(separator: " ")
        guard usage.contains("USAGE: \(command.joined(separator: " "))") else { throw Unknown(command: command) }
        texts[command] = text
        return text
    }

    /// The help of every command of both programs.
    var everything: String {
        get async throws {
            var (open, all) = ([["disposable"], ["disposable-lab"]], "")
            while let command = open.popLast() {
                all += try await own(command)
                open += try await subcommands(of: command).map { command + [$0] }
            }
            return all
        }
    }
}
