// SPDX-License-Identifier: Apache-2.0

/// The devices that have the current event secret, and those that wait for it (protocol/disposable-v1.md §9.11).
extension EventState {
    /// The devices that are known to have the secret of the current epoch: those to which it was sealed, and those that
    /// one of them, or the event key, has admitted under it, directly or not.
    public var insiders: Set<DeviceID> {
        membership.devices(under: epochs.current, from: epochs.devices(of: epochs.current))
    }

    /// The nodes that are members, have not departed and have the current secret: the next one is sealed to them.
    public var insideNodes: [DeviceID] {
        let insiders = insiders
        return membership.nodes.filter(insiders.contains)
    }

    /// The nodes of members that joined in another partition under another secret: they wait for an organizer.
    public var waitingNodes: [DeviceID] {
        let insiders = insiders
        return membership.nodes.filter { !insiders.contains($0) }
    }

    /// The nodes that were removed and have the current secret. Guests' sub-keys never have it.
    public var outcastsWithSecret: [DeviceID] {
        insiders.filter { membership.isRevoked($0) && !membership.isSubKey($0) }.sorted()
    }
}
