// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Operations: signed by this node, received from peers, stored, and only then effective here and passed on.
extension Replica {
    // Own commands

    /// Signs the next waiting command, unless an earlier one is still being stored, and not faster than others accept.
    mutating func authorNext() {
        while authoring.isEmpty, mayAuthorAt <= now.milliseconds, let (statement, key, ticket) = statements.popFirst() {
            do throws(AuthoringError) {
                let operations = try operations(for: statement, by: key ?? identity.deviceKey)
                guard !operations.isEmpty else {
                    outputs.append(.authored(ticket, []))
                    continue
                }
                authorAllowance.spend(operations.count, at: now.milliseconds)
                persist(ArraySlice(operations), of: ticket)
            } catch {
                outputs.append(.refused(ticket, error))
            }
        }
    }

    /// Stores the first operations of a command; the others follow once they are stored. Most commands fit into one
    /// part.
    private mutating func persist(_ operations: ArraySlice<VerifiedOperation>, of ticket: Ticket) {
        let part = Array(operations.prefix(Limits.operationsPerMessageMax))
        authoring[ticket] = part
        unwritten = operations.dropFirst(part.count)
        outputs.append(.persist(part, durably: true, ticket))
    }

    private func check(_ author: AuthorID, mayTakeBack photo: PhotoID) throws(AuthoringError) {
        guard let owner = state.album.author(of: photo) ?? state.album.remark(photo.operationID)?.author else {
            throw .unknownPhoto(photo)
        }
        guard owner == author else { throw .notTheAuthor(photo) }
        guard !state.album.isRemoved(photo, by: author) else { throw .alreadyRemoved(photo) }
    }

    mutating func operations(
        for statement: Statement, by key: SigningKey
    ) throws(AuthoringError) -> [VerifiedOperation] {
        try checkStanding(of: self.device)
        guard state.charter != nil else { throw .notAdmitted }
        guard !mustReconcile || isAloneInEvent else { throw .notReconciled }
        let device = DeviceID(key.verifyingKey)
        let author = state.membership.author(of: device)
        var signer = ChainSigner(
            chains: chains[device] ?? [:], clock: clock, event: state.event, key: key,
            wallClockMilliseconds: now.wallClockMilliseconds)
        if case .remove = statement {
        } else if [self.device, device].contains(where: state.membership.hasLeft) {
            throw .hasLeft
        }
        if case .join(let body) = statement {
            guard !state.membership.isMember(device) else { return [] }
            let join = try signer.sign(Draft(kind: .join, body: body))
            // A guest that is a member already, at any node, costs nobody anything.
            if case .join(_, let delegation) = join.content,
                delegation.map({ state.membership.isAuthor($0.guest) }) != true,
                let wait = admissionPace.admitGuest(at: now.milliseconds)
            {
                throw .tooManyGuests(milliseconds: wait)
            }
            return signer.signed
        }
        try checkStanding(of: device)
        switch statement {
        case .join: break
        case .name(let body):
            _ = try signer.sign(Draft(kind: .name, body: body))
        case .say(let saying, let salt):
            _ = try signer.sign(try draft(for: saying, by: device, author: author, salt: salt))
        case .photo(let body, let originalBody, let captionBody):
            let limit = state.rollLimit(of: author)
            guard let slot = state.album.freeSlots(of: author, count: 1, limit: limit).first else {
                throw .rollFull(limit: limit ?? 0)
            }
            let photo = try signer.sign(Draft(kind: .photo, body: body))
            _ = try signer.sign(Draft(kind: .claim, subject: photo.id, argument: slot))
            _ = try signer.sign(Draft(kind: .original, subject: photo.id, body: originalBody))
            if let captionBody { _ = try signer.sign(Draft(kind: .caption, subject: photo.id, body: captionBody)) }
        case .remove(let photo):
            try check(author, mayTakeBack: photo)
            _ = try signer.sign(Draft(kind: .remove, subject: photo.operationID))
        case .consent(let text):
            guard text == state.consentText?.id else { throw .otherConsentText }
            guard !state.hasConsented(author) else { return [] }
            _ = try signer.sign(Draft(kind: .consent, subject: text))
        case .leave: _ = try signer.sign(Draft(kind: .leave))
        case .rule(let ruling, let salt):
            try sign(ruling, by: device, salt: salt, with: &signer)
        case .edit(let fields, let charter, let salt):
            for draft in try edits(of: fields, to: charter, by: device, salt: salt) { _ = try signer.sign(draft) }
        case .reveal(let secret, let salt):
            guard let charter = state.charter, charter.revealKey != .zero, state.revealID == nil else {
                throw .nothingToDo
            }
            var scalar = secret.bytes
            guard AgreementKey(scalar: SecretBytes(consuming: &scalar)).publicKey.bytes32 == charter.revealKey else {
                throw .wrongRevealKey
            }
            _ = try signer.sign(Draft(kind: .reveal, body: OperationBody.encode(.reveal(secret), salt: salt)))
        case .keyRelease(let photo, let body):
            try check(author, mayTakeBack: photo)
            guard !state.isOpen(photo) else { return [] }
            _ = try signer.sign(Draft(kind: .keyRelease, subject: photo.operationID, body: body))
        case .reclaim: for draft in reclaims(of: author) { _ = try signer.sign(draft) }
        case .rotate(let entropy):
            let drafts = try epochDrafts(entropy, by: device)
            let epoch = try signer.sign(drafts.first)
            for body in drafts.additions {
                _ = try signer.sign(
                    Draft(kind: .epoch, subject: epoch.id, argument: EpochDrafts.addition, body: body))
            }
        case .admit(let newcomer, let entropy):
            _ = try signer.sign(try admissionDraft(of: newcomer, entropy, by: device))
        }
        return signer.signed
    }

