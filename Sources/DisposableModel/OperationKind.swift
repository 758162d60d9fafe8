// SPDX-License-Identifier: Apache-2.0

/// The two sets of operations, reconciled in this order: who may do what, then everything else.
public enum OperationSet: UInt8, CaseIterable, Sendable {
    case authority = 1
    case content = 0
}

/// The kinds of operation this version knows (protocol/disposable-v1.md §8, one table row a kind).
///
/// A header keeps the raw number, so that kinds of a later version are stored and forwarded unchanged.
public enum OperationKind: UInt8, CaseIterable, Sendable {
    /// The event's parameters. By the event key. Body: `Charter`.
    case charter = 1
    /// A device enters. By itself. Body: the `Admission` that its sponsor signed.
    case join = 2
    /// The author takes a photo back. Subject: the photo.
    case remove = 3
    /// A device, or a page guest's key, gets a role. Subject: the key. Argument: the role. Body: revocations cancelled.
    case grant = 4
    /// A role is taken away. Subject: the key. Argument: the role. Body: the heads that still count.
    case revokeRole = 5
    /// Removes a device or a guest. Subject: its key. Argument: 1 discards the bodies of operations that the revocation
    /// does not leave. Body: the heads that still count.
    case revokeDevice = 6
    /// A moderator takes a photo out of the gallery. Subject: the photo.
    case hide = 7
    /// And puts it back. Subject: the photo. Body: the hides that it cancels.
    case unhide = 8
    /// An organizer has a photo destroyed. Subject: the photo.
    case erase = 9
    /// An organizer changes one field of the charter. Argument: the field. Body: its value, and what the edit follows.
    case edit = 10
    /// Sealed photos are opened to all. Body: the reveal key's secret half.
    case reveal = 11
    /// An author opens one of its sealed photos. Subject: the photo. Body: its content keys.
    case keyRelease = 12
    /// A device's person goes. By itself. Nothing that it has said becomes void.
    case leave = 13
    /// The event has a new secret, or it is given to more devices. Subject: the epoch before, or added to. Argument:
    /// which of the two. Body: the secret, sealed to each device that may stay.
    case epoch = 14
    /// Operations that stand for one head of a revocation. Body: their ids, as a revocation's heads.
    case list = 15
    /// What the device's person is called. Body: the name.
    case name = 64
    /// A photo is there. Body: thumbnail, preview, what is known of it.
    case photo = 65
    /// The shared file of a photo. Subject: the photo. Body: the blob and its SHA-256.
    case original = 66
    /// A photo takes a slot of its author's roll. Subject: the photo. Argument: the slot, from 1.
    case claim = 67
    /// What a photo's author says under it. Subject: the photo. Body: the text.
    case caption = 68
    /// An emoji on a photo, put on or taken off. Subject: the photo. Argument: the emoji's scalar, and 2^32 to take it
    /// off.
    case reaction = 69
    /// What somebody says about a photo. Subject: the photo. Body: the text.
    case comment = 70
    /// What an organizer says to all. Body: the text.
    case notice = 71
    /// An organizer gives an author more frames. Subject: the author's key. Argument: how many.
    case frames = 72
    /// The author agrees to a text. Subject: its hash (`ConsentText`).
    case consent = 74

    public var set: OperationSet {
        switch self {
        case .charter, .join, .remove, .grant, .revokeRole, .revokeDevice, .hide, .unhide, .erase, .edit, .reveal,
            .keyRelease, .leave, .epoch, .list:
            .authority
        case .name, .photo, .original, .claim, .caption, .reaction, .comment, .notice, .frames, .consent:
            .content
        }
    }

    /// Whether the fold reads the body. Such a body travels with its header, is never erased, holds nothing personal.
    public var foldReadsBody: Bool {
        switch self {
        case .charter, .join, .grant, .revokeRole, .revokeDevice, .unhide, .edit, .reveal, .epoch, .list: true
        case .remove, .hide, .erase, .keyRelease, .leave, .name, .photo, .original, .claim, .caption, .reaction,
            .comment,
            .notice, .frames, .consent:
            false
        }
    }

    /// Whether its body can be destroyed while its header stays.
    public var isErasable: Bool { hasBody && !foldReadsBody }

    public var hasBody: Bool {
        switch self {
        case .charter, .join, .grant, .revokeRole, .revokeDevice, .unhide, .edit, .reveal, .keyRelease, .epoch, .list,
            .name,
            .photo, .original, .caption, .comment, .notice:
            true
        case .remove, .hide, .erase, .leave, .claim, .reaction, .frames, .consent: false
        }
    }
}
