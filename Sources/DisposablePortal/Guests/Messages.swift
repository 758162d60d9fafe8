// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

// The JSON objects of protocol/guest-api.md, and their coding in requests and responses.

/// The answer of `api/me` (§2).
struct MeMessage: Encodable {
    struct Event: Encodable {
        let id: String
        let name: String
        let organizer: String
        let words: [String]
        let startsAt: UInt64
        let endsAt: UInt64
        let isOpened: Bool
        let isClosed: Bool
        /// Until when photos are accepted; null for photos of any time.
        let acceptsUntil: OrNull<UInt64>
        /// Whether `frames` are for each day.
        let areFramesDaily: Bool
        let retentionHours: UInt32
        let expiresAt: UInt64
        let frames: OrNull<UInt64>
        let sealed: OrNull<Sealed>
        let notice: OrNull<Notice>
        let highlightCount: Int
        /// In the organizers' order.
        let missions: [PhotoMessage.Mission]
        let cover: OrNull<PictureMessage>
        let plan: OrNull<PictureMessage>
        /// Whether guests can have photos of others veiled.
        let veils: Bool
        let options: Options
    }
    /// The vote for the photo of the night.
    struct Vote: Encodable, Sendable {
        let id: String
        let isOpen: Bool

        init(_ state: PortalVote.State) { (id, isOpen) = (state.ballot.description, state.isOpen) }
    }
    /// The organizers' options for pages.
    struct Options: Encodable {
        let names: String
        let isCameraOnly: Bool
        let downloads: String
        let videoSecondsMax: OrNull<UInt32>
        let theme: String

        init(_ options: PageOptions) {
            (names, downloads, theme) = (options.nameRule.word, options.downloads.word, options.theme.word)
            isCameraOnly = options.isCameraOnly
            videoSecondsMax = OrNull(options.videos.secondsMax)
        }
    }
    /// A notice of an organizer.
    struct Notice: Encodable, Sendable {
        let id: String
        let text: String
        let saidAt: UInt64
    }
    /// Photos that only their authors see so far.
    struct Sealed: Encodable, Sendable {
        let count: Int
        let revealsAt: OrNull<UInt64>
        let forOrganizers: Bool
    }
    /// The same pages over HTTPS and over plain HTTP.
    struct Secure: Encodable, Equatable, Sendable {
        let origin: String
        let plainOrigin: String
        /// Whether browsers accept the certificate without a warning, as far as this node knows.
        let isTrusted: Bool
    }
    /// Another portal of the event.
    struct Other: Encodable, Sendable {
        let node: String
        let name: OrNull<String>
        let origins: [String]
    }
    struct Guest: Encodable, Sendable {
        let id: String
        let name: OrNull<String>
        let framesUsed: Int
        let frames: OrNull<UInt64>
    }
    /// The consent text for adding photos.
    struct Consent: Encodable {
        let id: String
        let statement: String
        let organizersText: OrNull<String>
        let isGiven: Bool

        init(_ consent: PortalConsent) {
            id = consent.text.id.description
            statement = ConsentText.statement
            organizersText = OrNull(consent.text.organizers.isEmpty ? nil : consent.text.organizers)
            isGiven = consent.isGiven
        }
    }
    let event: Event
    /// Null if there never was a vote for the photo of the night.
    let vote: OrNull<Vote>
    let node: String
    let challenge: String
    let consent: Consent
    let guest: OrNull<Guest>
    let link: String
    let code: String
    let secure: OrNull<Secure>
    let others: [Other]
}

/// The description of the event that `api/about` returns (§2).
struct AboutMessage: Encodable {
    struct Price: Encodable {
        let cents: UInt32
        let currency: String
    }
    let details: OrNull<String>
    let place: OrNull<String>
    let contact: OrNull<String>
    let price: OrNull<Price>
    let links: [String]

    init(_ charter: Charter) {
        func text(_ value: String) -> OrNull<String> { OrNull(value.isEmpty ? nil : value) }
        (details, place, contact) = (text(charter.details), text(charter.place), text(charter.contact))
        price = OrNull(charter.price.map { Price(cents: $0.cents, currency: $0.currency) })
        links = charter.links.map(\.address)
    }
}

/// A photo as one guest may see it (§4).
struct PhotoMessage: Encodable, Sendable {
    let id: String
    let author: String
    let authorName: OrNull<String>
    let isMine: Bool
    let state: String
    let frame: OrNull<UInt64>
    let addedAt: UInt64
    let takenAt: OrNull<UInt64>
    let width: UInt32
    let height: UInt32
    let mediaType: String
    let byteCount: OrNull<UInt64>
    let has: [String]
    let caption: OrNull<String>
    let commentCount: Int
    let reactions: [Reaction]
    let isHighlight: Bool
    let moment: OrNull<Moment>
    let mission: OrNull<Mission>
    let spot: OrNull<Place>
    /// Degrees clockwise.
    let turn: Int

    struct Mission: Encodable, Sendable {
        let id: UInt32
        let text: String
    }

    struct Place: Encodable, Sendable {
        let x: UInt16
        let y: UInt16
    }

    struct Moment: Encodable, Sendable {
        let day: UInt32
        let late: Bool
    }

    struct Reaction: Encodable, Sendable {
        let emoji: String
        let count: Int
        let isMine: Bool
    }

    init(_ photo: PortalPhoto, for viewer: AuthorID?) {
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
        case .waiting: (state, frame) = ("waiting", OrNull(nil))
        }
        addedAt = photo.addedAtMilliseconds
        takenAt = OrNull(photo.takenAtMilliseconds)
        width = photo.width
        height = photo.height
        mediaType = photo.mediaType.rawValue
        byteCount = OrNull(photo.byteCount)
        has = photo.available.sorted().map(\.pathName)
        caption = OrNull(photo.caption)
        commentCount = photo.commentCount
        isHighlight = photo.isHighlight
        turn = photo.turn.degrees
        spot = OrNull(photo.spot.map { Place(x: $0.x, y: $0.y) })
        moment = OrNull(photo.moment.map { Moment(day: $0.day, late: $0.isLate) })
        mission = OrNull(photo.mission.map { Mission(id: $0.id, text: $0.text) })
        reactions = Remarks.emoji.map { emoji in
            let authors = photo.reactions[emoji] ?? []
            return Reaction(
                emoji: String(emoji), count: authors.count, isMine: viewer.map { authors.contains($0) } ?? false)
        }
    }
}

extension BlobClass {
    /// The class's name in addresses.
    var pathName: String {
        switch self {
        case .thumbnail: "thumbnail"
        case .preview: "preview"
        case .original: "original"
        }
    }
}

extension Request {
    /// Decodes the body as JSON of this shape. Throws 400 for anything else, 413 for a longer one.
    func json<Value: Decodable>(_ type: Value.Type, limits: PortalLimits) async throws -> Value {
        try await json(type, byteCountMax: limits.bodies.jsonByteCountMax)
    }

    /// Returns the raw body, with the length limit of JSON.
    func bytes(limits: PortalLimits) async throws -> Data {
        Data(try await body(upTo: limits.bodies.jsonByteCountMax).readableBytesView)
    }

    /// Decodes the body of a short form (`application/x-www-form-urlencoded`).
    func form<Value: Decodable>(_ type: Value.Type, limits: PortalLimits) async throws -> Value {
        try await form(type, byteCountMax: limits.bodies.jsonByteCountMax)
    }
}
