// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableSystem
internal import DisposableWeb
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

// The JSON objects of protocol/guest-api.md, and their coding in requests and responses.

/// The answer of `api/me` (§2).
struct MeMessage: Encodable {
    /// The vote for the photo of the night.
    struct Vote: Encodable, Sendable {
        let id: String
        let isOpen: Bool

        init(_ state: PhotoVote.State) { (id, isOpen) = (state.ballot.description, state.isOpen) }
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
        /// Left out where each organizer reveals them alone.
        let organizerCount: Int?
        /// The key to which the page seals photos.
        let pageKey: OrNull<String>
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
    /// The code and the pass that the wall shows, for the wall alone.
    struct Wall: Encodable, Sendable {
        /// The part of the wall's link behind `#`, which opens it at any node.
        let token: String
        /// Null where new guests do not need it.
        let code: OrNull<String>
        /// The part of the link in the wall's QR code behind `#`; null with the code.
        let pass: OrNull<String>
        /// Milliseconds until the next code.
        let remaining: UInt64

        init(_ wall: WallCode, isShown: Bool) {
            let now = Milliseconds.now
            token = wall.tokenText
            code = OrNull(isShown ? wall.code(at: now) : nil)
            pass = OrNull(isShown ? wall.passText(at: now) : nil)
            remaining = WallCode.remainingMilliseconds(at: now)
        }
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

        init(_ consent: GuestConsent) {
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
    /// Whether the session has to show the wall's code first.
    let isOutside: Bool
    /// Null for all sessions but the wall's.
    let wall: OrNull<Wall>
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
        let presentation = charter.presentation
        (details, place) = (text(presentation.details), text(presentation.place))
        contact = text(charter.organizer.contact)
        price = OrNull(presentation.price.map { Price(cents: $0.cents, currency: $0.currency) })
        links = presentation.links.map(\.address)
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
