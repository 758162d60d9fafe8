// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableWeb

/// The limits on archives of photos (protocol/guest-api.md §4).
package struct ZIPLimits: Sendable {
    /// The limit of photos in an archive.
    package var entries = 100_000
    /// The limit of archives being sent at once. Each has about 3 MiB in memory.
    package var places = FairPlaces<Bytes32>.Limits(byOwner: 2, byAddress: 16, inAll: 32)
    /// The time without progress after which a download can be replaced by a new one.
    package var slowAfter = Duration.seconds(15)
    /// The limit of ids in a form: each is looked up, and a form is cheap to send.
    package var ids = 20_000
    /// The limit of ids in a form that name no photo. A page may have shown that many before they were withdrawn.
    package var unknownIDs = 1_000

    /// The limit of the form's bytes: the ids, and the separators.
    var formByteCount: Int { min(entries, ids) * 67 + 1_024 }
}
