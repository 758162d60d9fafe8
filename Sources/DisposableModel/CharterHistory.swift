// SPDX-License-Identifier: Apache-2.0

/// An edit of one field of the charter.
struct CharterEdit: Equatable, Sendable {
    let device: DeviceID
    let sequence: UInt32
    let timestamp: HybridTimestamp
    let field: CharterField
    /// Holds the field's new value; its other fields are ignored.
    let value: Charter
    /// The charter or the edits that the editor knew as the latest: of this field, and of being opened.
    let follows: Set<OperationID>
}

/// The charter as created and edited: a function of the set of charters and edits, and of the ranks with which they
/// were signed.
///
/// 1. The first charter is the one by the event key with the smallest id.
/// 2. An edit counts if it was signed with an organizer's rank, if everything that it follows is known, was signed by
///    the event key or a device that it once made an organizer, and leads to that charter alone; and, if it follows an
///    opened charter, if it is in the guests' favour: frames not lower, still daily, retention not longer, still
///    opened. This is judged by what the edit says it follows, never by a clock.
/// 3. An edit replaces what it follows, directly or not. Among the edits of one field that nothing replaces, the event
///    key's count before others', then the smaller id; for frames the most, for retention the shortest, for opened and
///    daily yes.
/// 4. The event may be extended, or moved later, after it was opened, but its photos are kept no longer for it:
///    retention begins at the end that guests were told, as rule 2 would determine it if longer and later were against
///    the guests, if that end is the earlier one.
/// 5. Only the first 256 edits in a device's chain can count.
struct CharterHistory: Equatable, Sendable {
    private struct Founding: Equatable {
        let charter: Charter
        /// The salt of the body.
        let salt: [UInt8]
        let milliseconds: UInt64
    }
    private var founding: [OperationID: Founding] = [:]
    private var edits: [OperationID: CharterEdit] = [:]
    /// The first charter that counts.
    private(set) var charterID: OperationID?
    private(set) var charter: Charter?
    /// The operations of each field whose value no other replaces, smallest id first: an edit of the field follows
    /// them.
    private(set) var latest: [CharterField: [OperationID]] = [:]

    /// The salt of the first charter's body: all nodes have it, and guests do not.
    var salt: [UInt8]? { charterID.flatMap { founding[$0]?.salt } }
    /// The time of the first charter, in milliseconds since 1970 UTC.
    var foundedAtMilliseconds: UInt64? { charterID.flatMap { founding[$0]?.milliseconds } }

    mutating func found(_ charter: Charter, by operation: VerifiedOperation) {
        founding[operation.id] = Founding(
            charter: charter, salt: Array((operation.body ?? []).prefix(MomentKeys.saltByteCount)),
            milliseconds: operation.header.timestamp.milliseconds)
    }

    mutating func add(_ edit: CharterEdit, by operation: OperationID) { edits[operation] = edit }

    /// Returns how many edits `device` has signed, of which the first 256 in its chain can count.
    func editCount(by device: DeviceID) -> Int { edits.values.count { $0.device == device } }

    /// Returns the operations that an edit of `field` follows.
    func follows(_ field: CharterField) -> [OperationID] {
        guard let charterID else { return [] }
        return Set((latest[field] ?? [charterID]) + (latest[.isOpened] ?? [charterID])).sorted()
    }

    /// Recomputes the charter.
    mutating func resolve(_ membership: Membership, eventKey: DeviceID) {
        charterID = founding.keys.min()
        charter = charterID.flatMap { founding[$0]?.charter }
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
        charter!.closedAtMilliseconds = review.closing(among: latest[.isClosed] ?? [])
        let ending = (CharterField.ofTheEnd + [.retentionHours]).flatMap { latest[$0] ?? [] }
        let endedAt = ending.compactMap { edits[$0]?.timestamp.milliseconds }.max() ?? 0
        charter!.isDeleted = endedAt >= charter!.expiresAtMilliseconds
    }

