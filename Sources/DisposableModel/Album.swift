// SPDX-License-Identifier: Apache-2.0

/// Where a photo stands, the same on every node that has the same operations.
public enum PhotoStatus: Equatable, Sendable {
    /// Visible, as this frame of its author's roll, from 1.
    case frame(UInt64)
    /// Not visible: without a claim, its slot lost to another claim, or beyond the roll. Its author may claim again.
    case waiting
    /// Taken back by its author.
    case removed
}

/// A photo as the operations tell it, without its bodies.
public struct Photo: Equatable, Sendable {
    public let id: PhotoID
    /// Whose it is: a guest's own key, or that of the device.
    public let author: AuthorID
    /// What signed it.
    public let device: DeviceID
    public let sequence: UInt32
    public let timestamp: HybridTimestamp
    public let status: PhotoStatus
}

/// The photos and names of an event: a fold over the operations that depends on their set only, not on their order,
/// not on clocks and not on which bodies are here (protocol/disposable-v0.md §9).
///
/// 1. A photo exists once its device is a member.
/// 2. A claim, an original and a remove count where their author is the photo's: the devices of one guest are one author.
/// 3. Of the claims to one slot of an author the lowest sequence number wins, then the smallest id (`Roll`), also where
///    its photo was removed: a slot that was claimed stays used. A slot beyond the roll wins nothing.
/// 4. A photo has the lowest slot that one of its claims holds.
/// 5. A remove counts, whatever came before or after.
/// 6. Of a device's names the highest sequence number counts, then the smallest id; of an author's devices the one
///    whose name has the latest timestamp.
public struct Album: Equatable, Sendable {
    private struct Entry: Equatable {
        let device: DeviceID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }
    /// A claim and who made it; only the author's count, and who that is may become known later.
    private struct Claimed: Equatable {
        let claim: Claim
        let device: DeviceID
    }
    private struct Described: Equatable {
        let operation: OperationID
        let device: DeviceID
    }
    private struct Name: Equatable {
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let id: OperationID
        let text: String?

        /// The same name again replaces itself only where it brings the text, whose body may arrive late.
        func replaces(_ other: Name) -> Bool {
            id == other.id ? text != nil : (sequence, other.id) > (other.sequence, id)
        }
    }

    private var entries: [PhotoID: Entry] = [:]
    /// Every claim on a photo, the smallest operation id first.
    private var claims: [PhotoID: [Claimed]] = [:]
    private var removals: [PhotoID: Set<DeviceID>] = [:]
    private var originals: [PhotoID: [Described]] = [:]
    private var rolls: [AuthorID: Roll] = [:]
    private var names: [DeviceID: Name] = [:]
    /// The guests that devices sign for, and the devices that sign for a guest.
    private var guests: [DeviceID: AuthorID] = [:]
    private var delegates: [AuthorID: Set<DeviceID>] = [:]

    public init() {}

    public mutating func apply(_ operation: VerifiedOperation) {
        let header = operation.header
        let subject = PhotoID(header.subject)
        switch operation.kind {
        case .photo:
            let photo = PhotoID(operation.id)
            guard entries[photo] == nil else { return }
            entries[photo] = Entry(device: header.device, sequence: header.sequence, timestamp: header.timestamp)
            addClaims(of: photo)
        case .claim:
            let claimed = Claimed(
                claim: Claim(sequence: header.sequence, id: operation.id, slot: header.argument), device: header.device)
            apply(claimed, to: subject)
        case .original:
            let described = Described(operation: operation.id, device: header.device)
            guard originals[subject]?.contains(described) != true else { return }
            originals[subject, default: []].insert(described) { $0.operation < $1.operation }
        case .remove:
            removals[subject, default: []].insert(header.device)
        case .name:
            var text: String?
            if case .name(let given) = operation.content { text = given }
            let name = Name(
                sequence: header.sequence, timestamp: header.timestamp, id: operation.id, text: text)
            if let current = names[header.device], !name.replaces(current) { return }
            names[header.device] = name
        case .charter, .join, nil:
            break
        }
    }

    private mutating func apply(_ claimed: Claimed, to photo: PhotoID) {
        guard claimed.claim.slot > 0, claims[photo]?.contains(claimed) != true else { return }
        claims[photo, default: []].insert(claimed) { $0.claim.id < $1.claim.id }
        guard let entry = entries[photo], author(of: entry.device) == author(of: claimed.device) else { return }
        rolls[author(of: entry.device), default: Roll()].add(claimed.claim)
    }

