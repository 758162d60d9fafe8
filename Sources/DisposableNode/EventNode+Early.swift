// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging
public import DisposableModel
internal import DisposableSync

/// Previews of guests' photos whose originals are still on their way.
extension EventNode {
    /// Whether a photo that the guest adds now is shown to everybody at once: not while it is sealed, waits for
    /// approval, or is too early or too late for the event.
    public func showsAtOnce(photosBy guest: AuthorID) throws -> Bool {
        let state = replica.state
        guard state.charter != nil, state.isRevealed, !state.album.holdsNewPhotos(by: guest),
            (try? replica.checkTimes(of: guest)) != nil
        else { return false }
        return try !state.membership.isRevoked(subKeyID(of: guest))
    }

    /// Makes small pictures of a JPEG, in an image worker, before other pictures that wait. Throws
    /// `Refusal.refusedFile` for one that cannot be decoded, `.storage` if no worker is available.
    public func smallPictures(of jpeg: [UInt8]) async throws -> SmallPictures {
        do {
            let image = try await context.images.render(bytes: jpeg)
            guard image.mediaType == .jpeg, !image.warnings.contains(.damaged), let made = image.renditions else {
                throw NodeError.refused(.refusedFile(reason: "the preview cannot be decoded"))
            }
            return SmallPictures(
                width: UInt32(made.width), height: UInt32(made.height), thumbnail: made.thumbnail,
                preview: made.preview)
        } catch let error as ImagingError {
            switch error {
            case .queueFull, .stopped, .workerUnavailable: throw NodeError.storage("\(error)")
            default: throw NodeError.refused(.refusedFile(reason: "the preview cannot be decoded"))
            }
        }
    }
}
