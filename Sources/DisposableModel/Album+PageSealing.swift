// SPDX-License-Identifier: Apache-2.0

/// The settings that have guests' photos sealed by their pages (protocol/disposable-v1.md §9.26).
extension Album {
    /// Returns the settings by which guests' photos are sealed by their pages, smallest id first: an erase names one.
    public var pageSealingSettings: [OperationID] { pageSealings.standing(base) }

    /// Whether the operation is such a setting by a device that was ever an organizer's.
    public func isPageSealingSetting(_ operation: OperationID) -> Bool {
        base.membership.everOrganizers.contains { pageSealings.has(operation, by: $0) }
    }
}