    private mutating func addClaims(of photo: PhotoID) {
        guard let author = author(of: photo) else { return }
        for claimed in claims[photo] ?? [] where self.author(of: claimed.device) == author {
            rolls[author, default: Roll()].add(claimed.claim)
        }
    }

    /// From now on the words of `device` are `guest`'s, those that are here already included.
    mutating func assign(_ device: DeviceID, to guest: AuthorID) {
        if let before = guests[device] { delegates[before]?.remove(device) }
        if let before = guests[device], delegates[before]?.isEmpty == true { delegates[before] = nil }
        guests[device] = guest
        delegates[guest, default: []].insert(device)
        // A device that has said nothing yet, as nearly all have not: their joins come first.
        guard entries.values.contains(where: { $0.device == device })
            || claims.values.contains(where: { $0.contains { $0.device == device } })
        else { return }
        rolls = [:]
        for photo in entries.keys { addClaims(of: photo) }
    }

    /// Whose words the operations of `device` are.
    public func author(of device: DeviceID) -> AuthorID { guests[device] ?? AuthorID(device) }

    /// Every photo of the album in the order of their ids.
    public var photoIDs: [PhotoID] { entries.keys.sorted() }
    public var count: Int { entries.count }

    /// The photo as it stands for an author whose roll has `limit` slots (`nil`: no limit).
    public func photo(_ id: PhotoID, limit: (AuthorID) -> UInt64?) -> Photo? {
        guard let entry = entries[id] else { return nil }
        let author = author(of: entry.device)
        return Photo(
            id: id, author: author, device: entry.device, sequence: entry.sequence, timestamp: entry.timestamp,
            status: status(of: id, by: author, limit: limit(author)))
    }

    private func status(of photo: PhotoID, by author: AuthorID, limit: UInt64?) -> PhotoStatus {
        if isRemoved(photo, by: author) { return .removed }
        guard let roll = rolls[author], let claims = claims[photo] else { return .waiting }
        let slots = claims.lazy.filter { self.author(of: $0.device) == author && roll.isHeld(by: $0.claim) }
            .map(\.claim.slot)
        guard let slot = slots.min(), slot <= limit ?? .max else { return .waiting }
        return .frame(slot)
    }

    public func author(of photo: PhotoID) -> AuthorID? { entries[photo].map { author(of: $0.device) } }

    /// Whether `author` has taken back the photo, known or not: kept for photos that come later than their removal.
    public func isRemoved(_ photo: PhotoID, by author: AuthorID) -> Bool {
        removals[photo]?.contains { self.author(of: $0) == author } == true
    }

    /// The operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] {
        guard let author = author(of: photo) else { return [] }
        return (originals[photo] ?? []).filter { self.author(of: $0.device) == author }.map(\.operation)
    }

    /// Slots of the author's roll that a new photo could take, first free first.
    public func freeSlots(of author: AuthorID, count: Int, limit: UInt64?) -> [UInt64] {
        (rolls[author] ?? Roll()).freeSlots(count: count, limit: limit)
    }

    /// Whether more than one claim was made to the slot.
    public func isContested(_ slot: UInt64, of author: AuthorID) -> Bool { rolls[author]?.isContested(slot) == true }

    /// The author's photos in the order of their ids, whatever their status. Takes time in proportion to all photos.
    public func photos(by author: AuthorID) -> [PhotoID] {
        entries.filter { self.author(of: $0.value.device) == author }.map(\.key).sorted()
    }

    public func usedSlotCount(of author: AuthorID) -> Int { rolls[author]?.usedCount ?? 0 }

    /// What the author is called, `nil` while it has no name here.
    public func name(of author: AuthorID) -> String? { currentName(of: author) { _ in true }?.text }

    private func currentName(of author: AuthorID, isMember: (DeviceID) -> Bool) -> Name? {
        var devices = delegates[author] ?? []
        if guests[DeviceID(author.bytes32)] == nil { devices.insert(DeviceID(author.bytes32)) }
        return devices.filter(isMember).compactMap { names[$0] }
            .max { ($0.timestamp, $1.id) < ($1.timestamp, $0.id) }
    }

    /// The name operations that count, by author, of those devices that `isMember`, for the digest.
    func nameOperations(isMember: (DeviceID) -> Bool) -> [(author: AuthorID, id: OperationID)] {
        Set(names.keys.filter(isMember).map(author)).sorted().compactMap { author in
            currentName(of: author, isMember: isMember).map { (author, $0.id) }
        }
    }
}

extension Array {
    /// Into its place in an array that is in order.
    fileprivate mutating func insert(_ element: Element, by precedes: (Element, Element) -> Bool) {
        insert(element, at: firstIndex { precedes(element, $0) } ?? endIndex)
    }
}
