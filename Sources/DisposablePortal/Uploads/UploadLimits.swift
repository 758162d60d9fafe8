// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// What uploads may take of a node (protocol/guest-api.md §5). Tests have smaller ones.
package struct UploadLimits: Sendable {
    /// Of one upload.
    package var byteCount = BlobClass.original.byteCountMax
    /// Each costs 45 bytes; a full upload in full records has 4,096.
    package var recordsPerUpload: UInt64 = 16_384
    /// Of the `Upload-Metadata` header, which is kept and given back.
    package var metadataByteCount = 2_048
    // Unfinished uploads. All sessions of a guest count together.
    package var unfinishedByGuest = 256
    package var unfinishedByAddress = 4_096
    package var unfinishedInEvent = 16_384
    // Bytes of them that have come, and the window of each.
    package var bytesByGuest: UInt64 = 4 << 30
    package var bytesByAddress: UInt64 = 32 << 30
    package var bytesInEvent: UInt64 = 64 << 30
    /// Bytes that one address sends, whatever becomes of them. A roll bounds what a guest sends, but an event may have
    /// none, and an address may bring any number of guests.
    package var addressBytes = PortalLimits.Rate(burst: 16 * 1_073_741_824, perSecond: 4 * 1_048_576)
    /// What an upload claims ahead of what has come; never more than its length.
    package var window: UInt64 = 1 << 20
    /// An upload on which nothing has moved for so long gives way where room is short.
    package var idleTimeBeforeEviction = Duration.seconds(60)
    /// Finished ones are 200 bytes each, remembered for a client that asks again.
    package var finishedPerSession = 1_024
    /// Left free on the disk for everything else, of a volume that holds so much.
    package var diskReserve: @Sendable (_ volumeByteCount: UInt64) -> UInt64 = DiskReserve.byteCount(ofVolumeHolding:)
    /// After the last byte that came.
    package var lifetime: Duration = .seconds(24 * 3_600)
    /// Bodies that one guest sends at once, forms among them.
    package var bodiesByGuest = 4
    /// Photos being added at once, each with its plaintext in a temporary file.
    package var completionsAtOnce = 4
    /// Of one address, so that other addresses' photos find a place in any case.
    package var completionsPerAddress = 3
    /// Of one guest, so that another guest's photo finds a place while a guest adds many heavy ones.
    package var completionsPerGuest = 2
    /// Of one guest. A page sends four bodies at once, and a guest may have several sessions.
    package var waitingCompletionsPerGuest = 32
    /// Of one address, behind which may be all guests.
    package var waitingCompletionsPerAddress = 512
    /// How long a request waits for another that has the same upload in hand: less than pages are patient.
    package var wait: Duration = .seconds(10)

    package init() {}
}