    // Operations of others

    /// Handles operations from a peer: drops known ones, keeps those that must wait, verifies the rest.
    ///
    /// A peer that is no member (yet) may send members' operations, and joins; its other operations are dropped.
    mutating func receive(_ operations: [UncheckedOperation], from connection: ConnectionID) {
        guard let peer = peers[connection] else { return }
        charge(operations, connection)
        // Before any of them is recorded as being verified, which would then never end.
        guard operations.allSatisfy({ $0.header.event == state.event }) else {
            close(connection, .malformed)
            return
        }
        noteEpochs(operations, from: connection)
        let isTrusted = trusts(peer)
        var unchecked: [UncheckedOperation] = []
        var settled: [OperationID] = []
        for operation in operations {
            if let senders = inProgress[operation.id] {
                if !senders.contains(connection) { inProgress[operation.id]?.append(connection) }
                continue
            }
            if isKnown(operation) {
                told[operation.id]?.append(connection)
                settled.append(operation.id)
            } else if !hasSpace(for: operation) {
                peers[connection]?.hasMissedOperations = true
                settled.append(operation.id)
            } else if isAdmissible(operation) {
                if peer.operationsInProgressCount + unchecked.count >= Limits.operationsInProgressMax {
                    peers[connection]?.hasMissedOperations = true
                    settled.append(operation.id)
                } else if isPaid(operation, from: connection) {
                    inProgress[operation.id] = [connection]
                    unchecked.append(operation)
                } else {
                    settled.append(operation.id)
                }
            } else if isTrusted || operation.header.kind == OperationKind.join.rawValue {
                peers[connection]?.keep(orphan: operation)
                settled.append(operation.id)
            }
        }
        verify(unchecked, from: connection)
        if !settled.isEmpty { settleSessions(having: settled) }
    }

    func isKnown(_ operation: UncheckedOperation) -> Bool {
        guard isHere(operation) else { return false }
        // An operation that arrived without its body is new again when the body arrives.
        return operation.body == nil || diskSpace < .noBlobs || !missingBodies.contains(operation.id)
    }

