// SPDX-License-Identifier: Apache-2.0
internal import OrderedCollections

extension Replica {
    /// Returns the number of bytes of the connection, at least 1, without which nothing more can be handled: the rest of
    /// the frame that has begun. A shell may wait for them before it passes input.
    ///
    /// Mutating only for speed: to call a method that cannot change the replica, a shell that stores one copies it, with
    /// a reference count for each of its parts, and this is called after every read of a socket.
    public mutating func missingByteCount(of connection: ConnectionID) -> Int {
        peers[connection]?.connection.missingByteCount ?? 1
    }
}
