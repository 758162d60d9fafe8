// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel

/// The results about edits of the charter so far: each of them is needed many times.
struct EditResults {
    var ancestors: [OperationID: Set<OperationID>?] = [:]
    var isValid: [OperationID: Bool] = [:]
    var keepsTheEnd: [OperationID: Bool] = [:]
}

/// The rules of the charter and its edits once more.
extension Oracle {
    private func edit(_ id: OperationID) -> (field: CharterField, value: Charter, follows: [OperationID])? {
        guard let operation = known[id], case .edit(let field, let value, let follows)? = operation.content,
            operation.header.device == eventKey || wasMadeOrganizer(operation.header.device)
        else { return nil }
        return (field, value, follows)
    }

    /// Returns everything that an edit follows; `nil` if a path does not end at the first charter.
    private func ancestors(_ id: OperationID) -> Set<OperationID>? {
        if let found = edits.ancestors[id] { return found }
        let found = findAncestors(id)
        edits.ancestors[id] = .some(found)
        return found
    }

    private func findAncestors(_ id: OperationID) -> Set<OperationID>? {
        if id == firstCharter?.id { return [] }
        guard let edit = edit(id) else { return nil }
        var all = Set(edit.follows)
        for followed in edit.follows {
            guard let before = ancestors(followed) else { return nil }
            all.formUnion(before)
        }
        return all
    }

    private func isValid(edit id: OperationID) -> Bool {
        if let verdict = edits.isValid[id] { return verdict }
        let verdict = judge(edit: id)
        edits.isValid[id] = verdict
        return verdict
    }

    private func judge(edit id: OperationID) -> Bool {
        guard let edit = edit(id), let before = ancestors(id), rank(ofAct: known[id]!) >= .organizer,
            let known = charter(after: before)
        else { return false }
        guard known.isOpened else { return true }
        return switch edit.field {
        case .frames: edit.value.frames == 0 || (known.frames != 0 && edit.value.frames >= known.frames)
        case .retentionHours: edit.value.schedule.retentionHours <= known.schedule.retentionHours
        case .isOpened: edit.value.isOpened
        case .tickets: known.options.needsTickets || !edit.value.options.needsTickets
        case .areFramesDaily: !(known.areFramesDaily && !edit.value.areFramesDaily)
        default: true
        }
    }

    /// Returns the charter for a device that knows these operations.
    private func charter(after operations: Set<OperationID>) -> Charter? {
        guard case .charter(var charter)? = firstCharter?.content else { return nil }
        let valid = operations.filter { isValid(edit: $0) }
        for field in CharterField.allCases {
            let own = valid.filter { edit($0)!.field == field }
            let latest = own.filter { one in !own.contains { ancestors($0)!.contains(one) } }
            guard !latest.isEmpty else { continue }
            let values = latest.map { edit($0)!.value }
            let best = latest.min { left, right in
                let isKey = { (id: OperationID) in self.known[id]!.header.device == self.eventKey }
                return isKey(left) != isKey(right) ? isKey(left) : left < right
            }!
            charter.take(field, from: edit(best)!.value)
            switch field {
            case .frames: charter.frames = values.contains { $0.frames == 0 } ? 0 : values.map(\.frames).max()!
            case .retentionHours: charter.schedule.retentionHours = values.map(\.schedule.retentionHours).min()!
            case .isOpened: charter.isOpened = values.contains(where: \.isOpened)
            case .areFramesDaily: charter.areFramesDaily = values.contains(where: \.areFramesDaily)
            case .isClosed:
                charter.closedAtMilliseconds = charter.isClosed ? known[best]!.header.timestamp.milliseconds : nil
            default: break
            }
        }
        return charter
    }

    /// Returns the charter for a device that knows everything.
    func foldCharter() -> Charter? {
        let edits = Set(operations.filter { $0.kind == .edit }.map(\.id))
        var charter = charter(after: edits)
        let promised = promisedEnd(after: edits)
        charter?.keepFrom(promised.startsAt + UInt64(promised.hours) * 3_600_000)
        return charter
    }

    /// Returns the end that guests of the opened event were told, for a device that knows these operations.
    private func promisedEnd(after operations: Set<OperationID>) -> (startsAt: UInt64, hours: UInt32) {
        guard case .charter(let first)? = firstCharter?.content else { return (0, 0) }
        func value(_ field: CharterField) -> Charter {
            let own = operations.filter { edit($0)?.field == field && keepsTheEnd(edit: $0) }
            let latest = own.filter { one in !own.contains { ancestors($0)!.contains(one) } }
            let byKey = latest.filter { known[$0]!.header.device == eventKey }
            return (byKey.min() ?? latest.min()).map { edit($0)!.value } ?? first
        }
        return (value(.startsAt).schedule.startsAtMilliseconds, value(.durationHours).schedule.durationHours)
    }

    private func keepsTheEnd(edit id: OperationID) -> Bool {
        if let verdict = edits.keepsTheEnd[id] { return verdict }
        guard isValid(edit: id), let edit = edit(id), let before = ancestors(id) else { return false }
        var verdict = true
        if charter(after: before)?.isOpened == true {
            let promised = promisedEnd(after: before)
            switch edit.field {
            case .startsAt: verdict = edit.value.schedule.startsAtMilliseconds <= promised.startsAt
            case .durationHours: verdict = edit.value.schedule.durationHours <= promised.hours
            default: break
            }
        }
        edits.keepsTheEnd[id] = verdict
        return verdict
    }
}
