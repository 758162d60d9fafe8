// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The session of a request to the desk, and its origin.
struct DeskVisit: Sendable {
    /// `nil` before a key was exchanged.
    let session: Bytes32?
    let isHere: Bool
}
