// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// Edits of the charter, and extra frames: checked here by the same rules as on all nodes.
extension Replica {
    /// Returns one edit for each field, all of them or none. Each follows the latest operations known here, so that it
    /// replaces them.
    func edits(
        of fields: [CharterField], to edited: Charter, by device: DeviceID, salt: [UInt8]
    ) throws(Refusal) -> [Draft] {
        guard let charter = state.charter else { throw .notAdmitted }
        guard rank(of: device) >= .organizer else { throw .rankTooLow(needed: .organizer) }
        let changed = charter.differences(from: edited).filter(fields.contains)
        guard !changed.isEmpty else { throw .nothingToDo }
        guard state.editCount(by: device) + changed.count <= Charter.editsPerDeviceMax else {
            throw .tooManyEdits(limit: Charter.editsPerDeviceMax)
        }
        var drafts: [Draft] = []
        for field in changed {
            guard !charter.isOpened || charter.isInGuestsFavour(field, becoming: edited) else {
                throw .againstGuests(field)
            }
            var value = Charter.blank
            value.take(field, from: edited)
            guard value.isWellFormed(field) else { throw .malformed(.malformedBody(kind: OperationKind.edit.rawValue)) }
            let follows = Array(state.follows(field).prefix(Limits.namedOperationsMax))
            drafts.append(
                Draft(
                    kind: .edit, argument: UInt64(field.rawValue),
                    body: OperationBody.encode(.edit(field, value, follows: follows), salt: salt)))
        }
        return drafts
    }

    /// Returns an operation with extra frames for an author whose quota has a limit.
    func frames(
        _ count: UInt64, to author: AuthorID, by device: DeviceID
    ) throws(Refusal) -> Draft {
        guard rank(of: device) >= .organizer else { throw .rankTooLow(needed: .organizer) }
        guard count > 0, count <= Charter.framesMax,
            state.rollLimit(of: author, at: now.wallClockMilliseconds) != nil
        else { throw .nothingToDo }
        return Draft(kind: .frames, subject: OperationID(author.bytes32), argument: count)
    }

    private func rank(of device: DeviceID) -> Rank { state.membership.rank(of: device) ?? .participant }
}

extension Charter {
    /// The empty values of the other fields in an edit's body.
    fileprivate static var blank: Charter {
        var charter = Charter(
            name: "", startsAtMilliseconds: 0, durationHours: 0, frames: 0, retentionHours: 0, isListed: false)
        charter.isOpened = false
        return charter
    }
}
