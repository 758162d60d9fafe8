// SPDX-License-Identifier: Apache-2.0

/// The settings that have guests' photos sealed by their pages (protocol/disposable-v1.md §9.26).
///
/// A setting counts until an organizer erases it: its author's remove and a moderator's hide change nothing.
/// The album does not depend on it: it binds the nodes that serve pages.
public struct PageSealings: Equatable, Sendable {
    private var settings: [DeviceID: Set<OperationID>] = [:]

    init() {}

    mutating func note(_ operation: VerifiedOperation) {
        settings[operation.header.device, default: []].insert(operation.id)
    }

    /// Whether the operation is such a setting by this device, counting or not.
    func has(_ operation: OperationID, by device: DeviceID) -> Bool { settings[device]?.contains(operation) ?? false }

    /// Returns the settings that count, smallest id first.
    func standing(_ base: AlbumBase) -> [OperationID] {
        base.membership.everOrganizers.flatMap { device in
            (settings[device] ?? []).filter {
                base.membership.rank(of: $0, by: device) >= .organizer && !base.isErased(PhotoID($0))
            }
        }.sorted()
    }
}

/// The reason why a node does not take a photo that a page has sealed, or has not.
public enum PageSealingRefusal: String, Equatable, Sendable {
    /// Guests' photos are sealed by their pages here.
    case needed
    /// They are not, or no longer.
    case off
}
