// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
package import DisposableWeb

/// The limits on uploads of a node (protocol/guest-api.md §5). Tests have smaller ones.
package struct UploadLimits: Sendable {
    /// The bytes of one upload.
    package var byteCount = BlobClass.original.byteCountMax
    /// The records of one upload. Each costs 45 bytes; a full upload in full records has 4,096.
    package var recordsPerUpload: UInt64 = 16_384
    /// The length of the `Upload-Metadata` header, which is stored and returned.
    package var metadataByteCount = 2_048
    // Unfinished uploads. All sessions of a guest count together.
    package var unfinishedByGuest = 256
    package var unfinishedByAddress = 4_096
    package var unfinishedInEvent = 16_384
    // Their received bytes, with the window of each.
    package var bytesByGuest: UInt64 = 4 << 30
    package var bytesByAddress: UInt64 = 32 << 30
    package var bytesInEvent: UInt64 = 64 << 30
    /// The bytes that one address sends, also refused ones. A quota limits the bytes of a guest, but an event may have
    /// none, and an address can bring any number of guests.
    package var addressBytes = Rate(burst: 16 * 1_073_741_824, perSecond: 4 * 1_048_576)
    /// The window that an upload reserves ahead of its received bytes; never more than its length.
    package var window: UInt64 = 1 << 20
    /// The idle time after which an upload can be dropped if space is short.
    package var idleTimeBeforeEviction = Duration.seconds(60)
    /// Finished uploads are 200 bytes each, kept for a client that asks again.
    package var finishedPerSession = 1_024
    /// The free space left on the disk for everything else, of a volume of this size.
    package var diskReserve: @Sendable (_ volumeByteCount: UInt64) -> UInt64 = DiskReserve.byteCount(ofVolumeHolding:)
    /// The lifetime after the last received byte.
    package var lifetime: Duration = .seconds(24 * 3_600)
    /// The bodies that one guest sends at once, including forms.
    package var bodiesByGuest = 4
    /// The photos being added at once, each with its plaintext in a temporary file.
    package var completionsAtOnce = 4
    /// For one address, so that other addresses' photos always get a permit.
    package var completionsPerAddress = 3
    /// For one guest, so that another guest's photo gets a permit while a guest adds many large ones.
    package var completionsPerGuest = 2
    /// For one guest. A page sends four bodies at once, and a guest may have several sessions.
    package var waitingCompletionsPerGuest = 32
    /// For one address, which may have all guests.
    package var waitingCompletionsPerAddress = 512
    /// Complete uploads of one guest that the node finishes without their client: fewer than a guest may have unfinished.
    package var takenByGuest = 200
    package var takenInEvent = 4_096
    package var previews = EarlyPreviews.Limits()
    /// The pause before the node tries again to finish an upload, doubled up to half a minute.
    package var takenPause: Duration = .seconds(1)
    /// The wait of a request for another one that works on the same upload; shorter than the pages' timeouts.
    package var wait: Duration = .seconds(10)

    package init() {}
}
