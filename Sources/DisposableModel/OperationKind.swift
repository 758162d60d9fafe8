// SPDX-License-Identifier: Apache-2.0

/// The two sets of operations, reconciled in this order: permissions, then everything else.
public enum OperationSet: UInt8, CaseIterable, Sendable {
    case authority = 1
    case content = 0
}

/// The kinds of operation that this version knows (protocol/disposable-v1.md §8, one table row each).
///
/// A header keeps the raw number, so that kinds of a later version are stored and forwarded unchanged.
public enum OperationKind: UInt8, CaseIterable, Sendable {
    /// The event's parameters. Signed by the event key. Body: `Charter`.
    case charter = 1
    /// A device joins. Signed by itself. Body: the `Admission` that its sponsor signed.
    case join = 2
    /// The author deletes a photo. Subject: the photo.
    case remove = 3
    /// A device, or a page guest's key, gets a role. Subject: the key. Argument: the role. Body: the revocations that
    /// it cancels.
    case grant = 4
    /// A role is revoked. Subject: the key. Argument: the role. Body: the heads that still count.
    case revokeRole = 5
    /// Removes a device or a guest. Subject: its key. Argument: 1 discards the bodies of operations that the revocation
    /// does not leave. Body: the heads that still count.
    case revokeDevice = 6
    /// A moderator takes a photo out of the gallery. Subject: the photo.
    case hide = 7
    /// A moderator puts a hidden photo back. Subject: the photo. Body: the hides that it cancels.
    case unhide = 8
    /// An organizer erases a photo. Subject: the photo.
    case erase = 9
    /// An organizer edits one field of the charter. Argument: the field. Body: its value, and the operations that it
    /// follows.
    case edit = 10
    /// Reveals all sealed photos. Body: the reveal key's secret half.
    case reveal = 11
    /// An author opens one of its sealed photos. Subject: the photo. Body: its content keys.
    case keyRelease = 12
    /// A device leaves the event. Signed by itself. Its operations do not become void.
    case leave = 13
    /// The event has a new secret, or the secret is given to more devices. Subject: the epoch before, or the one that
    /// is added to. Argument: which of the two. Body: the secret, sealed to each device that may stay.
    case epoch = 14
    /// Operations that one head of a revocation stands for. Body: their ids, as a revocation's heads.
    case list = 15
    /// An organizer decides which photos need approval. Argument: the `ApprovalRule`. Body: the settings that it
    /// follows.
    case approval = 16
    /// A moderator approves photos. Body: their ids.
    case approve = 17
    /// A moderator withdraws approvals of a photo. Subject: the photo. Body: the approvals.
    case unapprove = 18
    /// The name of the device's person. Body: the name.
    case name = 64
    /// Adds a photo. Body: thumbnail, preview, metadata.
    case photo = 65
    /// The shared file of a photo. Subject: the photo. Body: the blob and its SHA-256.
    case original = 66
    /// A photo claims a frame of its author's quota. Subject: the photo. Argument: the frame, from 1.
    case claim = 67
    /// A caption by the photo's author. Subject: the photo. Body: the text.
    case caption = 68
    /// An emoji that is put on a photo or taken off. Subject: the photo. Argument: the emoji's scalar, plus 2^32 to
    /// take it off.
    case reaction = 69
    /// A comment on a photo. Subject: the photo. Body: the text.
    case comment = 70
    /// An organizer's notice to all. Body: the text.
    case notice = 71
    /// An organizer gives an author extra frames. Subject: the author's key. Argument: the number.
    case frames = 72
    /// The author agrees to a text. Subject: its hash (`ConsentText`).
    case consent = 74
    /// A photo answers a mission. Subject: the photo. Argument: the mission's id, plus 2^32 to withdraw the answer.
    case answer = 75
    /// An organizer uses a photo as the event's cover or plan. Subject: the photo. Argument: the `PictureRole`, plus
    /// 2^32 to take it off.
    case picture = 76
    /// The author puts a photo on the plan. Subject: the photo. Argument: the `Spot` and the start of the plan's id,
    /// plus 2^32 to take it off.
    case spot = 77
    /// Guests can have photos veiled from now on. By an organizer.
    case veiling = 78
    /// A guest does not want a photo to be shown. Subject: the photo.
    case veil = 79
    /// A moderator shows a veiled photo again. Subject: the photo.
    case lift = 80
    /// The author says how a photo is turned when it is shown. Subject: the photo. Argument: quarter turns clockwise.
    case turn = 81
    /// A message to the organizers. Subject: the photo that it is about, if any. Body: the sealed text.
    case message = 82
    /// A guest gives one of its own frames to somebody else. Subject: the recipient's author key. Argument: the frame.
    case gift = 83
    /// An organizer lists tickets. Argument: the number of the first. Body: their keys.
    case tickets = 84
    /// A ticket is used for an author. Subject: the ticket. Body: the author, and the ticket's signature over it.
    case ticketUse = 85
    /// An organizer cancels a ticket, or confirms its first use. Subject: the ticket, or the use. Argument: the
    /// `TicketRuling`.
    case ticketRuling = 86
    /// A share of the reveal key's secret half for an organizer. Subject: its device. Argument: the share's index.
    /// Body: the share, sealed to the device.
    case share = 87
    /// An organizer publishes a share. Argument: its index. Body: the share.
    case shareRelease = 88
    /// Guests' pages seal photos from now on, so that the nodes that serve them cannot look. By an organizer.
    case pageSealing = 89
    /// An organizer opens the vote for the photo of the night. Body: the vote's public key, and its secret half sealed
    /// to the organizers.
    case ballot = 91
    /// A vote that opens after the closing. Subject: the ballot. Body: the sealed vote.
    case vote = 92
    /// An organizer closes a vote. Subject: the ballot. Body: the secret half that opens the votes.
    case closing = 93
    /// An organizer joins the gallery with that of another event. Subject: that event. Body: the agreement of one of
    /// its organizers, and its secret, sealed for the members of this event.
    case twinning = 94

