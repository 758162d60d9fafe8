// SPDX-License-Identifier: Apache-2.0
internal import DisposableDiscovery
public import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Answering the command line, from this process or through the socket alike.
extension Node {
    /// Does what is asked and replies as it goes; the last reply is `.finished` or `.failed`.
    public func answer(_ request: ControlRequest, reply: @Sendable (ControlReply) async -> Void) async {
        answerCount += 1
        defer { answerCount -= 1 }
        do {
            try await perform(request, reply)
        } catch let error as NodeError {
            await reply(.failed(message: "\(error)", hint: error.hint, exitCode: error.exitCode))
        } catch {
            await reply(.failed(message: "\(error)", hint: nil, exitCode: 1))
        }
    }

    private func perform(_ request: ControlRequest, _ reply: @Sendable (ControlReply) async -> Void) async throws {
        switch request {
        case .add(let name, let paths, let keepsMetadata, let caption):
            try await add(
                paths, to: event(named: name), keepsMetadata: keepsMetadata, caption: caption, reply: reply)
        case .gallery(let name, let onlyMine):
            let photos = try await gallery(of: event(named: name), onlyMine: onlyMine)
            for photo in photos { await reply(.photo(photo.asGalleryPhoto)) }
            await reply(.finished(exitCode: 0))
        case .show(let name, let text):
            let event = try event(named: name)
            for photo in try await describe([photo(named: text, in: event)], of: event) {
                await reply(.photo(photo.asGalleryPhoto))
                await reply(.copies(try copies(of: photo.photo, in: event)))
            }
            await reply(.finished(exitCode: 0))
        case .leave(let name, let request): try await leave(event(named: name), request, reply: reply)
        case .exportMe(let name, let folder): try await exportMe(event(named: name), to: folder, reply: reply)
        case .expire(let name):
            await reply(.expired(name: try await expire(event(named: name))))
            await reply(.finished(exitCode: 0))
        case .eraseMe(let name): try await eraseMe(event(named: name), reply: reply)
        case .status:
            guard !events.isEmpty else { throw NodeError.noEvents(path: folder.path) }
            for event in events { await reply(.status(try status(of: event))) }
            await reply(.finished(exitCode: 0))
        case .export(let name, let folder, let isAlbum):
            try await export(event(named: name), to: folder, isAlbum: isAlbum, reply: reply)
        case .check(let name, let onlyLooks):
            try await check(name.map { [try event(named: $0)] } ?? events, onlyLooks: onlyLooks, reply)
        case .invite(let name):
            await reply(.invitation(try invitation(to: event(named: name))))
            await reply(.finished(exitCode: 0))
        case .remove(let name, let text):
            let event = try event(named: name)
            let target = try target(named: text, in: event)
            _ = try await author(.remove(target), in: event)
            await reply(.removed(photo: target.description))
            await reply(.finished(exitCode: 0))
        case .event(let name):
            await reply(.event(try await info(of: event(named: name))))
            await reply(.finished(exitCode: 0))
        case .backup(let name):
            await reply(.words(try eventKeyWords(of: event(named: name))))
            await reply(.finished(exitCode: 0))
        case .restore(let name, let words):
            try await restore(words, to: event(named: name))
            await reply(.finished(exitCode: 0))
        case .reveal(let name, let isConfirmed):
            let event = try event(named: name)
            try await reveal(event, isConfirmed: isConfirmed)
            await reply(.revealed(photoCount: sessions[event]?.replica.state.gallery.count ?? 0))
            await reply(.finished(exitCode: 0))
        case .say(let name, let remark):
            await reply(try await say(remark, in: event(named: name)))
            await reply(.finished(exitCode: 0))
        case .rename(let text, let name):
            try await changeName(to: name, in: event(named: text))
            await reply(.renamed(name: name))
            await reply(.finished(exitCode: 0))
        case .rule(let name, let act):
            await reply(try await perform(act, in: event(named: name)))
            await reply(.finished(exitCode: 0))
        }
    }

    /// The nodes' invitation, with the addresses at which this node can be reached from elsewhere.
    public func invitation(to event: EventID) throws -> InvitationInfo {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let addresses = reachableAddresses
        let link = GuestLink(event: event, secret: session.store.keys.eventSecret)
        let guestURLs = pageAddresses.map { link.text(at: $0) }
        let invitation = Invitation(
            eventKey: session.store.keys.eventKey, secret: session.store.keys.eventSecret, name: session.name,
            addresses: addresses)
        return InvitationInfo(
            event: event.description, name: session.name, organizer: session.replica.state.charter?.organizerName,
            startsAt: session.replica.state.charter?.startsAtMilliseconds, invitation: invitation.text,
            addresses: addresses.map(\.description), guestURL: guestURLs.first,
            otherGuestURLs: Array(guestURLs.dropFirst()), guestCode: link.spacedCode,
            localURL: pages.map { link.text(at: PeerAddress(host: "127.0.0.1", port: $0.port)) })
    }

    /// Where the pages of this node are served, as whoever serves them says.
    public struct Pages: Sendable, Equatable {
        public let port: UInt16
        /// IP addresses; none for all that the machine has.
        public let hosts: [String]

        public init(port: UInt16, hosts: [String]) {
            self.port = port
            self.hosts = hosts
        }
    }

    /// From now on invitations name these pages; the port is kept for the next start, so that printed codes stay true.
    public func serves(_ pages: Pages) {
        self.pages = pages
        do { try folder.remember(pagePort: pages.port) } catch {
            note(problem: "the port of the pages is not kept for the next start: \(error)")
        }
    }

    /// The addresses at which other machines reach the pages: IPv4 before IPv6, the network that guests are most likely on
    /// first.
    private var pageAddresses: [PeerAddress] {
        guard let pages else { return [] }
        let addresses = InterfaceAddress.all().filter { address in
            !address.isLoopback && !address.isLinkLocal
                && (pages.hosts.isEmpty || pages.hosts.contains(address.host))
        }
        return addresses.sorted { left, right in
            (left.isIPv6 ? 1 : 0, left.rank, left.host) < (right.isIPv6 ? 1 : 0, right.rank, right.host)
        }.map { PeerAddress(host: $0.host, port: pages.port) }
    }

    /// IPv4 first; link-local ones mean nothing to others. Loopback only for a node that is to stay on this machine.
    private var reachableAddresses: [PeerAddress] {
        guard listenPort > 0 else { return [] }
        let staysHere = configuration.interface == "lo" || listenAddress?.hasPrefix("127.") == true
        let usable = InterfaceAddress.all().filter { address in
            guard address.isLoopback == staysHere, !address.isLinkLocal, !(staysHere && address.isIPv6) else { return false }
            return configuration.interface == nil || configuration.interface == address.name
        }
        let hosts = usable.filter { !$0.isIPv6 }.map(\.host).sorted() + usable.filter(\.isIPv6).map(\.host).sorted()
        return hosts.prefix(Invitation.addressCountMax).map { PeerAddress(host: $0, port: listenPort) }
    }
}
