// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging

/// The shares of a new event's reveal key, before anybody has one. The secret half is nowhere else and is wiped when
/// this is released.
struct NewShares {
    let seal: CharterSeal
    private let shares: [SecretSharing.Share]

    init(_ rule: ShareRule, event: EventID) {
        let secret = Entropy.secret(AgreementKey.byteCount)
        shares = SecretSharing.split(
            secret, threshold: rule.threshold, count: rule.count,
            coefficients: Entropy.secret((rule.threshold - 1) * AgreementKey.byteCount))
        seal = CharterSeal(
            key: AgreementKey(scalar: secret).publicKey,
            shares: ShareTerms(
                threshold: rule.threshold,
                commitments: shares.map {
                    ShareTerms.commitment(event: event, index: $0.index, share: $0.value.disclosed)
                }))
    }

    /// The shares of the other organizers.
    var others: [SecretSharing.Share] { Array(shares.dropFirst()) }

    /// Returns the body of the operation that gives the first share to the founder's device.
    func first(for device: DeviceID) throws -> [UInt8] { try shares[0].body(for: device) }
}

extension SecretSharing.Share {
    /// Returns the body of the operation that gives the share to a device.
    fileprivate func body(for device: DeviceID) throws -> [UInt8] {
        let recipient = try AgreementPublicKey(of: device.verifyingKey)
        let ephemeral = AgreementKey(scalar: Entropy.secret(AgreementKey.byteCount))
        let box = try value.withSpan { span throws(CryptoError) in
            try SealedBox.seal(span, to: recipient, ephemeral: ephemeral)
        }
        return OperationBody.encode(.share(box: box), salt: Entropy.bytes(OperationBody.saltByteCount))
    }
}

extension SecretBytes {
    /// The 32 bytes as plain bytes: of a share that is published, or checked.
    fileprivate var disclosed: Bytes32 {
        withSpan { span in Bytes32((0..<span.count).map { span[$0] })! }  // 32 bytes by construction
    }
}

/// Shares of the reveal key on this node: dealing them to organizers, and publishing its own
/// (protocol/disposable-v1.md §9.25).
extension EventNode {
    var hasShares: Bool { replica.state.shareTerms != nil }

    func shares(_ act: ShareAct) async throws -> ShareInfo {
        guard replica.state.charter != nil else { throw NodeError.refused(.notAdmitted) }
        guard hasShares else { throw NodeError.shares(.off) }
        switch act {
        case .show: break
        case .release(let isConfirmed): try await releaseShares(isConfirmed: isConfirmed)
        case .finish: try finishDealing()
        }
        return try shareInfo()
    }

    private func shareInfo() throws -> ShareInfo {
        let state = replica.state
        guard let status = state.shareStatus else { throw NodeError.shares(.off) }
        return ShareInfo(
            threshold: status.threshold, count: status.count, missingCount: status.missingCount,
            isRevealed: state.isRevealed,
            holders: state.shareHolders.map { holder in
                let author = state.membership.author(of: holder.device)
                return ShareInfo.Holder(
                    key: holder.device.description, name: state.album.shownName(of: author) ?? author.short,
                    isMe: holder.device == replica.deviceID, isReleased: status.released.contains(holder.index))
            }, undealtCount: try undealtShares().count, photoCount: state.isRevealed ? state.gallery.count : 0)
    }

    /// Returns the true shares that organizers have given to this device.
    private func ownShares() -> [RevealShare] {
        let (state, key) = (replica.state, store.keys.device.agreementKey)
        guard let terms = state.shareTerms else { return [] }
        var shares: [RevealShare] = []
        for sealed in state.shareBoxes(for: replica.deviceID) {
            guard let value = try? SealedBox.open(sealed.box, with: key), value.count == AgreementKey.byteCount else {
                continue
            }
            let share = RevealShare(index: sealed.index, value: value.disclosed)
            if terms.includes(share, of: event), !shares.contains(share) { shares.append(share) }
        }
        return shares
    }

