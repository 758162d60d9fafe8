// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
package import DisposableWeb

/// The limits on uploads of a node (protocol/guest-api.md §5). Tests have smaller ones.
package struct UploadLimits: Sendable {
    /// The bytes of one upload.
    package var byteCount = BlobClass.original.byteCountMax
    /// The records of one upload. Each costs 45 bytes; a full upload in full records has 4,096.
    package var recordsPerUpload: UInt64 = 16_384
    /// The length of the `Upload-Metadata` header, which is stored and returned.
    package var metadataByteCount = 2_048
    package var unfinished = Unfinished()
    /// The bytes that one address sends, also refused ones. A quota limits the bytes of a guest, but an event may have
    /// none, and an address can bring any number of guests.
    package var addressBytes = Rate(burst: 16 * 1_073_741_824, perSecond: 4 * 1_048_576)
    /// Finished uploads are 200 bytes each, kept for a client that asks again.
    package var finishedPerSession = 1_024
    /// The free space left on the disk for everything else, of a volume of this size.
    package var diskReserve: @Sendable (_ volumeByteCount: UInt64) -> UInt64 = DiskReserve.byteCount(ofVolumeHolding:)
    /// The lifetime after the last received byte.
    package var lifetime: Duration = .seconds(24 * 3_600)
    /// The bodies that one guest sends at once, including forms: those of two pages on a fast network.
    package var bodiesByGuest = 6
    /// The photos being added at once, each with its plaintext in a temporary file, and those that wait. Other
    /// addresses' photos always get a permit, and so does another guest's while a guest adds many large ones. A page
    /// sends three bodies at once, a guest may have several sessions, and an address may have all guests.
    package var completions = FairTurns<AuthorID>.Limits(
        places: 4, placesByAddress: 3, placesByOwner: 2, waitingByAddress: 512, waitingByOwner: 32)
    package var taken = Taken()
    package var previews = EarlyPreviews.Limits()
    /// The wait of a request for another one that works on the same upload; shorter than the pages' timeouts.
    package var wait: Duration = .seconds(10)

    package init() {}

    /// Uploads that are not finished (`UploadLedger`). All sessions of a guest count together.
    package struct Unfinished: Sendable {
        package var countByGuest = 256
        package var countByAddress = 4_096
        package var countInEvent = 16_384
        // Their received bytes, with the window of each.
        package var bytesByGuest: UInt64 = 4 << 30
        package var bytesByAddress: UInt64 = 32 << 30
        package var bytesInEvent: UInt64 = 64 << 30
        /// The window that an upload reserves ahead of its received bytes; never more than its length.
        package var window: UInt64 = 1 << 20
        /// The idle time after which an upload can be dropped if space is short.
        package var idleTimeBeforeEviction = Duration.seconds(60)

        package init() {}
    }

    /// Complete uploads that the node finishes without their client.
    package struct Taken: Sendable {
        /// Fewer than a guest may have unfinished.
        package var countByGuest = 200
        package var countInEvent = 4_096
        /// The pause before the node tries again to finish an upload, doubled up to half a minute.
        package var pause: Duration = .seconds(1)
    }
}
