// SPDX-License-Identifier: Apache-2.0

/// The times of operations that claim to be earlier than one that they follow in their chain: a device's timestamps
/// never go back, so such an operation is no earlier than that one.
///
/// Honest chains have none. The chains of a device with one are followed at the end of each batch, in time linear in
/// their length, for which a node charges (`followedCount`).
struct ChainTimes: Equatable, Sendable {
    private struct Link: Equatable {
        let device: DeviceID
        let previous: OperationID
        let sequence: UInt32
        let milliseconds: UInt64
    }
    /// The content operations.
    private var links: [OperationID: Link] = [:]
    /// The operations that name an unknown operation as previous, by that one.
    private var waiting: [OperationID: Set<OperationID>] = [:]
    /// The operations of each device, in the order of arrival.
    private var own: [DeviceID: [OperationID]] = [:]
    /// The devices that have an operation earlier than its parent.
    private var backdaters: Set<DeviceID> = []
    /// The times of the operations that follow a later one.
    private var corrected: [OperationID: UInt64] = [:]
    private var stale: Set<DeviceID> = []

    mutating func insert(_ id: OperationID, _ header: OperationHeader) {
        guard header.set == .content else { return }
        let link = Link(
            device: header.device, previous: header.previous, sequence: header.sequence,
            milliseconds: header.timestamp.milliseconds)
        links[id] = link
        own[link.device, default: []].append(id)
        if links[link.previous] == nil, link.previous != .none { waiting[link.previous, default: []].insert(id) }
        let children = waiting.removeValue(forKey: id) ?? []
        if backdaters.contains(link.device) {
            stale.insert(link.device)
        } else if isBackdated(link) || children.contains(where: { links[$0].map(isBackdated) == true }) {
            backdaters.insert(link.device)
            stale.insert(link.device)
        }
    }

    /// Follows the chains that have changed.
    mutating func resolve() {
        for device in stale { follow(own[device] ?? []) }
        stale = []
    }

    /// Returns how many operations are followed with each further one of the device.
    func followedCount(of device: DeviceID) -> Int { backdaters.contains(device) ? own[device]?.count ?? 0 : 0 }

    /// Returns the time of the operation if it follows a later one: that one's.
    func correction(of id: OperationID) -> UInt64? { corrected[id] }

    private func parent(of link: Link) -> Link? {
        guard let parent = links[link.previous], parent.device == link.device,
            parent.sequence &+ 1 == link.sequence
        else { return nil }
        return parent
    }

    private func isBackdated(_ link: Link) -> Bool {
        parent(of: link).map { link.milliseconds < $0.milliseconds } ?? false
    }

    private mutating func follow(_ own: [OperationID]) {
        var times: [OperationID: UInt64] = [:]
        for end in own {
            // Walk down to a known time, then up again.
            var way: [(id: OperationID, link: Link)] = []
            var next: OperationID? = end
            while let id = next, times[id] == nil, let link = links[id] {
                way.append((id, link))
                next = parent(of: link) == nil ? nil : link.previous
            }
            var latest = next.flatMap { times[$0] } ?? 0
            for (id, link) in way.reversed() {
                latest = max(latest, link.milliseconds)
                times[id] = latest
                corrected[id] = latest > link.milliseconds ? latest : nil
            }
        }
    }

    /// Does not compare `own`, whose order is that of arrival.
    static func == (left: Self, right: Self) -> Bool { left.links == right.links && left.corrected == right.corrected }
}
