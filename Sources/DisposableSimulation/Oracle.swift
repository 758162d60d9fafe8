// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel

/// The rules of the fold once more, as slow, obvious code over the whole set: parties, and the tests of the model,
/// compare the incremental fold with it.
package final class Oracle {
    let operations: [VerifiedOperation]
    let eventKey: DeviceID
    private(set) var known: [OperationID: VerifiedOperation] = [:]
    /// Grouped once, because most rules ask for the joins of a device.
    private let joins: [DeviceID: [VerifiedOperation]]
    /// The revocations that count, found rank by rank.
    private var revocations: [VerifiedOperation] = []
    private var inside: Set<DeviceID> = []
    private var guests: [DeviceID: AuthorID] = [:]
    /// The epoch operations of devices that were ever made organizers.
    private(set) lazy var epochs = operations.filter { epoch in
        guard case .epoch? = epoch.content else { return false }
        return epoch.header.device == eventKey || wasMadeOrganizer(epoch.header.device)
    }
    private(set) lazy var firstCharter: VerifiedOperation? =
        operations
        .filter { $0.kind == .charter && $0.header.device == eventKey }.min { $0.id < $1.id }
    package private(set) lazy var charter: Charter? = foldCharter()
    /// Results about edits of the charter.
    var edits = EditResults()

    package init(_ operations: [VerifiedOperation], eventKey: VerifyingKey) {
        self.operations = operations
        self.eventKey = DeviceID(eventKey)
        for operation in operations { known[operation.id] = operation }
        joins = Dictionary(grouping: operations.filter { $0.kind == .join }, by: \.header.device)
        for rank in [Rank.eventKey, .organizer, .moderator] { revocations += countingRevocations(statedAs: rank) }
        inside = [self.eventKey]
        var isChanged = true
        while isChanged {
            let before = inside
            for join in joins.values.joined() where isCounting(join: join) { inside.insert(join.header.device) }
            isChanged = inside != before
        }
        for device in inside {
            guests[device] = joins(of: device).filter { isCounting(join: $0) }.compactMap(guest).min()
        }
    }

    // Joins

    func sponsor(_ operation: VerifiedOperation) -> DeviceID? {
        if case .join(let admission, _)? = operation.content { admission.sponsor } else { nil }
    }

    func guest(_ operation: VerifiedOperation) -> AuthorID? {
        if case .join(_, let delegation?)? = operation.content { delegation.guest } else { nil }
    }

    func isCounting(join: VerifiedOperation) -> Bool {
        guard let sponsor = sponsor(join), inside.contains(sponsor) else { return false }
        return isLeft(join: join, by: sponsor)
    }

    /// A join without a delegation is not void because its device is a sub-key, unless the revocation knows it as one.
    func isLeft(join: VerifiedOperation, by sponsor: DeviceID) -> Bool {
        let own = revocations.filter {
            guest(join) == nil ? endsEntry($0, join.header.device) : concerns($0, join.header.device)
        }
        return (own + revocations.filter { endsEntry($0, sponsor) }).allSatisfy { leaves(join, $0) }
    }

    /// Whether the revocation concerns the device's own admission, and the joins that it sponsors.
    private func endsEntry(_ revocation: VerifiedOperation, _ device: DeviceID) -> Bool {
        guard concerns(revocation, device) else { return false }
        return revocation.kind == .revokeDevice && revocation.header.subject.bytes32 == device.bytes32
            || joins(of: device).contains { join in
                let isOfIt =
                    sponsor(join)?.bytes32 == revocation.header.subject.bytes32
                    || revocation.kind == .revokeDevice && guest(join)?.bytes32 == revocation.header.subject.bytes32
                return guest(join) != nil && isOfIt && leaves(join, revocation)
            }
    }

    func joins(of device: DeviceID) -> [VerifiedOperation] { joins[device] ?? [] }

    private func isSubKey(_ device: DeviceID) -> Bool { joins(of: device).contains { guest($0) != nil } }

    // Ranks, from the top down

    func grants(_ role: Role, to key: Bytes32) -> [VerifiedOperation] {
        operations.filter {
            $0.kind == .grant && $0.header.subject.bytes32 == key && $0.header.argument == UInt64(role.rawValue)
                && isOrganizersAct($0)
        }
    }

    private func isOrganizersAct(_ operation: VerifiedOperation) -> Bool {
        let device = operation.header.device
        return device == eventKey
            || (wasMadeOrganizer(device)
                && revocations(of: device.bytes32, .organizer, from: .eventKey).allSatisfy { leaves(operation, $0) })
    }

    private func revocations(of key: Bytes32, _ role: Role, orDevice: Bool = true, from rank: Rank = .moderator)
        -> [VerifiedOperation]
    {
        revocations.filter {
            $0.header.subject.bytes32 == key && rankOfRevoker[$0.id]! >= rank
                && ($0.kind == .revokeDevice ? orDevice : $0.header.argument == UInt64(role.rawValue))
        }
    }

    private var rankOfRevoker: [OperationID: Rank] = [:]

    func wasMadeOrganizer(_ device: DeviceID) -> Bool {
        guard !isSubKey(device) else { return false }
        return joins(of: device).contains { sponsor($0) == eventKey }
            || operations.contains {
                $0.kind == .grant && $0.header.device == eventKey && $0.header.subject.bytes32 == device.bytes32
                    && $0.header.argument == UInt64(Role.organizer.rawValue)
            }
    }

    private func isOrganizer(_ device: DeviceID) -> Bool {
        wasMadeOrganizer(device) && revocations(of: device.bytes32, .organizer, from: .eventKey).isEmpty
    }

    func wasMadeModerator(_ device: DeviceID) -> Bool {
        !isSubKey(device) && !grants(.moderator, to: device.bytes32).isEmpty
    }

    private func isModerator(_ device: DeviceID) -> Bool {
        wasMadeModerator(device) && revocations(of: device.bytes32, .moderator, from: .organizer).isEmpty
    }

    package func rank(ofAct operation: VerifiedOperation) -> Rank {
        let device = operation.header.device
        if device == eventKey { return .eventKey }
        if isOrganizersAct(operation) { return .organizer }
        // Checked only once the organizers are known.
        guard isOrganizerKnown, wasMadeModerator(device),
            revocations(of: device.bytes32, .moderator, from: .organizer).allSatisfy({ leaves(operation, $0) })
        else { return .participant }
        return .moderator
    }

    private var isOrganizerKnown = false

    private func rank(of device: DeviceID) -> Rank {
        if device == eventKey { return .eventKey }
        if isOrganizer(device) { return .organizer }
        return isOrganizerKnown && isModerator(device) ? .moderator : .participant
    }

    private func countingRevocations(statedAs rank: Rank) -> [VerifiedOperation] {
        isOrganizerKnown = rank == .moderator
        defer { isOrganizerKnown = true }
        let standing = operations.filter { revocation in
            guard revocation.kind == .revokeRole || revocation.kind == .revokeDevice,
                self.rank(ofAct: revocation) == rank,
                self.rank(of: DeviceID(revocation.header.subject.bytes32)) < rank
            else { return false }
            if revocation.kind == .revokeRole {
                guard let role = Role(rawValue: UInt8(revocation.header.argument)), role != .participant,
                    rank >= role.grantedBy
                else { return false }
            }
            return !operations.contains { cancels($0, revocation, revokedAs: rank) }
        }
        let latest = standing.filter { revocation in
            !standing.contains { other in
                other.header.device == revocation.header.device && other.header.subject == revocation.header.subject
                    && other.kind == revocation.kind
                    && (other.kind == .revokeDevice || other.header.argument == revocation.header.argument)
                    && (other.header.sequence > revocation.header.sequence
                        || (other.header.sequence == revocation.header.sequence && other.id < revocation.id))
            }
        }
        for revocation in latest { rankOfRevoker[revocation.id] = rank }
        return latest
    }

    private func cancels(_ grant: VerifiedOperation, _ revocation: VerifiedOperation, revokedAs rank: Rank) -> Bool {
        guard grant.kind == .grant, case .grant(let cancels, _)? = grant.content, cancels.contains(revocation.id),
            grant.header.subject == revocation.header.subject,
            let role = Role(rawValue: UInt8(clamping: grant.header.argument)),
            revocation.kind == .revokeDevice || revocation.header.argument == grant.header.argument
        else { return false }
        return self.rank(ofAct: grant) >= max(rank, role.grantedBy)
    }

    /// The ranks of the members.
    package var ranks: [DeviceID: Rank] {
        var ranks: [DeviceID: Rank] = [:]
        for device in inside where device != eventKey && revocations.allSatisfy({ !concerns($0, device) }) {
            ranks[device] = rank(of: device)
        }
        return ranks
    }

    /// The devices with a leave that counts.
    package var gone: Set<DeviceID> {
        Set(operations.filter { $0.kind == .leave && counts($0) }.map(\.header.device))
    }

    package var pages: Set<DeviceID> {
        let gone = gone
        return Set(
            ranks.keys.filter { device in
                !gone.contains(device) && (rank(of: device) == .organizer || !grants(.page, to: device.bytes32).isEmpty)
                    && revocations(of: device.bytes32, .page, orDevice: false).isEmpty
            })
    }

    func isUnlimited(_ author: AuthorID) -> Bool {
        let key = author.bytes32
        if wasMadeOrganizer(DeviceID(key)), revocations(of: key, .organizer, orDevice: false).isEmpty { return true }
        return !grants(.photographer, to: key).isEmpty && revocations(of: key, .photographer, orDevice: false).isEmpty
    }

    // Void operations

    /// Whether one of a revocation's heads is the operation or follows it.
    private func leaves(_ operation: VerifiedOperation, _ revocation: VerifiedOperation) -> Bool {
        guard case .revocation(let heads)? = revocation.content else { return false }
        return heads.flatMap(named).contains { head in
            var next = known[head]
            while let current = next {
                if current.id == operation.id { return true }
                let before = known[current.header.previous]
                let isProven =
                    before?.header.device == current.header.device && before?.header.set == current.header.set
                    && before.map { $0.header.sequence + 1 } == current.header.sequence
                next = isProven ? before : nil
            }
            return false
        }
    }

    /// Returns the operations that a head names: a list stands for its entries, except for lists.
    private func named(by head: OperationID) -> [OperationID] {
        guard case .list(let ids)? = known[head]?.content else { return [head] }
        return ids.filter { known[$0]?.kind != .list }
    }

    /// Whether a removal discards the body of the operation.
    package func isDiscarded(_ operation: VerifiedOperation) -> Bool {
        guard operation.header.bodyByteCount > 0, operation.kind?.foldReadsBody != true else { return false }
        let device = operation.header.device
        return revocations.contains { revocation in
            guard revocation.kind == .revokeDevice, revocation.header.argument == 1, !leaves(operation, revocation),
                device.bytes32 == revocation.header.subject.bytes32
                    || joins(of: device).contains(where: { guest($0)?.bytes32 == revocation.header.subject.bytes32 }),
                case .revocation(let heads)? = revocation.content
            else { return false }
            return heads.flatMap(named).allSatisfy { isProof($0, ofContentOf: device) }
        }
    }

    /// Whether the head is known with, for the device's content, everything that it follows.
    private func isProof(_ head: OperationID, ofContentOf device: DeviceID) -> Bool {
        guard var current = known[head] else { return false }
        guard current.header.device == device, current.header.set == .content else { return true }
        while current.header.previous != .none {
            guard let before = known[current.header.previous] else { return false }
            guard before.header.device == device, before.header.set == .content,
                before.header.sequence + 1 == current.header.sequence
            else { return true }
            current = before
        }
        return true
    }

    private func concerns(_ revocation: VerifiedOperation, _ device: DeviceID) -> Bool {
        let key = revocation.header.subject.bytes32
        if isCutFromPage(revocation, device) { return true }
        guard revocation.kind == .revokeDevice else { return false }
        return device.bytes32 == key || joins(of: device).contains { guest($0)?.bytes32 == key }
    }

    private func isCutFromPage(_ revocation: VerifiedOperation, _ device: DeviceID) -> Bool {
        guard revocation.kind == .revokeDevice || revocation.header.argument == UInt64(Role.page.rawValue) else {
            return false
        }
        return joins(of: device).contains {
            guest($0) != nil && sponsor($0)?.bytes32 == revocation.header.subject.bytes32
        }
    }

    private func isLeft(_ operation: VerifiedOperation) -> Bool {
        revocations.filter { concerns($0, operation.header.device) }.allSatisfy { leaves(operation, $0) }
    }

    package func counts(_ operation: VerifiedOperation) -> Bool {
        operation.header.device != eventKey && inside.contains(operation.header.device) && isLeft(operation)
    }

    // Photos

    func author(of operation: VerifiedOperation) -> AuthorID {
        guests[operation.header.device] ?? AuthorID(operation.header.device)
    }

    func extraFrames(of author: AuthorID) -> UInt64 {
        operations.filter {
            $0.kind == .frames && $0.header.subject.bytes32 == author.bytes32 && rank(ofAct: $0) >= .organizer
        }.map(\.header.argument).reduce(0, +)
    }

    /// Returns every claim on a photo that counts.
    func claims(of photo: VerifiedOperation) -> [VerifiedOperation] {
        operations.filter {
            $0.kind == .claim && author(of: $0) == author(of: photo) && $0.header.subject == photo.id
                && $0.header.argument > 0 && counts($0)
        }
    }

    func isWithdrawn(_ photo: VerifiedOperation) -> PhotoStatus? {
        let said = operations.filter { $0.header.subject == photo.id }
        let removes = said.filter { remove in
            remove.kind == .remove && author(of: remove) == author(of: photo)
                && revocations.filter { isCutFromPage($0, remove.header.device) }.allSatisfy { leaves(remove, $0) }
        }
        if !removes.isEmpty { return .removed }
        if said.contains(where: { $0.kind == .erase && rank(ofAct: $0) >= .organizer }) { return .erased }
        let unhidden = said.filter { $0.kind == .unhide && rank(ofAct: $0) >= .moderator }
            .flatMap { unhide -> [OperationID] in
                if case .unhide(let hides)? = unhide.content { hides } else { [] }
            }
        let isHidden = said.contains {
            $0.kind == .hide && rank(ofAct: $0) >= .moderator && !unhidden.contains($0.id)
        }
        return isHidden ? .hidden : nil
    }

    package private(set) lazy var statuses: [PhotoID: PhotoStatus] = {
        let photos = operations.filter { $0.kind == .photo && counts($0) }
        let claims = Dictionary(uniqueKeysWithValues: photos.map { ($0.id, self.claims(of: $0)) })
        let (approval, veiled, received) = (approvalRule, veiledPhotos, receivedFrames)
        let holders = ticketHolders
        var statuses: [PhotoID: PhotoStatus] = [:]
        for photo in photos {
            let author = author(of: photo)
            let lacksTicket = !isUnlimited(author) && holders?.contains(author) == false
            let isEndless = isUnlimited(author) || charter?.frames == 0 && !lacksTicket
            let more = extraFrames(of: author) + (received[author] ?? 0)
            let limit = isEndless ? UInt64.max : quota(on: photo).map { (lacksTicket ? 0 : $0) + more } ?? 0
            let rivals = photos.filter { self.author(of: $0) == author }.flatMap { claims[$0.id]! } + gifts(by: author)
            let slots = claims[photo.id]!.filter { claim in
                rivals.filter { $0.header.argument == claim.header.argument }
                    .allSatisfy { ($0.header.sequence, $0.id) >= (claim.header.sequence, claim.id) }
            }.map(\.header.argument)
            let framed: PhotoStatus = slots.min().map { $0 <= limit ? .frame($0) : .waiting } ?? .waiting
            let isTimely = isUnlimited(author) || isWithin(photo)
            let placed = isTimely ? framed : .waiting
            guard case .frame(let slot) = placed else {
                statuses[PhotoID(photo.id)] = isWithdrawn(photo) ?? placed
                continue
            }
            let held: PhotoStatus? =
                needsApproval(photo, under: approval) ? .pending(slot) : veiled.contains(photo.id) ? .veiled(slot) : nil
            statuses[PhotoID(photo.id)] = isWithdrawn(photo) ?? held ?? placed
        }
        return statuses
    }()
}
