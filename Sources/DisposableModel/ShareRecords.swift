// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto

/// The shares of the reveal key's secret half that were given to organizers, and those that were published
/// (protocol/disposable-v1.md §9.25). Anyone may sign false ones; commitments in the first charter tell the true ones.
struct ShareRecords: Equatable, Sendable {
    struct Deal: Equatable, Sendable {
        let id: OperationID
        let signer: DeviceID
        let recipient: DeviceID
        let index: UInt8
        let box: [UInt8]
    }

    struct Release: Equatable, Sendable {
        let id: OperationID
        let signer: DeviceID
        let share: RevealShare
    }

    /// The reason for `secret`: it is derived again where this differs.
    private struct Basis: Equatable {
        let seal: CharterSeal
        let shares: [RevealShare]
    }

    /// By signer: anyone may sign any number, of which nobody reads those of devices that were never organizers'.
    private(set) var deals: [DeviceID: [OperationID: Deal]] = [:]
    /// By the commitment that each makes; among releases of one share the one with the smallest id.
    private var releases: [Bytes32: Release] = [:]
    /// The devices that have published a share, by the commitment that it makes.
    private var releasers: [Bytes32: Set<DeviceID>] = [:]
    /// The secret half that the published shares make; `nil` while there are too few.
    private(set) var secret: Bytes32?
    /// The published shares that count, by index. Derived, as `secret` is.
    private(set) var released: [Release] = []
    private var basis: Basis?

    mutating func note(_ operation: VerifiedOperation) {
        let header = operation.header
        guard let index = UInt8(exactly: header.argument), index > 0 else { return }
        switch operation.content {
        case .share(let box):
            let recipient = DeviceID(header.subject.bytes32)
            deals[header.device, default: [:]][operation.id] = Deal(
                id: operation.id, signer: header.device, recipient: recipient, index: index, box: box)
        case .shareRelease(let value):
            let commitment = ShareTerms.commitment(event: header.event, index: index, share: value)
            releasers[commitment, default: []].insert(header.device)
            guard releases[commitment].map({ operation.id < $0.id }) ?? true else { return }
            releases[commitment] = Release(
                id: operation.id, signer: header.device, share: RevealShare(index: index, value: value))
        default: break
        }
    }

    /// Derives what follows from the published shares: at most 70 combinations are tried, and one where the event's
    /// creator was honest.
    mutating func resolve(_ seal: CharterSeal) {
        guard let terms = seal.shares else {
            (released, secret, basis) = ([], nil, nil)
            return
        }
        let counting = terms.commitments.enumerated().compactMap { place, commitment in
            releases[commitment].flatMap { Int($0.share.index) == place + 1 ? $0 : nil }
        }
        released = counting
        // The same shares of the same terms give the same secret, or none again.
        let basis = Basis(seal: seal, shares: counting.map(\.share))
        guard basis != self.basis else { return }
        (self.basis, secret) = (basis, nil)
        let shares = counting.map { release in
            var value = release.share.value.bytes
            return SecretSharing.Share(
                index: release.share.index, value: SecretBytes(consuming: &value, in: .ordinary))
        }
        for mask in 0..<(1 << shares.count) where mask.nonzeroBitCount == terms.threshold {
            let chosen = shares.indices.filter { mask & (1 << $0) != 0 }.map { shares[$0] }
            guard let scalar = SecretSharing.combine(chosen) else { continue }
            let key = AgreementKey(scalar: scalar)
            if key.publicKey.bytes32 == seal.key {
                secret = key.disclosed
                return
            }
        }
    }

    /// Whether the device has published a share that counts, be it after another device did.
    func hasReleased(_ device: DeviceID, _ terms: ShareTerms) -> Bool {
        terms.commitments.enumerated().contains { place, commitment in
            released.contains { Int($0.share.index) == place + 1 } && releasers[commitment]?.contains(device) == true
        }
    }
}

/// The shares of an event's reveal key.
public struct ShareStatus: Equatable, Sendable {
    /// The number of shares that reveal the photos.
    public let threshold: Int
    /// The number of all shares.
    public let count: Int
    /// The indices of the published shares, ascending.
    public let released: [UInt8]
    /// The number of shares that still have to be published.
    public let missingCount: Int
}

/// A device to which an organizer has given the share with this index.
public struct ShareHolder: Hashable, Sendable {
    public let device: DeviceID
    public let index: UInt8

    package init(device: DeviceID, index: UInt8) {
        self.device = device
        self.index = index
    }
}

/// A box that an organizer has sealed to a device as the share with this index: 80 bytes.
public struct SealedShare: Hashable, Sendable {
    public let index: UInt8
    public let box: [UInt8]
}

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
