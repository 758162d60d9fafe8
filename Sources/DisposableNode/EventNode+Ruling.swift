// SPDX-License-Identifier: Apache-2.0
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire

/// Commands that require a rank, from the command line.
extension EventNode {
    func perform(_ act: ControlAct) async throws -> ControlReply {
        switch act {
        case .grant(let text, let name):
            let (role, member) = (try Role(text: text), try member(named: name))
            try await rule(
                .grant(role, to: member, revealKey: try sealedRevealKey(role, for: member)))
            if role == .organizer { await dealShares() }
            return .ruled(photo: nil, member: ruledMember(member), role: "\(role)")
        case .weighRevocation(let text, let name, let extent):
            return .revoking(
                try preview(of: try role(text, extent), of: try member(named: name), extent))
        case .revoke(let text, let name, let extent, let isConfirmed):
            let (role, member) = (try role(text, extent), try member(named: name))
            if !isConfirmed {
                let preview = try preview(of: role, of: member, extent)
                guard !preview.needsConfirmation else { throw NodeError.harmsOthers(preview) }
            }
            try await rule(
                .revoke(role, of: member, withAdmitted: extent.withAdmitted, everything: extent.everything))
            return .ruled(photo: nil, member: ruledMember(member), role: "\(role)")
        case .hide(let text): return try await rule({ .hide($0) }, about: text)
        case .unhide(let text): return try await rule({ .unhide($0) }, about: text)
        case .erase(let text): return try await rule({ .erase($0) }, about: text)
        case .approve(let texts): return try await approve(texts)
        case .unapprove(let text): return try await rule({ .unapprove($0) }, about: text)
        case .lift(let text): return try await rule({ .lift([$0]) }, about: text)
        case .unlift(let text): return try await rule({ .unlift($0) }, about: text)
        case .liftAdmitted(let since, let isConfirmed):
            return .lifting(isConfirmed ? try await liftVeils(admittedSince: since) : lifting(admittedSince: since))
        case .edit(let parameters, let isConfirmed):
            return .edited(fields: try await edit(parameters, isConfirmed: isConfirmed))
        case .frames(let member, let count): return try await giveFrames(count, to: member)
        case .zone(let member, let name): return try await setZone(name, of: member)
        case .deleteEvent:
            try await delete()
            return .edited(fields: [])
        }
    }

    private func role(_ text: String, _ extent: RemovalExtent) throws -> Role {
        let role = try Role(text: text)
        guard extent == RemovalExtent() || role == .participant else {
            throw NodeError.control("--with-admitted and --everything apply only to the role participant")
        }
        return role
    }

    /// Returns the effect of a revocation by the key that `rule` would use.
    private func preview(
        of role: Role, of member: Grantee, _ extent: RemovalExtent
    ) throws -> RevocationPreview {
        func effect(by key: SigningKey?) throws(Refusal) -> RulingEffect {
            try replica.effect(
                of: role, of: member, withAdmitted: extent.withAdmitted, everything: extent.everything, by: key)
        }
        let found: RulingEffect
        do throws(Refusal) {
            do throws(Refusal) {
                found = try effect(by: nil)
            } catch {
                guard case .rankTooLow = error, let eventKey = store.keys.organizer else { throw error }
                found = try effect(by: eventKey)
            }
        } catch {
            throw NodeError.refused(error)
        }
        return RevocationPreview(found, role, of: member, extent, in: replica.state)
    }

    private func rule(_ act: (PhotoID) -> Ruling, about text: String) async throws -> ControlReply {
        let target = try target(named: text)
        try await rule(act(target))
        return .ruled(photo: target.description, member: nil, role: nil)
    }

    func rule(_ ruling: Ruling) async throws {
        try await rule(.rule(ruling, salt: Entropy.bytes(OperationBody.saltByteCount)))
    }

    /// Signs with this device if its rank suffices, otherwise with the event key, if this node has it.
    @discardableResult
    func rule(_ statement: Statement) async throws -> [OperationID] {
        do {
            return try await author(statement)
        } catch NodeError.refused(.rankTooLow(let needed)) {
            guard let eventKey = store.keys.organizer else {
                throw NodeError.refused(.rankTooLow(needed: needed))
            }
            return try await author(statement, by: eventKey)
        }
    }

    func ruledMember(_ member: Grantee) -> RuledMember {
        let author = AuthorID(member)
        return RuledMember(
            key: member.description, name: replica.state.album.shownName(of: author) ?? author.short)
    }

    /// Returns the device or guest that a person names: by its name, or the start of its key.
    func member(named text: String) throws -> Grantee {
        let state = replica.state
        let matches = state.membership.authors.filter {
            state.album.name(of: $0) == text || (!text.isEmpty && $0.description.hasPrefix(text.lowercased()))
        }
        guard let first = matches.first else { throw NodeError.unknownMember(text) }
        guard matches.count == 1 else { throw NodeError.ambiguousMember(text, matches.map(\.short)) }
        return first.bytes32
    }
}

extension Role {
    fileprivate init(text: String) throws {
        guard let role = Role.allCases.first(where: { "\($0)" == text }) else {
            throw NodeError.control("there is no role \(text)")
        }
        self = role
    }
}
