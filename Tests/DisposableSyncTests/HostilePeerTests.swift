// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Peers that misbehave") struct HostilePeerTests {
    @Test("a peer whose join does not count is shown how this device came in and admitted, and sent nothing else")
    func outsider() throws {
        let puppet = try Puppet(isMember: false, photos: 2)
        puppet.send(.have(Have()))
        puppet.send(.want(puppet.disk.operations.map(\.id), set: .content))
        puppet.send(.reconcile(set: .authority, isInitiator: true, message: [0x61, 0, 0, 2, 0]))
        let name = OperationBody.encode(.name("Anna"), salt: puppet.random.bytes(16))
        puppet.apply(.author(.name(body: name), by: nil, Ticket(99)))
        puppet.wait(milliseconds: 40_000)
        let messages = puppet.take()
        #expect(!messages.isEmpty)
        for message in messages {
            switch message {
            case .admission: break
            case .ping(let ping), .pong(let ping): #expect(ping.authority.count == 0 && ping.content.count == 0)
            case .operations(let operations):
                #expect(operations.map(\.id) == puppet.founding.operations.map(\.id))
            default: Issue.record("\(message)")
            }
        }
        #expect(!puppet.isClosed)
    }

    @Test("what an outsider asked before its join is answered once the join is there")
    func deferral() throws {
        let puppet = try Puppet(isMember: false, photos: 1)
        puppet.send(.reconcile(set: .content, isInitiator: true, message: [0x61, 0, 0, 2, 0]))
        #expect(!puppet.take().contains { if case .reconcile = $0 { true } else { false } })
        puppet.send([try puppet.join()])
        #expect(puppet.received.contains { if case .reconcile(.content, false, _) = $0 { true } else { false } })
    }

    @Test("an outsider that goes on asking is closed")
    func deferredFlood() throws {
        let puppet = try Puppet(isMember: false)
        for _ in 0..<Limits.deferredMessagesMax { puppet.send(.have(Have())) }
        #expect(!puppet.isClosed)
        puppet.send(.have(Have()))
        #expect(puppet.closeCode == .notAdmitted)
    }

    @Test("a peer that does not bring what it has named holds nothing up, whatever else it brings")
    func namedAndNotBrought() throws {
        let puppet = try Puppet(isMember: true, photos: 1)
        func item(_ operation: VerifiedOperation) -> ItemSet.Item {
            ItemSet.Item(timestamp: operation.header.timestamp.milliseconds, id: operation.id.bytes32)
        }
        let known = puppet.disk.operations.filter { $0.header.set == .authority }
        let madeUp = ItemSet.Item(timestamp: 5, id: BLAKE2b.hash([1]))
        var named = ItemSet(known.map(item) + [madeUp])
        let responder = ReconciliationResponder(
            items: named.snapshot(), frameSizeLimit: Limits.reconciliationMessageByteCountMax)
        puppet.wait(milliseconds: 5_000)
        let other = SetSummary(count: 1, fingerprint: [UInt8](repeating: 1, count: Fingerprint.byteCount))
        puppet.send(.ping(Ping(nonce: 1, authority: other, content: other)))
        let beginning = puppet.take().compactMap { message in
            if case .reconcile(.authority, true, let bytes) = message { bytes } else { nil }
        }
        puppet.send(
            .reconcile(
                set: .authority, isInitiator: false,
                message: try responder.reconcile(try #require(beginning.first))))
        #expect(puppet.take().contains(.want([OperationID(madeUp.id)], set: .authority)))
        for _ in 0..<6 {
            puppet.wait(milliseconds: 5_000)
            puppet.send([known[0]])
        }
        #expect(puppet.received.contains { if case .reconcile(.content, true, _) = $0 { true } else { false } })
    }

    @Test("a guest's join with the last number there is, by a stranger who was offered admission, does no harm")
    func lastSequence() throws {
        let puppet = try Puppet(isMember: false)
        let host = DeviceID(puppet.founding.deviceKey.verifyingKey)
        let device = DeviceID(puppet.key.verifyingKey)
        let admission = try #require(
            puppet.take().compactMap { if case .admission(let admission) = $0 { admission } else { nil } }.first)
        let guest = SigningKey(seed: puppet.random.secret())
        let delegation = Delegation(to: device, at: host, event: puppet.founding.id, by: guest)
        let join = try VerifiedOperation(
            draft: Draft(
                kind: .join, body: OperationBody.encode(.join(admission, delegation), salt: puppet.random.bytes(16))),
            event: puppet.founding.id, sequence: .max, previous: puppet.founding.operations[0].id,
            timestamp: HybridTimestamp(milliseconds: 1 << 47, counter: 0), key: puppet.key)
        puppet.send([join])
        #expect(puppet.disk.operations.contains { $0.id == join.id })
        // Nor does it at the next start, or move this node's time.
        #expect(puppet.restarted().state.membership.isMember(device))
        let name = OperationBody.encode(.name("Anna"), salt: puppet.random.bytes(16))
        puppet.apply(.author(.name(body: name), by: nil, Ticket(99)))
        let own = try #require(puppet.disk.operations.last { $0.kind == .name })
        #expect(own.header.timestamp.milliseconds < NodeClock.epochMilliseconds + 1_000_000)
        #expect(own.header.device == host)
    }

    @Test("an operation of the event key that is thousands of years ahead moves the event key's time, not this node's")
    func eventKeyAhead() throws {
        let puppet = try Puppet(isMember: true)
        let (founding, ahead) = (puppet.founding, HybridTimestamp(milliseconds: 1 << 47, counter: 0))
        var charter = try #require(puppet.replica.state.charter)
        let edit = try VerifiedOperation(
            draft: Draft(
                kind: .edit, argument: UInt64(CharterField.place.rawValue),
                body: OperationBody.encode(
                    .edit(.place, charter, follows: [founding.operations[0].id]), salt: puppet.random.bytes(16))),
            event: founding.id, sequence: 1, previous: founding.operations[0].id, timestamp: ahead,
            key: founding.eventKey)
        puppet.send([edit])
        #expect(puppet.disk.operations.contains { $0.id == edit.id })
        // Nor does it at the next start.
        for count in 1...2 {
            let name = OperationBody.encode(.name("Anna"), salt: puppet.random.bytes(16))
            puppet.apply(.author(.name(body: name), by: nil, Ticket(99)))
            let own = puppet.disk.operations.filter { $0.kind == .name }
            #expect(own.count == count)
            #expect(own.allSatisfy { $0.header.timestamp.milliseconds < NodeClock.epochMilliseconds + 1_000_000 })
            puppet.restart()
        }
        charter.presentation.place = "Barn"
        puppet.apply(
            .author(.edit([.place], charter, salt: puppet.random.bytes(16)), by: founding.eventKey, Ticket(100)))
        let next = try #require(puppet.disk.operations.last { $0.kind == .edit })
        #expect(next.header.timestamp > ahead && next.header.sequence == 2)
    }

    @Test("an outsider's own operations are not kept, members' are taken from it")
    func outsidersOperations() throws {
        let puppet = try Puppet(isMember: false)
        puppet.send([try puppet.name("Mallory"), try puppet.name("Anna", by: puppet.founding.deviceKey)])
        #expect(puppet.replica.summary(of: .content).count == 1)
        puppet.send([try puppet.join()])
        #expect(puppet.replica.summary(of: .content).count == 1)
    }

    @Test("operations of somebody who is not in wait for the join, and for the sponsor's")
    func orphans() throws {
        let puppet = try Puppet(isMember: true)
        let (second, third) = (SigningKey(seed: puppet.random.secret()), SigningKey(seed: puppet.random.secret()))
        puppet.send([try puppet.name("Carol", by: third), try puppet.join(of: third, sponsoredBy: second)])
        #expect(puppet.replica.summary(of: .content).count == 0)
        puppet.send([try puppet.join(of: second)])
        #expect(puppet.replica.summary(of: .content).count == 1)
        #expect(puppet.replica.state.membership.count == 4)
    }

    @Test("of operations whose author is not in only so many are kept, and the oldest go first")
    func orphanFlood() throws {
        let puppet = try Puppet(isMember: true)
        let stranger = SigningKey(seed: puppet.random.secret())
        let names = try (0..<Limits.orphansMax + 50).map { try puppet.name("\($0)", by: stranger) }
        for start in stride(from: 0, to: names.count, by: 50) { puppet.send(Array(names[start..<start + 50])) }
        puppet.send([try puppet.join(of: stranger)])
        #expect(puppet.replica.summary(of: .content).count == UInt64(Limits.orphansMax))
        #expect(!puppet.isClosed)
    }

    @Test("an operation that waits for its author takes one place, however often it is sent")
    func repeatedOrphan() throws {
        let puppet = try Puppet(isMember: true)
        let stranger = SigningKey(seed: puppet.random.secret())
        let names = try (0..<5).map { try puppet.name("\($0)", by: stranger) }
        for _ in 0..<Limits.orphansMax { puppet.send(names) }
        puppet.send([try puppet.join(of: stranger)])
        #expect(puppet.replica.summary(of: .content).count == 5)
    }

    @Test("of operations whose author is not in only so many bytes are kept")
    func largeOrphans() throws {
        let puppet = try Puppet(isMember: true)
        let stranger = SigningKey(seed: puppet.random.secret())
        for _ in 0..<100 {
            // An unreadable body of the largest size is kept like any.
            let body = [UInt8](repeating: 0xFF, count: Limits.operationBodyByteCountMax)
            let header = OperationHeader(
                kind: OperationKind.name.rawValue, flags: [], event: puppet.founding.id,
                device: DeviceID(stranger.verifyingKey), sequence: 0, previous: .none,
                timestamp: HybridTimestamp(milliseconds: puppet.random.next() >> 20, counter: 0), subject: .none,
                argument: 0, bodyHash: OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
            puppet.send(
                .operations([
                    try UncheckedOperation(
                        headerBytes: header.bytes, signature: stranger.signature(for: header.signedBytes), body: body)
                ]))
        }
        puppet.send([try puppet.join(of: stranger)])
        let kept = Int(puppet.replica.summary(of: .content).count)
        #expect(kept == Limits.orphanByteCountMax / (Limits.operationBodyByteCountMax + 188 + 64))
    }

    @Test(
        "what only organizers can state makes nobody load everything again where a participant states it",
        arguments: [OperationKind.veiling, .pageSealing, .picture, .notice, .frames, .grant, .reveal, .twinning])
    func vainStatement(kind: OperationKind) throws {
        let puppet = try Puppet(isMember: true)
        let content: OperationContent =
            switch kind {
            case .notice, .twinning: .text("Come in")
            case .grant: .grant(cancels: [])
            case .reveal: .reveal(.zero)
            default: .none
            }
        let before = puppet.reloadCount
        let body = kind.hasBody ? OperationBody.encode(content, salt: puppet.random.bytes(16)) : []
        let operation = try puppet.operation(kind, body: body)
        puppet.send([operation])
        #expect(puppet.disk.operations.contains { $0.id == operation.id })
        #expect(puppet.reloadCount == before)
    }

    @Test("a false signature closes the connection, and the operation is not here")
    func falseSignature() throws {
        let puppet = try Puppet(isMember: true)
        let (good, other) = (try puppet.name("Anna"), try puppet.name("Ben"))
        let forged = try UncheckedOperation(
            headerBytes: good.header.bytes, signature: other.signature, body: good.body)
        puppet.send(.operations([forged]))
        #expect(puppet.closeCode == .malformed)
        #expect(puppet.isClosed)
        #expect(puppet.replica.summary(of: .content).count == 0)
    }

    @Test("an operation with an unreadable body is kept, with its body or without")
    func unreadableBody() throws {
        let body = [UInt8](repeating: 0xFF, count: 40)
        let summaries = try [body, nil].map { sent in
            let puppet = try Puppet(isMember: true)
            let header = OperationHeader(
                kind: OperationKind.photo.rawValue, flags: [], event: puppet.founding.id,
                device: DeviceID(puppet.key.verifyingKey), sequence: 0, previous: .none,
                timestamp: HybridTimestamp(milliseconds: NodeClock.epochMilliseconds, counter: 0), subject: .none,
                argument: 0, bodyHash: OperationHeader.hash(ofBody: body), bodyByteCount: UInt32(body.count))
            let operation = try UncheckedOperation(
                headerBytes: header.bytes, signature: puppet.key.signature(for: header.signedBytes), body: sent)
            puppet.send(.operations([operation]))
            #expect(!puppet.isClosed)
            #expect(puppet.replica.state.album.count == 1)
            // A peer that asks gets the stored part of it.
            puppet.send(.want([operation.id], set: .content))
            #expect(puppet.take().contains(.operations([operation])))
            return puppet.replica.summary(of: .content)
        }
        #expect(summaries[0].count == 1)
        #expect(summaries[0] == summaries[1])
    }

    @Test(
        "who has more begins to reconcile, unless it is so much more that the other side had better ask",
        arguments: [
            (-9, true), (-1, true), (1, false), (Limits.operationsInProgressMax, false),
            (Limits.operationsInProgressMax + 1, true), (Int.max - 100, true),
        ])
    func whoBegins(more: Int, begins: Bool) throws {
        let puppet = try Puppet(isMember: true, photos: 2)
        let own = [OperationSet.authority, .content].map { Int(puppet.replica.summary(of: $0).count) }
        #expect(own == [3, 6])
        let told = SetSummary(count: UInt64(9 + more), fingerprint: [UInt8](repeating: 7, count: 16))
        let empty = SetSummary(count: 0, fingerprint: [UInt8](repeating: 8, count: 16))
        puppet.send(.ping(Ping(nonce: 1, authority: empty, content: told)))
        let began = puppet.received.contains { if case .reconcile(.authority, true, _) = $0 { true } else { false } }
        #expect(began == begins)
    }

    @Test("who states faster than it may, over what it can have saved up, is not listened to until it may again")
    func tooManyOperations() throws {
        let puppet = try Puppet(isMember: true)
        // Known or not, each counts; those without a body are the quickest to send.
        let operation = UncheckedOperation(try puppet.operation(.remove, subject: puppet.founding.operations[0].id))
        func state(_ count: Int) {
            puppet.send(.operations([UncheckedOperation](repeating: operation, count: count)))
        }
        // What it brings at first it may have made before.
        let saved = Int(OperationHeader.contentSequenceLimit)
        for _ in 0..<saved / 240 { state(240) }
        state(saved % 240)
        #expect(puppet.pausedUntil == 0)
        state(100)
        #expect(puppet.pausedUntil == puppet.now + UInt64(100 * 1_000 / Limits.operationsPerSecond))
        #expect(!puppet.isClosed)
        // Then as many as fit in the time, and never more than a burst.
        puppet.wait(milliseconds: 30_000)
        for _ in 0..<Limits.operationsBurstMax / 100 { state(100) }
        #expect(puppet.pausedUntil < puppet.now)
        state(1)
        #expect(puppet.pausedUntil == puppet.now + UInt64(1_000 / Limits.operationsPerSecond))
    }

    @Test("a peer that requests work without end is paused for a while, and still answered")
    func tooManyQuestions() throws {
        let puppet = try Puppet(isMember: true)
        let question = PeerMessage.reconcile(set: .content, isInitiator: true, message: [0x61, 0, 0, 2, 0])
        for _ in 0..<Limits.steeringBurstMax { puppet.send(question) }
        #expect(puppet.pausedUntil == 0)
        for _ in 0..<Limits.steeringPerSecond { puppet.send(question) }
        #expect(puppet.pausedUntil == puppet.now + 1_000)
        let answers = puppet.received.count { if case .reconcile = $0 { true } else { false } }
        #expect(answers == Limits.steeringBurstMax + Limits.steeringPerSecond)
    }

    @Test("operations that came beside one of another event are still taken from somebody else")
    func foreignCompany() throws {
        let swarm = try Swarm.joined(3, seed: 40)
        let (host, forger, late) = (swarm.nodes[0], swarm.nodes[1], swarm.nodes[2])
        swarm.crash(late)
        try swarm.add(2, by: host)
        try swarm.drive { swarm.isComplete([host, forger]) }
        let foreign = FoundedEvent(random: &swarm.random).operations[0]
        forger.storage.alterLoad = { $0 + [foreign] }
        swarm.cut(host, late)
        swarm.start(late)
        try swarm.drive(milliseconds: 30_000, "the foreign one") { late.journal.closings.contains(.malformed) }
        swarm.cut(forger, late)
        swarm.heal(host, late)
        try swarm.drive(milliseconds: 120_000, "the photos") { swarm.isComplete([host, late]) }
    }

    @Test("operations of another event close the connection")
    func foreignEvent() throws {
        let puppet = try Puppet(isMember: true)
        var random = SplitMix64(seed: 77)
        puppet.send(FoundedEvent(random: &random).operations)
        #expect(puppet.closeCode == .malformed)
    }

    @Test("bytes that are no message are answered with the reason, and the connection ends")
    func malformedMessage() throws {
        let puppet = try Puppet(isMember: true)
        puppet.send(.want(Array(repeating: .none, count: Limits.wantedPerMessageMax + 1), set: .content))
        #expect(puppet.closeCode == .limitExceeded)
        #expect(puppet.isClosed)
    }

    @Test("a second authentication, and a broken reconciliation, close the connection", arguments: 0..<2)
    func outOfPlace(number: Int) throws {
        let puppet = try Puppet(isMember: true)
        switch number {
        case 0:
            let claims = Authentication.Claims(
                device: DeviceID(puppet.key.verifyingKey), instance: puppet.random.bytes(16), wallClockMilliseconds: 1,
                listenPort: 1)
            puppet.send(
                .authentication(Authentication(claims: claims, side: .dialler, handshakeHash: [], key: puppet.key)))
        default: puppet.send(.reconcile(set: .content, isInitiator: true, message: [0x61, 1, 2]))
        }
        #expect(puppet.closeCode == .malformed)
    }
}
