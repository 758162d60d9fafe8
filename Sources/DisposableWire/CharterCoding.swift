// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import Foundation

/// Conversion of charters to and from their message.
extension Charter {
    var message: Disposable_V1_CharterBody {
        var message = Disposable_V1_CharterBody()
        message.name = name
        message.details = presentation.details
        message.place = presentation.place
        message.startsAtMs = schedule.startsAtMilliseconds
        message.durationHours = schedule.durationHours
        message.frames = frames
        (message.reveal, message.revealAtMs) = reveal.numbers
        message.retentionHours = schedule.retentionHours
        message.category = presentation.category
        if let price = presentation.price {
            message.priceCents = price.cents
            message.priceCurrency = price.currency
        }
        message.links = presentation.links.map { link in
            var message = Disposable_V1_EventLink()
            message.kind = UInt32(link.kind.rawValue)
            message.address = link.address
            return message
        }
        message.registration = organizer.registration
        message.contact = organizer.contact
        message.consentText = organizer.consentText
        message.organizerName = organizer.name
        message.listed = presentation.isListed
        message.opened = isOpened
        message.closed = isClosed
        message.late = Lateness.number(schedule.lateness)
        message.framesDaily = areFramesDaily
        message.startsOnOpening = schedule.startsOnOpening
        if let moments = schedule.moments {
            message.moments.from = moments.from
            message.moments.to = moments.to
            message.moments.utcOffset = moments.utcOffset
        }
        message.nameRule = options.nameRule.rawValue
        message.cameraOnly = options.isCameraOnly
        message.downloads = options.downloads.rawValue
        message.videos = options.videos.number
        message.theme = options.themeNumber
        message.tickets = options.needsTickets
        message.wallCode = options.needsWallCode
        message.photosAtOnce = options.photosAtOnce
        message.missions = missions.map { mission in
            var message = Disposable_V1_Mission()
            (message.id, message.text) = (mission.id, mission.text)
            return message
        }
        if !zones.list.isEmpty { message.zones = Data(zones.bytes) }
        if let position = presentation.position {
            message.position.latitude = position.latitude
            message.position.longitude = position.longitude
        }
        if revealKey != .zero { message.revealKey = Data(revealKey.bytes) }
        if let shares = seal.shares {
            message.revealThreshold = UInt32(shares.threshold)
            message.shareCommitments = Data(shares.commitments.flatMap(\.bytes))
        }
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
        presentation.details = message.details
        presentation.place = message.place
        self.reveal = reveal
        presentation.category = message.category
        if !message.priceCurrency.isEmpty {
            presentation.price = Price(cents: message.priceCents, currency: message.priceCurrency)
        }
        for link in message.links {
            // A kind of a later version is decoded as another link.
            presentation.links.append(
                EventLink(kind: UInt8(exactly: link.kind).flatMap(EventLink.Kind.init) ?? .other, address: link.address)
            )
        }
        organizer.registration = message.registration
        organizer.contact = message.contact
        organizer.consentText = message.consentText
        isOpened = message.opened
        isClosed = message.closed
        schedule.lateness = Lateness(number: message.late)
        areFramesDaily = message.framesDaily
        schedule.startsOnOpening = message.startsOnOpening
        if message.hasMoments {
            schedule.moments = MomentHours(
                from: message.moments.from, to: message.moments.to, utcOffset: message.moments.utcOffset)
        }
        self.options = options
        missions = message.missions.map { Mission(id: $0.id, text: $0.text) }
        zones = Zones(bytes: Array(message.zones))
        if message.hasPosition {
            presentation.position = EventPosition(
                latitude: message.position.latitude, longitude: message.position.longitude)
        }
        self.revealKey = revealKey
        if revealKey != .zero { seal.shares = ShareTerms(message) }
    }
}

extension ShareTerms {
    /// Returns `nil` if the secret half is not shared, or what is said of it has no meaning.
    fileprivate init?(_ message: Disposable_V1_CharterBody) {
        let bytes = message.shareCommitments
        guard bytes.count.isMultiple(of: 32), bytes.count <= 32 * Self.countMax else { return nil }
        let commitments = stride(from: bytes.startIndex, to: bytes.endIndex, by: 32).compactMap {
            Bytes32(bytes[$0..<$0 + 32])
        }
        self.init(threshold: Int(clamping: message.revealThreshold), commitments: commitments)
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
        needsTickets = message.tickets
        needsWallCode = message.wallCode
        photosAtOnce = message.photosAtOnce
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
