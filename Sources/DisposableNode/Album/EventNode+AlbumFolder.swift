// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync

/// Albums that are made in a folder of the event, to be saved elsewhere.
extension EventNode {
    /// The path of that folder, which may be missing. It is removed whenever the event is opened.
    public nonisolated var albumPath: String { store.folder.albumPath }

    /// Returns the bytes of the photos of an album that are here, with their small pictures. Throws `NodeError`.
    public func albumByteCount(hasOriginals: Bool, onlyFavourites: Bool) async throws -> UInt64 {
        let wanted = try chosen(favourites: onlyFavourites, highlights: false)
        return try await gallery(onlyMine: false).filter { wanted?.contains($0.photo.id) != false }
            .reduce(0) { sum, photo in
                let isHere = hasOriginals && replica.isComplete(.original, of: photo.photo.id)
                let blobs = [
                    photo.manifest?.thumbnail, photo.manifest?.preview, isHere ? photo.original?.original : nil,
                ]
                return blobs.reduce(sum) { $0 + ($1?.byteCount ?? 0) }
            }
    }
}
