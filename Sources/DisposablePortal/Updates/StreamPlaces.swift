// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableWeb
internal import HTTPTypes

/// An open stream of an event, with a signal.
struct OpenStream: Sendable {
    let session: Bytes32
    /// Signals, once at the start, that there may be something to send; ends when the stream has to end.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init(of session: Bytes32) {
        self.session = session
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal()
    }

    func signal() { ring.yield() }

    /// Ends the stream.
    func close() { ring.finish() }
}

/// The open streams of one event.
typealias StreamPlaces = AnswerPlaces<OpenStream>

extension StreamPlaces {
    /// Returns a place for a stream of the session, which counts for its owner: the guest, or the session without one.
    ///
    /// If all are taken, a stream of an owner with more of them ends. Throws 503 if there is none, 429 if the owner has
    /// reached its limit.
    /// - Parameter isDesk: whether it is a stream of the organizer's desk, which always gets a place.
    func place(
        for session: Bytes32, of owner: Bytes32, _ context: RequestContext<some Sendable>, isDesk: Bool = false
    ) throws(PortalError) -> Place {
        do {
            let (place, replaced) = try take(OpenStream(of: session), for: owner, context, isReserved: isDesk)
            // Its answer ends, and the connection with it, even if the client does not read.
            replaced?.content.close()
            if replaced?.connection?.stalledSince != nil { replaced?.connection?.close() }
            return place
        } catch .ofOwner {
            throw PortalError(
                .tooManyRequests, "too-many-streams", "this guest has too many pages of the event open",
                hint: "Close some of them.", retryAfter: 30)
        } catch {
            throw PortalError(
                .serviceUnavailable, "too-many-streams", "this photo box has reached its limit of browsers",
                hint: "Poll api/changes instead.", retryAfter: 30)
        }
    }

    /// Signals that there may be something to send.
    func ring() { for stream in contents { stream.signal() } }

    /// Ends the streams of a session, or all of them.
    func close(session: Bytes32? = nil) {
        for stream in contents where session == nil || stream.session == session { stream.close() }
    }
}
