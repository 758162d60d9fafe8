// SPDX-License-Identifier: Apache-2.0

/// The events whose galleries are joined with that of this one (protocol/disposable-v1.md §9.28).
extension EventState {
    /// Returns how many twinnings `device` has signed; those beyond `Twin.perDeviceMax` are not counted.
    public func twinningCount(by device: DeviceID) -> Int { twinnings.count(by: device) }

    /// Whether the operation is a twinning by a device that was ever an organizer's.
    public func isTwinning(_ operation: OperationID) -> Bool {
        membership.everOrganizers.contains { twinnings.has(operation, by: $0) }
    }

    /// Whether an organizer has ever stated a twinning with the event and none of these counts any longer.
    public func hasEndedTwin(_ event: EventID) -> Bool {
        guard !twins.contains(where: { $0.event == event }) else { return false }
        return membership.everOrganizers.contains { twinnings.names(event, by: $0) }
    }
}
