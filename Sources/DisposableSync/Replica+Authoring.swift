// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// Commands of this node: checked, signed, stored, and only then effective here and sent.
extension Replica {
    /// Signs the next waiting command, unless an earlier one is still being stored, and not faster than others accept.
    mutating func authorNext() {
        while let (statement, key, ticket) = authoring.next(at: now.milliseconds) {
            do throws(Refusal) {
                let operations = try operations(for: statement, by: key ?? identity.deviceKey)
                guard !operations.isEmpty else {
                    outputs.append(.authored(ticket, []))
                    continue
                }
                store(operations, of: ticket, isCharged: true)
            } catch {
                outputs.append(.refused(ticket, error))
            }
        }
    }

    /// Stores the first part of a command or of this device's join.
    mutating func store(_ operations: [VerifiedOperation], of ticket: Ticket, isCharged: Bool) {
        let part = authoring.begin(operations, of: ticket, isCharged: isCharged, at: now.milliseconds)
        outputs.append(.persist(part, durably: true, ticket))
    }

    /// Handles a stored part of the present command.
    mutating func persisted(own operations: [VerifiedOperation], of ticket: Ticket) {
        let (regarded, hasNewRanks) = enter(operations)
        for operation in operations { note(blobsOf: operation) { _ in .complete } }
        authoring.lostFrames.follow(operations, areForeign: false, state.membership)
        let change = self.change(by: operations, regarded: regarded, hasNewRanks: hasNewRanks)
        followInterest(change)
        outputs.append(.changed(.album(change)))
        if changesMessages(operations) { outputs.append(.changed(.messages)) }
        let isJoin = isOwnJoin(operations)
        if isJoin { announceOwnJoin() } else { push(operations) }
        switch authoring.advance() {
        case .store(let part): outputs.append(.persist(part, durably: true, ticket))
        case .finished(let ids): if !isJoin { outputs.append(.authored(ticket, ids)) }
        }
    }

    /// Whether the operations are a join of this device, which is not a command.
    func isOwnJoin(_ operations: [VerifiedOperation]) -> Bool {
        operations.first?.kind == .join && operations.first?.header.device == device
    }

    private func check(_ author: AuthorID, mayTakeBack photo: PhotoID) throws(Refusal) {
        guard let owner = state.album.author(of: photo) ?? state.album.remark(photo.operationID)?.author else {
            throw .unknownPhoto(photo.short)
        }
        guard owner == author else { throw .notYours(photo) }
        guard !state.album.isRemoved(photo, by: author) else { throw .alreadyRemoved(photo) }
    }

    mutating func operations(
        for statement: Statement, by key: SigningKey
    ) throws(Refusal) -> [VerifiedOperation] {
        try checkStanding(of: self.device)
        guard state.charter != nil else { throw .notAdmitted }
        guard !mustReconcile || isAloneInEvent else { throw .notReconciled }
        let device = DeviceID(key.verifyingKey)
        let author = state.membership.author(of: device)
        var signer = authoring.chains.signer(
            for: key, of: state.event, wallClockMilliseconds: now.wallClockMilliseconds)
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
                let wait = admissions.admitGuest(at: now.milliseconds)
            {
                throw .tooManyGuests(seconds: Int((wait + 999) / 1_000))
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
        case .photo(let body, let originalBody, let captionBody, let mission):
            let photo = try signer.sign(Draft(kind: .photo, body: body))
            let time = photo.header.timestamp.milliseconds
            try check(time: time, of: author, Charter.toleranceMilliseconds)
            if let now = corroboratedTime { try check(time: now, of: author, Charter.toleranceMilliseconds) }
            let limit = state.rollLimit(of: author, at: time)
            guard let slot = state.album.freeSlots(of: author, count: 1, limit: limit).first else {
                throw state.lacksTicket(author) ? .noTicket(.missing) : .rollFull(limit: limit ?? 0)
            }
            _ = try signer.sign(Draft(kind: .claim, subject: photo.id, argument: slot))
            _ = try signer.sign(Draft(kind: .original, subject: photo.id, body: originalBody))
            if let captionBody { _ = try signer.sign(Draft(kind: .caption, subject: photo.id, body: captionBody)) }
            // A mission that an organizer has just removed is no reason to refuse the photo.
            if let mission, let answer = answer(of: photo.id, to: mission) { _ = try signer.sign(answer) }
        case .remove(let photo):
            try check(author, mayTakeBack: photo)
            _ = try signer.sign(Draft(kind: .remove, subject: photo.operationID))
        case .give(let count, let recipient, let left):
            for draft in try gifts(count, to: recipient, by: author, left: left) { _ = try signer.sign(draft) }
        case .listTickets(let keys, let first, let salt):
            for draft in try lists(of: keys, first: first, salt: salt, by: device) { _ = try signer.sign(draft) }
        case .useTicket(let ticket, let body):
            guard let draft = try use(of: ticket, body: body, by: author) else { return [] }
            _ = try signer.sign(draft)
        case .confirmTickets: for draft in confirmations(by: device) { _ = try signer.sign(draft) }
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
                throw .noRevealKey
            }
            _ = try signer.sign(Draft(kind: .reveal, body: OperationBody.encode(.reveal(secret), salt: salt)))
        case .deal(let index, let recipient, let body):
            _ = try signer.sign(try deal(of: index, to: recipient, body: body, by: device))
        case .releaseShares(let shares, let salt):
            for draft in try releases(of: shares, salt: salt) { _ = try signer.sign(draft) }
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
}
