// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// A page guest's consent that one node signs for the guest: the guest's signature over the event, that node's device
/// and the sub-key that the node made for the guest (protocol/guest-api.md §3).
public struct Delegation: Equatable, Sendable {
    public let guest: AuthorID
    public let signature: Signature

    public init(guest: AuthorID, signature: Signature) {
        self.guest = guest
        self.signature = signature
    }

    /// Creates the delegation, signed by the holder of `key`.
    public init(to subKey: DeviceID, at node: DeviceID, event: EventID, by key: SigningKey) {
        guest = AuthorID(key.verifyingKey)
        signature = key.signature(for: Self.signedBytes(subKey: subKey, node: node, event: event))
    }

    public func delegates(to subKey: DeviceID, at node: DeviceID, event: EventID) -> Bool {
        guest.verifyingKey.isValid(signature, for: Self.signedBytes(subKey: subKey, node: node, event: event))
    }

    private static func signedBytes(subKey: DeviceID, node: DeviceID, event: EventID) -> [UInt8] {
        Domain.delegation + event.bytes + node.bytes + subKey.bytes
    }
}
