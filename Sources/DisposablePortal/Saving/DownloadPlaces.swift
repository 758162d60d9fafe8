// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableWeb
internal import HTTPTypes

/// Places for downloads of files that take long.
typealias DownloadPlaces = AnswerPlaces<Void>

extension DownloadPlaces {
    /// Returns a place for a download, and ends the one that loses its place to it. Throws `too-many-downloads`.
    func place(for owner: Bytes32, _ context: PortalContext) throws(PortalError) -> Place {
        guard let (place, replaced) = try? take((), for: owner, context) else {
            throw PortalError(
                .tooManyRequests, "too-many-downloads", "other downloads are still in progress", retryAfter: 10)
        }
        replaced?.connection?.close()
        return place
    }
}
