// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableStore
import Foundation
import Synchronization

/// The desk of a node: sends it the same requests as the command line, so that both have the same effects and errors.
struct NodeDesk: Desk {
    /// The limit of events; more need another folder, or the end of others.
    private static let eventCountMax = 32

    let node: Node
    /// Whether the pages are for other machines as soon as the node has an event.
    let isForOthers: Bool
    /// Called with an event that was created at the desk.
    let whenHosted: @Sendable (EventID) -> Void
    let albums = DeskAlbums()

    init(node: Node, isForOthers: Bool, whenHosted: @escaping @Sendable (EventID) -> Void) {
        self.node = node
        self.isForOthers = isForOthers
        self.whenHosted = whenHosted
    }

    func use(key: String) async -> Bool { node.use(deskKey: key) }

    // Queries

    func answer(_ question: DeskQuestion) async throws -> any Encodable & Sendable {
        switch question {
        case .events: try await DeskEvents(of: node)
        case .overview(let event):
            DeskOverview(try await info(event), try await status(event), of: node)
        case .pictures(let event):
            DeskPictures(try await info(event).photos)
        case .map(let event): try await map(.show, in: event)
        case .album(let event): try await album(of: event)
        case .settings(let event): try await info(event).withoutPeople
        case .people(let event, let named, let offset, let limit):
            DeskPeople(try await info(event), try await status(event), named: named, offset: offset, limit: limit)
        case .removal(let event, let member):
            try await ask(.rule(event: event.text, act: .weighRevocation(role: "participant", member: member))) {
                if case .revoking(let preview) = $0 { preview } else { nil }
            }
        case .photos(let event, let which, let author, let before, let limit):
            try await translated {
                let event = try await node.event(named: event.text)
                let sealed = await event.sealed?.count ?? 0
                return DeskPhotoPage(
                    try await event.sheet(which.filter, by: author, before: before, limit: limit), sealedCount: sealed)
            }
        case .photo(let event, let photo):
            try await translated { DeskPhoto(try await node.event(named: event.text).sheetPhoto(photo)) }
        case .comments(let event, let photo):
            try await translated { DeskComments(try await node.event(named: event.text).sheetComments(on: photo)) }
        case .copies(let event, let photo):
            try await ask(.show(event: event.text, photo: photo.description)) {
                if case .copies(let copies) = $0 { copies } else { nil }
            }
        case .messages(let event):
            try await translated { DeskMailbox(try await node.event(named: event.text).messages()) }
        case .tickets(let event): DeskTickets(tickets: try await tickets(event).map(\.withoutSecret))
        case .vote(let event): try await vote(.result, in: event)
        case .twins(let event): try await twins(.list, in: event)
        case .veils(let event, let since): try await lift(admittedSince: since, isConfirmed: false, in: event)
        case .invitation(let event): try DeskInvitation(try await invitation(event))
        case .nodeInvitation(let event):
            DeskNodeInvitation(
                invitation: try await invitation(event).invitation, addresses: try await invitation(event).addresses,
                program: await node.offeredProgram)
        }
    }

    private func info(_ event: DeskEvent) async throws -> EventInfo {
        try await ask(.event(event: event.text)) { if case .event(let info) = $0 { info } else { nil } }
    }

    private func status(_ event: DeskEvent) async throws -> EventStatus {
        try await translated { try await node.event(named: event.text).status }
    }

    // Commands