    private func isHere(_ operation: UncheckedOperation) -> Bool {
        items[operation.header.set]!.contains(item(operation.header, operation.id))
    }

    /// Whether the operation is verified now; otherwise it waits. A missing body was charged with its operation.
    private mutating func isPaid(_ operation: UncheckedOperation, from connection: ConnectionID) -> Bool {
        guard let peer = peers[connection], !peer.room.contains(operation.id) else { return false }
        if isHere(operation) || pays(for: operation, from: connection, mayUseLane: peer.room.isEmpty) { return true }
        wait(operation, from: connection)
        return false
    }

    private func isAdmissible(_ operation: UncheckedOperation) -> Bool {
        if operation.header.kind == OperationKind.join.rawValue, case .join(let admission, _) = operation.content {
            return state.membership.mayAuthor(admission.sponsor)
        }
        return state.membership.mayAuthor(operation.header.device)
    }

    mutating func verify(_ operations: [UncheckedOperation], from connection: ConnectionID?) {
        guard !operations.isEmpty else { return }
        let ticket = newTicket()
        for operation in operations where inProgress[operation.id] == nil {
            inProgress[operation.id] = [connection].compactMap(\.self)
        }
        if let connection { peers[connection]?.operationsInProgressCount += operations.count }
        verifying[ticket] = (operations.map(\.id), connection)
        outputs.append(.verify(operations, ticket))
    }

    mutating func verified(_ ticket: Ticket, _ results: [VerifiedOperation?]) {
        guard let (ids, source) = verifying.removeValue(forKey: ticket) else { return }
        let operations = results.compactMap(\.self).map(withoutWithdrawnBody).map(withoutUnneededBody)
        if operations.count < ids.count {
            let valid = Set(operations.map(\.id))
            let invalid = ids.filter { !valid.contains($0) }
            for id in invalid {
                inProgress[id] = nil
                refund(id)
            }
            if let source { close(source, .malformed) }
            wantAgain(invalid)
        }
        guard !operations.isEmpty else { return }
        if let source, checked[source] != nil {
            checked[source]!.append(contentsOf: operations)
        } else {
            persist(operations, from: source)
        }
    }

    private mutating func persist(_ operations: [VerifiedOperation], from source: ConnectionID?) {
        let ticket = newTicket()
        if let source, checked[source] == nil { checked[source] = [] }
        persisting[ticket] = (operations, source)
        outputs.append(.persist(operations, durably: false, ticket))
    }

    /// Continues with the operations that were verified while earlier ones of the connection were being stored.
    private mutating func persistChecked(from source: ConnectionID) {
        let next = checked[source].map { Array($0.prefix(Limits.operationsPerMessageMax)) } ?? []
        guard !next.isEmpty else {
            checked[source] = nil
            return
        }
        checked[source]?.removeFirst(next.count)
        persist(next, from: source)
    }

    // After storing

    mutating func persisted(_ ticket: Ticket) {
        if registerKept(ticket, isStored: true) { return }
        if let operations = authoring.removeValue(forKey: ticket) {
            enter(operations)
            for operation in operations { note(blobsOf: operation) { _ in .complete } }
            noteSlots(operations, areForeign: false)
            let change = change(by: operations)
            followInterest(change)
            outputs.append(.changed(.album(change)))
            if isOwnJoin(operations) {
                announceOwnJoin()
            } else {
                push(operations)
                authored += operations.map(\.id)
                if unwritten.isEmpty {
                    outputs.append(.authored(ticket, authored))
                    authored = []
                } else {
                    persist(unwritten, of: ticket)
                }
            }
        } else if let (operations, source) = persisting.removeValue(forKey: ticket) {
            for operation in operations { told[operation.id] = inProgress.removeValue(forKey: operation.id) }
            enter(operations)
            for operation in operations { note(blobsOf: operation) { _ in .absent } }
            let change = change(by: operations)
            followInterest(change)
            relay(operations)
            outputs.append(.changed(.album(change)))
            noteForeign(operations)
            noteSlots(operations, areForeign: true)
            settleSessions(having: operations.map(\.id))
            noteEqualSets()
            if operations.contains(where: { $0.kind == .join }) { releaseOrphans() }
            if let source {
                persistChecked(from: source)
                finish(operations.count, from: source)
            }
        } else {
            return
        }
        trustChanged()
    }

