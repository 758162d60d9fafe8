// SPDX-License-Identifier: Apache-2.0
internal import DisposableStore

/// Map files that organizers add.
enum TileTargets {
    private static let entriesMax = 512

    /// A directory of a PMTiles file, without compression.
    static func tiles(_ input: [UInt8]) throws(Broken) {
        guard let entries = try? PMTilesEntry.entries(of: input, limit: entriesMax) else { return }
        try check(entries.count <= entriesMax && entries.count * 4 < input.count, "\(entries.count) entries")
        for (entry, next) in zip(entries, entries.dropFirst()) {
            try check(entry.first < next.first, "the entries are not in order")
        }
        try check(entries.allSatisfy { $0.length > 0 }, "an entry is empty")
    }
}