    func perform(_ act: DeskAct) async throws -> any Encodable & Sendable {
        switch act {
        case .create(let form): return try await create(try form.decoded())
        case .edit(let event, let form):
            var parameters: EventParameters = try form.decoded()
            try check(&parameters)
            // The page has asked before it opens an event whose start is past.
            let isConfirmed = parameters.isOpened == true
            return try await ask(.rule(event: event.text, act: .edit(parameters, isConfirmed: isConfirmed))) {
                if case .edited(let fields) = $0 { DeskEdited(fields: fields) } else { nil }
            }
        case .delete(let event, let typed):
            guard try await info(event).parameters.name == typed else {
                throw DeskError(.unacceptable, "this is not the name of the event", reason: "wrong-name")
            }
            return try await ask(.rule(event: event.text, act: .deleteEvent)) {
                if case .edited = $0 { DeskDone(member: nil) } else { nil }
            }
        case .archive(let event, let isOn):
            return try await ask(.archive(event: event.text, isOn: isOn)) {
                if case .archived = $0 { DeskDone(member: nil) } else { nil }
            }
        case .backUpKey(let event): return try await backUpKey(of: event)
        case .reveal(let event, let isConfirmed):
            return try await ask(.reveal(event: event.text, isConfirmed: isConfirmed)) { reply -> DeskRevealed? in
                switch reply {
                case .revealed(let count): return DeskRevealed(photoCount: count)
                case .shares(let shares):
                    return DeskRevealed(photoCount: shares.photoCount, missingCount: shares.missingCount)
                default: return nil
                }
            }
        case .frames(let event, let member, let count):
            guard (1...UInt64(Charter.framesMax)).contains(count) else {
                throw DeskError(
                    .unacceptable, "frames are given 1 to \(Charter.framesMax) at a time", reason: "invalid-values",
                    about: ["frames"])
            }
            return try await rule(.frames(member: member, count: count), in: event)
        case .zone(let event, let member, let name):
            return try await rule(.zone(member: member, name: name.isEmpty ? nil : name), in: event)
        case .grant(let event, let role, let member):
            return try await rule(.grant(role: role, member: member), in: event)
        case .revoke(let event, let role, let member, let withAdmitted, let isConfirmed):
            return try await rule(
                .revoke(
                    role: role, member: member, extent: RemovalExtent(withAdmitted: withAdmitted),
                    isConfirmed: isConfirmed), in: event)
        case .hide(let event, let photo): return try await rule(.hide(photo: photo.description), in: event)
        case .unhide(let event, let photo): return try await rule(.unhide(photo: photo.description), in: event)
        case .erase(let event, let photo): return try await rule(.erase(photo: photo.description), in: event)
        case .approve(let event, let photos):
            return try await ask(
                .rule(event: event.text, act: .approve(photos: photos.map(\.description)))
            ) {
                if case .approved(let photos) = $0 { DeskApproved(photos: photos) } else { nil }
            }
        case .lift(let event, let photo, let isOn):
            let name = photo.description
            return try await rule(isOn ? .lift(photo: name) : .unlift(photo: name), in: event)
        case .liftAdmitted(let event, let since):
            return try await lift(admittedSince: since, isConfirmed: true, in: event)
        case .unapprove(let event, let photo):
            return try await rule(.unapprove(photo: photo.description), in: event)
        case .hideRemark(let event, let id, let isHidden):
            return try await rule(
                isHidden ? .hide(photo: id.description) : .unhide(photo: id.description), in: event)
        case .eraseMessage(let event, let id):
            // An erase of a photo destroys that.
            guard try await translated({ try await node.event(named: event.text).isMessage(id) }) else {
                throw DeskError(.notFound, "there is no such message", reason: "unknown-message")
            }
            return try await rule(.erase(photo: id.description), in: event)
        case .makeTickets(let event, let count):
            try await translated {
                try await node.execute(.tickets(event: event.text, .create(count))) { _ in }
            }
            return DeskDone(member: nil)
        case .cancelTicket(let event, let ticket):
            try await translated {
                try await node.execute(.tickets(event: event.text, .cancel(ticket.description))) { _ in }
            }
            return DeskDone(member: nil)
        case .notice(let event, let text):
            return try await ask(.say(event: event.text, remark: .notice(text: text))) {
                if case .said = $0 { DeskDone(member: nil) } else { nil }
            }
        case .favourite(let event, let photo, let isOn):
            return try await ask(.favourite(event: event.text, photo: photo.description, isOn: isOn)) {
                if case .favourite = $0 { DeskDone(member: nil) } else { nil }
            }
        case .shareFavourites(let event, let isOn):
            return try await ask(.shareFavourites(event: event.text, isOn: isOn)) {
                if case .highlights(_, let count) = $0 { DeskHighlights(count: count) } else { nil }
            }
        case .setVote(let event, let isOpen): return try await vote(isOpen ? .open : .close, in: event)
        case .changeTwins(let event, let change): return try await twins(change.act, in: event)
        case .addPhoto(let event, let path): return try await addPhoto(file: path, in: event)
        case .setPicture(let event, let role, let photo):
            return try await setPicture(role, photo: photo?.description, file: nil, in: event)
        case .addPicture(let event, let role, let path):
            return try await addPicture(role, file: path, in: event)
        case .setMap(let event, let form):
            return try await map((try form.decoded() as DeskMapPoints).request, in: event)
        case .addMap(let event, let path): return try await map(.set(file: path, points: []), in: event)
        case .removeMap(let event): return try await map(.remove, in: event)
        case .makeAlbum(let event, let form): return try await makeAlbum(try form.decoded(), of: event)
        case .removeAlbum(let event): return try await removeAlbum(of: event)
        }
    }

