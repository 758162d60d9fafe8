// SPDX-License-Identifier: Apache-2.0

/// The devices with a path of sponsors to the event key, for joins that arrive in any order.
struct Entrance: Equatable, Sendable {
    private var inside: Set<DeviceID>
    /// The devices whose joins wait for a sponsor, by that sponsor.
    private var waiting: [DeviceID: Set<DeviceID>] = [:]

    init(eventKey: DeviceID) { inside = [eventKey] }

    /// The number of devices, including the event key.
    var count: Int { inside.count }

    func contains(_ device: DeviceID) -> Bool { inside.contains(device) }

    /// Returns the devices that this join connects to the event key, the device itself included.
    @discardableResult
    mutating func add(_ device: DeviceID, sponsor: DeviceID) -> Set<DeviceID> {
        guard inside.contains(sponsor) else {
            waiting[sponsor, default: []].insert(device)
            return []
        }
        var touched: Set<DeviceID> = []
        // A queue instead of recursion: a chain of sponsors may be as long as the list of members.
        var admitted = [device]
        while let device = admitted.popLast() {
            touched.insert(device)
            inside.insert(device)
            if let others = waiting.removeValue(forKey: device) { admitted.append(contentsOf: others) }
        }
        return touched
    }

    /// Drops the device and its joins by that sponsor, which count no longer.
    mutating func forget(_ device: DeviceID, waitingFor sponsor: DeviceID) {
        waiting[sponsor]?.remove(device)
        if waiting[sponsor]?.isEmpty == true { waiting[sponsor] = nil }
    }
}
