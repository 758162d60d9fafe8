// SPDX-License-Identifier: Apache-2.0

/// The statements of each device about one subject. A reader checks whether a statement counts, and looks only at the
/// devices whose statements can count. So the time of a read does not depend on the statements of other devices.
///
/// Nearly every subject has exactly one statement, which is stored without a table of its own.
enum Statements<Said: Hashable & Sendable>: Equatable, Sendable {
    case none
    case one(Said, by: DeviceID)
    case several([DeviceID: Set<Said>])

    mutating func insert(_ said: Said, by device: DeviceID) {
        switch self {
        case .none: self = .one(said, by: device)
        case .one(said, by: device): break
        case .one(let first, let other):
            self = .several([other: [first]])
            insert(said, by: device)
        case .several(var all):
            self = .none  // so that `all` is not copied
            all[device, default: []].insert(said)
            self = .several(all)
        }
    }

    /// Whether the device has made a statement of which `matches` is true.
    func contains(by device: DeviceID, where matches: (Said) -> Bool) -> Bool {
        switch self {
        case .none: false
        case .one(let said, let other): other == device && matches(said)
        case .several(let all): all[device]?.contains(where: matches) == true
        }
    }

    /// Returns the statements of the device.
    subscript(device: DeviceID) -> Set<Said> {
        switch self {
        case .none: []
        case .one(let said, let other): other == device ? [said] : []
        case .several(let all): all[device] ?? []
        }
    }

    /// The statements of all devices.
    var all: [Said] {
        switch self {
        case .none: []
        case .one(let said, _): [said]
        case .several(let all): all.values.flatMap(\.self)
        }
    }
}

extension Membership {
    /// Returns the author's statements among these.
    func statements<Said>(_ all: Statements<Said>, by author: AuthorID) -> [(device: DeviceID, said: Said)] {
        switch all {
        case .none: []
        case .one(let said, let device): self.author(of: device) == author ? [(device, said)] : []
        case .several(let all):
            devices(of: author, among: all).flatMap { device, said in said.map { (device, $0) } }
        }
    }
}
