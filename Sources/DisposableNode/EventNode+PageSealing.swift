// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
internal import DisposableModel
internal import DisposableSync

/// The sealing of photos by guests' pages (protocol/guest-api.md §19).
extension EventNode {
    /// The key to which guests' pages seal photos now: 32 bytes; `nil` where they do not.
    public var pageSealingKey: Bytes32? { replica.state.pageSealingKey?.bytes32 }

    /// Whether an organizer has guests' photos sealed by their pages, whether they are revealed or not.
    public var isPageSealingOn: Bool { !replica.state.album.pageSealingSettings.isEmpty }

    /// Throws `.pageSealing` unless a guest's file is sealed as the event wants it. A package that comes after
    /// the reveal is taken, as its page could not know.
    func checkPageSealing(isSealed: Bool) throws {
        let state = replica.state
        if isSealed {
            guard isPageSealingOn, state.sealingKey != nil else { throw NodeError.refused(.pageSealing(.off)) }
        } else if state.pageSealingKey != nil {
            throw NodeError.refused(.pageSealing(.needed))
        }
    }
}
