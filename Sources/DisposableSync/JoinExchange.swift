// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableWire

/// The news for a device that is no member, from a member that meets it.
enum OutsideNews {
    case admission
    /// That it was removed, with the revocations.
    case rulings
}

/// The news about joining between two nodes, one of which may be no member.
struct JoinExchange {
    /// Whether its device was no member when it connected.
    var isNewcomer = false
    /// The last admission that the peer has offered to this device, until that is a member.
    var offer: Admission?
    /// Messages of a peer whose join has not arrived yet; they are handled once it has.
    private(set) var deferred: [PeerMessage] = []
    /// The last news that the peer was sent while it is no member.
    var news: OutsideNews?
    /// The number of rulings that it was sent because it takes this device for an outsider.
    var rulingCount = 0
    private var isGreeted = false

    /// Returns false if too many messages wait.
    mutating func deferUntilJoined(_ message: PeerMessage) -> Bool {
        guard deferred.count < Limits.deferredMessagesMax else { return false }
        deferred.append(message)
        return true
    }

    mutating func takeDeferred() -> [PeerMessage] {
        defer { deferred = [] }
        return deferred
    }

    /// Returns whether the peer is greeted as a member for the first time.
    mutating func greet() -> Bool {
        news = nil
        defer { isGreeted = true }
        return !isGreeted
    }
}
