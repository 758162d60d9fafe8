// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// How far a device's word goes; the order is the rank.
public enum Rank: UInt8, Comparable, CaseIterable, Sendable {
    case participant = 1
    /// Hides photos, and puts participants out.
    case moderator = 2
    /// Everything but what only the event key may do.
    case organizer = 3
    case eventKey = 4

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What can be granted to a device, or to a page guest's key (protocol/disposable-v1.md §9).
public enum Role: UInt8, CaseIterable, Sendable {
    /// Nothing beyond being in; granted to a device that was put out, by naming the revocations that it cancels.
    case participant = 1
    case moderator = 2
    case organizer = 3
    /// May serve pages to guests beyond its own machine.
    case page = 4
    /// Has no limit on its roll.
    case photographer = 5

    /// The rank that it takes to grant the role or to revoke it.
    public var grantedBy: Rank {
        switch self {
        case .participant: .moderator
        case .moderator, .page, .photographer: .organizer
        case .organizer: .eventKey
        }
    }
}

/// Who a grant or a revocation is about: a device, or a page guest by the key that all its sub-keys speak for.
public typealias Grantee = Bytes32

/// A role given.
struct Grant: Equatable, Sendable {
    let signer: DeviceID
    let grantee: Grantee
    let role: Role
    /// The revocations that it cancels.
    let cancels: Set<OperationID>
    /// The reveal key's secret half, sealed to the grantee: 80 bytes or none.
    let revealKey: [UInt8]
}

/// A role, or everything, taken away.
struct Revocation: Equatable, Sendable {
    let signer: DeviceID
    let sequence: UInt32
    let grantee: Grantee
    /// `nil` where the whole device is put out.
    let role: Role?
    /// The ends of the chains that still count.
    let heads: Set<OperationID>
    /// Whether bodies of what it does not leave are to be destroyed.
    let isDiscarding: Bool

    /// Whether a grant of `role` that names it can cancel it.
    func isCancelled(byGranting role: Role) -> Bool { self.role == nil || self.role == role }
}
