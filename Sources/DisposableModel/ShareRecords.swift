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
