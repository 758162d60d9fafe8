// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import Synchronization

/// The twins whose galleries are shown with those of the node's events, as both sides agree at present. The node
/// updates it; any thread may read it.
final class TwinDirectory: Sendable {
    private let shown = Mutex<[EventID: [EventID]]>([:])

    /// Returns the events whose photos are shown with those of `event`, in the order in which they were named.
    func twins(of event: EventID) -> [EventID] { shown.withLock { $0[event] ?? [] } }

    /// Returns the events that show the photos of `event` with their own.
    func events(showing event: EventID) -> [EventID] {
        shown.withLock { $0.filter { $0.value.contains(event) }.keys.sorted() }
    }

    /// Replaces all pairs.
    /// - Returns: the events that show others' photos than before.
    func update(_ pairs: [EventID: [EventID]]) -> [EventID] {
        shown.withLock { shown in
            defer { shown = pairs }
            return Set(shown.keys).union(pairs.keys).filter { shown[$0] ?? [] != pairs[$0] ?? [] }.sorted()
        }
    }
}
