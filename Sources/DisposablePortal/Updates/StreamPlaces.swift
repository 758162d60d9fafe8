// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableWeb
internal import HTTPTypes
internal import Synchronization

/// The open streams of one event, shared fairly among guests and addresses (`FairPlaces`), with a signal for each.
final class StreamPlaces: Sendable {
    /// One stream. Its place is released with the last reference, however the answer ends.
    final class Place: Sendable {
        /// Signals, once at the start, that there may be something to send; ends when the stream has to end.
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

    private struct Stream {
        let session: Bytes32
        let ring: AsyncStream<Void>.Continuation
        let connection: OpenConnection?
    }

    private struct State {
        var places: FairPlaces<Bytes32>
        var streams: [UInt64: Stream] = [:]
    }

    private let limits: PortalLimits
    private let state: Mutex<State>

    init(_ limits: PortalLimits) {
        self.limits = limits
        state = Mutex(State(places: FairPlaces(limits.streams)))
    }

    var count: Int { state.withLock { $0.places.count } }

    /// Returns a place for a stream of the session, which counts for its owner: the guest, or the session without one.
    ///
    /// If all are taken, a stream of an owner with more of them ends. Throws 503 if there is none, 429 if the owner has
    /// reached its limit.
    /// - Parameter isDesk: whether it is a stream of the organizer's desk, which always gets a place.
    func place(
        for session: Bytes32, of owner: Bytes32, _ context: PortalContext, isDesk: Bool = false
    ) throws(PortalError) -> Place {
        let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let now = ContinuousClock.now
        let id = try state.withLock { state throws(PortalError) in
            let streams = state.streams
            let answer = state.places.take(owner: owner, address: context.addressKey, isReserved: isDesk) { id in
                streams[id]?.connection?.stalledSince.map { now - $0 >= limits.server.slowAfter } ?? false
            }
            switch answer {
            case .place(let id, let replaced):
                // Its answer ends, and the connection with it, even if the client does not read.
                if let replaced, let old = state.streams.removeValue(forKey: replaced) {
                    old.ring.finish()
                    if old.connection?.stalledSince != nil { old.connection?.close() }
                }
                state.streams[id] = Stream(session: session, ring: ring, connection: context.connection)
                return id
            case .ownerIsFull:
                throw PortalError(
                    .tooManyRequests, "too-many-streams", "this guest has too many pages of the event open",
                    hint: "Close some of them.", retryAfter: 30)
            case .allAreTaken:
                throw PortalError(
                    .serviceUnavailable, "too-many-streams", "this photo box has reached its limit of browsers",
                    hint: "Poll api/changes instead.", retryAfter: 30)
            }
        }
        return Place(id, in: self, bell: bell, ring: ring)
    }

    /// Signals that there may be something to send.
    func ring() { for stream in state.withLock({ Array($0.streams.values) }) { stream.ring.yield() } }

    /// Ends the streams of a session, or all of them.
    func close(session: Bytes32? = nil) {
        for stream in state.withLock({ Array($0.streams.values) }) where session == nil || stream.session == session {
            stream.ring.finish()
        }
    }

    private func giveBack(_ id: UInt64) {
        state.withLock { state in
            state.places.giveBack(id)
            state.streams[id] = nil
        }
    }
}
