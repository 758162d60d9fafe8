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
        case .add(let name, let paths, let keepsMetadata):
            try await add(paths, to: event(named: name), keepsMetadata: keepsMetadata, reply: reply)
        case .gallery(let name, let onlyMine):
            let photos = try await gallery(of: event(named: name), onlyMine: onlyMine)
            for photo in photos { await reply(.photo(photo.asGalleryPhoto)) }
            await reply(.finished(exitCode: 0))
        case .show(let name, let text):
            let event = try event(named: name)
            for photo in try await describe([photo(named: text, in: event)], of: event) {
                await reply(.photo(photo.asGalleryPhoto))
            }
            await reply(.finished(exitCode: 0))
        case .status:
            guard !events.isEmpty else { throw NodeError.noEvents(path: folder.path) }
            for event in events { await reply(.status(try status(of: event))) }
            await reply(.finished(exitCode: 0))
        case .export(let name, let folder):
            try await export(event(named: name), to: folder, reply: reply)
        case .invite(let name):
            await reply(.invitation(try invitation(to: event(named: name))))
            await reply(.finished(exitCode: 0))
        case .remove(let name, let text):
            let event = try event(named: name)
            let photo = try photo(named: text, in: event)
            _ = try await author(.remove(photo.id), in: event)
            await reply(.removed(photo: photo.id.description))
            await reply(.finished(exitCode: 0))
        }
    }

    /// The nodes' invitation, with the addresses at which this node can be reached from elsewhere.
    public func invitation(to event: EventID) throws -> InvitationInfo {
        guard let session = sessions[event] else { throw NodeError.stopped }
        let addresses = reachableAddresses
        let invitation = Invitation(
            eventKey: session.store.keys.eventKey, secret: session.store.keys.eventSecret, name: session.name,
            addresses: addresses)
        return InvitationInfo(
            event: event.description, name: session.name, invitation: invitation.text,
            addresses: addresses.map(\.description))
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
