// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// Highlights: the photos that organizers show to guests as a collection (protocol/disposable-v1.md §9.17).
extension EventNode {
    /// Returns the photos that are shown to all and are highlights, oldest first; cached until a change, since every
    /// page asks for their number.
    func highlights() -> [Photo] {
        if let kept = reading.highlights { return kept }
        let album = replica.state.album
        let photos = visiblePhotos().filter { album.isHighlight($0.id) }
        reading.highlights = photos
        return photos
    }

    /// The number of the photos that are shown to all and are highlights.
    public var highlightCount: Int { highlights().count }

    /// Makes this node's favourites highlights, and takes off the highlights of this node's person that are no
    /// favourites. Photos that guests do not see are left out. Returns the number of changes and of all highlights.
    /// - Parameter isOn: false for no highlights by this person.
    func shareFavourites(isOn: Bool) async throws -> (changedCount: Int, count: Int) {
        guard (replica.state.membership.rank(of: replica.deviceID) ?? .participant) >= .organizer else {
            throw NodeError.refused(.rankTooLow(needed: .organizer))
        }
        let wanted = isOn ? try favourites() : []
        let album = replica.state.album
        var changedCount = 0
        for photo in visiblePhotos().map(\.id) {
            let isWanted = wanted.contains(photo)
            guard album.highlighters(of: photo).contains(replica.authorID) != isWanted else { continue }
            if try await setHighlight(photo, isOn: isWanted) { changedCount += 1 }
        }
        return (changedCount, highlightCount)
    }

    /// Returns the photos that are one or the other, if one is asked for; `nil` for no choice.
    func chosen(favourites onlyFavourites: Bool, highlights onlyHighlights: Bool) throws -> Set<PhotoID>? {
        guard onlyFavourites || onlyHighlights else { return nil }
        return (onlyFavourites ? try favourites() : []).union(onlyHighlights ? highlights().map(\.id) : [])
    }

    /// Returns false if there is no change. Waits where too many statements were made at once.
    private func setHighlight(_ photo: PhotoID, isOn: Bool) async throws -> Bool {
        while true {
            do {
                let salt = Entropy.bytes(OperationBody.saltByteCount)
                _ = try await author(.say(.reaction(photo, Remarks.highlight, isOn: isOn), salt: salt))
                return true
            } catch NodeError.refused(.tooFast(let seconds)) {
                try await Task.sleep(for: .seconds(seconds))
            } catch NodeError.refused(.nothingToDo), NodeError.refused(.unknownPhoto) { return false }
        }
    }
}
