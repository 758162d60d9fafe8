// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
internal import DisposableValues
public import Foundation

/// The node as the organizer's desk needs it, implemented by the program and by tests.
///
/// The desk's page and the command line share their terms: answers are the JSON that commands print, and are sent
/// unchanged. Every call throws `DeskError` for errors that the person can act on.
public protocol Desk: Sendable {
    /// Returns whether the text is a key of the desk, the part of its address after `#`, which then becomes invalid.
    func use(key: String) async -> Bool
    func answer(_ question: DeskQuestion) async throws -> any Encodable & Sendable
    /// Returns when the result is durable.
    func perform(_ act: DeskAct) async throws -> any Encodable & Sendable
    /// Makes a file to save or display: codes, posters.
    func file(_ file: DeskFile) async throws -> DeskBytes
    /// Returns the bytes of a photo that the node's own person may see, hidden or not. Throws `.notFound`.
    func bytes(_ blobClass: BlobClass, of photo: PhotoID, in event: DeskEvent) async throws -> PhotoBytes
    /// Returns the file of an album that was made at the desk. Throws `.notFound` if there is none.
    func albumFile(in event: DeskEvent) async throws -> DeskAlbumFile
    /// Returns a page of a selection, newest first, older than `cursor`; and the last of it, if another page follows.
    /// One that is `isOldestFirst` has the other order.
    func photos(
        _ which: DeskPhotos, by author: AuthorID?, before cursor: PhotoID?, limit: Int, in event: DeskEvent
    ) async throws -> (photos: [AlbumPhoto], next: PhotoID?)
}

/// An event as in addresses: the start of its id, eight hexadecimal digits or more.
public struct DeskEvent: Equatable, Sendable {
    public let text: String

    public init?(_ text: some StringProtocol) {
        guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        self.text = String(text)
    }

    private static let digits = Set("0123456789abcdef".utf8)
}

/// A query. Lists are paged.
public enum DeskQuestion: Equatable, Sendable {
    /// The node's events, and the presets for new ones.
    case events
    case overview(DeskEvent)
    case settings(DeskEvent)
    /// The photos that are shown as the event's cover and plan.
    case pictures(DeskEvent)
    /// The map of this node's pages; `{}` if there is none.
    case map(DeskEvent)
    /// The album that is being made or can be saved, with its passphrase; `{}` if there is none. Throws the error that
    /// ended the making of it.
    case album(DeskEvent)
    /// - Parameter offset: the number of entries to skip.
    /// People with `named` in their names, in any case and with any accents; all if it is empty.
    case people(DeskEvent, named: String, offset: Int, limit: Int)
    /// The effect of removing a member.
    case removal(DeskEvent, member: String)
    /// Newest first, older than `before`; of all authors, or of one.
    case photos(DeskEvent, which: DeskPhotos, by: AuthorID?, before: PhotoID?, limit: Int)
    case photo(DeskEvent, PhotoID)
    /// The newest comments on a photo, oldest first.
    case comments(DeskEvent, PhotoID)
    /// The nodes that have the photo, or have purged it.
    case copies(DeskEvent, PhotoID)
    case invitation(DeskEvent)
    /// The newest messages to the organizers, newest first, in one page.
    case messages(DeskEvent)
    /// The tickets of the event with what has become of them, without their secrets.
    case tickets(DeskEvent)
    /// The vote for the photo of the night; `{}` if there was none.
    case vote(DeskEvent)
    /// The events whose galleries are joined with this one.
    case twins(DeskEvent)
    /// The number of veiled photos that only devices ask for which were let in since then, in milliseconds since 1970
    /// UTC.
    case veils(DeskEvent, admittedSince: UInt64)
    /// The nodes' invitation: a secret.
    case nodeInvitation(DeskEvent)

    public static let limitMax = 100
}

/// The selection of an event's photos. Withdrawn ones are in none.
public enum DeskPhotos: String, CaseIterable, Sendable {
    case all, shown, hidden, favourites, pending, veiled

