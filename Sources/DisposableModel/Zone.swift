// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// A place at the event, such as "Dance floor", that an organizer gives a node (protocol/disposable-v1.md §9.29).
public struct Zone: Equatable, Sendable {
    /// The number of zones of an event.
    public static let countMax = 32
    /// The limit on a name, in bytes of UTF-8.
    public static let nameByteCountMax = 255

    /// The node's device.
    public let node: DeviceID
    /// A label.
    public let name: String

    /// Returns `nil` for a name that is no label, or too long.
    public init?(node: DeviceID, name: String) {
        guard Label.isWellFormed(name), name.utf8.count <= Self.nameByteCountMax else { return nil }
        (self.node, self.name) = (node, name)
    }
}

/// The zones of an event's nodes, in the order in which organizers have given them; each node has one at most.
public struct Zones: Equatable, Sendable {
    public private(set) var list: [Zone] = []

    public init() {}

    /// Reads the form of `bytes`. What is no zone, a node's second zone, and zones beyond `Zone.countMax` are passed
    /// over; every sequence of bytes is a list (protocol/disposable-v1.md §13).
    public init(bytes: [UInt8]) {
        var rest = bytes[...]
        while list.count < Zone.countMax, rest.count > Bytes32.byteCount,
            let node = Bytes32(rest.prefix(Bytes32.byteCount))
        {
            rest = rest.dropFirst(Bytes32.byteCount)
            let count = Int(rest.removeFirst())
            guard rest.count >= count else { break }
            let zone = String(validating: rest.prefix(count), as: UTF8.self).flatMap {
                Zone(node: DeviceID(node), name: $0)
            }
            rest = rest.dropFirst(count)
            if let zone, self[zone.node] == nil { list.append(zone) }
        }
    }

    /// For each zone the node's key, the number of bytes of the name, and the name in UTF-8.
    public var bytes: [UInt8] {
        list.flatMap { $0.node.bytes + [UInt8($0.name.utf8.count)] + Array($0.name.utf8) }
    }

    /// The name of the node's zone; `nil` if it has none. A name that is no label is not taken over.
    public subscript(node: DeviceID) -> String? {
        get { list.first { $0.node == node }?.name }
        set {
            let zone = newValue.flatMap { Zone(node: node, name: $0) }
            if let index = list.firstIndex(where: { $0.node == node }) {
                list.remove(at: index)
                if let zone { list.insert(zone, at: index) }
            } else if let zone {
                list.append(zone)
            }
        }
    }

    /// Whether a person may have the list: not too many, with names that are short as people see them.
    var isAcceptable: Bool { list.count <= Zone.countMax && list.allSatisfy { Label.isAcceptable($0.name) } }
}
