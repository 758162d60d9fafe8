// SPDX-License-Identifier: Apache-2.0
internal import DisposableModel
internal import DisposableSync
internal import DisposableWire

/// The outputs of replicas, and their execution.
extension Swarm {
    func performOutputs(of node: SimulatedNode) {
        for output in node.takeOutputs() {
            if let log { log("\(now) n\(node.index) \(Self.line(output))") }
            perform(output, of: node)
        }
    }

    private static func line(_ output: Replica.Output) -> String {
        switch output {
        case .dial(let address): "dial \(address)"
        case .send(let connection, let bytes): "send \(bytes.count) on \(connection.number)"
        case .close(let connection): "close \(connection.number)"
        case .pause(let connection, let milliseconds): "pause \(connection.number) \(milliseconds)"
        case .verify(let operations, _): "verify \(operations.count)"
        case .persist(let operations, _, _): "persist \(operations.map { "\($0.header.kind)/\($0.id.short)" })"
        case .load(let ids, _): "load \(ids.count)"
        case .storeChunk(let chunk): "store \(chunk.blob.short) \(chunk.index)"
        case .read(let read, _): "read \(read.blob.short)"
        case .authored(_, let ids): "authored \(ids.map(\.short))"
        case .refused(_, let error): "refused \(error)"
        case .keep(let heard, _, _): "keep the inventory \(heard.register.claims.counter)"
        case .forget(let registers): "forget the inventories of \(registers.map(\.short))"
        case .changed(let change): "changed \(change)"
        }
    }

    private func work() -> UInt64 { max(1, UInt64.random(in: workMilliseconds, using: &random)) }

    private func perform(_ output: Replica.Output, of node: SimulatedNode) {
        switch output {
        case .dial(let address): dial(address, from: node)
        case .send(let connection, let bytes): enqueue(bytes, on: connection)
        case .close(let connection): close(connection)
        case .pause(let connection, let milliseconds):
            node.journal.notePause()
            pause(connection, milliseconds: milliseconds)
        case .verify(let operations, let ticket):
            let results = operations.map { check($0, for: node) }
            node.inputs.insert(.verified(ticket, results), at: now + work() + checkMilliseconds)
        case .persist(let operations, let durably, let ticket):
            let transaction = NodeStorage.Transaction(operations: operations, durably: durably, ticket: ticket)
            let end = node.storage.begin(transaction, lasting: work(), at: now)
            happenings.insert(.written(node: node.index, incarnation: node.incarnation), at: end)
            if sabotage == .acknowledgesEarly { node.inputs.insert(.persisted(ticket), at: now + 1) }
        case .load(let ids, let ticket):
            let found = node.storage.alterLoad(fails(node) ? [] : node.disk.load(ids))
            node.inputs.insert(.loaded(ticket, found), at: now + work())
        case .storeChunk(let chunk):
            happenings.insert(
                .store(chunk, node: node.index, incarnation: node.incarnation), at: now + work())
        case .read(let read, let ticket):
            let found = fails(node) ? .notHere : node.disk.read(read)
            guard let result = node.storage.answerRead(read, found) else { return }
            node.inputs.insert(.chunkRead(ticket, result), at: now + work())
        case .authored(let ticket, let ids):
            node.person.authored[ticket] = ids
            evidence.noteAcknowledged(ids, by: node.index)
        case .refused(let ticket, let error): node.person.refused[ticket] = error
        case .keep(_, _, let ticket): node.inputs.insert(.persisted(ticket), at: now + work())
        case .changed(.blobComplete(let blob)): onComplete(node, blob)
        case .changed(.slotsLost(let guest)):
            guard let key = node.person.subKeys[guest] else { break }
            node.inputs.insert(.author(.reclaim, by: key, node.person.newTicket()), at: now + work())
        case .forget, .changed: break
        }
    }

    private func fails(_ node: SimulatedNode) -> Bool { node.storage.fails(&random) }

    private func check(_ operation: UncheckedOperation, for node: SimulatedNode) -> VerifiedOperation? {
        if node.index == nodes.count - 1 {
            if sabotage == .withholdsRemovals, operation.header.kind == OperationKind.remove.rawValue { return nil }
            if sabotage == .withholdsRulings, operation.header.kind == OperationKind.revokeDevice.rawValue {
                return nil
            }
            if sabotage == .acceptsForgery { return operation.verifiedBefore }
        }
        let verified = archive.verify(operation, event: founding.id)
        guard sabotage == .replaysVoid, let verified, isSaidInVain(verified) else { return verified }
        var header = verified.header
        header.device = nodes[0].device
        return VerifiedOperation(
            id: verified.id, header: header, signature: verified.signature, body: verified.body,
            content: verified.content)
    }

    private func isSaidInVain(_ operation: VerifiedOperation) -> Bool {
        nodes.contains {
            $0.device == operation.header.device && $0.dishonestPeer?.saidInVain.contains(operation.id) == true
        }
    }

    func perform(_ happening: Happening) {
        switch happening {
        case .written(let index, let incarnation):
            let node = nodes[index]
            guard node.incarnation == incarnation else { return }
            write(node)
        case .store(let chunk, let index, let incarnation):
            let node = nodes[index]
            guard node.incarnation == incarnation else { return }
            store(chunk, on: node)
        case .flush(let index, let incarnation):
            guard nodes[index].incarnation == incarnation else { return }
            nodes[index].storage.flush()
        case .arrive(let bytes, let link, let end): arrive(bytes, at: end, of: link)
        case .hangUp(let link, let end): hangUp(link, end)
        case .report(let link, let end): reportSent(link, end)
        case .sight(let address, let index, let attempt): sight(address, nodes[index], attempt: attempt)
        }
    }

    /// Ends the oldest transaction. One writer: transactions end in the order in which they began.
    private func write(_ node: SimulatedNode) {
        let (ticket, isStored) = node.storage.endTransaction(keepsPromises: sabotage != .dropsSyncs, &random)
        if sabotage == .acknowledgesEarly { return }
        node.inputs.insert(isStored ? .persisted(ticket) : .persistFailed(ticket), at: now)
    }

    private func store(_ chunk: ArrivedChunk, on node: SimulatedNode) {
        guard let list = chunk.verifiedList() else {
            node.inputs.insert(.chunkTurnedOutWrong(chunk.blob, index: chunk.index), at: now)
            return
        }
        let isLost = sabotage == .losesChunks && node.index == nodes.count - 1
        guard isLost || node.storage.store(chunk, list: list, &random) else {
            node.inputs.insert(.chunkStoringFailed(chunk.blob, index: chunk.index), at: now)
            return
        }
        node.inputs.insert(.chunkStored(chunk.blob, index: chunk.index), at: now)
        guard node.storage.scheduleFlush() else { return }
        happenings.insert(.flush(node: node.index, incarnation: node.incarnation), at: now + 2_000)
    }
}
