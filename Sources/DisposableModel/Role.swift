// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// The authority of a device, in ascending order.
public enum Rank: UInt8, Comparable, CaseIterable, Sendable {
    case participant = 1
    /// Hides photos, and removes participants.
    case moderator = 2
    /// Everything except the event key's own acts.
    case organizer = 3
    case eventKey = 4

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The roles that can be granted to a device, or to a page guest's key (protocol/disposable-v1.md §9).
public enum Role: UInt8, CaseIterable, Sendable {
    /// Membership alone; granted to reinstate a removed device, with the revocations that the grant cancels.
    case participant = 1
    case moderator = 2
    case organizer = 3
    /// May serve pages to guests beyond its own machine.
    case page = 4
    /// Has a quota without limit.
    case photographer = 5

    /// The rank that is required to grant or revoke the role.
    public var grantedBy: Rank {
        switch self {
        case .participant: .moderator
        case .moderator, .page, .photographer: .organizer
        case .organizer: .eventKey
        }
    }
}

/// The subject of a grant or a revocation: a device, or a page guest by the key that all its sub-keys sign for.
public typealias Grantee = Bytes32

/// A granted role.
struct Grant: Equatable, Sendable {
    let signer: DeviceID
    let grantee: Grantee
    let role: Role
    /// The revocations that it cancels.
    let cancels: Set<OperationID>
    /// The reveal key's secret half, sealed to the grantee: 80 bytes or none.
    let revealKey: [UInt8]
}

/// A revoked role, or a removal.
struct Revocation: Equatable, Sendable {
    let signer: DeviceID
    let sequence: UInt32
    let grantee: Grantee
    /// `nil` if the whole device is removed.
    let role: Role?
    /// The heads that still count.
    let heads: Set<OperationID>
    /// Whether the bodies of operations that it does not leave are purged.
    let isDiscarding: Bool

    /// Whether a grant of `role` that names it can cancel it.
    func isCancelled(byGranting role: Role) -> Bool { self.role == nil || self.role == role }
}
