// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
package import DisposableCrypto
internal import DisposableModel
internal import OrderedCollections

/// Commands that wait to be signed, since others accept only so many a second: first those that require a rank, then
/// one of each key in turn, so that many active guests delay another guest by one turn each.
package struct StatementQueue {
    package typealias Entry = (statement: Statement, key: SigningKey?, ticket: Ticket)

    private var urgent: Deque<Entry> = []
    /// By key in order of arrival. The key whose turn it is comes first.
    private var byKey: OrderedDictionary<DeviceID?, Deque<Entry>> = [:]

    package init() {}

    package var isEmpty: Bool { urgent.isEmpty && byKey.isEmpty }
    /// Whether one that requires a rank waits.
    package var hasUrgent: Bool { !urgent.isEmpty }

    /// - Parameter key: the device's own key if there is none.
    package mutating func append(_ statement: Statement, by key: SigningKey?, _ ticket: Ticket) {
        switch statement {
        case .rule, .edit, .reveal, .deal, .releaseShares, .rotate, .admit, .confirmTickets:
            urgent.append((statement, key, ticket))
        default: byKey[key.map { DeviceID($0.verifyingKey) }, default: []].append((statement, key, ticket))
        }
    }

    package mutating func popFirst() -> Entry? {
        if let entry = urgent.popFirst() { return entry }
        guard !byKey.isEmpty else { return nil }
        var (key, waiting) = byKey.removeFirst()
        let entry = waiting.popFirst()
        if !waiting.isEmpty { byKey[key] = waiting }
        return entry
    }
}