    /// Whether its pages begin with the photo that waits for a decision longest.
    var isOldestFirst: Bool { self == .pending || self == .veiled }
}

/// A command.
public enum DeskAct: Equatable, Sendable {
    /// Creates an event, and serves its pages from now on.
    case create(DeskForm)
    case edit(DeskEvent, DeskForm)
    /// Deletes the event on every node. `name` is what the person has typed.
    case delete(DeskEvent, name: String)
    /// Puts the event into this node's archive, or takes it out.
    case archive(DeskEvent, isOn: Bool)
    /// Shows the event key as words: a secret. Afterwards there is no warning of a key that only this node has.
    case backUpKey(DeskEvent)
    case reveal(DeskEvent, isConfirmed: Bool)
    case frames(DeskEvent, member: String, count: UInt64)
    /// Gives the member's node a zone; an empty name takes it away.
    case zone(DeskEvent, member: String, name: String)
    case grant(DeskEvent, role: String, member: String)
    /// - Parameter withAdmitted: for participant: also removes all members that only it admitted.
    case revoke(DeskEvent, role: String, member: String, withAdmitted: Bool, isConfirmed: Bool)
    case hide(DeskEvent, PhotoID)
    case unhide(DeskEvent, PhotoID)
    /// Deletes the photo for everybody.
    case erase(DeskEvent, PhotoID)
    /// At least one.
    case approve(DeskEvent, [PhotoID])
    case unapprove(DeskEvent, PhotoID)
    /// Shows a veiled photo again, or takes that decision back.
    case lift(DeskEvent, PhotoID, isOn: Bool)
    /// Shows some of the veiled photos again that only devices ask for which were let in since then.
    case liftAdmitted(DeskEvent, since: UInt64)
    /// A comment or a notice.
    case hideRemark(DeskEvent, OperationID, isHidden: Bool)
    /// Posts a notice to all guests.
    case notice(DeskEvent, text: String)
    /// Deletes a message to the organizers on every node.
    case eraseMessage(DeskEvent, OperationID)
    /// Makes so many more tickets.
    case makeTickets(DeskEvent, count: Int)
    case cancelTicket(DeskEvent, TicketKey)
    /// Opens or closes the vote for the photo of the night.
    case setVote(DeskEvent, isOpen: Bool)
    /// Joins the gallery with that of another event, or separates them; the answer may have a secret agreement.
    case changeTwins(DeskEvent, TwinChange)
    /// Marks the photo on this node only.
    case favourite(DeskEvent, PhotoID, isOn: Bool)
    /// Shows the marked photos to guests as highlights, or no highlights.
    case shareFavourites(DeskEvent, isOn: Bool)
    /// Adds the file at the path as a photo of the node's person.
    case addPhoto(DeskEvent, path: String)
    /// Makes the photo the event's cover or plan; `nil` takes the picture off.
    case setPicture(DeskEvent, PictureRole, PhotoID?)
    /// Adds the file at the path as a photo, and makes it the event's cover or plan.
    case addPicture(DeskEvent, PictureRole, path: String)
    /// Gives two points of the plan their places on the Earth, or makes the outline of the world the plan.
    case setMap(DeskEvent, DeskForm)
    /// Shows the tiles of the file at the path behind the plan.
    case addMap(DeskEvent, path: String)
    case removeMap(DeskEvent)
    /// Begins to make an album as one file, in place of a finished one.
    case makeAlbum(DeskEvent, DeskForm)
    /// Ends the making of the album, and removes its file.
    case removeAlbum(DeskEvent)

