// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import HTTPTypes
internal import Synchronization

/// The open streams of one event: so many in all and for each session, and a bell for each.
final class StreamPlaces: Sendable {
    /// One stream. It is given back when nothing holds it any more, in whichever way the answer that held it ended, or
    /// never began.
    final class Place: Sendable {
        /// Rings, at once for the first time, when there may be something to send; ends when the stream shall end.
        let bell: AsyncStream<Void>
        private let ring: AsyncStream<Void>.Continuation
        private let id: UInt64
        private let places: StreamPlaces

        fileprivate init(
            _ id: UInt64, in places: StreamPlaces, bell: AsyncStream<Void>, ring: AsyncStream<Void>.Continuation
        ) {
            (self.id, self.places, self.bell, self.ring) = (id, places, bell, ring)
            ring.yield()
        }

        deinit { places.giveBack(id) }

        /// Ends the stream.
        func close() { ring.finish() }
    }

    private struct State {
        var last: UInt64 = 0
        var taken: [UInt64: (session: Bytes32, ring: AsyncStream<Void>.Continuation)] = [:]
    }

    private let limits: PortalLimits
    private let state = Mutex(State())

    init(_ limits: PortalLimits) { self.limits = limits }

    var count: Int { state.withLock { $0.taken.count } }

    /// Throws 503 when the event has too many streams, 429 when the session has.
    func place(for session: Bytes32) throws(PortalError) -> Place {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = try state.withLock { state throws(PortalError) in
            guard state.taken.count < limits.streamCountMax else {
                throw PortalError(
                    .serviceUnavailable, "too-many-streams", "this photo box serves as many browsers as it can",
                    hint: "Ask for api/changes now and then instead.", retryAfter: 30)
            }
            guard state.taken.values.count(where: { $0.session == session }) < limits.streamCountBySessionMax else {
                throw PortalError(
                    .tooManyRequests, "too-many-streams", "this browser has too many pages of the event open",
                    hint: "Close some of them.", retryAfter: 30)
            }
            state.last += 1
            state.taken[state.last] = (session, ring)
            return state.last
        }
        return Place(id, in: self, bell: bell, ring: ring)
    }

    /// There may be something to send.
    func ring() { for place in state.withLock({ Array($0.taken.values) }) { place.ring.yield() } }

    /// Ends the streams of a session, or all of them.
    func close(session: Bytes32? = nil) {
        for place in state.withLock({ Array($0.taken.values) }) where session == nil || place.session == session {
            place.ring.finish()
        }
    }

    private func giveBack(_ id: UInt64) { state.withLock { $0.taken[id] = nil } }
}
