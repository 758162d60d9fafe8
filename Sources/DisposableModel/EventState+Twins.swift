// SPDX-License-Identifier: Apache-2.0

/// The events whose galleries are joined with that of this one (protocol/disposable-v1.md §9.28).
extension EventState {
    /// Returns how many twinnings `device` has signed; those beyond `Twin.perDeviceMax` are not counted.
    public func twinningCount(by device: DeviceID) -> Int { twinnings.count(by: device) }

    /// Whether the operation is a twinning by a device that was ever an organizer's.
    public func isTwinning(_ operation: OperationID) -> Bool {
        membership.everOrganizers.contains { twinnings.has(operation, by: $0) }
    }

    /// Whether an organizer has ever stated a twinning with the event, counting or not.
    public func hasNamedTwin(_ event: EventID) -> Bool {
        membership.everOrganizers.contains { twinnings.names(event, by: $0) }
    }

    /// Whether an organizer has ever stated a twinning with the event and none of these counts any longer. One that
    /// counts has not ended while four others have the places: it takes the place of one that ends.
    public func hasEndedTwin(_ event: EventID) -> Bool { hasNamedTwin(event) && !twinnings.counts(event, album.base) }
}
