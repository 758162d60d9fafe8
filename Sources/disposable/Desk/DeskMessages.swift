// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableStore
import Foundation

// Messages for the desk's page beyond the JSON that commands print.

struct DeskEvents: Encodable {
    struct Event: Encodable {
        /// The event's id, as in addresses.
        let id: String
        let name: String
        /// `draft`, `open`, `closed`, `revealed` or `expired`; `nil` until the charter is here.
        let phase: String?
        /// Whether guests can rely on it: an event that has not started yet is a draft by its phase, too.
        let isOpened: Bool
        /// Which photos need approval, and how many wait.
        let approve: String
        let pendingCount: Int
        /// Whether guests can have photos veiled, and how many nobody has decided about.
        let veils: Bool
        let veiledCount: Int
        /// Whether guests need tickets.
        let tickets: Bool
        /// The number of messages to the organizers; `nil` on a node that is not an organizer's.
        let messageCount: Int?
        let isArchived: Bool
    }
    struct Preset: Encodable {
        let name: String
        let parameters: EventParameters
    }
    /// Archived events are the last.
    let events: [Event]
    let presets: [Preset]
    /// The defaults of an event.
    let standard: EventParameters

    init(of node: Node) async throws {
        var events: [Event] = []
        for id in await node.events {
            let event = try await node.event(id)
            events.append(
                Event(
                    id: id.short, name: await event.invitation.name, phase: await event.phase?.rawValue,
                    isOpened: await event.charter?.isOpened ?? false, approve: await event.approvalRule.word,
                    pendingCount: await event.pendingCount, veils: await event.areVeilsOn,
                    veiledCount: await event.veiledCount,
                    tickets: await event.charter?.options.needsTickets ?? false, messageCount: await event.messageCount,
                    isArchived: try await event.isArchived))
        }
        self.events = events.filter { !$0.isArchived } + events.filter(\.isArchived)
        presets = CharterPreset.allCases.map { preset in
            Preset(
                name: preset.rawValue, parameters: Self.parameters(preset.charter(name: "", startsAtMilliseconds: 0)))
        }
        standard = Self.parameters(Charter(name: "", startsAtMilliseconds: 0))
    }
}

extension DeskEvents {
    /// A new event takes photos until its end, as `host` creates it.
    private static func parameters(_ charter: Charter) -> EventParameters {
        var charter = charter
        charter.schedule.lateness = Lateness(minutes: 0)
        return EventParameters(charter)
    }
}

/// The contents of the page's first form.
struct DeskNewEvent: Decodable {
    let name: String
    let preset: String?
    /// The name of the host for guests.
    let organizer: String?
    let isDraft: Bool?
    let parameters: EventParameters?
    /// The number of organizers that reveal the photos together, of one more.
    let shares: Int?
}

/// `vote` is absent if there never was one.
struct DeskVote: Encodable { let vote: VoteInfo? }
struct DeskCreated: Encodable { let event: String }
struct DeskEdited: Encodable { let fields: [String] }
/// `missingCount`: the organizers who still have to agree, where they reveal the photos together.
struct DeskRevealed: Encodable {
    let photoCount: Int
    var missingCount: Int?
}
struct DeskDone: Encodable { let member: String? }

/// The state of the event: `event show` and `status` in one, without the people.
struct DeskOverview: Encodable {
    struct Disk: Encodable {
        let freeByteCount: UInt64
        /// The space that is kept free.
        let reserveByteCount: UInt64
    }
    /// The frames of all people with a limit, together; `nil` if there are none.
    struct Frames: Encodable {
        let used: Int
        let limit: UInt64

        init?(_ people: [EventInfo.Person]) {
            let limited = people.filter { $0.frames != nil }
            guard !limited.isEmpty else { return nil }
            used = limited.reduce(0) { $0 + $1.framesUsed }
            limit = limited.reduce(0) { $0 + ($1.frames ?? 0) }
        }
    }
    let event: EventInfo
    let status: EventStatus
    let frames: Frames?
    /// `nil` if the disk cannot be examined.
    let disk: Disk?
    /// By the texts of `status.problems`: the key of the page's own sentence.
    let problemReasons: [String: String]

    init(_ event: EventInfo, _ status: EventStatus, of node: Node) {
        let folder = node.folder
        self.event = event.withoutPeople
        problemReasons = node.problemReasons
        frames = Frames(event.members.people)
        self.status = status
        disk = (try? DiskRoom(at: folder.path)).map {
            Disk(freeByteCount: $0.freeByteCount, reserveByteCount: $0.reserveByteCount)
        }
    }
}

extension EventInfo {
    /// The same without people, of which there may be thousands.
    var withoutPeople: EventInfo {
        var info = self
        info.members.people = []
        return info
    }
}

