// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableWeb
internal import Synchronization

/// Places for answers that take long, shared fairly among guests and addresses (`FairPlaces`). A place is released with
/// its last reference, however the answer ends.
final class AnswerPlaces<Content: Sendable>: Sendable {
    final class Place: Sendable {
        let content: Content
        private let id: UInt64
        private let places: AnswerPlaces

        fileprivate init(_ content: Content, _ id: UInt64, in places: AnswerPlaces) {
            (self.content, self.id, self.places) = (content, id, places)
        }
        deinit { places.giveBack(id) }
    }

    struct Answer: Sendable {
        let content: Content
        let connection: OpenConnection?
    }

    enum Shortage: Error {
        /// The owner has reached its limit.
        case ofOwner
        case ofAll
    }

    private struct State {
        var places: FairPlaces<Bytes32>
        var answers: [UInt64: Answer] = [:]
    }

    /// The time without progress after which an answer can be replaced by a new one.
    private let slowAfter: Duration
    private let state: Mutex<State>

    init(_ limits: FairPlaces<Bytes32>.Limits, slowAfter: Duration) {
        self.slowAfter = slowAfter
        state = Mutex(State(places: FairPlaces(limits)))
    }

    var count: Int { state.withLock { $0.places.count } }
    func addressCount(except address: String) -> Int { state.withLock { $0.places.addressCount(except: address) } }
    var contents: [Content] { state.withLock { $0.answers.values.map(\.content) } }

    /// Returns a place for an answer. If all are taken, an unread answer loses its place to it, or one of an owner or
    /// address with more of them: the caller ends that one.
    /// - Parameter isReserved: whether it gets a place even if all others are taken.
    func take(
        _ content: Content, for owner: Bytes32, _ context: RequestContext<some Sendable>, isReserved: Bool = false
    ) throws(Shortage) -> (place: Place, replaced: Answer?) {
        let now = ContinuousClock.now
        return try state.withLock { state throws(Shortage) in
            let answers = state.answers
            let answer = state.places.take(owner: owner, address: context.addressKey, isReserved: isReserved) { id in
                answers[id]?.connection?.stalledSince.map { now - $0 >= slowAfter } ?? false
            }
            switch answer {
            case .place(let id, let replaced):
                state.answers[id] = Answer(content: content, connection: context.connection)
                return (Place(content, id, in: self), replaced.flatMap { state.answers.removeValue(forKey: $0) })
            case .ownerIsFull: throw .ofOwner
            case .allAreTaken: throw .ofAll
            }
        }
    }

    private func giveBack(_ id: UInt64) {
        state.withLock { state in
            state.places.giveBack(id)
            state.answers[id] = nil
        }
    }
}
