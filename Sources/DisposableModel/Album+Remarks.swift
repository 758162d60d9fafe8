// SPDX-License-Identifier: Apache-2.0

/// Captions, comments, reactions and other annotations, as the album shows them.
extension Album {
    /// Returns the caption by the photo's author.
    public func caption(of photo: PhotoID) -> Remarks.Remark? {
        author(of: photo).flatMap { remarks.caption(of: photo, by: $0, base) }
    }

    /// Returns the comments on the photo, oldest first.
    public func comments(on photo: PhotoID) -> [Remarks.Remark] { remarks.comments(on: photo, base) }

    /// Returns the authors of each emoji on the photo.
    public func reactions(to photo: PhotoID) -> [Unicode.Scalar: Set<AuthorID>] { remarks.reactions(to: photo, base) }

    /// Returns the authors of the emoji and comments on the photo that are of these times.
    func peopleReacting(to photo: PhotoID, in times: Range<UInt64>) -> Set<AuthorID> {
        remarks.people(reactingTo: photo, in: times, base)
    }

    /// Returns the id of the mission that the photo's author has it answer, whether the charter has that mission or not.
    public func answer(of photo: PhotoID) -> UInt32? {
        author(of: photo).flatMap { remarks.answer(of: photo, by: $0, base) }
    }

    /// Returns how the photo's author has turned it.
    public func turn(of photo: PhotoID) -> PhotoTurn {
        author(of: photo).map { remarks.turn(of: photo, by: $0, base) } ?? .none
    }

    /// Returns the organizers that have made the photo a highlight (protocol/disposable-v1.md §9.17).
    public func highlighters(of photo: PhotoID) -> Set<AuthorID> { remarks.highlighters(of: photo, base) }

    public func isHighlight(_ photo: PhotoID) -> Bool { !highlighters(of: photo).isEmpty }

    /// Returns the photo that organizers have given the role last, whether it is shown or not.
    public func chosenPicture(_ role: PictureRole) -> PhotoID? { pictures.chosen(role, base) }

    /// Returns where on this plan the photo's author has put it.
    public func spot(of photo: PhotoID, on plan: PhotoID) -> Spot? {
        author(of: photo).flatMap { pictures.spot(of: photo, by: $0, on: plan, base) }
    }

    /// Whether the photo's author has put it on a plan, the event's present one or another.
    public func isPlaced(_ photo: PhotoID) -> Bool {
        author(of: photo).map { pictures.isPlaced(photo, by: $0, base) } ?? false
    }

    /// The organizers' notices, oldest first.
    public var notices: [Remarks.Remark] { remarks.notices(base) }

    /// The messages to the organizers (§9.22), oldest first.
    public var messages: [Remarks.Remark] { remarks.messages(base) }

    /// Whether the operation is a known message, counting or not.
    public func isMessage(_ id: OperationID) -> Bool {
        sayers[id].map { remarks.isMessage(id, by: $0.device) } ?? false
    }

    /// Whether the operation is a known notice, counting or not.
    public func isNotice(_ id: OperationID) -> Bool {
        sayers[id].map { remarks.isNotice(id, by: $0.device) } ?? false
    }

    /// Whether messages of the device are known, counting or not.
    public func hasMessages(of device: DeviceID) -> Bool { remarks.messageCount(of: device) > 0 }

    /// Returns how many messages the author has written, including withdrawn ones: the number is limited.
    public func messageCount(by author: AuthorID) -> Int { remarks.messageCount(by: author, base) }

    /// Returns the author and, if any, the photo of a text that can be withdrawn by itself (a caption, comment, notice,
    /// message or name), counting or not; `nil` if it is unknown.
    public func remark(_ id: OperationID) -> (author: AuthorID, photo: PhotoID?)? {
        sayers[id].map { (base.membership.author(of: $0.device), $0.photo.operationID == .none ? nil : $0.photo) }
    }

    /// Returns the ids of all such texts that match, smallest first.
    public func remarks(where matches: (OperationID) -> Bool) -> [OperationID] { sayers.keys.filter(matches).sorted() }

    /// Returns how many comments the author has made on the photo, including withdrawn ones: the number is limited, as
    /// is that of a device's notices.
    public func commentCount(on photo: PhotoID, by author: AuthorID) -> Int {
        remarks.commentCount(on: photo, by: author, base)
    }
    public func noticeCount(by device: DeviceID) -> Int { remarks.noticeCount(by: device) }
}
