// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

extension ParsableCommand {
    /// Names the command that somebody meant where the first word that should be one is none; `nil` where no command
    /// is like it, or another word is wrong.
    static func misspelling(in arguments: ArraySlice<String>) -> Failure? {
        let commands = configuration.subcommands
        guard !commands.isEmpty, let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return nil }
        if let command = commands.first(where: { $0.configuration.commandName == word }) {
            return command.misspelling(in: arguments.dropFirst())
        }
        let names = commands.compactMap { $0.configuration.commandName }
        guard let nearest = Misspelling.nearest(to: word, of: names) else { return nil }
        return Failure(
            "there is no command \(word)", hint: "did you mean `\(nearest)`? --help lists the commands",
            exitCode: 2)
    }
}

/// Words that somebody may have meant.
package enum Misspelling {
    /// Returns the word that is most like another one; `nil` if none is like it.
    package static func nearest(to word: String, of words: [String]) -> String? {
        let distances = words.map { (word: $0, distance: distance(word, $0)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 1 + word.count / 4
        else { return nil }
        return nearest.word
    }

    /// The number of letters to insert, leave out or replace; two that have changed places count once.
    private static func distance(_ word: String, _ name: String) -> Int {
        let (word, name) = (Array(word.lowercased()), Array(name))
        var table = [[Int]](repeating: Array(0...name.count), count: word.count + 1)
        for row in 1..<(word.count + 1) {
            table[row][0] = row
            for column in 1..<(name.count + 1) {
                let change = word[row - 1] == name[column - 1] ? 0 : 1
                var least = min(
                    table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + change)
                if row > 1, column > 1, word[row - 1] == name[column - 2], word[row - 2] == name[column - 1] {
                    least = min(least, table[row - 2][column - 2] + 1)
                }
                table[row][column] = least
            }
        }
        return table[word.count][name.count]
    }
}