    /// Returns the changes of the album by `operations`, which have just entered.
    private func change(by operations: [VerifiedOperation]) -> AlbumChange {
        var photos: OrderedSet<PhotoID> = []
        for operation in operations {
            let header = operation.header
            let author = state.membership.author(of: header.device)
            switch operation.kind {
            case .photo: photos.append(PhotoID(operation.id))
            case .remove, .hide, .unhide, .erase:
                guard let remark = state.album.remark(header.subject) else {
                    photos.append(PhotoID(header.subject))
                    continue
                }
                guard let photo = remark.photo else { return .everything }
                photos.append(photo)
            case .original, .keyRelease, .caption, .comment, .reaction: photos.append(PhotoID(header.subject))
            case .claim:
                // Another photo may have lost the frame, or all photos of the author may have other frames.
                if state.album.isContested(header.argument, of: author) { return .everything }
                photos.append(PhotoID(header.subject))
            case .name: photos.append(contentsOf: state.album.photos(by: author))
            case .charter, .edit, .grant, .revokeRole, .revokeDevice, .reveal, .leave, .epoch, .frames, .notice:
                return .everything
            case .list:
                // A revocation that arrived earlier may leave more from now on.
                return .everything
            case .join, .consent, nil: break
            }
        }
        return .photos(Array(photos))
    }

    /// Counts processed operations of a peer. If some were dropped meanwhile, looks for them now.
    private mutating func finish(_ count: Int, from connection: ConnectionID) {
        guard peers[connection] != nil else { return }
        peers[connection]!.operationsInProgressCount -= count
        guard peers[connection]!.operationsInProgressCount == 0, peers[connection]!.hasMissedOperations,
            peers[connection]!.session == nil, peers[connection]!.room.isHalfEmpty, diskSpace > .noOperations
        else { return }
        let dueAt = peers[connection]!.reconciliationDueAt
        guard now.milliseconds >= dueAt else {
            peers[connection]!.pingDueAt = min(peers[connection]!.pingDueAt, dueAt)
            return watch(connection)
        }
        peers[connection]!.hasMissedOperations = false
        beginReconciliation(with: connection)
    }

    /// Whether the operations are a join of this device, which is not a command.
    private func isOwnJoin(_ operations: [VerifiedOperation]) -> Bool {
        operations.first?.kind == .join && operations.first?.header.device == device
    }

    mutating func persistFailed(_ ticket: Ticket) {
        if registerKept(ticket, isStored: false) { return }
        if let operations = authoring.removeValue(forKey: ticket) {
            // A join is signed again from the next admission. The stored parts of another command stay: if it is
            // repeated, only the missing operations are added.
            if !isOwnJoin(operations) { outputs.append(.refused(ticket, .notStored)) }
            (authored, unwritten) = ([], [])
        } else if let (operations, source) = persisting.removeValue(forKey: ticket) {
            // Not stored after all; the next reconciliation finds them again.
            for operation in operations {
                inProgress[operation.id] = nil
                refund(operation.id)
            }
            if let source { persistChecked(from: source) }
            guard let source, let peer = peers[source] else { return }
            peers[source]?.pingDueAt = min(
                peer.pingDueAt, now.milliseconds + UInt64(Limits.reconciliationPauseMilliseconds))
            watch(source)
            finish(operations.count, from: source)
        }
    }

