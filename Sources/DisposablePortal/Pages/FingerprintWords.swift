// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import Foundation
internal import Synchronization

/// Four words that distinguish events with similar names: the same on the poster, on every page and in every terminal
/// (protocol/disposable-v1.md §4.1).
public enum FingerprintWords {
    public static let count = 4

    /// The words of the latest keys, each computed once: a node needs those of its event for the terminal, and for the
    /// pages.
    private final class Entry: Sendable {
        let words = Mutex<[String]?>(nil)
    }
    private static let entries = Mutex<[VerifyingKey: Entry]>([:])
    private static let entriesMax = 16

    /// Takes about a fifth of a second and 64 MiB for a new key, intentionally. Throws `PasswordHash.OutOfMemory`.
    /// - Parameter eventKey: the event's public key.
    public static func words(of eventKey: VerifyingKey) throws -> [String] {
        let entry = entries.withLock { entries in
            if let known = entries[eventKey] { return known }
            if entries.count >= entriesMax { entries = [:] }
            let new = Entry()
            entries[eventKey] = new
            return new
        }
        // Other threads that need the same words wait here, and do not compute them, too.
        return try entry.words.withLock { known in
            let words = try known ?? compute(eventKey)
            known = words
            return words
        }
    }

    private static func compute(_ eventKey: VerifyingKey) throws -> [String] {
        let salt = Array(BLAKE2b.hash(Domain.fingerprint).bytes.prefix(PasswordHash.saltByteCount))
        let hash = try PasswordHash.argon2id(eventKey.bytes32, salt: salt)
        return WordList.words(at: WordIndexes.cut(hash.bytes, count: count))
    }
}

/// The 2,048 words of `Public/words.txt`, which nodes and pages share.
package enum WordList {
    package static let words: [String] = {
        let path = PageFiles.folder + "/words.txt"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            preconditionFailure("no \(path): the portal's files are not beside the program")
        }
        let words = text.split(separator: "\n").map(String.init)
        precondition(words.count == GuestSeed.wordListCount, "words.txt has \(words.count) lines")
        return words
    }()

    private static let indexes = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })

    package static func words(at indexes: [Int]) -> [String] { indexes.map { words[$0] } }

    /// Returns the numbers of the words, in any spelling; `nil` if one is not in the list.
    package static func indexes(of text: String) -> [Int]? {
        // The longest key, an event's, has 24 words of up to eight letters.
        guard text.utf8.count <= 1_024 else { return nil }
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        let found = words.compactMap { indexes[$0] }
        return found.count == words.count ? found : nil
    }
}
