// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Logging
import Synchronization

/// A node that runs until Ctrl-C, and the output of its updates.
struct NodeRunner: Sendable {
    struct Companion: Sendable {
        let name: String
        let work: @Sendable () async throws -> Void
    }

    let node: Node
    let console: Console
    let logger: Logger
    /// The guests' pages, if they are wanted.
    var pages: Pages?
    /// Called once the node serves.
    var whenReady: @Sendable () async throws -> Void = {}
    /// Told the desk's address once the node serves.
    var tellDesk: @Sendable (DeskAddresses) -> Void = { $0.say() }
    /// Called for an address that refused this node's invitation.
    var whenRejected: @Sendable (PeerAddress) async -> Void = { _ in }
    /// Called when a member says that the invitation was replaced.
    var whenReplaced: @Sendable () async -> Void = {}
    /// Work that the command does while the node runs. An error of it stops the node.
    var companions: [Companion] = []
    /// Problems, each reported once.
    private let refusals = Seen<String>()
    private let shown = Shown()

    /// Runs until Ctrl-C, until the node ends, or until a companion fails.
    func run() async throws {
        try await Console.withoutWaiting {
            try await services.run()
            Console.endProgress()
        }
    }

    private var services: Services {
        let changed = Changed()
        let (served, serving) = AsyncStream.makeStream(of: Pages.Serving.self)
        var services = Services(logger: logger, stopLimit: Services.nodeStopLimit)
        services.follow("updates") {
            for await update in node.updates { try await show(update, changed, served) }
        }
        services.follow("status") {
            while (try? await Task.sleep(for: .milliseconds(500))) != nil {
                for event in changed.takeAll() { await report(event) }
            }
        }
        services.serve("node", stop: { await node.stop() }) {
            do { try await node.run() } catch let error as NodeError { throw Failure(error) }
        }
        if let pages {
            services.follow("hosted events") {
                for await event in pages.hosted { try await reportHosted(event, changed) }
            }
            services.serve("pages", stop: { await pages.stop() }) {
                defer { serving.finish() }
                try await pages.run { await report($0, serving) }
            }
        } else {
            serving.finish()
        }
        for companion in companions { services.follow(companion.name, work: companion.work) }
        return services
    }

    /// Events with something new to show.
    private final class Changed: Sendable {
        private let events = Mutex(Set<EventID>())
        func note(_ event: EventID) { _ = events.withLock { $0.insert(event) } }
        func takeAll() -> [EventID] {
            events.withLock { events in
                defer { events = [] }
                return events.sorted()
            }
        }
    }

    /// The latest address reported for guests.
    private final class Shown: Sendable {
        private let held = Mutex<PeerAddress?>(nil)
        var address: PeerAddress? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    private struct Ready: Encodable {
        let listen: String?
        let portal: String?
        /// That of HTTPS.
        let securePortal: String?
        let event: String
        let invitation: String
        let guestURL: String?

        init(_ info: InvitationInfo, listen: String?, pages: Pages.Serving?) {
            (self.listen, portal, securePortal) = (listen, pages?.address, pages?.secureAddress)
            (event, invitation, guestURL) = (info.event, info.invitation, info.guestURL ?? info.localURL)
        }
    }
    private struct PagesLine: Encodable {
        let event: String
        let portal: String
        /// Absent if the pages are for this machine only.
        let guestURL: String?
    }
    private struct MovedLine: Encodable {
        let event: String
        /// Absent if guests cannot reach this machine now.
        let guestURL: String?
    }
    private struct EventLine: Encodable { let event: String }
    private struct Rejected: Encodable {
        let event: String
        let address: String
    }
    private struct DiscoveryLine: Encodable {
        let mode: String
        let reason: String?
    }
    private struct Refused: Encodable {
        let event: String
        let address: String
        let reason: String
    }
    private struct Warning: Encodable { let message: String }

    private func show(_ update: Node.Update, _ changed: Changed, _ served: AsyncStream<Pages.Serving>) async throws {
        if let event = update.event, await node.isReader(of: event) { return changed.note(event) }
        switch update {
        case .ready(let listen):
            let serving = await served.first { _ in true }
            let (servesAny, isEmpty) = (await node.servesPagesOfAny, await node.events.isEmpty)
            let desk = servesAny || isEmpty ? await node.deskAddresses() : nil
            shown.address = await node.guestAddresses?.first
            if let desk { console.json("desk", desk) }
            for event in await node.events {
                console.json("ready", Ready(try await node.event(event).invitation, listen: listen, pages: serving))
                changed.note(event)
            }
            try await whenReady()
            if let desk { tellDesk(desk) }
            if pages != nil { warnOfPosters(portal: serving.flatMap { PeerAddress($0.address) }) }
        case .moved:
            try await reportAddresses()
        case .album(let event), .peers(let event):
            changed.note(event)
        case .admitted(let event):
            console.json("admitted", EventLine(event: event.description))
            // It may have been left meanwhile.
            if let name = try? await node.event(event).invitation.name {
                Console.say(
                    "You're in \"\(name)\". Add photos from another terminal: `disposable add FILE...`. "
                        + "Your desk: `disposable desk`.")
            }
            changed.note(event)
        case .rejected(let event, let address):
            console.json("rejected", Rejected(event: event.description, address: address.description))
            await whenRejected(address)
        case .discovery(let mode, let reason):
            console.json("discovery", DiscoveryLine(mode: mode, reason: reason))
            guard mode == "off" else { return }
            Console.say("disposable: warning: the search for other nodes failed: \(reason ?? "no reason given")")
            Console.say("disposable: hint: `disposable doctor` searches for the cause")
        case .refused(let event, let address, let code):
            console.json(
                "refused", Refused(event: event.description, address: address.description, reason: code.meaning))
            guard refusals.isNew("\(address) \(code)") else { return }
            Console.say("disposable: warning: the node at \(address) refuses connections: \(code.meaning)")
        case .rotated(let event, let name):
            console.json("rotated", EventLine(event: event.description))
            Console.say(
                "\(name) has a new invitation: `disposable invite` shows the new link, `disposable invite --node` "
                    + "the nodes' invitation; printed codes of the old one are invalid")
            changed.note(event)
        case .invitationReplaced(let event):
            console.json("invitationReplaced", EventLine(event: event.description))
            await whenReplaced()
            guard refusals.isNew("\(event) replaced") else { return }
            Console.say("disposable: warning: this invitation was replaced; ask the organizer for the new one")
            Console.say(
                "disposable: hint: `disposable join` with the new one on this folder; or the organizer runs `disposable invite admit`"
            )
        case .warning(let message):
            console.json("warning", Warning(message: message))
            Console.say("disposable: warning: \(message)")
        case .forgotten(let event, let name):
            console.json("forgotten", EventLine(event: event.description))
            Console.say("\(name) is forgotten: this node's folder has no data of it")
            await node.stopIfEmpty()
        case .solved(let message):
            console.json("solved", Warning(message: message))
            Console.say("disposable: \(message)")
        }
    }

