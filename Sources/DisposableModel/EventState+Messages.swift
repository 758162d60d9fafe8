// SPDX-License-Identifier: Apache-2.0

/// Messages to the organizers (protocol/disposable-v1.md §9.22).
extension EventState {
    /// The devices to which a message to the organizers is sealed: the event key, then the organizers' nodes
    /// that the event key admitted, then their other nodes, both in the order of their keys; at most 16.
    public var messageRecipients: [DeviceID] {
        let key = DeviceID(eventKey)
        let organizers = membership.nodes.filter { membership.rank(of: $0) == .organizer }
        let founders = organizers.filter { node in membership.joins(of: node).contains { $0.sponsor == key } }
        let others = organizers.filter { !founders.contains($0) }
        return Array(([key] + founders + others).prefix(SealedMessage.recipientsMax))
    }
}
