// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging
internal import Synchronization

/// One function for each thing a replica wants done. Each begins the work and returns; the result comes as an input.
extension Node {
    func perform(_ output: Replica.Output, in event: EventID) {
        guard let session = sessions[event] else { return }
        switch output {
        case .dial(let address): dial(address, for: event)
        case .send(let connection, let bytes): connections[connection]?.send(bytes)
        case .pause(let connection, let milliseconds):
            pauses[connection] = clock.now + .milliseconds(Int64(clamping: milliseconds))
        case .close(let connection): connections.removeValue(forKey: connection)?.finish()
        case .verify(let operations, let ticket): verify(operations, ticket, event)
        case .persist(let operations, let durably, let ticket):
            persist(operations, durably: durably, ticket, event, session)
        case .load(let ids, let ticket): load(ids, ticket, event, session)
        case .storeChunk(let chunk):
            sessions[event]?.chunks.append(chunk)
            writeChunks(of: event)
        case .read(let read, let ticket): self.read(read, ticket, event, session)
        case .authored(let ticket, let ids):
            sessions[event]?.waiting.removeValue(forKey: ticket)?.resume(returning: ids)
        case .refused(let ticket, let error):
            let reason = error == .notStored ? session.storageFailure.map { NodeError.storage("\($0)") } : nil
            sessions[event]?.waiting.removeValue(forKey: ticket)?.resume(throwing: reason ?? NodeError(error))
        case .keep(let heard, let durably, let ticket): keep(heard, durably: durably, ticket, event, session)
        case .forget(let registers): forget(registersOf: registers, session)
        case .changed(let change): tell(change, event)
        }
    }

    private func verify(_ operations: [UncheckedOperation], _ ticket: Ticket, _ event: EventID) {
        readers.async { [completionSink] in
            // A signature takes some 75 us: small batches are checked here, large ones on every core.
            let results = Mutex([VerifiedOperation?](repeating: nil, count: operations.count))
            let batch = 32
            DispatchQueue.concurrentPerform(iterations: (operations.count + batch - 1) / batch) { index in
                let places = index * batch..<min((index + 1) * batch, operations.count)
                let verified = places.map { place in (place, try? operations[place].verified(event: event)) }
                results.withLock { for (place, operation) in verified { $0[place] = operation } }
            }
            completionSink.yield(.input(.verified(ticket, results.withLock { $0 }), event))
        }
    }

    private func persist(
        _ operations: [VerifiedOperation], durably: Bool, _ ticket: Ticket, _ event: EventID, _ session: EventSession
    ) {
        // The room is looked at every two seconds, and a burst of others' operations is faster than that. What this
        // node itself states is written as long as anything is, or an organizer could not end the burst.
        let leavesReserve = !durably && diskSpace > .noOperations
        session.writes.async { [completionSink, store = session.store, logger] in
            do throws(StoreError) {
                if leavesReserve { try store.checkRoom(for: operations) }
                try store.append(operations, durably: durably)
                completionSink.yield(.stored(ticket, nil, event))
            } catch {
                logger.error("operations not stored", metadata: ["reason": "\(error)"])
                completionSink.yield(.stored(ticket, error, event))
            }
        }
    }

    private func load(_ ids: [OperationID], _ ticket: Ticket, _ event: EventID, _ session: EventSession) {
        readers.async { [completionSink, store = session.store, logger] in
            var operations: [VerifiedOperation] = []
            do { operations = try store.operations(ids) } catch {
                logger.error("operations not read", metadata: ["reason": "\(error)"])
            }
            completionSink.yield(.input(.loaded(ticket, operations), event))
        }
    }

    private func read(_ read: Replica.BlobRead, _ ticket: Ticket, _ event: EventID, _ session: EventSession) {
        readers.async { [completionSink, blobs = session.store.blobs, logger] in
            var result = Replica.ReadResult.notHere
            do {
                switch read {
                case .list(let blob): result = .list(try blobs.chunkHashes(of: blob.root))
                case .chunk(let blob, let index): result = .chunk(try blobs.chunk(index, of: blob.root))
                }
            } catch {
                logger.debug("chunk not read", metadata: ["reason": "\(error)"])
            }
            completionSink.yield(.input(.chunkRead(ticket, result), event))
        }
    }

    // Chunks: everything that came while one batch was written is the next batch, so one sync serves many.

    private func writeChunks(of event: EventID) {
        guard let session = sessions[event], !session.isWritingChunks, !session.chunks.isEmpty else { return }
        // What was taken away meanwhile is not begun again.
        let batch = session.chunks.filter { session.replica.isDescribed($0.blob) }
        sessions[event]?.chunks = []
        guard !batch.isEmpty else { return }
        sessions[event]?.isWritingChunks = true
        session.writes.async { [completionSink, blobs = session.store.blobs] in
            let outcomes = blobs.write(
                batch.map {
                    ChunkWrite(
                        root: $0.blob.root, blobClass: $0.blob.blobClass, byteCount: $0.blob.byteCount,
                        index: $0.index, ciphertext: $0.ciphertext, chunkHashes: $0.hashes)
                })
            completionSink.yield(.chunksWritten(zip(batch, outcomes).map { ($0, $1) }, event))
        }
    }

    func chunksWritten(_ chunks: [(chunk: ArrivedChunk, outcome: ChunkOutcome)], in event: EventID) {
        sessions[event]?.isWritingChunks = false
        for (chunk, outcome) in chunks {
            switch outcome {
            case .stored, .completed:
                apply(.chunkStored(chunk.blob, index: chunk.index), to: event)
            case .failed(let error):
                storingFailed(error, in: event)
                apply(.chunkStoringFailed(chunk.blob, index: chunk.index), to: event)
            }
        }
        if chunks.contains(where: { $0.outcome == .stored || $0.outcome == .completed }) { solve(.storage(event)) }
        if sessions[event]?.flushDueAt == nil { sessions[event]?.flushDueAt = now.milliseconds + 2_000 }
        writeChunks(of: event)
    }

