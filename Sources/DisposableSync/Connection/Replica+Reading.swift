// SPDX-License-Identifier: Apache-2.0
internal import OrderedCollections

extension Replica {
    /// Returns the number of bytes of the connection, at least 1, without which nothing more can be handled: the rest of
    /// the frame that has begun. A shell may wait for them before it passes input.
    public func missingByteCount(of connection: ConnectionID) -> Int {
        peers[connection]?.connection.missingByteCount ?? 1
    }
}
