// SPDX-License-Identifier: Apache-2.0

/// Shares of the reveal key's secret half (protocol/disposable-v1.md §9.25).
extension EventState {
    /// The terms of the first charter; `nil` if the secret half is not shared.
    public var shareTerms: ShareTerms? { charter?.seal.shares }

    /// The shares given and published; `nil` if the secret half is not shared.
    public var shareStatus: ShareStatus? {
        guard let terms = shareTerms else { return nil }
        let released = shares.released.map(\.share.index)
        return ShareStatus(
            threshold: terms.threshold, count: terms.count, released: released,
            missingCount: isRevealed ? 0 : terms.threshold - min(released.count, terms.threshold))
    }

    /// Returns the devices to which organizers have given shares, with the indices of these; whether a box holds the
    /// true share only its recipient can tell.
    public var shareHolders: [ShareHolder] {
        Set(countingDeals.map { ShareHolder(device: $0.recipient, index: $0.index) })
            .sorted { ($0.device, $0.index) < ($1.device, $1.index) }
    }

    /// Returns the boxes with shares for `device` that organizers have signed, in the order of their operations' ids.
    public func shareBoxes(for device: DeviceID) -> [SealedShare] {
        countingDeals.filter { $0.recipient == device }
            .sorted { $0.id < $1.id }.map { SealedShare(index: $0.index, box: $0.box) }
    }

    /// Returns what `dealer` has given to others and to itself: other organizers can sign false ones, so that the node
    /// that has the shares counts its own only.
    public func sharesDealt(by dealer: DeviceID) -> Set<ShareHolder> {
        Set((shares.deals[dealer] ?? [:]).values.map { ShareHolder(device: $0.recipient, index: $0.index) })
    }

    /// Whether the share with this index has been published.
    public func isReleased(_ index: UInt8) -> Bool { shares.released.contains { $0.share.index == index } }

    /// Whether this device has published a share that counts.
    public func hasReleased(_ device: DeviceID) -> Bool {
        shareTerms.map { shares.hasReleased(device, $0) } ?? false
    }

    /// Whether published shares alone have revealed the photos, so that nodes that do not know shares show none.
    public var isRevealedByShares: Bool { revealID == nil && shares.secret != nil }

    /// The deals that are taken for true, in no order.
    private var countingDeals: [ShareRecords.Deal] {
        guard let terms = shareTerms else { return [] }
        return membership.everOrganizers.flatMap { device in
            (shares.deals[device] ?? [:]).values.filter {
                Int($0.index) <= terms.count && membership.rank(of: $0.id, by: device) >= .organizer
            }
        }
    }
}
