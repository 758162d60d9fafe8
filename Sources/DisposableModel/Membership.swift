// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

/// What a member may do; the order is the rank.
public enum Role: UInt8, Comparable, Sendable {
    case participant = 0
    /// A device that the event key itself let in.
    case organizer = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Who belongs to the event: derived from the joins alone, whatever order they came in.
///
/// 1. The event key admits. Whom it admits is an organizer's device.
/// 2. Whom a member admits is a participant.
/// 3. A join whose sponsor is not (yet) a member counts for nothing until the sponsor is one.
/// 4. Of several joins of one device any valid one suffices; the highest role counts.
public struct Membership: Equatable, Sendable {
    private let eventKey: DeviceID
    /// Everybody's joins, as the sponsors named in them.
    private var sponsors: [DeviceID: Set<DeviceID>] = [:]
    /// Those whose joins wait for a sponsor, by that sponsor.
    private var waiting: [DeviceID: Set<DeviceID>] = [:]
    private var roles: [DeviceID: Role] = [:]

    public init(eventKey: VerifyingKey) { self.eventKey = DeviceID(eventKey) }

    public mutating func apply(joinOf device: DeviceID, sponsor: DeviceID) {
        guard sponsors[device, default: []].insert(sponsor).inserted else { return }
        if sponsor == eventKey {
            admit(device, as: .organizer)
        } else if roles[sponsor] != nil {
            admit(device, as: .participant)
        } else {
            waiting[sponsor, default: []].insert(device)
        }
    }

    private mutating func admit(_ device: DeviceID, as role: Role) {
        // A queue instead of recursion: a chain of sponsors may be as long as the list of members.
        var admitted = [(device, role)]
        while let (device, role) = admitted.popLast() {
            let isNew = roles[device] == nil
            roles[device] = max(role, roles[device] ?? role)
            guard isNew, let others = waiting.removeValue(forKey: device) else { continue }
            admitted.append(contentsOf: others.map { ($0, .participant) })
        }
    }

    /// The role of `device`, `nil` for those who are not in. The event key is no device and takes no photos.
    public func role(of device: DeviceID) -> Role? { roles[device] }

    public func isMember(_ device: DeviceID) -> Bool { roles[device] != nil }

    /// Whether operations of `device` belong to the set: members, and the event key for what only it may say.
    public func mayAuthor(_ device: DeviceID) -> Bool { device == eventKey || isMember(device) }

    public var count: Int { roles.count }

    /// Members in the order of their keys.
    public var devices: [DeviceID] { roles.keys.sorted() }

    /// How many devices `sponsor` has let in.
    public func countAdmitted(by sponsor: DeviceID) -> Int { sponsors.values.count { $0.contains(sponsor) } }
}