    /// Whether another device may send it over an unencrypted connection: only commands that can be undone and reveal
    /// nothing.
    public var isForEverywhere: Bool {
        switch self {
        case .hide, .unhide, .approve, .unapprove, .lift, .liftAdmitted, .hideRemark, .favourite, .shareFavourites: true
        case .create, .edit, .delete, .erase, .archive, .backUpKey, .reveal, .frames, .zone, .grant, .revoke, .notice,
            .eraseMessage, .makeTickets, .cancelTicket, .setVote, .changeTwins:
            false
        case .makeAlbum, .removeAlbum: Self.isAlbumForEverywhere
        case .addPhoto: Self.isPhotoForEverywhere
        case .setPicture, .addPicture, .setMap, .addMap, .removeMap: Self.isPictureForEverywhere
        }
    }

    /// The file of a photo is not encrypted on its way.
    static let isPhotoForEverywhere = false
    /// The file of a picture or a map is not encrypted on its way.
    static let isPictureForEverywhere = false
    /// An album fills the disk of the node, and its passphrase is a secret.
    static let isAlbumForEverywhere = false
}

extension DeskQuestion {
    public var isForEverywhere: Bool {
        switch self {
        case .nodeInvitation, .removal, .messages, .album: false
        case .pictures, .map, .tickets, .vote, .twins: true
        case .events, .overview, .settings, .people, .photos, .photo, .comments, .copies, .invitation, .veils: true
        }
    }
}

/// A change of the joined galleries. The other event is named by its id, or the start of it.
public enum TwinChange: Equatable, Sendable {
    /// The nodes' invitation of the other event, or the agreement of its organizer.
    case take(text: String)
    /// Another event of this node.
    case with(DeskEvent)
    /// Gives the members of now the other event's present secret.
    case renew(DeskEvent)
    case separate(DeskEvent)
}

public enum DeskFile: Equatable, Sendable {
    public enum Format: String, Sendable { case svg, png }
    /// `cards`: the unused tickets that this node has made.
    public enum Paper: String, Sendable { case poster, card, cards }

    /// The guests' link as a QR code.
    case code(DeskEvent, Format)
    /// A PDF; the form can contain the Wi-Fi and the address.
    case paper(DeskEvent, Paper, DeskForm)

    public var isForEverywhere: Bool { if case .code = self { true } else { false } }
}

public struct DeskBytes: Sendable {
    public var bytes: [UInt8]
    /// As `image/png`.
    public var mediaType: String
    /// The name of the saved file.
    public var name: String

    public init(bytes: [UInt8], mediaType: String, name: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.name = name
    }
}

/// An album as one file, read in parts.
public struct DeskAlbumFile: Sendable {
    /// The name of the saved file.
    public var name: String
    /// Different for each album: letters, digits and hyphens.
    public var tag: String
    public var bytes: PhotoBytes

    public init(name: String, tag: String, bytes: PhotoBytes) {
        self.name = name
        self.tag = tag
        self.bytes = bytes
    }
}

/// A JSON object from the page, with the length limit in `PortalLimits`.
public struct DeskForm: Equatable, Sendable {
    public let bytes: Data
    public init(bytes: Data) { self.bytes = bytes }

    /// Throws `DeskError.malformed` for anything but an object of this shape.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(DeskError) -> Value {
        do { return try JSONDecoder().decode(type, from: JSONNesting.checked(bytes)) } catch {
            throw DeskError(.malformed, "the form does not have the expected fields")
        }
    }
}

/// An error that the person at the desk can act on.
public struct DeskError: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case malformed
        /// An input is invalid.
        case unacceptable
        /// Against the event's rules or beyond this node's rank, or without a change.
        case refused
        /// Needs a confirmation, because it affects others. The message describes the effect.
        case unconfirmed
        case notFound
        /// The machine cannot do it now.
        case unavailable
    }
    public let kind: Kind
    public let message: String
    public let hint: String?
    /// The key of the page's own sentence about it (`errors` in `Public/texts/desk`), and the values of that sentence.
    public let reason: String?
    public let about: [String]

    public init(
        _ kind: Kind, _ message: String, hint: String? = nil, reason: String? = nil, about: [String] = []
    ) {
        self.kind = kind
        self.message = message
        self.hint = hint
        self.reason = reason
        self.about = about
    }
}
