// SPDX-License-Identifier: Apache-2.0

/// The state of a photo, the same on every node that has the same operations.
public enum PhotoStatus: Equatable, Sendable {
    /// Visible, in this frame of its author's quota, from 1.
    case frame(UInt64)
    /// In this frame, and visible to its author and to moderators only, until a moderator approves it.
    case pending(UInt64)
    /// In this frame, and visible to its author and to moderators only, until a moderator decides what a guest has asked
    /// for.
    case veiled(UInt64)
    /// Not visible: the photo has no claim, another claim won its frame, or its frame is beyond the quota. The author
    /// may claim again.
    case waiting
    /// Taken out of the gallery by a moderator, who may put it back. The photo stays on all nodes.
    case hidden
    /// Deleted by its author: all nodes purge it.
    case removed
    /// Erased by an organizer: all nodes purge it.
    case erased

    /// Whether nodes purge the photo's bytes and keys, and serve them no longer.
    public var isWithdrawn: Bool { self == .removed || self == .erased }

    /// The photo's frame, also while it waits for approval.
    public var slot: UInt64? {
        switch self {
        case .frame(let slot), .pending(let slot), .veiled(let slot): slot
        case .waiting, .hidden, .removed, .erased: nil
        }
    }
    public var isPending: Bool { if case .pending = self { true } else { false } }
    public var isVeiled: Bool { if case .veiled = self { true } else { false } }
}

/// A photo as the operations describe it, without their bodies.
public struct Photo: Equatable, Sendable {
    public let id: PhotoID
    /// The author: a guest's own key, or that of the device.
    public let author: AuthorID
    /// The device that signed the photo.
    public let device: DeviceID
    public let sequence: UInt32
    public let timestamp: HybridTimestamp
    public let status: PhotoStatus
}
