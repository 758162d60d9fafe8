// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation

/// Conversion of charters to and from their message.
extension Charter {
    var message: Disposable_V1_CharterBody {
        var message = Disposable_V1_CharterBody()
        message.name = name
        message.details = details
        message.place = place
        message.startsAtMs = startsAtMilliseconds
        message.durationHours = durationHours
        message.frames = frames
        (message.reveal, message.revealAtMs) = reveal.numbers
        message.retentionHours = retentionHours
        message.category = category
        if let price {
            message.priceCents = price.cents
            message.priceCurrency = price.currency
        }
        message.links = links.map { link in
            var message = Disposable_V1_EventLink()
            message.kind = UInt32(link.kind.rawValue)
            message.address = link.address
            return message
        }
        message.registration = registration
        message.contact = contact
        message.consentText = consentText
        message.organizerName = organizerName
        message.listed = isListed
        message.opened = isOpened
        message.closed = isClosed
        message.late = Lateness.number(lateness)
        message.framesDaily = areFramesDaily
        message.startsOnOpening = startsOnOpening
        if let moments {
            message.moments.from = moments.from
            message.moments.to = moments.to
            message.moments.utcOffset = moments.utcOffset
        }
        message.nameRule = options.nameRule.rawValue
        message.cameraOnly = options.isCameraOnly
        message.downloads = options.downloads.rawValue
        message.videos = options.videos.number
        message.theme = options.themeNumber
        message.missions = missions.map { mission in
            var message = Disposable_V1_Mission()
            (message.id, message.text) = (mission.id, mission.text)
            return message
        }
        if let position {
            message.position.latitude = position.latitude
            message.position.longitude = position.longitude
        }
        if revealKey != .zero { message.revealKey = Data(revealKey.bytes) }
        return message
    }

    /// Returns `nil` if a number has no meaning, or a field has the wrong length.
    init?(_ message: Disposable_V1_CharterBody) {
        guard let reveal = RevealRule(message.reveal, atMilliseconds: message.revealAtMs),
            let revealKey = message.revealKey.isEmpty ? Bytes32.zero : Bytes32(message.revealKey),
            let options = PageOptions(message),
            message.priceCurrency.isEmpty == false || message.priceCents == 0
        else { return nil }
        self.init(
            name: message.name, startsAtMilliseconds: message.startsAtMs, durationHours: message.durationHours,
            frames: message.frames, retentionHours: message.retentionHours, isListed: message.listed,
            organizerName: message.organizerName)
        details = message.details
        place = message.place
        self.reveal = reveal
        category = message.category
        if !message.priceCurrency.isEmpty { price = Price(cents: message.priceCents, currency: message.priceCurrency) }
        for link in message.links {
            // A kind of a later version is decoded as another link.
            links.append(
                EventLink(kind: UInt8(exactly: link.kind).flatMap(EventLink.Kind.init) ?? .other, address: link.address)
            )
        }
        registration = message.registration
        contact = message.contact
        consentText = message.consentText
        isOpened = message.opened
        isClosed = message.closed
        lateness = Lateness(number: message.late)
        areFramesDaily = message.framesDaily
        startsOnOpening = message.startsOnOpening
        if message.hasMoments {
            moments = MomentHours(
                from: message.moments.from, to: message.moments.to, utcOffset: message.moments.utcOffset)
        }
        self.options = options
        missions = message.missions.map { Mission(id: $0.id, text: $0.text) }
        if message.hasPosition {
            position = EventPosition(latitude: message.position.latitude, longitude: message.position.longitude)
        }
        self.revealKey = revealKey
    }
}

extension PageOptions {
    fileprivate init?(_ message: Disposable_V1_CharterBody) {
        guard let nameRule = NameRule(rawValue: message.nameRule),
            let downloads = DownloadRule(rawValue: message.downloads)
        else { return nil }
        self.init()
        self.nameRule = nameRule
        isCameraOnly = message.cameraOnly
        self.downloads = downloads
        videos = VideoRule(number: message.videos)
        themeNumber = message.theme
    }
}

extension RevealRule {
    /// The rule's number, and its time if it has one.
    fileprivate var numbers: (UInt32, UInt64) {
        switch self {
        case .now: (0, 0)
        case .atEnd: (1, 0)
        case .at(let milliseconds): (2, milliseconds)
        case .byHost: (3, 0)
        case .never: (4, 0)
        }
    }

    fileprivate init?(_ number: UInt32, atMilliseconds milliseconds: UInt64) {
        switch number {
        case 0: self = .now
        case 1: self = .atEnd
        case 2: self = .at(milliseconds)
        case 3: self = .byHost
        case 4: self = .never
        default: return nil
        }
    }
}
