// SPDX-License-Identifier: Apache-2.0

/// One field of the charter, changed.
struct CharterEdit: Equatable, Sendable {
    let device: DeviceID
    let sequence: UInt32
    let field: CharterField
    /// Holds the field's new value; nothing else of it is looked at.
    let value: Charter
    /// The charter or the edits that its author knew as the latest: of this field, and of being opened.
    let follows: Set<OperationID>
}

/// The charter as it was founded and has been edited: a function of the set of charters and edits, and of the ranks
/// with which they were stated.
///
/// 1. Of several first charters by the event key the smallest id counts.
/// 2. An edit counts if it was stated with an organizer's rank, all that it follows is here, was stated by the event
///    key or somebody it once made an organizer, and leads to that charter alone; and, where it follows an opened
///    charter, it is in the guests' favour: frames not lower, retention not longer, opened still. It is judged by what
///    it says it follows, never by a clock.
/// 3. An edit replaces what it follows, near and far. Of the edits of one field that nothing replaces the event key's
///    counts before others', then the smaller id; of frames the most, of retention the shortest, of opened yes.
/// 4. The event may last longer, and begin later, than it did when it was opened, but the photos are kept no longer for
///    it: the time of keeping begins at the end that guests were told, as edits by 2 would make it if longer and later
///    were against the guests, where that end is the earlier one.
/// 5. Of one device's edits only the first 256 of its chain are looked at.
struct CharterHistory: Equatable, Sendable {
    private var founding: [OperationID: Charter] = [:]
    private var edits: [OperationID: CharterEdit] = [:]
    /// The first charter that counts.
    private(set) var charterID: OperationID?
    private(set) var charter: Charter?
    /// Of each field the operations whose value no other replaces, smallest id first: what an edit of it follows.
    private(set) var latest: [CharterField: [OperationID]] = [:]

    mutating func found(_ charter: Charter, by operation: OperationID) { founding[operation] = charter }

    mutating func add(_ edit: CharterEdit, by operation: OperationID) { edits[operation] = edit }

    /// How many edits `device` has stated, of which the first 256 of its chain are looked at.
    func editCount(by device: DeviceID) -> Int { edits.values.count { $0.device == device } }

    /// What an edit of `field` is to follow.
    func follows(_ field: CharterField) -> [OperationID] {
        guard let charterID else { return [] }
        return Set((latest[field] ?? [charterID]) + (latest[.isOpened] ?? [charterID])).sorted()
    }

    /// Works the charter out anew.
    mutating func resolve(_ membership: Membership, eventKey: DeviceID) {
        charterID = founding.keys.min()
        charter = charterID.flatMap { founding[$0] }
        latest = [:]
        guard let charterID, let first = charter else { return }
        let edits = known(membership)
        let counting = Set(edits.keys.filter { membership.rank(of: $0, by: edits[$0]!.device) >= .organizer })
        let review = CharterReview(
            first: first, id: charterID, edits: edits, counting: counting, eventKey: eventKey)
        for field in CharterField.allCases {
            let candidates = review.latest(of: field, among: review.valid)
            guard !candidates.isEmpty else { continue }
            latest[field] = candidates
            charter!.take(field, from: review.merge(candidates, of: field))  // set above
        }
        var promised = first
        for field in CharterField.ofTheEnd {
            let candidates = review.latest(of: field, among: review.promising)
            if !candidates.isEmpty { promised.take(field, from: review.merge(candidates, of: field)) }
        }
        charter!.keepFrom(promised.endsAtMilliseconds)  // set above
    }

    /// The edits of all who were ever made organizers, of each those that come first in its chain.
    private func known(_ membership: Membership) -> [OperationID: CharterEdit] {
        let ranked = edits.filter { membership.wasMadeOrganizer($0.value.device) }
        guard ranked.count > Charter.editsPerDeviceMax else { return ranked }
        var known: [OperationID: CharterEdit] = [:]
        for (_, own) in Dictionary(grouping: ranked, by: \.value.device) {
            let first = own.sorted { ($0.value.sequence, $0.key) < ($1.value.sequence, $1.key) }
            for (id, edit) in first.prefix(Charter.editsPerDeviceMax) { known[id] = edit }
        }
        return known
    }
}

