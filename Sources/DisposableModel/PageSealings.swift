// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto

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
    func standing(_ album: Album) -> [OperationID] {
        album.membership.everOrganizers.flatMap { device in
            (settings[device] ?? []).filter {
                album.membership.rank(of: $0, by: device) >= .organizer && !album.isErased(PhotoID($0))
            }
        }.sorted()
    }
}

extension Album {
    /// Returns the settings by which guests' photos are sealed by their pages, smallest id first: an erase names one.
    public var pageSealingSettings: [OperationID] { pageSealings.standing(self) }

    /// Whether the operation is such a setting by a device that was ever an organizer's.
    public func isPageSealingSetting(_ operation: OperationID) -> Bool {
        membership.everOrganizers.contains { pageSealings.has(operation, by: $0) }
    }
}

extension EventState {
    /// The key to which guests' pages seal photos now: the first charter's reveal key, while page sealing is on and
    /// nothing has revealed the photos; otherwise `nil`.
    public var pageSealingKey: AgreementPublicKey? {
        isRevealed || album.pageSealingSettings.isEmpty ? nil : sealingKey
    }
}

/// The reason why a node does not take a photo that a page has sealed, or has not.
public enum PageSealingRefusal: String, Equatable, Sendable {
    /// Guests' photos are sealed by their pages here.
    case needed
    /// They are not, or no longer.
    case off
}
