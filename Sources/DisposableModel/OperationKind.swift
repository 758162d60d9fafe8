// SPDX-License-Identifier: Apache-2.0

/// The two sets of operations, reconciled in this order: who may do what, then everything else.
public enum OperationSet: UInt8, CaseIterable, Sendable {
    case authority = 1
    case content = 0
}

/// The kinds of operation this version knows (protocol/disposable-v0.md §8, one table row a kind).
///
/// A header keeps the raw number, so that kinds of a later version are stored and forwarded unchanged.
public enum OperationKind: UInt8, CaseIterable, Sendable {
    /// The event's parameters. By the event key. Body: `Charter`.
    case charter = 1
    /// A device enters. By itself. Body: the `Admission` that its sponsor signed.
    case join = 2
    /// The author takes a photo back. Subject: the photo.
    case remove = 3
    /// What the device's person is called. Body: the name.
    case name = 64
    /// A photo is there. Body: thumbnail, preview, what is known of it.
    case photo = 65
    /// The shared file of a photo. Subject: the photo. Body: the blob and its SHA-256.
    case original = 66
    /// A photo takes a slot of its author's roll. Subject: the photo. Argument: the slot, from 1.
    case claim = 67

    public var set: OperationSet {
        switch self {
        case .charter, .join, .remove: .authority
        case .name, .photo, .original, .claim: .content
        }
    }

    /// Whether the fold reads the body. Such a body travels with its header, is never erased, holds nothing personal.
    public var foldReadsBody: Bool {
        switch self {
        case .charter, .join: true
        case .remove, .name, .photo, .original, .claim: false
        }
    }

    public var hasBody: Bool {
        switch self {
        case .charter, .join, .name, .photo, .original: true
        case .remove, .claim: false
        }
    }
}
