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
        case .gallery(let name, let onlyMine, let onlyFavourites):
            let event = try event(named: name)
            let favourites = onlyFavourites ? try self.favourites(of: event) : []
            let photos = try await gallery(of: event, onlyMine: onlyMine)
            for photo in photos where !onlyFavourites || favourites.contains(photo.photo.id) {
                await reply(.photo(photo.asGalleryPhoto))
            }
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
            guard !events.isEmpty else {
                throw rebuilding.isEmpty ? NodeError.noEvents(path: folder.path) : .rebuilding
            }
            for event in events { await reply(.status(try status(of: event))) }
            await reply(.finished(exitCode: 0))
        case .export(let name, let folder, let isAlbum, let onlyFavourites):
            let event = try event(named: name)
            let favourites = onlyFavourites ? try self.favourites(of: event) : nil
            try await export(event, to: folder, isAlbum: isAlbum, only: favourites, reply: reply)
        case .favourite(let name, let text, let isOn):
            let event = try event(named: name)
            let photo = try photo(named: text, in: event)
            try setFavourite(photo.id, isOn: isOn, in: event)
            await reply(.favourite(photo: photo.id.description, isOn: isOn))
            await reply(.finished(exitCode: 0))
        case .desk:
            await reply(.desk(deskAddresses()))
            await reply(.finished(exitCode: 0))
        case .check(let name, let onlyLooks):
            guard name != nil || rebuilding.isEmpty else { throw NodeError.rebuilding }
            try await check(name.map { [try event(named: $0)] } ?? events, onlyLooks: onlyLooks, reply)
        case .invite(let name, let isPrinted):
            let event = try event(named: name)
            await reply(.invitation(try invitation(to: event)))
            if isPrinted { try notePrinted(event) }
            await reply(.finished(exitCode: 0))
        case .rotate(let name, let isConfirmed):
            try await rotate(event(named: name), isConfirmed: isConfirmed, reply: reply)
        case .admit(let name, let member): try await admit(named: member, to: event(named: name), reply: reply)
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
        case .consent(let name, let text):
            let event = try event(named: name)
            if let text { try await consent(to: text, in: event) }
            guard let info = consent(in: event) else { throw NodeError.notAdmitted }
            await reply(.consent(info))
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
        let link = guestLink(of: session)
        let guestURLs = (pageAddresses(of: event) ?? []).map { link.text(at: $0) }
        let invitation = Invitation(
            eventKey: session.store.keys.eventKey, secret: session.replica.keyring.current.secret, name: session.name,
            addresses: addresses)
        return InvitationInfo(
            event: event.description, name: session.name, organizer: session.replica.state.charter?.organizerName,
            startsAt: session.replica.state.charter?.startsAtMilliseconds, invitation: invitation.text,
            addresses: addresses.map(\.description), guestURL: guestURLs.first,
            otherGuestURLs: Array(guestURLs.dropFirst()), guestCode: link.spacedCode,
            localURL: pages.map { link.text(at: PeerAddress(host: "127.0.0.1", port: $0.port)) })
    }

    /// Addresses with a fresh key; `nil` where whoever serves the pages has opened no desk.
    public func deskAddresses() -> DeskAddresses? {
        guard let pages, let key = deskKey?() else { return nil }
        func url(at address: PeerAddress) -> String { "http://\(address)/desk#\(key)" }
        let here = pages.hosts.first(where: IPAddress.isLoopback) ?? pages.hosts.first ?? "127.0.0.1"
        let others = Set(events.flatMap { pageAddresses(of: $0) ?? [] }).filter { $0.host != here }
        return DeskAddresses(
            url: url(at: PeerAddress(host: here, port: pages.port)), otherURLs: others.map(url).sorted())
    }

    /// IPv4 first; link-local ones mean nothing to others. Loopback only for a node that is to stay on this machine.
    private var reachableAddresses: [PeerAddress] {
        guard listenPort > 0 else { return [] }
        let staysHere = configuration.interface == "lo" || listenAddress?.hasPrefix("127.") == true
        let usable = (InterfaceAddress.all() ?? []).filter { address in
            guard address.isLoopback == staysHere, !address.isLinkLocal, !(staysHere && address.isIPv6) else {
                return false
            }
            return configuration.interface == nil || configuration.interface == address.name
        }
        let hosts = usable.filter { !$0.isIPv6 }.map(\.host).sorted() + usable.filter(\.isIPv6).map(\.host).sorted()
        return hosts.prefix(Invitation.addressCountMax).map { PeerAddress(host: $0, port: listenPort) }
    }
}
