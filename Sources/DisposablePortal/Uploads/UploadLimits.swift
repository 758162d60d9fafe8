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
    package var unfinishedPerSession = 256
    /// Finished ones are 200 bytes each, remembered for a client that asks again.
    package var finishedPerSession = 1_024
    /// Of what the unfinished uploads of a session will have when they are complete.
    package var bytesPerSession: UInt64 = 4 << 30
    /// Of the files of all uploads.
    package var bytesPerEvent: UInt64 = 64 << 30
    /// Left free on the disk for everything else, of a volume that holds so much.
    package var diskReserve: @Sendable (_ volumeByteCount: UInt64) -> UInt64 = DiskReserve.byteCount(ofVolumeHolding:)
    /// After the last touch.
    package var lifetime: Duration = .seconds(24 * 3_600)
    /// Bodies that one session sends at once.
    package var bodiesPerSession = 4
    /// Photos being added at once, each with its plaintext in a temporary file.
    package var completionsAtOnce = 4
    /// How long a request waits for another that has the same upload in hand: less than pages are patient.
    package var wait: Duration = .seconds(10)

    package init() {}
}
