// SPDX-License-Identifier: Apache-2.0

/// The names that devices have set.
struct Names: Equatable, Sendable {
    struct Name: Equatable, Sendable {
        let sequence: UInt32
        let timestamp: HybridTimestamp
        let id: OperationID
        /// `nil` while this node does not have the body, and after it was purged.
        var text: String?
    }

    /// Every name that a device has set, with the effective one last.
    private var names: [DeviceID: [Name]] = [:]
    /// The devices whose names are still to be sorted at the end of the batch.
    private var unordered: Set<DeviceID> = []

    /// Adds a `name` operation. Call `resolve` afterwards, once for any number of operations.
    mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        let name = Name(
            sequence: header.sequence, timestamp: header.timestamp, id: operation.id, text: operation.nameText)
        if let last = names[header.device]?.last, (name.sequence, last.id) < (last.sequence, name.id) {
            unordered.insert(header.device)
        }
        names[header.device, default: []].append(name)
    }

    /// Adds the body of a known name that was missing.
    mutating func noteText(of operation: VerifiedOperation) {
        guard let text = operation.nameText else { return }
        setText(text, of: operation.id, by: operation.header.device)
    }

    mutating func forgetText(of id: OperationID, by device: DeviceID) { setText(nil, of: id, by: device) }

    private mutating func setText(_ text: String?, of id: OperationID, by device: DeviceID) {
        guard let place = names[device]?.firstIndex(where: { $0.id == id }) else { return }
        names[device]![place].text = text
    }

    mutating func resolve() {
        for device in unordered { names[device]?.sort { ($0.sequence, $1.id) < ($1.sequence, $0.id) } }
        unordered = []
    }

    /// All devices with a name, counting or not.
    var devices: some Collection<DeviceID> { names.keys }

    func count(of device: DeviceID) -> Int { names[device]?.count ?? 0 }

    func ids(of device: DeviceID) -> [OperationID] { (names[device] ?? []).map(\.id) }

    /// Returns the effective name of the device; `nil` if none counts.
    func current(of device: DeviceID, _ base: AlbumBase) -> Name? {
        names[device]?.last { base.stands($0.id, by: device) }
    }
}

extension VerifiedOperation {
    fileprivate var nameText: String? {
        if case .name(let text) = content { text } else { nil }
    }
}
