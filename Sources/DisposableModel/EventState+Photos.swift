// SPDX-License-Identifier: Apache-2.0

/// The place, the moment and the mission of a photo.
extension EventState {
    /// Returns the place of a photo of this event.
    public func displayPlace(of photo: Photo) -> DisplayPlace { DisplayPlace(photo, in: window) }

    /// Returns the moment to which the photo belongs; `nil` if there is none, or the photo is unknown.
    public func moment(of photo: PhotoID) -> MomentVerdict? {
        guard let moments, album.exists(photo) else { return nil }
        return moments.verdict(at: album.photoTime(of: photo))
    }

    /// Returns the mission that the photo answers; `nil` if it answers none of the list.
    public func mission(of photo: PhotoID) -> Mission? {
        guard let missions = charter?.missions, !missions.isEmpty, let answer = album.answer(of: photo) else {
            return nil
        }
        return missions.first { $0.id == answer }
    }
}
