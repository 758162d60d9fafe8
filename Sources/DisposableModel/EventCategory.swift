// SPDX-License-Identifier: Apache-2.0

/// The kinds of events that lists can be filtered by. A charter's `category` is a free label: one that is none of these
/// is shown as ``other``.
public enum EventCategory: String, CaseIterable, Sendable {
    case wedding, birthday, baptism, christmas, party, camp, trip, festival, concert, sport, market, cave
    case other

    /// Returns the kind that a label of a charter means; `nil` for an empty one.
    public init?(label: String) {
        guard !label.isEmpty else { return nil }
        self = EventCategory(rawValue: label.lowercased()) ?? .other
    }
}
