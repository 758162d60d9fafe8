// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel

/// A command of this node itself; the replica assigns its operations their places in the chain.
public enum Statement: Equatable, Sendable {
    /// A guest's sub-key joins, admitted by this device. No operation if it is a member already.
    case join(body: [UInt8])
    /// Bodies are bytes, salt first, as `OperationBody.encode` makes them.
    case name(body: [UInt8])
    /// A photo with its original, its author's caption, and the id of the mission that it answers, in the first free
    /// frame of the quota.
    case photo(body: [UInt8], originalBody: [UInt8], captionBody: [UInt8]? = nil, mission: UInt32? = nil)
    /// `salt`: 16 random bytes for the body.
    case say(Saying, salt: [UInt8])
    case remove(PhotoID)
    /// Gives frames of the author's own to somebody else: the highest free ones, one operation each. `left`: how many
    /// the person was told that it can give; refused where it is another number. `nil`: whatever is left.
    case give(Int, to: AuthorID, left: Int?)
    /// Lists tickets, the first of which has a number; as many operations as that takes. `salt`: 16 random bytes.
    case listTickets([TicketKey], first: UInt64, salt: [UInt8])
    /// Uses a ticket for the author that the body's proof names. No operation if the author has used it already.
    case useTicket(TicketKey, body: [UInt8])
    /// Confirms the uses of tickets that nobody has confirmed, some at a time.
    case confirmTickets
    /// Agrees to the text of this hash, which must be the present one. No operation if the author already has.
    case consent(to: OperationID)
    /// The device leaves: its last operation except for deletions.
    case leave
    /// Claims free frames for photos of the author that lost theirs (`Album.reclaims`). No operation if none has.
    case reclaim
    /// A moderation action. `salt`: 16 random bytes for the body.
    case rule(Ruling, salt: [UInt8])
    /// Sets each of the fields to its value in the charter, whose other fields are ignored. One operation for each
    /// field, all of them or none.
    case edit([CharterField], Charter, salt: [UInt8])
    /// Opens all sealed photos with the reveal key's secret half, 32 bytes.
    case reveal(secret: Bytes32, salt: [UInt8])
    /// Gives an organizer's device a share of that secret half. `body`: the share sealed to the device.
    case deal(index: UInt8, to: DeviceID, body: [UInt8])
    /// Publishes shares of that secret half. No operation if all of them have been.
    case releaseShares([RevealShare], salt: [UInt8])
    /// Opens one of the author's own sealed photos.
    case keyRelease(PhotoID, body: [UInt8])
    /// Gives the event a new secret, sealed to the members that have the current one.
    case rotate(EpochEntropy)
    /// Seals the current secret to a member that joined under another one.
    case admit(DeviceID, EpochEntropy)
}

/// An annotation of a photo, an organizer's notice, or a message to the organizers. Texts have 1 to 2,000 bytes.
public enum Saying: Equatable, Sendable {
    /// On a photo of the author's own.
    case caption(PhotoID, String)
    case comment(PhotoID, String)
    /// One of `Remarks.emoji`, put on or taken off.
    case reaction(PhotoID, Unicode.Scalar, isOn: Bool)
    case notice(String)
    /// A photo of the author's own answers the mission of this id; `nil` for none.
    case answer(PhotoID, UInt32?)
    /// The photo becomes the event's cover or plan; `nil`: none.
    case picture(PictureRole, PhotoID?)
    /// Puts a photo of the author's own on the plan; `nil` takes it off.
    case spot(PhotoID, Spot?)
    /// Turns a photo of the author's own when it is shown.
    case turn(PhotoID, PhotoTurn)
    /// Asks that a photo of somebody else is not shown, or takes that back.
    case veil(PhotoID, isOn: Bool)
    /// Sends the organizers a text that only they can read, about a photo or about none.
    case message(String, about: PhotoID?, MessageEntropy)
    /// Votes for a photo, or for none, in the ballot of this id: the same that is sealed.
    case vote(PhotoID?, in: OperationID, SealedVote)
}

/// A moderation action by a device with a rank.
public enum Ruling: Equatable, Sendable {
    /// Cancels the revocations of that role that count; for the participant's role, those that removed the grantee.
    /// `revealKey`: for a new organizer of an event with sealed photos, their key sealed to its device.
    case grant(Role, to: Grantee, revealKey: [UInt8] = [])
    /// Leaves all known operations. Revoking the participant's role removes the grantee.
    /// - `withAdmitted`: with the participant's role, also removes the devices that only the grantee vouches for
    ///   (`Membership.devices(admittedOnlyBy:except:)`), each by a revocation of its own.
    /// - `everything`: with the participant's role, leaves no operation of the removed devices, and has their bodies
    ///   purged.
    case revoke(Role, of: Grantee, withAdmitted: Bool = false, everything: Bool = false)
    case hide(PhotoID)
    /// Cancels all known hides.
    case unhide(PhotoID)
    case erase(PhotoID)
    /// From now on these photos of participants wait for approval. Photos that are shown stay so.
    case approval(ApprovalRule)
    /// Approves the photos that are not approved yet.
    case approve([PhotoID])
    /// Withdraws all known approvals.
    case unapprove(PhotoID)
    /// Guests can have photos veiled, or no longer.
    case veils(isOn: Bool)
    /// Guests' photos are sealed by their pages, or no longer.
    case pageSealing(isOn: Bool)
    /// Shows those of the photos again that are veiled, for good.
    case lift([PhotoID])
    /// Takes all known lifts back.
    case unlift(PhotoID)
    /// Cancels the ticket for good: its holder no longer has it.
    case cancelTicket(TicketKey)
    /// Extra frames, in addition to the charter's and to other extra frames.
    case frames(UInt64, to: AuthorID)
    /// Opens the vote for the photo of the night.
    case openVote(SealedBallot)
    /// Closes the ballot of this id, and publishes the secret half of its key, 32 bytes.
    case closeVote(OperationID, secret: Bytes32)
    /// Joins the gallery with that of another event, in place of earlier twinnings with it.
    case twin(Twinning)
    /// Separates them again: erases all known twinnings with that event.
    case untwin(EventID)
}