    private func reportHosted(_ event: EventID, _ changed: Changed) async throws {
        let info = try await node.event(event).invitation
        console.json("hosted", Ready(info, listen: nil, pages: nil))
        Console.say("\"\(info.name)\" was created at the desk.\n")
        try GuestInvitation(info).show()
        changed.note(event)
    }

    private func warnOfPosters(portal: PeerAddress?) {
        guard let (message, hint) = AddressPlan.warning(planned: node.folder.plannedPages, portal: portal) else {
            return
        }
        console.json("warning", Warning(message: message))
        Console.say("disposable: warning: \(message)")
        Console.say("disposable: hint: \(hint)")
    }

    /// Reports a changed link, since new guests need another one than the one on the screen.
    private func reportAddresses() async throws {
        guard await node.servesPagesOfAny, await node.hasPagesForOthers else { return }
        guard let addresses = await node.guestAddresses else { return }
        let known = shown.address
        guard addresses.first != known else { return }
        // A machine assigns itself new IPv6 addresses regularly, and keeps the old ones while they are in use.
        if let known, let first = addresses.first, first.host.contains(":"), addresses.contains(known) { return }
        shown.address = addresses.first
        if let first = addresses.first {
            let kept = known.flatMap { addresses.contains($0) ? $0 : nil }
            let what = kept == nil ? "this machine's address has changed" : "this machine has another address"
            let other = kept.map { "; \($0) works still" } ?? ""
            Console.say("disposable: \(what): guests use \(first) now\(other)\n")
        } else {
            Console.say("disposable: warning: guests cannot reach this machine now: it has no address")
        }
        for event in await node.events where await node.servesPages(of: event) {
            guard let info = try? await node.event(event).invitation else { continue }
            console.json("moved", MovedLine(event: info.event, guestURL: info.guestURL))
            if info.guestURL != nil { try GuestInvitation(info).show() }
        }
        if let first = addresses.first { warnOfPosters(portal: first) }
    }

    /// Reports that the pages have started, or were opened to the network or closed to it.
    private func report(_ serving: Pages.Serving, _ first: AsyncStream<Pages.Serving>.Continuation) async {
        guard !serving.isFirst else {
            first.yield(serving)
            return
        }
        shown.address = await node.guestAddresses?.first
        for event in await node.events {
            guard let info = try? await node.event(event).invitation else { continue }
            console.json("pages", PagesLine(event: info.event, portal: serving.address, guestURL: info.guestURL))
            if let url = info.guestURL, serving.isForOthers {
                Console.say("this node serves guests now at \(url)")
                Console.say("  projector     \(GuestInvitation.wall(url, of: info))")
            } else {
                Console.say("this node serves its pages to this machine only")
            }
        }
    }

    private static func progress(of status: EventStatus) -> String {
        let (photos, peerCount) = (status.photos, status.network.peers.count)
        let peers = peerCount == 0 ? "" : ", " + Show.count(peerCount, "peer")
        guard photos.photoCount > 0 else { return "waiting for the first photo" + peers }
        return "\(Show.count(photos.photoCount, "photo")), \(photos.completeCount) complete" + peers
            + (photos.missingBlobCount > 0 ? ", \(Show.count(photos.missingBlobCount, "file")) to fetch" : "")
    }

    private func report(_ event: EventID) async {
        guard await !node.isReader(of: event), let status = try? await node.event(event).status else { return }
        console.json("status", status)
        let text = "\(status.name): \(Self.progress(of: status))"
        if Console.isTerminal { Console.progress(text) } else if !console.isJSON { Console.say(text) }
    }
}

extension Node.Update {
    /// The event of the update, if the node still has it.
    fileprivate var event: EventID? {
        switch self {
        case .album(let event), .peers(let event), .admitted(let event), .rejected(let event, _),
            .refused(let event, _, _), .rotated(let event, _), .invitationReplaced(let event):
            event
        case .ready, .discovery, .moved, .warning, .solved, .forgotten: nil
        }
    }
}