    /// Adds the operations to the sets and to the state, which is derived once for all of them.
    private mutating func enter(_ operations: [VerifiedOperation]) {
        var new: [VerifiedOperation] = []
        for operation in operations {
            if items[operation.header.set]!.insert(item(operation.header, operation.id)) {
                new.append(operation)
            } else {
                if operation.body != nil { followBody(operation) }
                refund(operation.id)
            }
        }
        let change = state.apply(new)
        followWithdrawals(new, change)
        standingChanged(change)
        releaseOriginals(by: change.authors)
        if change.isOfRanks {
            // Joins arrive without end, and hardly ever change the tree of another device.
            if new.contains(where: { $0.kind != .join }) {
                trees.standingChanged()
                interests.standingChanged()
                askForDeclined()
            }
            forgetRegistersOfRemoved()
        }
        for operation in new { followChain(operation) }
    }

    /// Updates clocks, own chains and the first joins for an operation that has entered.
    mutating func followChain(_ operation: VerifiedOperation) {
        let header = operation.header
        clock.observe(header.timestamp, wallClockMilliseconds: now.wallClockMilliseconds)
        follow(operation)
        if case .join(let admission, let delegation) = operation.content, joins[header.device] == nil {
            joins[header.device] = Join(
                id: operation.id, sponsor: admission.sponsor, isSubKey: delegation != nil, place: joins.count)
        }
        countEntered(operation)
    }

    /// Updates the ends of the chains that are signed here.
    private mutating func follow(_ operation: VerifiedOperation) {
        let header = operation.header
        // The event key's, too: its holder may sign something with it here.
        var isSignedHere =
            header.device == device || chains[header.device] != nil || header.device == DeviceID(identity.eventKey)
        if case .join(let admission, .some) = operation.content, admission.sponsor == device { isSignedHere = true }
        guard isSignedHere else { return }
        let chain = chains[header.device]?[header.set] ?? Chain()
        // The last sequence number has no successor. No honest node gets that far: another process has the key.
        if header.sequence >= chain.nextSequence, header.sequence < .max {
            chains[header.device, default: [:]][header.set] = Chain(
                nextSequence: header.sequence + 1, latest: operation.id, timestamp: header.timestamp)
        }
        // A sub-key's delegation to this node may be false: its time counts once something is signed after it.
        if header.device == device || header.device == DeviceID(identity.eventKey) { clock.restore(header.timestamp) }
    }

    func item(_ header: OperationHeader, _ id: OperationID) -> ItemSet.Item {
        ItemSet.Item(timestamp: header.timestamp.milliseconds, id: id.bytes32)
    }

    /// Handles orphans again after a device has joined.
    private mutating func releaseOrphans() {
        for (connection, peer) in peers where !peer.orphans.isEmpty {
            let ready = peer.orphans.values.filter(isAdmissible)
            for operation in ready { peers[connection]?.drop(orphan: operation.id) }
            let new = ready.filter { inProgress[$0.id] == nil && !isKnown($0) }
            verify(new.filter { isPaid($0, from: connection) }, from: connection)
        }
    }

    // From the store

    mutating func enqueue(_ ids: [OperationID], to connection: ConnectionID) {
        guard let count = peers[connection]?.outgoing.count else { return }
        if count + ids.count > Limits.outgoingOperationsMax {
            // The next ping shows that something is missing.
            peers[connection]!.outgoing.removeAll()
        } else {
            peers[connection]!.outgoing.append(contentsOf: ids)
        }
        loadOutgoing(to: connection)
    }

    /// Sends more of what waits, while there is room: operations first, then inventories.
    mutating func loadOutgoing(to connection: ConnectionID) {
        guard let peer = peers[connection], !peer.isLoading, peer.hasRoom else { return }
        guard !peer.outgoing.isEmpty else { return sendRegisters(to: connection) }
        let ids = Array(peer.outgoing.prefix(Limits.operationsPerMessageMax))
        peers[connection]!.outgoing.removeFirst(ids.count)
        peers[connection]!.isLoading = true
        let ticket = newTicket()
        loading[ticket] = connection
        outputs.append(.load(ids, ticket))
    }

