// SPDX-License-Identifier: Apache-2.0

/// The times of operations that claim to be earlier than one that they follow in their chain: a device's timestamps
/// never go back, so such an operation is no earlier than that one.
///
/// Honest chains have none. The chains of a device with one are followed at the end of each batch, in time linear in
/// their length, for which a node charges (`followedCount`).
struct ChainTimes: Equatable, Sendable {
    /// The operations that name an unknown operation as previous, by that one.
    private var waiting: [OperationID: Set<OperationID>] = [:]
    private var own: [DeviceID: Own] = [:]
    /// The operations of one device.
    private struct Own {
        /// In the order of arrival.
        var ids: [OperationID] = []
        /// The sequence number and the time of the last one.
        private var sequence: UInt32 = 0
        private var milliseconds: UInt64 = 0

        /// Returns whether the operation follows the one before, which is no later.
        mutating func append(_ id: OperationID, _ header: OperationHeader) -> Bool {
            let isInOrder =
                header.sequence == sequence &+ 1 && header.timestamp.milliseconds >= milliseconds
                && header.previous == ids.last
            ids.append(id)
            (sequence, milliseconds) = (header.sequence, header.timestamp.milliseconds)
            return isInOrder
        }
    }
    /// The devices that have an operation earlier than its parent.
    private var backdaters: Set<DeviceID> = []
    /// The times of the operations that follow a later one.
    private var corrected: [OperationID: UInt64] = [:]
    private var stale: Set<DeviceID> = []

    /// - Parameter chains: have the operation already.
    mutating func insert(_ id: OperationID, _ header: OperationHeader, in chains: OperationChains) {
        guard header.set == .content else { return }
        let device = header.device
        let isInOrder = own[device, default: Own()].append(id, header)
        // Nearly always, and then nothing has to be looked up.
        if isInOrder, waiting.isEmpty, !backdaters.contains(device) { return }
        guard let link = chains[id] else { return }
        let parent = chains[link.previous]
        if parent == nil, link.previous != .none { waiting[link.previous, default: []].insert(id) }
        let children = waiting.isEmpty ? [] : waiting.removeValue(forKey: id) ?? []
        if backdaters.contains(device) {
            stale.insert(device)
        } else if isBackdated(link, parent) || children.contains(where: { child in
            chains[child].map { isBackdated($0, link) } == true
        }) {
            backdaters.insert(device)
            stale.insert(device)
        }
    }

    /// Follows the chains that have changed. Returns whether times may have changed.
    mutating func resolve(in chains: OperationChains) -> Bool {
        guard !stale.isEmpty else { return false }
        for device in stale { follow(own[device]?.ids ?? [], in: chains) }
        stale = []
        return true
    }

    /// Returns the number of the device's content operations.
    func count(of device: DeviceID) -> Int { own[device]?.ids.count ?? 0 }

    /// Returns how many operations are followed with each further one of the device.
    func followedCount(of device: DeviceID) -> Int { backdaters.contains(device) ? count(of: device) : 0 }

    /// Returns the time of the operation if it follows a later one: that one's.
    func correction(of id: OperationID) -> UInt64? { corrected[id] }

    /// Whether `parent`, the operation that `link` names as previous, is its parent: of the same device and set, without
    /// a gap.
    private func isChild(_ link: OperationChains.Link, of parent: OperationChains.Link) -> Bool {
        parent.device == link.device && parent.set == link.set && parent.sequence &+ 1 == link.sequence
    }

    private func isBackdated(_ link: OperationChains.Link, _ parent: OperationChains.Link?) -> Bool {
        guard let parent, isChild(link, of: parent) else { return false }
        return link.milliseconds < parent.milliseconds
    }

    private mutating func follow(_ own: [OperationID], in chains: OperationChains) {
        var times: [OperationID: UInt64] = [:]
        for end in own {
            // Walk down to a known time, then up again.
            var way: [(id: OperationID, link: OperationChains.Link)] = []
            var next: OperationID? = end
            while let id = next, times[id] == nil, let link = chains[id] {
                way.append((id, link))
                next = chains[link.previous].map { isChild(link, of: $0) } == true ? link.previous : nil
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
    static func == (left: Self, right: Self) -> Bool { left.corrected == right.corrected }
}