    func flushIfDue(_ event: EventID) {
        guard let session = sessions[event], let due = session.flushDueAt, due <= now.milliseconds else { return }
        sessions[event]?.flushDueAt = nil
        session.writes.async { [blobs = session.store.blobs, logger] in
            do { try blobs.flush() } catch { logger.error("chunks not synced", metadata: ["reason": "\(error)"]) }
        }
    }

    private func tell(_ change: Replica.Change, _ event: EventID) {
        switch change {
        case .album(let change):
            albumChanged(change, in: event)
            announce(.album(event))
            advertiseIfChanged(event)
            lookAtVersion(of: event)
            lookAtMembership(of: event)
            if change == .everything {
                lookAtOnlyKey(of: event)
                lookAtOutcasts(of: event)
                tellPages(of: event)
            }
        case .blobComplete(let blob):
            albumChanged(.photos(sessions[event]?.replica.photos(with: blob) ?? []), in: event)
            announce(.album(event))
        case .peers:
            announce(.peers(event))
            rememberAddresses(event)
        case .admitted:
            announce(.admitted(event))
            sayName(in: event)
            tellPages(of: event)
        case .pages: pagesChanged(of: event)
        case .reconciled: reconciled(event)
        case .revealDue(let milliseconds): revealDue(in: event, overdueMilliseconds: milliseconds)
        case .rotated: rotated(event)
        case .falselySealed(let epoch): falselySealed(epoch, in: event)
        case .invitationReplaced: announce(.invitationReplaced(event))
        case .cloned(let device): cloned(device, in: event)
        case .slotsLost(let guest): jobSink.yield { await self.reclaim(for: guest, in: event) }
        case .rejected(let address): announce(.rejected(event, address))
        case .refused(let address, let code): announce(.refused(event, address, code))
        case .otherVersion(let host, let theirs, let ours):
            announce(
                .warning(
                    "the node at \(host) speaks version \(theirs) of the protocol, this one version \(ours): "
                        + "use the same version of disposable on all machines"))
        case .closed(let device, let code):
            logger.debug(
                "connection closed", metadata: ["peer": "\(device?.short ?? "-")", "code": "\(code)"])
        case .clockDiffers(let device, let milliseconds):
            let seconds = abs(milliseconds) / 1_000
            announce(
                .warning(
                    "the clock of \(device.short) is \(seconds) s \(milliseconds > 0 ? "ahead of" : "behind") this one's"
                ))
        }
    }

    /// Keeps where members have been met for the next start: the network may carry no multicast then.
    private func rememberAddresses(_ event: EventID) {
        guard let session = sessions[event] else { return }
        let addresses = session.replica.rememberedAddresses
        guard addresses != session.rememberedAddresses else { return }
        sessions[event]?.rememberedAddresses = addresses
        knowHosts()
        session.writes.async { [store = session.store, logger] in
            let text = addresses.map(\.description).joined(separator: " ")
            do { try store.setMetadata(Array(text.utf8), for: "remembered addresses") } catch {
                logger.error("addresses not kept", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Whoever is expected from there is let in beside strangers.
    func knowHosts() {
        let addresses = sessions.values.flatMap { $0.rememberedAddresses + $0.invitedAddresses } + configuration.peers
        gate.state.withLock { $0.know(addresses.map(\.host)) }
    }

    /// Says something of this node's own and waits until it is on disk.
    /// - Parameter key: the sub-key of a guest; `nil` for this device.
    /// Throws `.stopped` where nobody would answer any more.
    func author(_ statement: Statement, by key: SigningKey? = nil, in event: EventID) async throws -> [OperationID] {
        guard let session = sessions[event], !isStopped else { throw NodeError.stopped }
        let ticket = newTicket()
        return try await withCheckedThrowingContinuation { continuation in
            session.waiting[ticket] = continuation
            apply(.author(statement, by: key, ticket), to: event)
        }
    }
}

extension NodeError {
    init(_ error: AuthoringError) {
        switch error {
        case .notAdmitted: self = .notAdmitted
        case .putOut: self = .putOut
        case .hasLeft: self = .hasLeft
        case .tooManyGuests(let milliseconds): self = .tooManyGuests(seconds: Int(milliseconds / 1_000) + 1)
        case .rollFull(let limit): self = .rollFull(limit: limit)
        case .unknownPhoto(let photo): self = .unknownPhoto(photo.short)
        case .notTheAuthor(let photo): self = .notTheAuthor(photo)
        case .alreadyRemoved(let photo): self = .alreadyRemoved(photo)
        case .rankTooLow(let needed): self = .rankTooLow(needed: needed)
        case .nothingToDo: self = .nothingToDo
        case .againstGuests(let field): self = .againstGuests(field)
        case .tooManyRemarks(let limit): self = .tooManyRemarks(limit: limit)
        case .otherConsentText: self = .otherConsentText
        case .tooFast(let milliseconds): self = .tooFast(seconds: Int(milliseconds / 1_000) + 1)
        case .tooManyEdits(let limit): self = .tooManyEdits(limit: limit)
        case .wrongRevealKey: self = .noRevealKey
        case .secretUnknown: self = .secretUnknown
        case .notReconciled: self = .notReconciled
        case .malformed(let error): self = .storage("the operation is not well-formed: \(error)")
        case .notStored: self = .storage("the operation could not be stored; the log says why")
        }
    }
}
