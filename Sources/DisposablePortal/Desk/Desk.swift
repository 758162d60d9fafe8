// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import Foundation

/// What the organizer's desk needs of a node. The command line is one; tests have another.
///
/// The desk's page and the command line have the same words: answers are what commands print with `--json`, and are
/// sent on as they are. Every call throws `DeskError` where the person can do something about it.
public protocol Desk: Sendable {
    func answer(_ question: DeskQuestion) async throws -> any Encodable & Sendable
    /// Returns when what was done is on disk.
    func perform(_ act: DeskAct) async throws -> any Encodable & Sendable
    /// A file to keep or to show: codes, posters.
    func file(_ file: DeskFile) async throws -> DeskBytes
    /// The bytes of a photo that the node's own person may see, hidden or not. Throws `.notFound`.
    func bytes(_ blobClass: BlobClass, of photo: PhotoID, in event: DeskEvent) async throws -> PhotoBytes
}

/// An event as addresses name it: the beginning of its id, eight hexadecimal digits or more.
public struct DeskEvent: Equatable, Sendable {
    public let text: String

    public init?(_ text: some StringProtocol) {
        guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        self.text = String(text)
    }

    private static let digits = Set("0123456789abcdef".utf8)
}

/// What is looked at. Lists come in pages.
public enum DeskQuestion: Equatable, Sendable {
    /// The node's events, and what one can be made from.
    case events
    case overview(DeskEvent)
    case settings(DeskEvent)
    /// - Parameter offset: how many to leave out from the front.
    case people(DeskEvent, offset: Int, limit: Int)
    /// What removing a member would come to.
    case removal(DeskEvent, member: String)
    /// Newest first, those older than `before`; all of them, or one person's.
    case photos(DeskEvent, which: DeskPhotos, by: AuthorID?, before: PhotoID?, limit: Int)
    case photo(DeskEvent, PhotoID)
    /// The newest comments on a photo, the oldest of them first.
    case comments(DeskEvent, PhotoID)
    case invitation(DeskEvent)
    /// The invitation that lets machines in: a secret.
    case nodeInvitation(DeskEvent)

    public static let limitMax = 100
}

/// Which photos of an event. Those that were taken back are in none.
public enum DeskPhotos: String, CaseIterable, Sendable {
    case all, shown, hidden, favourites
}

/// What is done.
public enum DeskAct: Equatable, Sendable {
    /// Makes an event, and serves its pages from now on.
    case create(DeskForm)
    case edit(DeskEvent, DeskForm)
    case reveal(DeskEvent, isConfirmed: Bool)
    case frames(DeskEvent, member: String, count: UInt64)
    case grant(DeskEvent, role: String, member: String)
    /// - Parameter withAdmitted: of a participant: with all that only it vouches for.
    case revoke(DeskEvent, role: String, member: String, withAdmitted: Bool, isConfirmed: Bool)
    case hide(DeskEvent, PhotoID)
    case unhide(DeskEvent, PhotoID)
    /// A comment or a notice.
    case hideRemark(DeskEvent, OperationID, isHidden: Bool)
    /// Posts a notice to all guests.
    case notice(DeskEvent, text: String)
    /// Marks the photo on this node only, for whoever sits at it.
    case favourite(DeskEvent, PhotoID, isOn: Bool)

    /// Whether another device than the node's own may do it over a connection that anybody can listen to: what can be
    /// undone, and betrays nothing.
    public var isForEverywhere: Bool {
        switch self {
        case .hide, .unhide, .hideRemark, .favourite: true
        case .create, .edit, .reveal, .frames, .grant, .revoke, .notice: false
        }
    }
}

extension DeskQuestion {
    public var isForEverywhere: Bool {
        switch self {
        case .nodeInvitation, .removal: false
        case .events, .overview, .settings, .people, .photos, .photo, .comments, .invitation: true
        }
    }
}

public enum DeskFile: Equatable, Sendable {
    public enum Format: String, Sendable { case svg, png }
    public enum Paper: String, Sendable { case poster, card }

    /// The guests' link as a QR code.
    case code(DeskEvent, Format)
    /// A PDF; the form may name the Wi-Fi and the address.
    case paper(DeskEvent, Paper, DeskForm)

    public var isForEverywhere: Bool { if case .code = self { true } else { false } }
}

public struct DeskBytes: Sendable {
    public var bytes: [UInt8]
    /// As `image/png`.
    public var mediaType: String
    /// Under which it is kept.
    public var name: String

    public init(bytes: [UInt8], mediaType: String, name: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.name = name
    }
}

/// A JSON object from the page, at most as long as `PortalLimits` has it.
public struct DeskForm: Equatable, Sendable {
    public let bytes: Data
    public init(bytes: Data) { self.bytes = bytes }

    /// Throws `DeskError.malformed` for anything but an object of this form.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(DeskError) -> Value {
        do { return try JSONDecoder().decode(type, from: bytes) } catch {
            throw DeskError(.malformed, "the form is not the one that is expected here")
        }
    }
}

/// What the person at the desk can do something about.
public struct DeskError: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case malformed
        /// What was written cannot be so.
        case unacceptable
        /// It is against the event's rules, or this node's rank, or so already.
        case refused
        /// It takes a confirmation, as it takes something away from others. The message says what.
        case unconfirmed
        case notFound
        /// The machine cannot now.
        case unavailable
    }
    public let kind: Kind
    public let message: String
    public let hint: String?

    public init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}
