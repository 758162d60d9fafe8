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
/// 5. A device is its own author, unless a join that counts carries a guest's delegation: then that guest is. Of
///    several guests the smallest key counts.
public struct Membership: Equatable, Sendable {
    private let eventKey: DeviceID
    /// Everybody's joins: the sponsors named in them, and the guests who delegated there.
    private var sponsors: [DeviceID: [DeviceID: Set<AuthorID>]] = [:]
    /// Those whose joins wait for a sponsor, by that sponsor.
    private var waiting: [DeviceID: Set<DeviceID>] = [:]
    private var roles: [DeviceID: Role] = [:]
    /// Of devices that sign for a guest.
    private var guests: [DeviceID: AuthorID] = [:]

    public init(eventKey: VerifyingKey) { self.eventKey = DeviceID(eventKey) }

    /// Returns the devices that have another author from now on.
    public mutating func apply(joinOf device: DeviceID, sponsor: DeviceID, guest: AuthorID?) -> [DeviceID] {
        let isNew = sponsors[device]?[sponsor] == nil
        let isNewGuest = guest.map { sponsors[device, default: [:]][sponsor, default: []].insert($0).inserted } ?? false
        if isNew, guest == nil { sponsors[device, default: [:]][sponsor] = [] }
        guard isNew || isNewGuest else { return [] }
        if sponsor == eventKey { return admit(device, as: .organizer) }
        if roles[sponsor] != nil { return admit(device, as: .participant) }
        waiting[sponsor, default: []].insert(device)
        return []
    }

    private mutating func admit(_ device: DeviceID, as role: Role) -> [DeviceID] {
        // A queue instead of recursion: a chain of sponsors may be as long as the list of members.
        var admitted = [(device, role)]
        var reassigned: [DeviceID] = []
        while let (device, role) = admitted.popLast() {
            let isNew = roles[device] == nil
            roles[device] = max(role, roles[device] ?? role)
            if updateGuest(of: device) { reassigned.append(device) }
            guard isNew, let others = waiting.removeValue(forKey: device) else { continue }
            admitted.append(contentsOf: others.map { ($0, .participant) })
        }
        return reassigned
    }

    private mutating func updateGuest(of device: DeviceID) -> Bool {
        let counting = (sponsors[device] ?? [:]).filter { mayAuthor($0.key) }
        guard let guest = counting.values.compactMap({ $0.min() }).min(), guest != guests[device] else { return false }
        guests[device] = guest
        return true
    }

    /// The role of `device`, `nil` for those who are not in. The event key is no device and takes no photos.
    public func role(of device: DeviceID) -> Role? { roles[device] }

    public func isMember(_ device: DeviceID) -> Bool { roles[device] != nil }

    /// Whether operations of `device` belong to the set: members, and the event key for what only it may say.
    public func mayAuthor(_ device: DeviceID) -> Bool { device == eventKey || isMember(device) }

    /// Whose words the operations of `device` are.
    public func author(of device: DeviceID) -> AuthorID { guests[device] ?? AuthorID(device) }

    /// Whether anything that belongs to the set can be this author's.
    public func isAuthor(_ author: AuthorID) -> Bool {
        let device = DeviceID(author.bytes32)
        return (isMember(device) && guests[device] == nil) || guests.values.contains(author)
    }

    /// The members that sign for a guest, with that guest.
    public var delegates: [(device: DeviceID, guest: AuthorID)] {
        guests.map { ($0.key, $0.value) }.sorted { $0.device < $1.device }
    }

    public var count: Int { roles.count }
    /// Members that are nodes: those that sign for a guest have no network of their own.
    public var nodeCount: Int { roles.count - guests.count }

    /// Members in the order of their keys.
    public var devices: [DeviceID] { roles.keys.sorted() }

    /// How many devices `sponsor` has let in.
    public func countAdmitted(by sponsor: DeviceID) -> Int { sponsors.values.count { $0[sponsor] != nil } }
}