    /// Whether the first release knew the kind. An operation of a later kind is never refused for its set or its body:
    /// nodes of the first release keep it and pass it on (protocol/disposable-v1.md §13).
    package var isOfFirstRelease: Bool { self != .twinning }

    public var set: OperationSet {
        switch self {
        case .charter, .join, .remove, .grant, .revokeRole, .revokeDevice, .hide, .unhide, .erase, .edit, .reveal,
            .keyRelease, .leave, .epoch, .list, .approval, .approve, .unapprove, .veiling, .veil, .lift,
            .tickets, .ticketUse, .ticketRuling, .share, .shareRelease, .pageSealing, .twinning:
            .authority
        case .name, .photo, .original, .claim, .caption, .reaction, .comment, .notice, .frames, .consent, .answer,
            .picture, .spot, .turn, .message, .gift, .ballot, .vote, .closing:
            .content
        }
    }

    /// Whether the fold reads the body. Such a body travels with its header, is never erased and holds nothing
    /// personal.
    public var foldReadsBody: Bool {
        switch self {
        case .charter, .join, .grant, .revokeRole, .revokeDevice, .unhide, .edit, .reveal, .epoch, .list, .approval,
            .approve, .unapprove, .tickets, .ticketUse, .share, .shareRelease, .ballot, .vote, .closing:
            true
        case .remove, .hide, .erase, .keyRelease, .leave, .name, .photo, .original, .claim, .caption, .reaction,
            .comment, .notice, .frames, .consent, .answer, .picture, .spot, .veiling, .veil, .lift, .turn,
            .message, .gift, .ticketRuling, .pageSealing, .twinning:
            false
        }
    }

    /// Whether nodes that do not know the kind must say so: without it they would show what they must not.
    public var isCritical: Bool { self == .approval || self == .veiling || self == .share || self == .pageSealing }

    /// Whether its body can be purged while its header stays.
    public var isErasable: Bool { hasBody && !foldReadsBody }

    public var hasBody: Bool {
        switch self {
        case .charter, .join, .grant, .revokeRole, .revokeDevice, .unhide, .edit, .reveal, .keyRelease, .epoch, .list,
            .approval, .approve, .unapprove, .name, .photo, .original, .caption, .comment, .notice, .message,
            .tickets, .ticketUse, .share, .shareRelease, .ballot, .vote, .closing, .twinning:
            true
        case .remove, .hide, .erase, .leave, .claim, .reaction, .frames, .consent, .answer, .picture, .spot, .veiling,
            .veil, .lift, .turn, .gift, .ticketRuling, .pageSealing:
            false
        }
    }
}
