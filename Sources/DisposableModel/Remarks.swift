// SPDX-License-Identifier: Apache-2.0

/// Captions, comments, reactions and answers to missions, the organizers' notices (protocol/disposable-v1.md §9.9), and
/// messages to the organizers (§9.22).
///
/// 1. A caption counts if its author is the photo's: among a device's captions that were not withdrawn the one with the
///    highest sequence, then the smallest id; among several devices of the author the one with the latest timestamp.
/// 2. A reaction is on or off by its author's latest operation for that emoji on that photo, found in the same way.
/// 3. The first 20 comments of one author on one photo count, by sequence, then id; and the first 100 notices of one
///    device, if they were signed with an organizer's rank.
/// 4. A photo answers the mission of its author's latest answer, found as the caption, unless that withdraws it.
/// 5. The first 50 messages of one author to the organizers count, by sequence, then id. No hide withdraws one.
/// 6. Each is withdrawn by its author's remove or an organizer's erase, or hidden by a moderator until an unhide names
///    the hide.
public struct Remarks: Equatable, Sendable {
    public static let commentsPerPhotoMax = 20
    public static let noticesPerDeviceMax = 100
    public static let messagesPerAuthorMax = 50
    /// The emoji that can be put on a photo.
    public static let emoji: [Unicode.Scalar] = [
        "\u{2764}", "\u{1F602}", "\u{1F62E}", "\u{1F44F}", "\u{1F389}", "\u{1F44D}",
    ]
    /// The reaction by which an organizer makes a photo a highlight (§9.17). No emoji that people see.
    public static let highlight: Unicode.Scalar = "\u{2B50}"
    /// Added to a reaction's argument to take it off.
    public static let takenOff: UInt64 = 1 << 32

    /// An annotation with its author and time.
    public struct Remark: Equatable, Sendable {
        public let id: OperationID
        public let device: DeviceID
        public let sequence: UInt32
        public let timestamp: HybridTimestamp
        /// `nil` if its body is missing, and of a message: only its recipients can open it.
        public fileprivate(set) var text: String?

        init(_ operation: VerifiedOperation) {
            let header = operation.header
            (id, device) = (operation.id, header.device)
            (sequence, timestamp) = (header.sequence, header.timestamp)
            text = operation.text
        }
    }
    private struct Answer: Equatable {
        let remark: Remark
        /// `nil` if it withdraws the answer.
        let mission: UInt32?
    }
    private struct Turning: Equatable {
        let remark: Remark
        let turn: PhotoTurn
    }
    private struct Reaction: Equatable {
        let remark: Remark
        let isOn: Bool
    }

    // Unsorted: results are sorted on reading, so that adding one takes constant time.
    private var captions: [PhotoID: [DeviceID: [OperationID: Remark]]] = [:]
    private var comments: [PhotoID: [OperationID: Remark]] = [:]
    private var notices: [DeviceID: [OperationID: Remark]] = [:]
    private var messages: [DeviceID: [OperationID: Remark]] = [:]
    private var reactions: [PhotoID: [Unicode.Scalar: [OperationID: Reaction]]] = [:]
    private var answers: [PhotoID: [DeviceID: [OperationID: Answer]]] = [:]
    private var turns: [PhotoID: [DeviceID: [OperationID: Turning]]] = [:]

    init() {}

    mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        let remark = Remark(operation)
        let photo = PhotoID(header.subject)
        switch operation.kind {
        case .caption: captions[photo, default: [:]][header.device, default: [:]][operation.id] = remark
        case .comment: comments[photo, default: [:]][operation.id] = remark
        case .notice: notices[header.device, default: [:]][operation.id] = remark
        case .message: messages[header.device, default: [:]][operation.id] = remark
        case .reaction:
            guard let emoji = Unicode.Scalar(UInt32(truncatingIfNeeded: header.argument)),
                Self.emoji.contains(emoji) || emoji == Self.highlight,
                header.argument < 2 * Self.takenOff
            else { break }
            let reaction = Reaction(remark: remark, isOn: header.argument < Self.takenOff)
            reactions[photo, default: [:]][emoji, default: [:]][operation.id] = reaction
        case .answer:
            let mission = UInt32(truncatingIfNeeded: header.argument)
            guard mission != 0, header.argument < 2 * Mission.withdrawn else { break }
            let answer = Answer(remark: remark, mission: header.argument < Mission.withdrawn ? mission : nil)
            answers[photo, default: [:]][header.device, default: [:]][operation.id] = answer
        case .turn:
            guard let turn = UInt8(exactly: header.argument).flatMap(PhotoTurn.init) else { break }
            turns[photo, default: [:]][header.device, default: [:]][operation.id] = Turning(remark: remark, turn: turn)
        default: break
        }
    }

    /// Adds the body of an annotation that is already known.
    mutating func noteText(of operation: VerifiedOperation) {
        guard let text = operation.text else { return }
        put(text, of: operation.id, by: operation.header.device, about: PhotoID(operation.header.subject))
    }

    /// Returns the captions of the photo and the comments on it, whether they count or not.
    func texts(about photo: PhotoID) -> [OperationID] {
        (captions[photo] ?? [:]).values.flatMap(\.keys).sorted() + (comments[photo] ?? [:]).keys.sorted()
    }

    mutating func forgetText(of id: OperationID, by device: DeviceID, about photo: PhotoID) {
        put(nil, of: id, by: device, about: photo)
    }

    /// Sets the text of the operation in the collection that holds it.
    private mutating func put(_ text: String?, of id: OperationID, by device: DeviceID, about photo: PhotoID) {
        notices[device]?[id]?.text = text
        captions[photo]?[device]?[id]?.text = text
        comments[photo]?[id]?.text = text
    }

    // Effective annotations

    func caption(of photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> Remark? {
        guard let captions = captions[photo] else { return nil }
        let own = base.membership.devices(of: author, among: captions).flatMap(\.value.values)
        return Self.latest(own.filter { base.stands($0.id, by: $0.device) }, { $0 })
    }

    /// Returns the id of the mission that the photo answers, whether the charter has that mission or not.
    func answer(of photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> UInt32? {
        guard let answers = answers[photo] else { return nil }
        let own = base.membership.devices(of: author, among: answers).flatMap(\.value.values)
        let counting = own.filter { base.stands($0.remark.id, by: $0.remark.device) }
        return Self.latest(counting) { $0.remark }?.mission
    }

    /// Returns how the photo's author has turned it last.
    func turn(of photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> PhotoTurn {
        guard let turns = turns[photo] else { return .none }
        let own = base.membership.devices(of: author, among: turns).flatMap(\.value.values)
        let counting = own.filter { base.stands($0.remark.id, by: $0.remark.device) }
        return Self.latest(counting) { $0.remark }?.turn ?? .none
    }

    func comments(on photo: PhotoID, _ base: AlbumBase) -> [Remark] {
        var counts: [AuthorID: Int] = [:]
        let counting = (comments[photo] ?? [:]).values.filter { base.membership.counts($0.id, by: $0.device) }
        return Self.inOrderOfChains(counting).filter { remark in
            counts[base.membership.author(of: remark.device), default: 0] += 1
            return counts[base.membership.author(of: remark.device)]! <= Self.commentsPerPhotoMax
        }.filter { base.stands($0.id, by: $0.device) }
            .sorted { ($0.timestamp, $0.device, $0.id) < ($1.timestamp, $1.device, $1.id) }
    }

    /// Returns how many comments on the photo the author has used up, withdrawn or not.
    func commentCount(on photo: PhotoID, by author: AuthorID, _ base: AlbumBase) -> Int {
        (comments[photo] ?? [:]).values.count {
            base.membership.author(of: $0.device) == author && base.membership.counts($0.id, by: $0.device)
        }
    }

    func noticeCount(by device: DeviceID) -> Int { notices[device]?.count ?? 0 }

    func notices(_ base: AlbumBase) -> [Remark] {
        base.membership.everOrganizers.flatMap { device in
            let counting = (notices[device] ?? [:]).values.filter {
                base.membership.rank(of: $0.id, by: device) >= .organizer
            }
            return Self.inOrderOfChains(counting).prefix(Self.noticesPerDeviceMax).filter {
                base.isUntouched($0.id, by: device)
            }
        }.sorted { ($0.timestamp, $0.device, $0.id) < ($1.timestamp, $1.device, $1.id) }
    }

    func isNotice(_ id: OperationID, by device: DeviceID) -> Bool { notices[device]?[id] != nil }

    func isMessage(_ id: OperationID, by device: DeviceID) -> Bool { messages[device]?[id] != nil }

    /// Returns the number of messages that a device has signed, counting or not: showing the messages reads them all.
    func messageCount(of device: DeviceID) -> Int { messages[device]?.count ?? 0 }

    /// Returns how many messages the author has used up, withdrawn or not.
    func messageCount(by author: AuthorID, _ base: AlbumBase) -> Int {
        base.membership.devices(of: author, among: messages).reduce(0) { sum, own in
            sum + own.value.keys.count { base.membership.counts($0, by: own.key) }
        }
    }

    func messages(_ base: AlbumBase) -> [Remark] {
        var counts: [AuthorID: Int] = [:]
        let counting = messages.values.flatMap(\.values).filter { base.membership.counts($0.id, by: $0.device) }
        return Self.inOrderOfChains(counting).filter { message in
            let author = base.membership.author(of: message.device)
            counts[author, default: 0] += 1
            return counts[author]! <= Self.messagesPerAuthorMax
                && !base.isWithdrawn(PhotoID(message.id), by: author)
        }.sorted { ($0.timestamp, $0.device, $0.id) < ($1.timestamp, $1.device, $1.id) }
    }

    func reactions(to photo: PhotoID, _ base: AlbumBase) -> [Unicode.Scalar: Set<AuthorID>] {
        (reactions[photo] ?? [:]).filter { $0.key != Self.highlight }.mapValues { said in
            Self.authors(of: said.values.filter { base.stands($0.remark.id, by: $0.remark.device) }, base)
        }.filter { !$0.value.isEmpty }
    }

    /// Returns the authors of the emoji and comments on the photo that are of these times. Most photos have none, which
    /// is found without looking at their authors.
    func people(reactingTo photo: PhotoID, in times: Range<UInt64>, _ base: AlbumBase) -> Set<AuthorID> {
        func isRecent(_ remark: Remark) -> Bool { times.contains(remark.timestamp.milliseconds) }
        var people: Set<AuthorID> = []
        for (emoji, said) in reactions[photo] ?? [:] where emoji != Self.highlight {
            guard said.values.contains(where: { isRecent($0.remark) }) else { continue }
            let standing = said.values.filter { base.stands($0.remark.id, by: $0.remark.device) }
            for (author, own) in Dictionary(grouping: standing, by: { base.membership.author(of: $0.remark.device) }) {
                guard let last = Self.latest(own, { $0.remark }), last.isOn, isRecent(last.remark) else { continue }
                people.insert(author)
            }
        }
        guard let said = comments[photo], said.values.contains(where: isRecent) else { return people }
        for comment in comments(on: photo, base) where isRecent(comment) {
            people.insert(base.membership.author(of: comment.device))
        }
        return people
    }

    /// Returns the organizers that have made the photo a highlight, the event key among them.
    func highlighters(of photo: PhotoID, _ base: AlbumBase) -> Set<AuthorID> {
        guard let said = reactions[photo]?[Self.highlight] else { return [] }
        let counting = said.values.filter {
            base.membership.rank(of: $0.remark.id, by: $0.remark.device) >= .organizer
                && base.isUntouched($0.remark.id, by: $0.remark.device)
        }
        return Self.authors(of: counting, base)
    }

    /// Returns the authors whose latest reaction is on.
    private static func authors(of reactions: [Reaction], _ base: AlbumBase) -> Set<AuthorID> {
        let byAuthor = Dictionary(grouping: reactions) { base.membership.author(of: $0.remark.device) }
        return Set(byAuthor.filter { latest($0.value) { $0.remark }?.isOn == true }.keys)
    }

    private static func inOrderOfChains(_ remarks: [Remark]) -> [Remark] {
        remarks.sorted { ($0.sequence, $0.id) < ($1.sequence, $1.id) }
    }

    /// Returns the latest entry: for each device the one latest in its chain, then the smallest id; among devices
    /// likewise.
    static func latest<Said>(_ said: [Said], _ remark: (Said) -> Remark) -> Said? {
        Dictionary(grouping: said) { remark($0).device }.values.compactMap { own in
            own.max { (remark($0).sequence, remark($1).id) < (remark($1).sequence, remark($0).id) }
        }.max { (remark($0).timestamp, remark($1).id) < (remark($1).timestamp, remark($0).id) }
    }
}

extension VerifiedOperation {
    fileprivate var text: String? { if case .text(let text) = content { text } else { nil } }
}
