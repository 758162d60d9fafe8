// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

/// A photo of the desk's sheet, one JSON object without groups.
struct DeskPhoto: Encodable {
    struct Heading: Encodable {
        let id: String
        let author: String
        let authorName: String?
        let frame: UInt64?
        /// Milliseconds since 1970 UTC.
        let addedAt: UInt64
        let takenAt: UInt64?
    }
    struct State: Encodable {
        let isHidden: Bool
        /// Whether it waits for a moderator's approval.
        let isPending: Bool
        /// Whether it waits for a moderator's decision about what a guest has asked for.
        let isVeiled: Bool
        let isFavourite: Bool
        /// `cover` and `plan`: what the photo is used for.
        let pictures: [String]
        /// Whether it is shown only to its author at present.
        let isSealed: Bool
    }
    struct Picture: Encodable {
        let width: UInt32
        let height: UInt32
        let mediaType: String
        let byteCount: UInt64?
        /// `thumbnail`, `preview`, `original`: the blobs that are here.
        let has: [String]
        /// Degrees clockwise.
        let turn: Int
    }
    struct Remarks: Encodable {
        let caption: String?
        let commentCount: Int
    }
    let heading: Heading
    let state: State
    let picture: Picture
    let remarks: Remarks

    init(_ photo: EventNode.SheetPhoto) {
        let album = photo.album
        heading = Heading(
            id: album.id.description, author: album.author.description, authorName: album.authorName,
            frame: album.frame, addedAt: album.addedAtMilliseconds, takenAt: album.takenAtMilliseconds)
        state = State(
            isHidden: photo.isHidden, isPending: album.isPending, isVeiled: album.isVeiled,
            isFavourite: photo.isFavourite, pictures: photo.pictures.map { "\($0)" }, isSealed: album.isSealed)
        picture = Picture(
            width: album.width, height: album.height, mediaType: album.mediaType.rawValue, byteCount: album.byteCount,
            has: album.available.sorted().map { "\($0)" }, turn: album.turn.degrees)
        remarks = Remarks(caption: album.caption, commentCount: album.commentCount)
    }

    func encode(to encoder: any Encoder) throws {
        try heading.encode(to: encoder)
        try state.encode(to: encoder)
        try picture.encode(to: encoder)
        try remarks.encode(to: encoder)
    }
}

extension DeskPhotos {
    var filter: EventNode.SheetFilter {
        switch self {
        case .all: .all
        case .shown: .shown
        case .hidden: .hidden
        case .favourites: .favourites
        case .pending: .pending
        case .veiled: .veiled
        }
    }
}

extension TwinChange {
    /// The command of the command line.
    var act: TwinAct {
        switch self {
        case .take(let text): .take(text: text)
        case .with(let event): .with(event: event.text)
        case .renew(let event): .renew(event: event.text)
        case .separate(let event): .separate(event: event.text)
        }
    }
}