    /// Returns the indices of the shares that this node has given to organizers.
    private func dealtIndices() -> Set<UInt8> {
        Set(replica.state.sharesDealt(by: replica.deviceID).map(\.index))
    }

    /// Returns the shares on this machine that nobody has been given yet.
    private func undealtShares() throws -> [SecretSharing.Share] {
        let dealt = dealtIndices()
        return try store.undealtShares().filter { !dealt.contains($0.index) }
    }

    /// Publishes this device's shares. If organizers hold fewer shares than the threshold, it also publishes the shares
    /// that this machine has not dealt, because nobody could reveal the photos otherwise.
    private func releaseShares(isConfirmed: Bool) async throws {
        let state = replica.state
        guard let charter = state.charter, let terms = state.shareTerms else { throw NodeError.shares(.off) }
        guard !state.isRevealed else { throw NodeError.refused(.nothingToDo) }
        if !isConfirmed { try checkReveal(charter) }
        var shares = ownShares()
        let dealtCount = dealtIndices().count
        if dealtCount < terms.threshold {
            shares += try undealtShares().prefix(terms.threshold - dealtCount).map {
                RevealShare(index: $0.index, value: $0.value.disclosed)
            }
        }
        guard !shares.isEmpty else { throw NodeError.shares(.noneHere) }
        _ = try await author(.releaseShares(shares, salt: Entropy.bytes(OperationBody.saltByteCount)))
    }

    /// Destroys the shares that nobody has been given: then no machine can open the photos alone, and no further
    /// organizer gets a share.
    private func finishDealing() throws {
        guard let terms = replica.state.shareTerms else { throw NodeError.shares(.off) }
        let dealtCount = dealtIndices().count
        guard dealtCount >= terms.threshold else {
            throw NodeError.shares(.tooFewDealt(count: dealtCount, needed: terms.threshold))
        }
        try store.keep(undealt: [])
        lookAtShares()
    }

    /// Gives each organizer's device without a share one of those that this machine still has, and overwrites them
    /// here.
    func dealShares() async {
        guard hasShares else { return }
        do {
            var undealt = try undealtShares()
            for device in organizersWithoutShare() where !replica.state.isRevealed && !undealt.isEmpty {
                // A share can be sealed to no weak key: such a device gets none, and the next one this share.
                guard let body = try? undealt[0].body(for: device) else { continue }
                let share = undealt.removeFirst()
                // Somebody else may have been faster: then this share stays here.
                do {
                    _ = try await author(.deal(index: share.index, to: device, body: body))
                } catch NodeError.refused(.nothingToDo) {}
            }
            // The operations are durable.
            let left = replica.state.isRevealed ? [] : try undealtShares()
            if try store.undealtShares().count > left.count { try store.keep(undealt: left) }
        } catch {
            logger.error("shares not given out", metadata: ["reason": "\(error)"])
        }
    }

    private func organizersWithoutShare() -> [DeviceID] {
        let state = replica.state
        let holders = Set(state.sharesDealt(by: replica.deviceID).map(\.device))
        return state.membership.devices.filter {
            !holders.contains($0) && state.membership.rank(of: $0) == .organizer
        }
    }

    /// Gives out shares, and warns while one machine has enough of them to open the photos alone.
    func lookAtShares() {
        let state = replica.state
        guard let terms = state.shareTerms, let undealt = try? store.undealtShares(), !undealt.isEmpty else {
            return solve(.onlyKey)
        }
        jobs.add { await self.dealShares() }
        let dealt = dealtIndices()
        let left = undealt.count { !dealt.contains($0.index) }
        guard left > 0, !state.isRevealed else { return solve(.onlyKey) }
        note(
            .onlyKey,
            "\(left) of the \(terms.count) shares that reveal the photos of \(name) are still on this machine: make "
                + "organizers with `disposable role grant organizer NAME`, or destroy them with `disposable event "
                + "shares --finish`")
    }
}
