// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableWeb

/// The limits on downloads of the program for guests' computers (protocol/guest-api.md §21).
package struct ProgramLimits: Sendable {
    /// Downloads in progress, each with one part in memory.
    package var places = FairPlaces<Bytes32>.Limits(byOwner: 2, byAddress: 6, inAll: 8)
    /// The time without progress after which a download can be replaced by a new one.
    package var slowAfter = Duration.seconds(15)
    /// The rate of all downloads together: a tenth of what a good Wi-Fi carries, so that photos go on.
    package var bytesPerSecond = 2 << 20
}
