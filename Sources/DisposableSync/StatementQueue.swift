// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
package import DisposableCrypto
internal import DisposableModel
internal import OrderedCollections

/// Statements that wait to be signed, as others take only so many a second: what keeps order first, and then one of each
/// key in turn, so that many active guests delay another guest by one turn each.
package struct StatementQueue {
    package typealias Entry = (statement: Statement, key: SigningKey?, ticket: Ticket)

    private var urgent: Deque<Entry> = []
    /// Of each key in the order in which they came. The key whose turn it is stands first.
    private var byKey: OrderedDictionary<DeviceID?, Deque<Entry>> = [:]

    package init() {}

    package var isEmpty: Bool { urgent.isEmpty && byKey.isEmpty }

    /// - Parameter key: the device's own where none is given.
    package mutating func append(_ statement: Statement, by key: SigningKey?, _ ticket: Ticket) {
        switch statement {
        case .rule, .edit, .reveal, .rotate, .admit: urgent.append((statement, key, ticket))
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
