// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal

/// A photo of the desk's sheet, one JSON object without groups: as guests' pages get it, without reactions and places,
/// with what only an organizer sees.
struct DeskPhoto: Encodable {
    struct Organizing: Encodable {
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
    let photo: PhotoMessage
    let organizing: Organizing

    init(_ photo: EventNode.SheetPhoto) {
        let album = photo.album
        self.photo = PhotoMessage(forDesk: album)
        organizing = Organizing(
            isHidden: photo.isHidden, isPending: album.isPending, isVeiled: album.isVeiled,
            isFavourite: photo.isFavourite, pictures: photo.pictures.map { "\($0)" }, isSealed: album.isSealed)
    }

    func encode(to encoder: any Encoder) throws {
        try photo.encode(to: encoder)
        try organizing.encode(to: encoder)
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
