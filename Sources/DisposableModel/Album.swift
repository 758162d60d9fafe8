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
    public let author: DeviceID
    public let sequence: UInt32
    public let timestamp: HybridTimestamp
    public let status: PhotoStatus
}

/// The photos and names of an event: a fold over the operations that depends on their set only, not on their order,
/// not on clocks and not on which bodies are here (protocol/disposable-v0.md §9).
///
/// 1. A photo exists once its author is a member.
/// 2. Of a photo's claims by its author the highest sequence number counts, then the smallest id.
/// 3. Of the claims to one slot of a guest the lowest sequence number wins, then the smallest id (`Roll`), also where its
///    photo has moved on to another slot or was removed: a slot that was claimed stays used. A slot beyond the roll wins
///    nothing.
/// 4. A remove by the author counts, whatever came before or after.
/// 5. Of a device's names the highest sequence number counts, then the smallest id.
public struct Album: Equatable, Sendable {
    /// A word by one device about one photo; only the author's is ever looked up.
    private struct Subject: Hashable {
        let photo: PhotoID
        let device: DeviceID
    }
    private struct Entry: Equatable {
        let author: DeviceID
        let sequence: UInt32
        let timestamp: HybridTimestamp
    }
    private struct Name: Equatable {
        let sequence: UInt32
        let id: OperationID
        let text: String?

        /// The same name again replaces itself only where it brings the text, whose body may arrive late.
        func replaces(_ other: Name) -> Bool {
            id == other.id ? text != nil : (sequence, other.id) > (other.sequence, id)
        }
    }

    private var entries: [PhotoID: Entry] = [:]
    /// Every claim, the one that counts first.
    private var claims: [Subject: [Claim]] = [:]
    private var removals: Set<Subject> = []
    private var originals: [Subject: [OperationID]] = [:]
    private var rolls: [DeviceID: Roll] = [:]
    private var names: [DeviceID: Name] = [:]

    public init() {}

    public mutating func apply(_ operation: VerifiedOperation) {
        let header = operation.header
        let subject = Subject(photo: PhotoID(header.subject), device: header.device)
        switch operation.kind {
        case .photo:
            let photo = PhotoID(operation.id)
            guard entries[photo] == nil else { return }
            entries[photo] = Entry(author: header.device, sequence: header.sequence, timestamp: header.timestamp)
            for claim in claims[Subject(photo: photo, device: header.device)] ?? [] {
                rolls[header.device, default: Roll()].add(claim)
            }
        case .claim:
            apply(Claim(sequence: header.sequence, id: operation.id, slot: header.argument), to: subject)
        case .original:
            var known = originals[subject, default: []]
            guard !known.contains(operation.id) else { return }
            known.append(operation.id)
            originals[subject] = known.sorted()
        case .remove:
            removals.insert(subject)
        case .name:
            var text: String?
            if case .name(let given) = operation.content { text = given }
            let name = Name(sequence: header.sequence, id: operation.id, text: text)
            if let current = names[header.device], !name.replaces(current) { return }
            names[header.device] = name
        case .charter, .join, nil:
            break
        }
    }

    private mutating func apply(_ claim: Claim, to subject: Subject) {
        guard claim.slot > 0, claims[subject]?.contains(claim) != true else { return }
        var known = claims[subject, default: []]
        known.append(claim)
        claims[subject] = known.sorted { ($0.sequence, $1.id) > ($1.sequence, $0.id) }
        guard entries[subject.photo]?.author == subject.device else { return }
        rolls[subject.device, default: Roll()].add(claim)
    }

    /// Every photo of the album in the order of their ids.
    public var photoIDs: [PhotoID] { entries.keys.sorted() }
    public var count: Int { entries.count }

    /// The photo as it stands for a guest whose roll has `limit` slots (`nil`: no limit).
    public func photo(_ id: PhotoID, limit: (DeviceID) -> UInt64?) -> Photo? {
        guard let entry = entries[id] else { return nil }
        let subject = Subject(photo: id, device: entry.author)
        return Photo(
            id: id, author: entry.author, sequence: entry.sequence, timestamp: entry.timestamp,
            status: status(of: subject, limit: limit(entry.author)))
    }

    private func status(of subject: Subject, limit: UInt64?) -> PhotoStatus {
        if removals.contains(subject) { return .removed }
        guard let claim = claims[subject]?.first, claim.slot <= limit ?? .max,
            rolls[subject.device]?.isHeld(by: claim) == true
        else { return .waiting }
        return .frame(claim.slot)
    }

    public func author(of photo: PhotoID) -> DeviceID? { entries[photo]?.author }

    /// Whether `device` has taken back the photo, known or not: kept for photos that come later than their removal.
    public func isRemoved(_ photo: PhotoID, by device: DeviceID) -> Bool {
        removals.contains(Subject(photo: photo, device: device))
    }

    /// The operations that describe the photo's original, alternates of each other, smallest id first.
    public func originals(of photo: PhotoID) -> [OperationID] {
        guard let author = entries[photo]?.author else { return [] }
        return originals[Subject(photo: photo, device: author)] ?? []
    }

    /// Slots of `device`'s roll that a new photo could take, first free first.
    public func freeSlots(of device: DeviceID, count: Int, limit: UInt64?) -> [UInt64] {
        (rolls[device] ?? Roll()).freeSlots(count: count, limit: limit)
    }

    public func usedSlotCount(of device: DeviceID) -> Int { rolls[device]?.usedCount ?? 0 }

    /// What `device` is called, `nil` while it has no name here.
    public func name(of device: DeviceID) -> String? { names[device]?.text }

    /// The winning name operations, for the digest.
    var nameOperations: [(device: DeviceID, id: OperationID)] {
        names.map { ($0.key, $0.value.id) }.sorted { $0.0 < $1.0 }
    }
}