struct DeskPeople: Encodable {
    struct Person: Encodable {
        let person: EventInfo.Person
        /// The latest inventory of the person's own machine, if it is a node.
        let node: NodeClaim?
    }
    let people: [Person]
    /// The count over all pages.
    let count: Int
    /// The count of everyone, also of those that were not asked for.
    let total: Int
    let frames: UInt32

    init(_ info: EventInfo, _ status: EventStatus, named: String, offset: Int, limit: Int) {
        let claims = Dictionary(status.network.nodes.map { ($0.device, $0) }) { first, _ in first }
        let everyone = info.members.people
        let wanted = Self.folded(named)
        let found = wanted.isEmpty ? everyone : everyone.filter { Self.folded($0.name ?? "").contains(wanted) }
        people = found.dropFirst(offset).prefix(limit).map { Person(person: $0, node: claims[$0.key]) }
        (count, total) = (found.count, everyone.count)
        frames = info.parameters.photos.frames ?? 0
    }

    /// Chloë is found by "chloe", too.
    private static func folded(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

/// The answer to `highlights`.
struct DeskHighlights: Encodable {
    let count: Int
}

/// The photos that are shown as the event's pictures; `nil` without one.
struct DeskPictures: Encodable {
    let cover: String?
    let plan: String?

    init(_ photos: EventInfo.Photos) { (cover, plan) = (photos.cover, photos.plan) }
}

/// The answer to a change of a picture.
struct DeskPicture: Encodable {
    /// `nil` if the event has no such picture now.
    let photo: String?
}

/// The answer to `approve`.
struct DeskApproved: Encodable {
    let photos: [String]
}

struct DeskComments: Encodable {
    struct Comment: Encodable {
        let id: String
        let authorName: String?
        /// Milliseconds since 1970 UTC.
        let saidAt: UInt64
        let text: String
    }
    let comments: [Comment]
    let earlierCount: Int

    init(_ page: CommentPage) {
        comments = page.comments.map {
            Comment(
                id: $0.id.description, authorName: $0.authorName, saidAt: $0.saidAtMilliseconds, text: $0.text)
        }
        earlierCount = page.earlierCount
    }
}

struct DeskPhotoPage: Encodable {
    let photos: [DeskPhoto]
    /// `nil` on the last page.
    let next: String?
    let count: Int
    /// The number of photos that are still sealed to this node.
    let sealedCount: Int

    init(_ sheet: EventNode.Sheet, sealedCount: Int) {
        self.sealedCount = sealedCount
        photos = sheet.photos.map(DeskPhoto.init)
        next = sheet.next?.description
        count = sheet.totalCount
    }
}

/// The invitation for guests.
struct DeskInvitation: Encodable {
    let name: String
    /// `nil` if no other device can reach the pages.
    let url: String?
    let otherURLs: [String]
    let localURL: String?
    let wallURL: String?
    let code: String
    let words: [String]

    init(_ info: InvitationInfo) throws {
        name = info.name
        url = info.guestURL
        otherURLs = info.otherGuestURLs
        localURL = info.localURL
        wallURL = (info.guestURL ?? info.localURL).map { GuestInvitation.wall($0, of: info) }
        code = info.guestCode
        words = try GuestInvitation(info).words
    }
}

/// The invitation for machines.
struct DeskNodeInvitation: Encodable {
    let invitation: String
    let addresses: [String]
    /// The program that this node's pages offer; `nil` if they offer none.
    let program: ProgramInfo?
}

/// The texts to print beside the link.
struct DeskPaper: Decodable {
    let address: String?
    let wifi: String?
    let wifiPassword: String?
    let wifiHidden: Bool?
    let secondAddress: String?
    /// That of the desk, as in `fr`.
    let language: String?
}

/// The messages to the organizers.
struct DeskMailbox: Encodable {
    struct Message: Encodable {
        let id: String
        let author: String
        let authorName: String?
        /// Milliseconds since 1970 UTC.
        let at: UInt64
        /// `nil` if it is not sealed to this node.
        let text: String?
        let photo: String?
    }
    /// The newest, newest first.
    let messages: [Message]
    let count: Int

    init(_ page: (messages: [EventNode.OrganizerMessage], totalCount: Int)) {
        messages = page.messages.map {
            Message(
                id: $0.id.description, author: $0.author.description, authorName: $0.authorName, at: $0.saidAtMilliseconds,
                text: $0.text, photo: $0.photo?.description)
        }
        count = page.totalCount
    }
}

struct DeskTickets: Encodable {
    let tickets: [TicketInfo]
}

extension TicketInfo {
    /// Only the print shows the secret.
    var withoutSecret: TicketInfo {
        var info = self
        info.ticket = nil
        return info
    }
}
