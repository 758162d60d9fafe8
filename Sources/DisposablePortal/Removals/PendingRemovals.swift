// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// Photos that their authors delete, as long as that can be undone (protocol/guest-api.md §4). Pure: time is an
/// argument.
package struct PendingRemovals: Sendable {
    package struct Removal: Equatable, Sendable {
        package let photo: PhotoID
        package let guest: AuthorID
        package let dueAt: ContinuousClock.Instant

        package init(photo: PhotoID, guest: AuthorID, dueAt: ContinuousClock.Instant) {
            self.photo = photo
            self.guest = guest
            self.dueAt = dueAt
        }
    }

    private let countMax: Int
    private var removals: [PhotoID: Removal] = [:]

    package init(countMax: Int) { self.countMax = countMax }

    package var isFull: Bool { removals.count >= countMax }
    package func count(of guest: AuthorID) -> Int { removals.values.count { $0.guest == guest } }

    package func removal(of photo: PhotoID) -> Removal? { removals[photo] }
    package func photos(of guest: AuthorID) -> Set<PhotoID> { Set(removals.filter { $0.value.guest == guest }.keys) }

    /// The time when the next removal has to be signed.
    package var nextDueAt: ContinuousClock.Instant? { removals.values.map(\.dueAt).min() }

    package mutating func add(_ removal: Removal) { removals[removal.photo] = removal }

    /// Keeps a photo. Returns whether its removal was still pending.
    package mutating func keep(_ photo: PhotoID, by guest: AuthorID) -> Bool {
        guard removals[photo]?.guest == guest else { return false }
        removals[photo] = nil
        return true
    }

    /// Returns the due removals in order of time, and removes them from the list.
    package mutating func takeDue(at now: ContinuousClock.Instant) -> [Removal] { take { $0.dueAt <= now } }

    /// Returns all removals: the node stops.
    package mutating func takeAll() -> [Removal] { take { _ in true } }

    private mutating func take(_ isTaken: (Removal) -> Bool) -> [Removal] {
        let taken = removals.values.filter(isTaken)
        for removal in taken { removals[removal.photo] = nil }
        return taken.sorted { ($0.dueAt, $0.photo) < ($1.dueAt, $1.photo) }
    }
}
