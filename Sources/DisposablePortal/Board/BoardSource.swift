// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
public import DisposableModel
package import DisposableWeb

/// The listed events that a node knows of, for the board at `/board` (protocol/guest-api.md §11).
public protocol BoardSource: Sendable {
    /// In the order in which they are shown.
    func rows() async -> [BoardRow]
    /// The signed cards for other nodes, as JSON, and their entity tag.
    func cards() async -> (bytes: [UInt8], tag: String)
}

/// The fingerprint words of events of the board. They take a fifth of a second and 64 MiB each, so one is computed at a
/// time, whatever the number of requests: first those of events that are looked at, then all others of the board. Anybody
/// can invent events, and needs no session to ask for their words.
package actor BoardWords {
    private static let countMax = 1_024
    /// As many as a board has events at once, and then a twentieth of one processor.
    package static let rate = Rate(burst: 300, perSecond: 0.25)

    private let wordsOf: @Sendable (VerifyingKey) throws -> [String]
    private var known: [VerifyingKey: [String]] = [:]
    private var isComputing = false
    /// The rate of all computations; it has one key.
    private var turns: TokenBuckets<String>
    /// The last one is the next.
    private var wanted: [VerifyingKey] = []
    /// The requests that wait for words; each of their keys is wanted, or being computed.
    private var waiting: [VerifyingKey: [CheckedContinuation<[String]?, Never>]] = [:]

    /// - Parameters:
    ///   - rate: the computations. Those beyond it are left to a later request.
    ///   - words: computes the words of a key.
    package init(
        rate: Rate = BoardWords.rate,
        _ words: @escaping @Sendable (VerifyingKey) throws -> [String] = { try FingerprintWords.words(of: $0) }
    ) {
        wordsOf = words
        turns = TokenBuckets(rate, keyCountMax: 1)
    }

    /// Returns the words that are known, and has those of the others computed.
    func known(of keys: [VerifyingKey]) -> [VerifyingKey: [String]] {
        wanted = keys.filter { known[$0] == nil && waiting[$0] == nil } + waiting.keys
        begin()
        return known
    }

    /// Returns the words of one event, computed next if need be; `nil` without memory for it, or beyond the rate.
    package func words(of key: VerifyingKey) async -> [String]? {
        if let words = known[key] { return words }
        return await withCheckedContinuation { continuation in
            if waiting[key] == nil { wanted.append(key) }
            waiting[key, default: []].append(continuation)
            begin()
        }
    }

    private func begin() {
        guard !isComputing, !wanted.isEmpty else { return }
        isComputing = true
        Task { await computeWanted() }
    }

    private func computeWanted() async {
        while let key = wanted.popLast() {
            var words = known[key]
            if words == nil { words = await compute(key) }
            for request in waiting.removeValue(forKey: key) ?? [] { request.resume(returning: words) }
            // Without memory for it, or beyond the rate: with a later request.
            if words == nil { break }
        }
        for request in waiting.values.joined() { request.resume(returning: nil) }
        waiting = [:]
        isComputing = false
    }

    private func compute(_ key: VerifyingKey) async -> [String]? {
        guard turns.take(for: "", at: .now) == nil,
            let words = try? await offTheLoops({ [wordsOf] in try wordsOf(key) })
        else { return nil }
        if known.count >= Self.countMax { known = [:] }
        known[key] = words
        return words
    }
}
