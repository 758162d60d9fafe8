// SPDX-License-Identifier: Apache-2.0

/// The number of photos that were added to an event in one hour, and of the people who added them or reacted to photos.
/// Both are rounded down, so strangers learn little about single people at a busy event; at a quiet one they learn that
/// somebody is there (protocol/disposable-v1.md §5.1).
public struct RecentActivity: Hashable, Sendable {
    /// The largest number that a card may state.
    public static let countMax: UInt32 = 100_000
    /// The time that is counted, in milliseconds; a count that is older is shown as none.
    public static let spanMilliseconds: UInt64 = 3_600_000
    /// Counts end at multiples of this time since 1970 UTC, in milliseconds: the cards of all events change together,
    /// so a node that asks another one for its cards once a minute mostly hears that nothing has changed.
    public static let intervalMilliseconds: UInt64 = 600_000

    public static let none = RecentActivity(photoCount: 0, personCount: 0)

    public let photoCount: UInt32
    public let personCount: UInt32

    public init(photoCount: UInt32, personCount: UInt32) {
        self.photoCount = photoCount
        self.personCount = personCount
    }

    /// Rounds the numbers.
    public init(photos: Int, people: Int) {
        self.init(photoCount: Self.rounded(photos), personCount: Self.rounded(people))
    }

    /// Returns the largest of 0, 1, 2, 5, 10, 20, 50, ... 100,000 that is not above the number.
    public static func rounded(_ number: Int) -> UInt32 {
        var rounded: UInt32 = 0
        var power: UInt32 = 1
        while power <= countMax {
            for step in [power, 2 * power, 5 * power] where step <= countMax && Int(step) <= number { rounded = step }
            power *= 10
        }
        return rounded
    }

    /// Whether both numbers are in their range.
    var isWellFormed: Bool { photoCount <= Self.countMax && personCount <= Self.countMax }
}

extension RecentActivity: Comparable {
    /// By people, then by photos: one person alone can add many photos.
    public static func < (left: Self, right: Self) -> Bool {
        (left.personCount, left.photoCount) < (right.personCount, right.photoCount)
    }
}

extension EventCard {
    /// Returns the activity as it counts at a time: none if the card was written more than an hour before it, or after
    /// it by a clock that is wrong.
    public func activity(at milliseconds: UInt64) -> RecentActivity {
        let distance = max(milliseconds, revisedAtMilliseconds) - min(milliseconds, revisedAtMilliseconds)
        return distance <= RecentActivity.spanMilliseconds ? activity : .none
    }
}

extension EventState {
    /// Returns the activity of the hour before a time, in milliseconds since 1970 UTC.
    ///
    /// The photos of the gallery count, also sealed ones, by the times at which they were added. Photos that wait for
    /// approval, are veiled or hidden, or have no frame do not count: what a moderator keeps back says nothing to
    /// strangers. People are the authors of these photos, and those of the emoji and comments on photos of the gallery.
    public func activity(before milliseconds: UInt64) -> RecentActivity {
        let hour = (milliseconds - min(milliseconds, RecentActivity.spanMilliseconds))..<milliseconds
        var photoCount = 0
        var people: Set<AuthorID> = []
        for photo in visible(among: photos) {
            if hour.contains(album.photoTime(of: photo.id)) {
                photoCount += 1
                people.insert(photo.author)
            }
            people.formUnion(album.peopleReacting(to: photo.id, in: hour))
        }
        return RecentActivity(photos: photoCount, people: people.count)
    }
}

extension [BoardRow] {
    /// Returns the rows in this order. Events that are equally popular stay in the order of the board.
    public func sorted(_ order: BoardOrder) -> [BoardRow] {
        switch order {
        case .near: self
        case .popular:
            sorted(by: { left, right in
                left.activity == right.activity
                    ? BoardRow.precedes(left, right) : left.activity > right.activity
            })
        }
    }
}

/// The order of a list of events.
public enum BoardOrder: String, CaseIterable, Codable, Sendable {
    /// The board's own: events that can be visited first, then by phase and start.
    case near
    /// By the activity of the last hour.
    case popular
}
