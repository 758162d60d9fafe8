// SPDX-License-Identifier: Apache-2.0
public import DisposableModel

/// An error that the guest can act on.
public enum GalleryError: Error, Equatable, Sendable {
    case unknownPhoto
    case unknownComment
    /// The organizers have removed the mission.
    case unknownMission
    /// Not 1 to 2,000 bytes of plain text, or nothing but spaces.
    case malformedText
    case tooManyComments(limit: Int)
    case unknownMessage
    case tooManyMessages(limit: Int)
    /// An annotation of a photo that is still sealed.
    case notShownYet
    /// The event has no plan, or another one than the guest has seen.
    case otherPlan
    /// The photo is not veiled.
    case noVeil(VeilRefusal)
    /// The frames cannot be given.
    case noGift(GiftRefusal)
    case tooFast(seconds: Int)
    case notYours
    /// Known, but its bytes are on other nodes only.
    case notHere
    case notEntered
    /// The guest was removed from the event.
    case putOut
    /// The node is leaving the event.
    case hasLeft
    /// The guest has not agreed to the present text.
    case noConsent
    case otherConsentText
    /// The organizers ask for a name before the guest adds photos.
    case noName
    /// The organizers ask for no names.
    case namesOff
    /// The organizers accept no photos from a phone's library.
    case cameraOnly
    /// The organizers let guests save their own photos only, or none.
    case notForSaving(DownloadRule)
    case rollFull(limit: UInt64)
    /// Photos are not accepted yet: from this time on, in milliseconds since 1970; `nil` before the event is opened.
    case notBegun(at: UInt64?)
    /// The event was over at this time, and photos are no longer accepted.
    case over(at: UInt64)
    /// No photo or video, or empty; the reason is for people.
    case refused(reason: String)
    /// A file of a form has more than this number of bytes.
    case tooLarge(UInt64)
    /// The organizers accept no video that is longer, in seconds; 0 for none at all.
    case refusedVideo(secondsMax: UInt32)
    /// The metadata about location, camera and author cannot be removed.
    case metadataLeft
    case malformedName
    /// The node cannot accept anything now: it is not admitted, or its disk is full. The reason is for people.
    case unavailable(reason: String)
}
