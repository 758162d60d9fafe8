// SPDX-License-Identifier: Apache-2.0

/// The ranks of devices, and the operations that were signed with each, including by devices that have lost it since.
struct Ranks: Equatable, Sendable {
    private(set) var organizers: Set<DeviceID> = []
    private var moderators: Set<DeviceID> = []
    private var organizerWindows: [DeviceID: Window] = [:]
    private var moderatorWindows: [DeviceID: Window] = [:]
    /// Every device that has, or once had, an organizer's rank, and a moderator's or a higher one, the event key
    /// included.
    private(set) var everOrganizers: Set<DeviceID>
    private(set) var everModerators: Set<DeviceID>
    private let eventKey: DeviceID

    init(eventKey: DeviceID) {
        self.eventKey = eventKey
        (everOrganizers, everModerators) = ([eventKey], [eventKey])
    }

    /// - Parameter window: the operations that it signed as an organizer; all unless it has lost the rank.
    mutating func addOrganizer(_ device: DeviceID, _ window: Window) {
        organizerWindows[device] = window
        everOrganizers.insert(device)
        everModerators.insert(device)
        if window == .all { organizers.insert(device) }
    }

    /// - Parameter window: the operations that it signed as a moderator; all unless it has lost the rank.
    mutating func addModerator(_ device: DeviceID, _ window: Window) {
        moderatorWindows[device] = window
        everModerators.insert(device)
        if window == .all, !organizers.contains(device) { moderators.insert(device) }
    }

    /// Returns the present rank of a device.
    func rank(of device: DeviceID) -> Rank {
        if device == eventKey { return .eventKey }
        if organizers.contains(device) { return .organizer }
        return moderators.contains(device) ? .moderator : .participant
    }

    /// Whether `device` has a rank above a participant's, or has lost one by a revocation.
    func hasHadRank(_ device: DeviceID) -> Bool {
        organizerWindows[device] != nil || moderatorWindows[device] != nil
    }

    func wasMadeOrganizer(_ device: DeviceID) -> Bool { device == eventKey || organizerWindows[device] != nil }

    /// Returns the rank of `device` for `operation`: operations signed before a rank was lost keep that rank.
    func rank(of operation: OperationID, by device: DeviceID) -> Rank {
        if device == eventKey { return .eventKey }
        if organizerWindows[device]?.contains(operation) == true { return .organizer }
        return moderatorWindows[device]?.contains(operation) == true ? .moderator : .participant
    }
}
