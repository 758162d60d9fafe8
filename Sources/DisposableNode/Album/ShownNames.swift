// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The names of people in an album, which no node serves: a person without a name is "A guest", or "Guest 1", "Guest 2"
/// if there are several. The names are the same on all nodes with the same gallery.
struct ShownNames: Sendable {
    private var names: [AuthorID: String] = [:]

    /// - Parameter photos: all photos of the gallery, in order.
    init(of photos: [EventNode.DescribedPhoto], in album: Album) {
        var nameless: [AuthorID] = []
        func add(_ author: AuthorID) {
            guard names[author] == nil else { return }
            names[author] = album.shownName(of: author) ?? ""
            if names[author]?.isEmpty == true { nameless.append(author) }
        }
        for photo in photos { add(photo.photo.author) }
        for photo in photos {
            for comment in album.comments(on: photo.photo.id) { add(album.membership.author(of: comment.device)) }
        }
        for (index, author) in nameless.enumerated() {
            names[author] = nameless.count == 1 ? "A guest" : "Guest \(index + 1)"
        }
    }

    subscript(author: AuthorID) -> String { names[author] ?? author.short }

    /// Returns the comments on a photo, oldest first.
    func comments(on photo: PhotoID, in album: Album) -> [AlbumManifest.Comment] {
        album.comments(on: photo).compactMap { comment in
            comment.text.map {
                AlbumManifest.Comment(
                    author: self[album.membership.author(of: comment.device)],
                    saidAt: Timestamps.iso8601(comment.timestamp.milliseconds), text: $0)
            }
        }
    }
}