    mutating func loaded(_ ticket: Ticket, _ operations: [VerifiedOperation]) {
        guard let connection = loading.removeValue(forKey: ticket), peers[connection] != nil else { return }
        peers[connection]?.isLoading = false
        sendOperations(operations, to: connection)
        loadOutgoing(to: connection)
        pingWhenSent(to: connection)
    }

    mutating func sendOperations(_ operations: [VerifiedOperation], to connection: ConnectionID) {
        for message in messages(with: operations) { send(message, to: connection) }
    }

    /// Returns encoded messages, so that operations for many peers are encoded once.
    func messages(with operations: [VerifiedOperation]) -> [[UInt8]] {
        PeerMessage.packing(operations.map { UncheckedOperation(withoutWithdrawnBody($0)) }).map(\.bytes)
    }
}

/// Signs drafts one after the other as they follow in the device's chains, without changing the chains: these advance
/// when the operations are stored.
struct ChainSigner {
    private var chains: [OperationSet: Chain]
    private var clock: HybridClock
    private let event: EventID
    private let key: SigningKey
    private let wallClockMilliseconds: UInt64
    private(set) var signed: [VerifiedOperation] = []

    init(
        chains: [OperationSet: Chain], clock: HybridClock, event: EventID, key: SigningKey,
        wallClockMilliseconds: UInt64
    ) {
        self.chains = chains
        self.clock = clock
        for chain in chains.values { self.clock.restore(chain.timestamp) }
        self.event = event
        self.key = key
        self.wallClockMilliseconds = wallClockMilliseconds
    }

    mutating func sign(_ draft: Draft) throws(AuthoringError) -> VerifiedOperation {
        let chain = chains[draft.kind.set] ?? Chain()
        guard chain.nextSequence < .max else { throw .malformed(.sequenceTooLarge(chain.nextSequence)) }
        do throws(OperationError) {
            let operation = try VerifiedOperation(
                draft: draft, event: event, sequence: chain.nextSequence, previous: chain.latest,
                timestamp: clock.next(wallClockMilliseconds: wallClockMilliseconds), key: key)
            chains[draft.kind.set] = Chain(
                nextSequence: chain.nextSequence + 1, latest: operation.id, timestamp: operation.header.timestamp)
            signed.append(operation)
            return operation
        } catch {
            throw .malformed(error)
        }
    }
}

/// The first operations of an event, signed once by its organizer.
public enum Founding {
    /// Returns the charter by the event key, and the join of the organizer's device.
    /// - Parameters:
    ///   - charterSalt: 16 random bytes.
    ///   - joinSalt: 16 random bytes.
    public static func operations(
        charter: Charter, eventKey: SigningKey, deviceKey: SigningKey, charterSalt: [UInt8], joinSalt: [UInt8],
        wallClockMilliseconds: UInt64
    ) throws(AuthoringError) -> [VerifiedOperation] {
        let event = EventID(key: eventKey.verifyingKey)
        var charterSigner = ChainSigner(
            chains: [:], clock: HybridClock(), event: event, key: eventKey,
            wallClockMilliseconds: wallClockMilliseconds)
        _ = try charterSigner.sign(
            Draft(kind: .charter, body: OperationBody.encode(.charter(charter), salt: charterSalt)))
        let admission = Admission(of: DeviceID(deviceKey.verifyingKey), to: event, by: eventKey)
        var joinSigner = ChainSigner(
            chains: [:], clock: HybridClock(), event: event, key: deviceKey,
            wallClockMilliseconds: wallClockMilliseconds)
        _ = try joinSigner.sign(Draft(kind: .join, body: OperationBody.encode(.join(admission, nil), salt: joinSalt)))
        return charterSigner.signed + joinSigner.signed
    }
}
