// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
package import DisposableModel
internal import DisposableSync

/// The advertised data of one event.
struct AdvertisedEvent: Sendable {
    let event: EventID
    let credentials: EventCredentials
    /// Earlier secrets, as long as members may have no later one.
    let olderCredentials: [EventCredentials]
    let charter: Charter?
}

/// The content of an advertisement's TXT record (protocol/disposable-v1.md §5).
package enum AdvertisementText {
    static let version = Array("1".utf8)

    /// `v`, the salt `s` and a tag `t0`, `t1`, ... for each event; for earlier secrets `o0`, ...; for listed events the
    /// name `n0`, `n1`, ... and start `b0`, ...; and what `addDetails` adds.
    /// - Parameter pagePort: of the guests' pages, `nil` if others cannot reach them.
    static func encode(_ events: [AdvertisedEvent], salt: [UInt8], pagePort: UInt16?) -> [String: [UInt8]] {
        var text: [String: [UInt8]] = ["v": version, "s": Array(salt.hex.utf8)]
        let events = events.sorted { $0.event < $1.event }
        for (index, event) in events.prefix(tagCountMax).enumerated() {
            text["t\(index)"] = Array(event.credentials.advertisementTag(salt: salt).hex.utf8)
            guard let charter = event.charter, charter.presentation.isListed else { continue }
            text["n\(index)"] = Array(charter.name.cut(toByteCount: nameByteCountMax).utf8)
            guard !charter.isUndatedDraft else { continue }
            text["b\(index)"] = Array(String(charter.schedule.startsAtMilliseconds).utf8)
        }
        // If there is room, tags by earlier secrets, for members that have not received the new one.
        let older = events.flatMap(\.olderCredentials)
        for (index, credentials) in older.prefix(max(0, tagCountMax - events.count)).enumerated() {
            text["o\(index)"] = Array(credentials.advertisementTag(salt: salt).hex.utf8)
        }
        let listed = events.prefix(tagCountMax).enumerated().compactMap { index, event in
            event.charter.flatMap { $0.presentation.isListed && !$0.isUndatedDraft ? (index: index, charter: $0) : nil }
        }
        addDetails(of: listed, pagePort: pagePort, to: &text)
        return text
    }

    /// Adds the port of the guests' pages `g`, then categories `c0`, ..., places `p0`, ... and positions `l0`, ..., as
    /// long as the record stays within its limits: names and starts come first. Readers ignore keys that they do not know.
    package static func addDetails(
        of listed: [(index: Int, charter: Charter)], pagePort: UInt16?, to text: inout [String: [UInt8]]
    ) {
        var details: [(key: String, value: [UInt8])] = []
        if let pagePort, !listed.isEmpty { details.append(("g", Array(String(pagePort).utf8))) }
        for (index, charter) in listed {
            guard let category = EventCategory(label: charter.presentation.category) else { continue }
            details.append(("c\(index)", Array(category.rawValue.utf8)))
        }
        for (index, charter) in listed where !charter.presentation.place.isEmpty {
            details.append(("p\(index)", Array(charter.presentation.place.cut(toByteCount: placeByteCountMax).utf8)))
        }
        for (index, charter) in listed {
            guard let position = charter.presentation.position else { continue }
            details.append(("l\(index)", Array("\(position.latitude),\(position.longitude)".utf8)))
        }
        func byteCount(_ key: String, _ value: [UInt8]) -> Int { 2 + key.utf8.count + value.count }
        var total = text.reduce(0) { $0 + byteCount($1.key, $1.value) }
        for (key, value) in details where !value.isEmpty {
            total += byteCount(key, value)
            guard text.count < recordEntryCountMax, total <= recordByteCountMax else { break }
            text[key] = value
        }
    }

    private static let tagCountMax = 8
    /// The limits of a text record, for readers.
    private static let recordEntryCountMax = 32
    private static let recordByteCountMax = 1_300
    private static let placeByteCountMax = 60
    /// The length limit of a name: eight fit into a text record of 1,300 bytes. Cut between characters.
    private static let nameByteCountMax = 80

    /// Whether one of the tags belongs to the event.
    static func names(_ credentials: EventCredentials, in text: [String: [UInt8]]) -> Bool {
        (0..<tagCountMax).contains {
            names(credentials, at: $0, in: text) || isTag("o\($0)", of: credentials, in: text)
        }
    }

    static func names(_ credentials: EventCredentials, at index: Int, in text: [String: [UInt8]]) -> Bool {
        isTag("t\(index)", of: credentials, in: text)
    }

    private static func isTag(_ key: String, of credentials: EventCredentials, in text: [String: [UInt8]]) -> Bool {
        guard let salt = salt(in: text), let tag = text[key],
            let bytes = [UInt8](hex: String(decoding: tag, as: UTF8.self))
        else { return false }
        return credentials.matches(advertisementTag: bytes, salt: salt)
    }

    private static func salt(in text: [String: [UInt8]]) -> [UInt8]? {
        guard text["v"] == version, let salt = text["s"] else { return nil }
        return [UInt8](hex: String(decoding: salt, as: UTF8.self))
    }

    /// One event of an advertisement, listed or unlisted.
    package struct Event: Sendable, Equatable {
        package let index: Int
        /// `nil` for an unlisted one.
        package let name: String?
        package let startsAtMilliseconds: UInt64?
        package let category: EventCategory?
        /// It may be cut.
        package let place: String?
        package let position: EventPosition?
    }

    package static func events(in text: [String: [UInt8]]) -> [Event] {
        guard salt(in: text) != nil else { return [] }
        func label(_ key: String) -> String? {
            text[key].map { String(decoding: $0, as: UTF8.self) }.flatMap { Label.isWellFormed($0) ? $0 : nil }
        }
        return (0..<tagCountMax).filter { text["t\($0)"] != nil }.map { index in
            Event(
                index: index, name: label("n\(index)"),
                startsAtMilliseconds: text["b\(index)"].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) },
                category: label("c\(index)").flatMap(EventCategory.init(label:)), place: label("p\(index)"),
                position: text["l\(index)"].flatMap(position))
        }
    }

    /// Thousandths of a degree, the latitude first: `47243,6022`.
    private static func position(_ value: [UInt8]) -> EventPosition? {
        let numbers = String(decoding: value, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, let latitude = Int32(numbers[0]), let longitude = Int32(numbers[1])
        else { return nil }
        let position = EventPosition(latitude: latitude, longitude: longitude)
        return position.isWellFormed ? position : nil
    }

    /// The port of the pages with the cards of the listed events; `nil` where there are none for others.
    package static func pagePort(in text: [String: [UInt8]]) -> UInt16? {
        guard salt(in: text) != nil, let port = text["g"].flatMap({ UInt16(String(decoding: $0, as: UTF8.self)) }),
            port > 0
        else { return nil }
        return port
    }
}
