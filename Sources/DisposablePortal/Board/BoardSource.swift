// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
public import DisposableModel

/// The listed events that a node knows of, for the board at `/board` (protocol/guest-api.md §11).
public protocol BoardSource: Sendable {
    /// In the order in which they are shown.
    func rows() async -> [BoardRow]
    /// The signed cards for other nodes, as JSON.
    func cards() async -> [UInt8]
}

/// The fingerprint words of events of the board. They take a fifth of a second and 64 MiB each, so one is computed at a
/// time, and all of the board in the background.
actor BoardWords {
    private static let countMax = 1_024

    private var known: [VerifyingKey: [String]] = [:]
    private var isComputing = false
    private var wanted: [VerifyingKey] = []

    /// Returns the words that are known, and has those of the others computed.
    func known(of keys: [VerifyingKey]) -> [VerifyingKey: [String]] {
        wanted = keys.filter { known[$0] == nil }
        if !isComputing, !wanted.isEmpty {
            isComputing = true
            Task { await computeWanted() }
        }
        return known
    }

    /// Returns the words of one event, computed now if need be.
    func words(of key: VerifyingKey) async -> [String]? {
        if let words = known[key] { return words }
        return await compute(key)
    }

    private func computeWanted() async {
        while let key = wanted.popLast() {
            // Without memory for it: with the next request.
            if known[key] == nil, await compute(key) == nil { break }
        }
        isComputing = false
    }

    private func compute(_ key: VerifyingKey) async -> [String]? {
        guard let words = try? await offTheLoops({ try FingerprintWords.words(of: key) }) else { return nil }
        if known.count >= Self.countMax { known = [:] }
        known[key] = words
        return words
    }
}