/// Which edits count: each is judged after all that it follows.
private struct CharterReview {
    let first: Charter
    let id: OperationID
    let edits: [OperationID: CharterEdit]
    /// Those stated with the rank for it.
    let counting: Set<OperationID>
    let eventKey: DeviceID
    private(set) var valid: Set<OperationID> = []
    /// Of those that say when the event ends, the ones that keep to what guests of the opened event were told.
    private(set) var promising: Set<OperationID> = []
    /// Everything that an edit follows, near and far. Only of those that lead to the first charter and nowhere else.
    private var ancestors: [OperationID: Set<OperationID>] = [:]

    init(
        first: Charter, id: OperationID, edits: [OperationID: CharterEdit], counting: Set<OperationID>,
        eventKey: DeviceID
    ) {
        self.first = first
        self.id = id
        self.edits = edits
        self.counting = counting
        self.eventKey = eventKey
        ancestors[id] = []
        var followers: [OperationID: [OperationID]] = [:]
        for (edit, content) in edits {
            for followed in content.follows { followers[followed, default: []].append(edit) }
        }
        var ready = [id]
        while let next = ready.popLast() {
            for edit in followers[next] ?? [] where ancestors[edit] == nil {
                let followed = edits[edit]!.follows  // a follower is an edit
                guard followed.allSatisfy({ ancestors[$0] != nil }) else { continue }
                ancestors[edit] = followed.reduce(into: followed) { $0.formUnion(ancestors[$1]!) }  // checked above
                if counting.contains(edit), isInGuestsFavour(edit) {
                    valid.insert(edit)
                    if keepsTheEnd(edit) { promising.insert(edit) }
                }
                ready.append(edit)
            }
        }
    }

    private func isInGuestsFavour(_ edit: OperationID) -> Bool {
        let (content, before) = (edits[edit]!, ancestors[edit]!)  // judged only when both are there
        guard value(.isOpened, after: before).isOpened else { return true }
        return value(content.field, after: before).isInGuestsFavour(content.field, becoming: content.value)
    }

    private func keepsTheEnd(_ edit: OperationID) -> Bool {
        let (content, before) = (edits[edit]!, ancestors[edit]!)  // judged only when both are there
        guard CharterField.ofTheEnd.contains(content.field), value(.isOpened, after: before).isOpened else {
            return true
        }
        let promised = value(content.field, after: before, among: promising)
        return content.field == .durationHours
            ? content.value.durationHours <= promised.durationHours
            : content.value.startsAtMilliseconds <= promised.startsAtMilliseconds
    }

    /// The field as somebody knows it who knows `operations`.
    private func value(
        _ field: CharterField, after operations: Set<OperationID>, among edits: Set<OperationID>? = nil
    ) -> Charter {
        let candidates = latest(of: field, among: operations.intersection(edits ?? valid))
        return candidates.isEmpty ? first : merge(candidates, of: field)
    }

    /// Those of the field that no other of them follows, smallest id first.
    func latest(of field: CharterField, among operations: Set<OperationID>) -> [OperationID] {
        let own = operations.filter { edits[$0]?.field == field }
        guard own.count > 1 else { return Array(own) }
        return own.subtracting(own.reduce(into: []) { $0.formUnion(ancestors[$1]!) }).sorted()  // all have been judged
    }

    /// A charter that holds the field's value of edits made apart.
    /// - Precondition: there is at least one.
    func merge(_ candidates: [OperationID], of field: CharterField) -> Charter {
        let contents = candidates.map { edits[$0]! }  // candidates are edits
        switch field {
        case .frames: return contents.max { $0.value.frameLimit < $1.value.frameLimit }!.value
        case .retentionHours: return contents.min { $0.value.retentionHours < $1.value.retentionHours }!.value
        case .isOpened: return contents.first { $0.value.isOpened }?.value ?? contents[0].value
        default: return (contents.first { $0.device == eventKey } ?? contents[0]).value
        }
    }
}

extension CharterField {
    /// What says when the event ends.
    fileprivate static let ofTheEnd: [CharterField] = [.startsAt, .durationHours]
}

extension Charter {
    /// Whether guests, who may rely on an opened event, lose nothing when the field becomes what it is in `edited`.
    public func isInGuestsFavour(_ field: CharterField, becoming edited: Charter) -> Bool {
        switch field {
        case .frames: edited.frameLimit >= frameLimit
        case .retentionHours: edited.retentionHours <= retentionHours
        case .isOpened: edited.isOpened
        default: true
        }
    }

    /// The frames as a number that can be compared.
    fileprivate var frameLimit: UInt32 { frames == 0 ? .max : frames }
}