    /// Returns the first edits in the chain of each device that was ever made an organizer.
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

/// Decides which edits count: each is judged after everything that it follows.
private struct CharterReview {
    let first: Charter
    let id: OperationID
    let edits: [OperationID: CharterEdit]
    /// The edits that were signed with the required rank.
    let counting: Set<OperationID>
    let eventKey: DeviceID
    private(set) var valid: Set<OperationID> = []
    /// The edits of the event's end that keep what guests of the opened event were told.
    private(set) var promising: Set<OperationID> = []
    /// Everything that an edit follows, directly or not. Only for edits that lead to the first charter and nowhere
    /// else.
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
        let (content, before) = (edits[edit]!, ancestors[edit]!)  // judged only when both are known
        guard value(.isOpened, after: before).isOpened else { return true }
        return value(content.field, after: before).isInGuestsFavour(content.field, becoming: content.value)
    }

    private func keepsTheEnd(_ edit: OperationID) -> Bool {
        let (content, before) = (edits[edit]!, ancestors[edit]!)  // judged only when both are known
        guard CharterField.ofTheEnd.contains(content.field), value(.isOpened, after: before).isOpened else {
            return true
        }
        let promised = value(content.field, after: before, among: promising)
        return content.field == .durationHours
            ? content.value.schedule.durationHours <= promised.schedule.durationHours
            : content.value.schedule.startsAtMilliseconds <= promised.schedule.startsAtMilliseconds
    }

    /// Returns the field's value for a device that knows `operations`.
    private func value(
        _ field: CharterField, after operations: Set<OperationID>, among edits: Set<OperationID>? = nil
    ) -> Charter {
        let candidates = latest(of: field, among: operations.intersection(edits ?? valid))
        return candidates.isEmpty ? first : merge(candidates, of: field)
    }

    /// Returns the edits of the field that no other of them follows, smallest id first.
    func latest(of field: CharterField, among operations: Set<OperationID>) -> [OperationID] {
        let own = operations.filter { edits[$0]?.field == field }
        guard own.count > 1 else { return Array(own) }
        return own.subtracting(own.reduce(into: []) { $0.formUnion(ancestors[$1]!) }).sorted()  // all have been judged
    }

    /// Returns when the event was closed, by the edit that counts among these.
    func closing(among candidates: [OperationID]) -> UInt64? {
        let contents = candidates.compactMap { edits[$0] }
        let edit = contents.first { $0.device == eventKey } ?? contents.first
        return edit.flatMap { $0.value.isClosed ? $0.timestamp.milliseconds : nil }
    }

    /// Returns a charter that holds the field's value merged from concurrent edits.
    /// - Precondition: there is at least one.
    func merge(_ candidates: [OperationID], of field: CharterField) -> Charter {
        let contents = candidates.map { edits[$0]! }  // candidates are edits
        switch field {
        case .frames: return contents.max { $0.value.frameLimit < $1.value.frameLimit }!.value
        case .retentionHours:
            return contents.min { $0.value.schedule.retentionHours < $1.value.schedule.retentionHours }!.value
        case .isOpened: return contents.first { $0.value.isOpened }?.value ?? contents[0].value
        case .areFramesDaily: return contents.first { $0.value.areFramesDaily }?.value ?? contents[0].value
        default: return (contents.first { $0.device == eventKey } ?? contents[0]).value
        }
    }
}

extension CharterField {
    /// The fields that determine when the event ends.
    fileprivate static let ofTheEnd: [CharterField] = [.startsAt, .durationHours]
}

extension Charter {
    /// Whether guests, who may rely on an opened event, lose nothing if the field changes to its value in `edited`.
    public func isInGuestsFavour(_ field: CharterField, becoming edited: Charter) -> Bool {
        switch field {
        case .frames: edited.frameLimit >= frameLimit
        case .retentionHours: edited.schedule.retentionHours <= schedule.retentionHours
        case .isOpened: edited.isOpened
        case .areFramesDaily: edited.areFramesDaily || !areFramesDaily
        case .tickets: options.needsTickets || !edited.options.needsTickets
        default: true
        }
    }

    /// The frames as a number that can be compared.
    fileprivate var frameLimit: UInt32 { frames == 0 ? .max : frames }
}
