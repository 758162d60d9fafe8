// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Messages of peers: each to its part of the engine, if the sender may send it.
extension Replica {
    mutating func receive(_ message: PeerMessage, from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        charge(message, connection)
        guard peer.epochs.renewal == nil else { return receiveWhileRenewing(message, from: connection) }
        switch message {
        case .authentication: close(connection, .malformed)
        case .ping(let ping):
            send(.pong(ownPing(nonce: ping.nonce, to: peer)), to: connection)
            if trusts(peer) { compare(ping, from: connection) }
        case .pong(let ping):
            let isAnswer = peer.liveness.answered(ping.nonce, at: now.milliseconds)
            if isAnswer, peer.process.hasDouble, let other = peer.device { noteClone(other) }
            if trusts(peer) { compare(ping, from: connection) }
        case .close(let code, let retryAfter, _):
            if code == .invitationReplaced { outputs.append(.changed(.invitationReplaced)) }
            remove(connection, code: code ?? .shuttingDown, pause: UInt64(retryAfter))
        case .admission(let admission): receive(admission, from: connection)
        case .operations(let operations): receive(operations, from: connection)
        case .later: break
        case .addresses, .register, .pages, .reconcile, .want, .have, .request, .list, .data, .refusal, .cancel:
            guard trusts(peer) else {
                if !peer.joining.deferUntilJoined(message) { close(connection, .notAdmitted) }
                return
            }
            receiveFromMember(message, connection)
        }
    }

    private mutating func receiveFromMember(_ message: PeerMessage, _ connection: ConnectionID) {
        switch message {
        case .addresses(let addresses): receive(addresses, from: connection)
        case .register(let register): receive(register, from: connection)
        case .pages(let addresses): receive(pages: addresses, from: connection)
        case .reconcile(let set, let isInitiator, let bytes):
            reconcile(set, bytes, fromInitiator: isInitiator, connection)
        case .want(let ids, _): answerWant(ids, to: connection)
        case .have(let have): receive(have, from: connection)
        case .request(let request): receive(request, from: connection)
        case .list(let request, let hashes):
            settle(scheduler.receive(list: hashes, request: request, from: connection), from: connection)
        case .data(let fragment):
            settle(scheduler.receive(fragment, from: connection, at: now.milliseconds), from: connection)
        case .refusal(let request, _, let retryAfter):
            scheduler.refused(request, by: connection, retryAfter: UInt64(retryAfter), at: now.milliseconds)
        case .cancel(let request): peers[connection]?.service.cancel(request)
        case .authentication, .ping, .pong, .close, .admission, .operations, .later: break
        }
    }

    /// Returns this node's ping; to a peer that is no member, with sets that look empty.
    func ownPing(nonce: UInt64, to peer: Peer) -> Ping {
        guard trusts(peer) else {
            return Ping(nonce: nonce, authority: .untold, content: .untold)
        }
        return Ping(nonce: nonce, authority: summary(of: .authority), content: summary(of: .content))
    }
}
