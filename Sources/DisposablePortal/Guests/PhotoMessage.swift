// SPDX-License-Identifier: Apache-2.0
package import DisposableModel
internal import DisposableWeb

/// A photo as one guest may see it (§4), one JSON object without groups. The desk adds what only an organizer sees.
package struct PhotoMessage: Encodable, Sendable {
    struct Heading: Encodable, Sendable {
        let id: String
        let author: String
        let authorName: OrNull<String>
        let isMine: Bool
        let state: String
        let frame: OrNull<UInt64>
        let addedAt: UInt64
        /// The name of the other event that it is of, where galleries are joined; absent for the own ones.
        let event: String?
    }
    /// The picture, with what of it is here.
    struct Picture: Encodable, Sendable {
        let takenAt: OrNull<UInt64>
        let width: UInt32
        let height: UInt32
        let mediaType: String
        let byteCount: OrNull<UInt64>
        let has: [String]
        /// Degrees clockwise.
        let turn: Int
    }
    struct Text: Encodable, Sendable {
        let caption: OrNull<String>
        let commentCount: Int
    }
    /// The reactions to it, and the places where it belongs.
    struct Remarks: Encodable, Sendable {
        let reactions: [Reaction]
        let isHighlight: Bool
        let moment: OrNull<MomentVerdict>
        let mission: OrNull<Mission>
        let spot: OrNull<Spot>
        /// The zone of the node that took it in.
        let zone: OrNull<String>
    }

    struct Reaction: Encodable, Sendable {
        let emoji: String
        let count: Int
        let isMine: Bool
    }

    let heading: Heading
    let picture: Picture
    let text: Text
    /// `nil` for the desk, which shows none of them: they are half of the message.
    let remarks: Remarks?

    /// - Parameters:
    ///   - viewer: `nil` for a page that is no guest's.
    ///   - event: the name of the other event that it is of.
    package init(_ photo: AlbumPhoto, for viewer: AuthorID?, event: String? = nil) {
        heading = Heading(photo, for: viewer, event: event)
        picture = Picture(photo)
        text = Text(photo)
        remarks = Remarks(photo, for: viewer)
    }

    package init(forDesk photo: AlbumPhoto) {
        heading = Heading(photo, for: nil, event: nil)
        picture = Picture(photo)
        text = Text(photo)
        remarks = nil
    }

    package func encode(to encoder: any Encoder) throws {
        try heading.encode(to: encoder)
        try picture.encode(to: encoder)
        try text.encode(to: encoder)
        try remarks?.encode(to: encoder)
    }
}

extension PhotoMessage.Heading {
    fileprivate init(_ photo: AlbumPhoto, for viewer: AuthorID?, event: String?) {
        self.event = event
        id = photo.id.description
        author = photo.author.description
        authorName = OrNull(photo.authorName)
        isMine = photo.author == viewer
        switch photo.state {
        case .frame(let number): (state, frame) = ("frame", OrNull(number))
        case .plan(let number): (state, frame) = ("plan", OrNull(number))
        case .sealed(let number): (state, frame) = ("sealed", OrNull(number))
        case .pending(let number): (state, frame) = ("pending", OrNull(number))
        case .veiled(let number): (state, frame) = ("veiled", OrNull(number))
        // Its author is not told that a moderator has hidden it.
        case .waiting, .hidden: (state, frame) = ("waiting", OrNull(nil))
        }
        addedAt = photo.addedAtMilliseconds
    }
}

extension PhotoMessage.Picture {
    fileprivate init(_ photo: AlbumPhoto) {
        takenAt = OrNull(photo.takenAtMilliseconds)
        width = photo.width
        height = photo.height
        mediaType = photo.mediaType.rawValue
        byteCount = OrNull(photo.byteCount)
        has = photo.available.sorted().map(\.pathName)
        turn = photo.turn.degrees
    }
}

extension PhotoMessage.Text {
    fileprivate init(_ photo: AlbumPhoto) {
        caption = OrNull(photo.caption)
        commentCount = photo.commentCount
    }
}

extension PhotoMessage.Remarks {
    fileprivate init(_ photo: AlbumPhoto, for viewer: AuthorID?) {
        reactions = DisposableModel.Remarks.emoji.map { emoji in
            let authors = photo.reactions[emoji] ?? []
            return PhotoMessage.Reaction(
                emoji: String(emoji), count: authors.count, isMine: viewer.map { authors.contains($0) } ?? false)
        }
        isHighlight = photo.isHighlight
        moment = OrNull(photo.context.moment)
        mission = OrNull(photo.context.mission)
        spot = OrNull(photo.context.spot)
        zone = OrNull(photo.context.zone)
    }
}
