// SPDX-License-Identifier: Apache-2.0
internal import DisposableSync

extension Array {
    /// Returns one in `count` of the elements, rounded up, in their order: the arguments of a test that a run has, while it
    /// leaves the others to later runs.
    ///
    /// - Parameters:
    ///   - count: 1 or more.
    ///   - seed: The run's; others give other elements.
    ///   - name: The test's, so that tests with one seed have different shares.
    package func share(of count: Int, seed: UInt64, name: String) -> [Element] {
        // The hash of the name is FNV-1a.
        var random = SplitMix64(seed: name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        return indices.shuffled(using: &random).prefix((self.count + count - 1) / count).sorted().map { self[$0] }
    }
}