    private func vote(_ act: VoteAct, in event: DeskEvent) async throws -> DeskVote {
        try await ask(.vote(event: event.text, act: act)) {
            if case .vote(let vote) = $0 { DeskVote(vote: vote) } else { nil }
        }
    }

    private func twins(_ act: TwinAct, in event: DeskEvent) async throws -> TwinReport {
        try await ask(.twins(event: event.text, act: act)) { if case .twins(let report) = $0 { report } else { nil } }
    }

    private func rule(_ act: ControlAct, in event: DeskEvent) async throws -> DeskDone {
        try await ask(.rule(event: event.text, act: act)) {
            if case .ruled(_, let member, _) = $0 { DeskDone(member: member?.key) } else { nil }
        }
    }

    private func create(_ form: DeskNewEvent) async throws -> DeskCreated {
        guard await node.events.count < Self.eventCountMax else {
            throw DeskError(
                .refused, "this node has \(Self.eventCountMax) events, the limit of the desk", reason: "too-many-events"
            )
        }
        let preset = try form.preset.map { text in
            guard let preset = CharterPreset(rawValue: text) else {
                throw DeskError(.unacceptable, "there is no preset \(text); there are \(CharterText.presets)")
            }
            return preset
        }
        var parameters = form.parameters ?? EventParameters()
        try check(&parameters)
        let name = form.organizer?.trimmingCharacters(in: .whitespaces)
        let organizer = name?.isEmpty == true ? nil : name
        let charter = try translated {
            try Charter.new(
                named: form.name.trimmingCharacters(in: .whitespaces), preset: preset, parameters,
                organizerName: organizer, isDraft: form.isDraft == true)
        }
        let shares = form.shares.flatMap { ShareRule(threshold: $0) }
        guard form.shares == nil || shares != nil else {
            throw DeskError(
                .unacceptable, "2 to \(ShareTerms.countMax) organizers reveal the photos together",
                reason: "invalid-values", about: ["reveal"])
        }
        let event = try await translated {
            try await node.host(
                charter, approval: parameters.approvalRule ?? .none, veils: parameters.photos.veils ?? false,
                shares: shares, pageSealing: parameters.photos.pageSealing ?? false, organizerName: organizer)
        }
        // The pages open to others within a second: then the invitation has its address.
        for _ in 0..<30 where isForOthers {
            if await node.hasPagesForOthers { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        whenHosted(event)
        return DeskCreated(event: event.short)
    }

    /// Checks values that the fields' types allow and that no charter check would notice.
    private func check(_ parameters: inout EventParameters) throws(DeskError) {
        if let word = parameters.photos.reveal, !["now", "at-end", "by-host", "never"].contains(word) {
            guard word == "at", parameters.photos.revealAt != nil else {
                throw DeskError(
                    .unacceptable, "photos are shown now, at-end, by-host, never, or at a time",
                    reason: "invalid-values", about: ["reveal"])
            }
        }
        if parameters.photos.approve != nil, parameters.approvalRule == nil {
            throw DeskError(.unacceptable, "photos that wait for approval are all, first, or none")
        }
        parameters.organizer.registration = parameters.organizer.registration.map(BusinessRegistration.digits)
    }

    // Files

    func file(_ file: DeskFile) async throws -> DeskBytes {
        switch file {
        case .code(let event, let format):
            let info = try await invitation(event)
            guard let url = info.guestURL ?? info.localURL, let code = QRCode(url) else {
                throw DeskError(.unavailable, "the node serves no pages now", reason: "no-pages")
            }
            return switch format {
            case .svg:
                DeskBytes(bytes: Array(code.svg.utf8), mediaType: "image/svg+xml", name: Self.name(info, "code", "svg"))
            case .png: DeskBytes(bytes: code.png(), mediaType: "image/png", name: Self.name(info, "code", "png"))
            }
        case .paper(let event, let paper, let form):
            let (info, wanted) = (try await invitation(event, isPrinted: true), try form.decoded() as DeskPaper)
            var unused: [TicketInfo] = []
            if paper == .cards {
                unused = try await tickets(event).filter { $0.state == "unused" && $0.ticket != nil }
            }
            guard paper != .cards || !unused.isEmpty else {
                throw DeskError(
                    .refused, "no unused ticket was made on this machine", reason: "no-unused-tickets")
            }
            let bytes = try await translated { [unused] in
                try await printed(paper, info, wanted, tickets: unused)
            }
            return DeskBytes(
                bytes: bytes, mediaType: "application/pdf", name: Self.name(info, paper.rawValue, "pdf"))
        }
    }

    private func tickets(_ event: DeskEvent) async throws -> [TicketInfo] {
        let tickets = Mutex<[TicketInfo]>([])
        try await translated {
            try await node.execute(.tickets(event: event.text, .list)) { reply in
                if case .ticket(let ticket) = reply { tickets.withLock { $0.append(ticket) } }
            }
        }
        return tickets.withLock(\.self)
    }

    private func printed(
        _ paper: DeskFile.Paper, _ info: InvitationInfo, _ wanted: DeskPaper, tickets: [TicketInfo]
    ) async throws -> [UInt8] {
        func given(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }
        let network = try given(wanted.wifi).map {
            try WiFiNetwork(name: $0, password: given(wanted.wifiPassword), isHidden: wanted.wifiHidden == true)
        }
        let pages = try Poster.pages(of: info, wanted: given(wanted.address), in: node.folder)
        let second = try given(wanted.secondAddress).map { try Poster.pages(of: info, wanted: $0, in: node.folder) }
        let poster = try Poster(
            info, pages: pages, second: paper == .cards ? nil : second, wifi: network,
            language: wanted.language.flatMap { Language(tag: $0) } ?? .english)
        let file = FileManager.default.temporaryDirectory.appending(path: "disposable-desk-\(UUID().uuidString).pdf")
        defer { try? FileManager.default.removeItem(at: file) }
        let sheets =
            switch paper {
            case .poster: try poster.sheets()
            case .card: [try poster.card()]
            case .cards: try poster.sheets(of: tickets)
            }
        try await Printer.print(sheets, to: file.path)
        if !pages.isSecure { try node.folder.plan(pages: pages.address) }
        return [UInt8](try Data(contentsOf: file))
    }

    private static func name(_ info: InvitationInfo, _ what: String, _ suffix: String) -> String {
        let event = FileName.component(
            info.name.precomposedStringWithCanonicalMapping, byteCountMax: 60, orElse: "event")
        return "\(event)-\(what).\(suffix)"
    }

    func bytes(_ blobClass: BlobClass, of photo: PhotoID, in event: DeskEvent) async throws -> PhotoBytes {
        try await translated {
            let event = try await node.event(named: event.text)
            guard let reader = try await event.sheetReader(blobClass, of: photo) else { throw Refusal.notHere }
            return PhotoBytes(byteCount: reader.byteCount, mediaType: reader.mediaType) { try reader.read($0) }
        }
    }

    func photos(
        _ which: DeskPhotos, by author: AuthorID?, before cursor: PhotoID?, limit: Int, in event: DeskEvent
    ) async throws -> (photos: [AlbumPhoto], next: PhotoID?) {
        try await translated {
            let sheet = try await node.event(named: event.text).sheet(
                which.filter, by: author, before: cursor, limit: limit)
            return (sheet.photos.map(\.album), sheet.next)
        }
    }

    // Requests

    /// Returns the one expected reply. Throws `DeskError` with the message of the command line.
    func ask<Reply: Sendable>(
        _ request: ControlRequest, _ pick: @Sendable @escaping (ControlReply) -> Reply?
    ) async throws -> Reply {
        let found = Mutex<Reply?>(nil)
        do {
            try await node.execute(request) { reply in
                if let reply = pick(reply) { found.withLock { $0 = reply } }
            }
        } catch let error as NodeError {
            throw DeskError(error)
        } catch {
            throw DeskError(.refused, "\(error)")
        }
        guard let reply = found.withLock(\.self) else { throw DeskError(.unavailable, "the node gave no answer") }
        return reply
    }

    func translated<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw Self.translated(error) }
    }

    private func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw Self.translated(error) }
    }

    private static func translated(_ error: any Error) -> any Error {
        switch error {
        case let error as NodeError: DeskError(error)
        case let error as Failure:
            DeskError(
                .unacceptable, error.message, hint: error.hint, reason: error.reason, about: error.about)
        default: error
        }
    }
}
