// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire

/// The effect of a revocation on people, known before it is signed.
public struct RulingEffect: Equatable, Sendable {
    /// Photos that would no longer be shown, and those that would be shown again, by author.
    public internal(set) var lostPhotos: [AuthorID: Int] = [:]
    public internal(set) var regainedPhotos: [AuthorID: Int] = [:]
    /// The shown photos of the grantee and of its guests that stay, and their number of people.
    public internal(set) var keptPhotoCount = 0
    public internal(set) var keptPeopleCount = 0
    /// Members that would be removed: the grantee, without its guests' sub-keys.
    public internal(set) var removedDevices: [DeviceID] = []
    /// Members that only the grantee vouches for, whether they would be removed with it or not.
    public internal(set) var admittedDevices: [DeviceID] = []
    /// Photos, shown or not, that would be purged everywhere after an hour.
    public internal(set) var destroyedPhotoCount = 0
    /// Heads that do not even fit into lists. The operations that only they prove would be void.
    public internal(set) var cutHeadCount = 0

    /// Whether anyone but the grantee loses something.
    public func harmsOthers(than grantee: Grantee) -> Bool {
        cutHeadCount > 0 || lostPhotos.keys.contains { $0.bytes32 != grantee }
            || removedDevices.contains { $0.bytes32 != grantee }
    }
}

extension Replica {
    /// Applies the revocation to a copy of the state and compares, so that the rules exist only once. Throws the same
    /// errors as signing it.
    /// - Parameters:
    ///   - role: the role that is revoked.
    ///   - grantee: the member that has it.
    ///   - withAdmitted: whether devices that are members through this member alone are removed, too.
    ///   - everything: whether all of their operations are discarded.
    ///   - key: the event key if it signs the revocation; otherwise this device does.
    public func effect(
        of role: Role, of grantee: Grantee, withAdmitted: Bool = false, everything: Bool = false,
        by key: SigningKey? = nil
    ) throws(Refusal) -> RulingEffect {
        var copy = self
        let salt = [UInt8](repeating: 0, count: OperationBody.saltByteCount)
        let key = key ?? identity.deviceKey
        let ruling = Ruling.revoke(role, of: grantee, withAdmitted: withAdmitted, everything: everything)
        let operations = try copy.operations(for: .rule(ruling, salt: salt), by: key)
        let revocations = try revocations(
            of: role, grantee, withAdmitted: withAdmitted, everything: everything, by: DeviceID(key.verifyingKey))
        var after = state
        after.apply(operations)
        var effect = RulingEffect()
        let (shownBefore, shownAfter) = (state.shownPhotos, after.shownPhotos)
        for photo in shownBefore.values where shownAfter[photo.id] == nil {
            effect.lostPhotos[photo.author, default: 0] += 1
        }
        for photo in shownAfter.values where shownBefore[photo.id] == nil {
            effect.regainedPhotos[photo.author, default: 0] += 1
        }
        let concerned = revocations.reduce(into: Set<DeviceID>()) {
            $0.formUnion(state.membership.subKeys(of: $1.grantee).union([DeviceID($1.grantee)]))
        }
        let kept = shownAfter.values.filter { concerned.contains($0.device) }
        effect.keptPhotoCount = kept.count
        effect.keptPeopleCount = Set(kept.map(\.author)).count
        effect.removedDevices = state.membership.devices.filter {
            !after.membership.isMember($0) && !state.membership.isSubKey($0)
        }
        effect.admittedDevices = state.membership.devices(admittedOnlyBy: grantee, except: device)
            .filter(state.membership.isMember)
        effect.destroyedPhotoCount = after.discardedPhotos.subtracting(state.discardedPhotos).count
        effect.cutHeadCount = revocations.reduce(0) { $0 + max(0, $1.heads.count - Limits.headsMax * Limits.headsMax) }
        return effect
    }
}

extension EventState {
    fileprivate var discardedPhotos: Set<OperationID> {
        Set(withdrawals.filter { $0.value == .discarded && album.author(of: PhotoID($0.key)) != nil }.keys)
    }

    /// The photos that are shown.
    fileprivate var shownPhotos: [PhotoID: Photo] {
        var shown: [PhotoID: Photo] = [:]
        for photo in photos { if case .frame = photo.status { shown[photo.id] = photo } }
        return shown
    }
}
