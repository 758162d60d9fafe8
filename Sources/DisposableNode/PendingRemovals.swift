// SPDX-License-Identifier: Apache-2.0
package import DisposableModel

/// Photos that their guests delete, until the removals are signed (protocol/guest-api.md §4). Pure: time is an
/// argument.
package struct PendingRemovals: Sendable {
    package struct Limits: Sendable {
        package var countMax = 1_024
        package var countByGuestMax = 64
        /// The time in which a removal can be undone.
        package var delay = Duration.seconds(10)

        package init() {}
    }

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

    private let limits: Limits
    /// The removals that can be undone.
    private var removals: [PhotoID: Removal] = [:]
    /// The photos whose removals are being signed, with their guests.
    private var signing: [PhotoID: AuthorID] = [:]

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    package func isPending(_ photo: PhotoID) -> Bool { removals[photo] != nil }

    /// Returns the guest's photos whose removal is not signed yet.
    package func photos(leavingBy guest: AuthorID) -> Set<PhotoID> {
        Set(removals.filter { $0.value.guest == guest }.keys).union(signing.filter { $0.value == guest }.keys)
    }

    package var isSigning: Bool { !signing.isEmpty }

    /// The time when the next removal has to be signed.
    package var nextDueAt: ContinuousClock.Instant? { removals.values.map(\.dueAt).min() }

    /// Returns the new removal, or the one that is pending. Throws `.tooFast` or `.unavailable` at a limit.
    package mutating func add(
        _ photo: PhotoID, by guest: AuthorID, at now: ContinuousClock.Instant
    ) throws(Refusal) -> Removal {
        if let removal = removals[photo], removal.guest == guest { return removal }
        guard removals.values.count(where: { $0.guest == guest }) < limits.countByGuestMax else {
            throw .tooFast(seconds: Int(limits.delay.components.seconds) + 1)
        }
        guard removals.count < limits.countMax else {
            throw .unavailable(reason: "too many photos are being deleted at once")
        }
        let removal = Removal(photo: photo, guest: guest, dueAt: now + limits.delay)
        removals[photo] = removal
        return removal
    }

    /// Adds a removal of an earlier process.
    /// - Parameter left: the time until it is due, by a clock that may have been set since. The wait is at most the
    ///   delay.
    package mutating func restore(
        _ photo: PhotoID, by guest: AuthorID, in left: Duration, at now: ContinuousClock.Instant
    ) {
        removals[photo] = Removal(photo: photo, guest: guest, dueAt: now + max(min(left, limits.delay), .zero))
    }

    /// Keeps a photo. Returns whether its removal could still be undone.
    package mutating func keep(_ photo: PhotoID, by guest: AuthorID) -> Bool {
        guard removals[photo]?.guest == guest else { return false }
        removals[photo] = nil
        return true
    }

    // Signing

    /// Returns the due removals in order of time. They are being signed until `end` or `postpone`.
    package mutating func takeDue(at now: ContinuousClock.Instant) -> [Removal] { take { $0.dueAt <= now } }

    /// Returns all removals that can be undone: the node stops. They are being signed until `end` or `postpone`.
    package mutating func takeAll() -> [Removal] { take { _ in true } }

    private mutating func take(_ isTaken: (Removal) -> Bool) -> [Removal] {
        let taken = removals.values.filter(isTaken)
        for removal in taken {
            removals[removal.photo] = nil
            signing[removal.photo] = removal.guest
        }
        return taken.sorted { ($0.dueAt, $0.photo) < ($1.dueAt, $1.photo) }
    }

    /// The removal is signed, or never will be.
    package mutating func end(_ removal: Removal) { signing[removal.photo] = nil }

    /// The removal could not be signed: it is due once more after the delay.
    package mutating func postpone(_ removal: Removal, at now: ContinuousClock.Instant) {
        signing[removal.photo] = nil
        removals[removal.photo] = Removal(photo: removal.photo, guest: removal.guest, dueAt: now + limits.delay)
    }
}
