// SPDX-License-Identifier: Apache-2.0

/// The reason why frames cannot be given.
public enum GiftRefusal: Equatable, Sendable {
    /// The event has no limit, or frames for each day.
    case off
    /// The giver has no limit, and so nothing to give.
    case unlimited
    case oneself
    /// Nobody of the event has this key, or that person has left.
    case unknownRecipient
    /// The recipient has no limit.
    case recipientUnlimited
    /// The recipient can receive only so many more.
    case recipientFull(left: UInt64)
    /// None, or more than `EventState.giftMax`.
    case wrongNumber
    /// The giver has only so many frames left that can be given.
    case tooFew(left: Int)
    /// The giver was told another number than that of the frames that are left.
    case changed(left: Int)
}

extension GiftRefusal {
    var message: String {
        switch self {
        case .off: "frames cannot be given at this event: nobody has a limit, or everybody has frames for each day"
        case .unlimited: "you have no limit, and so no frames to give away"
        case .oneself: "these are your own frames already"
        case .unknownRecipient: "nobody who is at this event has that key"
        case .recipientUnlimited: "that person has no limit, and needs no frames"
        case .recipientFull(0): "that person has received as many frames as one can"
        case .recipientFull(let left): "that person can receive only \(left) more frames"
        case .wrongNumber: "at once, 1 to \(EventState.giftMax) frames can be given"
        case .tooFew(0): "you have no frame left that you can give"
        case .tooFew(let left): "you can give only \(left) frames"
        case .changed(let left): "your frames have changed meanwhile: you can give \(left) now"
        }
    }

    var hint: String? {
        switch self {
        case .unknownRecipient, .recipientUnlimited: "choose somebody else"
        case .tooFew: "frames that were given to you cannot be passed on"
        case .changed: "look again, and repeat it if the frames were not given yet"
        case .recipientFull: "an organizer can give more"
        case .off, .unlimited, .oneself, .wrongNumber: nil
        }
    }
}

/// Frames that guests give each other (protocol/disposable-v1.md §9.23).
extension EventState {
    /// The most frames of one command.
    public static let giftMax = 27

    /// Returns the frames that the author can give away, highest first: free ones among those of the charter and of
    /// organizers.
    public func frames(givableBy author: AuthorID) -> [UInt64] {
        guard let own = ownFrames(of: author), !membership.isUnlimited(author) else { return [] }
        return album.freeSlots(of: author, downFrom: min(own, UInt64(Charter.framesMax)))
    }

    /// Returns how many frames that others have given are added to the author's own.
    public func receivedFrames(of author: AuthorID) -> UInt64 { album.receivedFrames(of: author) }

    /// Returns how many frames more the author can receive.
    public func giftRoom(of author: AuthorID) -> UInt64 {
        guard let basic = charter?.framesForGifts, !membership.isUnlimited(author) else { return 0 }
        return basic - receivedFrames(of: author)
    }

    /// Returns the number of frames that the author has received from each giver.
    public func gifts(to author: AuthorID) -> [AuthorID: Int] {
        charter?.framesForGifts == nil ? [:] : album.gifts(to: author)
    }

    /// Returns the number of frames that the author has given to each recipient.
    public func gifts(by author: AuthorID) -> [AuthorID: Int] {
        guard let own = ownFrames(of: author) else { return [:] }
        return album.recipients(by: author, upTo: own).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Returns why the author cannot give so many frames; `nil` if it can.
    /// - Parameters:
    ///   - count: 1...`giftMax`.
    ///   - recipient: the author that gets the frames.
    ///   - author: the giver.
    ///   - left: how many the giver was told that it can give; `nil` to give any that are left.
    public func giftRefusal(_ count: Int, to recipient: AuthorID, by author: AuthorID, left: Int?) -> GiftRefusal? {
        guard charter?.framesForGifts != nil else { return .off }
        if membership.isUnlimited(author) { return .unlimited }
        if recipient == author { return .oneself }
        guard membership.isPresent(recipient) else { return .unknownRecipient }
        if membership.isUnlimited(recipient) { return .recipientUnlimited }
        guard (1...Self.giftMax).contains(count) else { return .wrongNumber }
        let own = frames(givableBy: author).count
        if let left, left != own { return .changed(left: own) }
        if own < count { return .tooFew(left: own) }
        let room = giftRoom(of: recipient)
        return room < UInt64(count) ? .recipientFull(left: room) : nil
    }

    /// The charter's frames and those that organizers have given the author; `nil` where gifts have no effect.
    private func ownFrames(of author: AuthorID) -> UInt64? {
        let isShort = charter?.options.needsTickets == true && !holdsTicket(author)
        return charter?.framesForGifts.map { (isShort ? 0 : $0) + album.extraFrames(of: author) }
    }
}
