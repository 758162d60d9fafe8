// SPDX-License-Identifier: Apache-2.0

/// Deletions by authors, erases by organizers, and photos hidden by moderators (protocol/disposable-v1.md §9.5).
///
/// A reader checks whether an operation counts, and looks only at the devices whose operations can count, as for all
/// `Statements`. A subject may arrive after its withdrawal.
struct Withdrawals: Equatable, Sendable {
    private var removals: [PhotoID: Statements<OperationID>] = [:]
    private var removedByDevice: [DeviceID: Set<OperationID>] = [:]
    private var erases: [PhotoID: Statements<OperationID>] = [:]
    private var hides: [PhotoID: Statements<OperationID>] = [:]
    /// Each with the hides that it names.
    private var unhides: [PhotoID: [DeviceID: [OperationID: Set<OperationID>]]] = [:]

    mutating func note(_ operation: VerifiedOperation) {
        let (id, device) = (operation.id, operation.header.device)
        let subject = PhotoID(operation.header.subject)
        switch operation.kind {
        case .remove:
            removals[subject, default: .none].insert(id, by: device)
            removedByDevice[device, default: []].insert(operation.header.subject)
        case .erase: erases[subject, default: .none].insert(id, by: device)
        case .hide: hides[subject, default: .none].insert(id, by: device)
        case .unhide:
            guard case .unhide(let named) = operation.content else { break }
            unhides[subject, default: [:]][device, default: [:]][id] = Set(named)
        default: break
        }
    }

    /// Whether nothing was deleted or erased, with or without effect.
    var isEmpty: Bool { removals.isEmpty && erases.isEmpty }

    /// The subjects of all deletions and erases, with or without effect.
    var subjects: Set<PhotoID> { Set(removals.keys).union(erases.keys) }

    /// Whether the subject was deleted or erased, with or without effect.
    func mentions(_ subject: PhotoID) -> Bool { removals[subject] != nil || erases[subject] != nil }

    /// Returns the number of subjects that the device has deleted, with or without effect.
    func removeCount(by device: DeviceID) -> Int { removedByDevice[device]?.count ?? 0 }

    /// Whether `author` has deleted the subject, which need not be its own.
    func isRemoved(_ subject: PhotoID, by author: AuthorID, _ membership: Membership) -> Bool {
        guard let removals = removals[subject] else { return false }
        return membership.statements(removals, by: author)
            .contains { membership.countsAsRemoval($0.said, by: $0.device) }
    }

    /// Whether an organizer has erased the subject.
    func isErased(_ subject: PhotoID, _ membership: Membership) -> Bool {
        guard let erases = erases[subject] else { return false }
        return membership.everOrganizers.contains { device in
            erases.contains(by: device) { membership.rank(of: $0, by: device) >= .organizer }
        }
    }

    /// Returns the hides that count and that nobody has cancelled, smallest id first.
    func hides(of subject: PhotoID, _ membership: Membership) -> [OperationID] {
        guard let hides = hides[subject] else { return [] }
        let unhides = unhides[subject] ?? [:]
        func isModerators(_ operation: OperationID, by device: DeviceID) -> Bool {
            membership.rank(of: operation, by: device) >= .moderator
        }
        var (hidden, cancelled): (Set<OperationID>, Set<OperationID>) = ([], [])
        for device in membership.everModerators {
            hidden.formUnion(hides[device].filter { isModerators($0, by: device) })
            for (id, named) in unhides[device] ?? [:] where isModerators(id, by: device) { cancelled.formUnion(named) }
        }
        return hidden.subtracting(cancelled).sorted()
    }

    /// Returns the subjects that these authors, or devices that sign for them, have deleted, even if they do not own
    /// them.
    func subjects(removedBy authors: Set<AuthorID>, _ membership: Membership) -> Set<OperationID> {
        guard !removals.isEmpty else { return [] }
        return authors.reduce(into: []) { subjects, author in
            for device in membership.devices(of: author) { subjects.formUnion(removedByDevice[device] ?? []) }
        }
    }
}
