// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Logging
internal import Synchronization

/// One function for each kind of output of a replica. Each starts the work and returns; the result arrives as an input.
extension EventNode {
    func perform(_ output: Replica.Output) {
        switch output {
        case .dial(let address): dial(address)
        case .send(let connection, let bytes): send(bytes, to: connection)
        case .pause(let connection, let milliseconds):
            network.connections[connection]?.pauseMilliseconds = milliseconds
        case .close(let connection): end(connection)
        case .verify(let operations, let ticket): verify(operations, ticket)
        case .persist(let operations, let durably, let ticket):
            persist(operations, durably: durably, ticket)
        case .load(let ids, let ticket): load(ids, ticket)
        case .storeChunk(let chunk):
            chunks.arrived.append(chunk)
            writeChunks()
        case .read(let read, let ticket): self.read(read, ticket)
        case .authored(let ticket, let ids):
            authors.answer(ticket, .success(ids))
        case .refused(let ticket, let error):
            let reason = error == .notStored ? disk.storageFailure.map { NodeError.storage("\($0)") } : nil
            authors.answer(ticket, .failure(reason ?? NodeError.refused(error)))
        case .keep(let heard, let durably, let ticket): keep(heard, durably: durably, ticket)
        case .forget(let registers): forget(registersOf: registers)
        case .changed(let change): notify(change)
        }
    }

    private func verify(_ operations: [UncheckedOperation], _ ticket: Ticket) {
        readers.async { [self, event] in
            // A signature takes some 75 us: small batches are verified here, large ones on every core.
            let results = Mutex([VerifiedOperation?](repeating: nil, count: operations.count))
            let batch = 32
            DispatchQueue.concurrentPerform(iterations: (operations.count + batch - 1) / batch) { index in
                let places = index * batch..<min((index + 1) * batch, operations.count)
                let verified = places.map { place in (place, try? operations[place].verified(event: event)) }
                results.withLock { for (place, operation) in verified { $0[place] = operation } }
            }
            complete { $0.apply(.verified(ticket, results.withLock { $0 })) }
        }
    }

    private func persist(
        _ operations: [VerifiedOperation], durably: Bool, _ ticket: Ticket
    ) {
        // The free space is checked every two seconds, and a burst of others' operations is faster. This node's own
        // operations are written while anything can be, or an organizer could not end the burst.
        let leavesReserve = !durably && disk.space > .noOperations
        writes.async { [self, store, logger] in
            do throws(StoreError) {
                if leavesReserve { try store.checkRoom(for: operations) }
                try store.append(operations, durably: durably)
                complete { $0.stored(ticket, nil) }
            } catch {
                logger.error("operations not stored", metadata: ["reason": "\(error)"])
                complete { $0.stored(ticket, error) }
            }
        }
    }

    private func load(_ ids: [OperationID], _ ticket: Ticket) {
        readers.async { [self, store, logger] in
            var operations: [VerifiedOperation] = []
            do { operations = try store.operations(ids) } catch {
                logger.error("operations not read", metadata: ["reason": "\(error)"])
            }
            complete { [operations] in $0.apply(.loaded(ticket, operations)) }
        }
    }

    private func read(_ read: BlobRead, _ ticket: Ticket) {
        readers.async { [self, blobs = store.blobs, logger] in
            var result = ReadResult.notHere
            do {
                switch read {
                case .list(let blob): result = .list(try blobs.chunkHashes(of: blob.root))
                case .chunk(let blob, let index): result = .chunk(try blobs.chunk(index, of: blob.root))
                }
            } catch {
                logger.debug("chunk not read", metadata: ["reason": "\(error)"])
            }
            complete { [result] in $0.apply(.chunkRead(ticket, result)) }
        }
    }

    private func notify(_ change: Replica.Change) {
        switch change {
        case .album(let change):
            albumChanged(change)
            announce(.album(event))
            refreshSummary()
            lookAtVersion()
            lookAtMembership()
            if change == .everything {
                lookAtOnlyKey()
                outcastsMayHaveChanged()
                tellPages()
            }
        case .messages:
            messagesChanged()
            tellReaders(.messages)
        case .blobComplete(let blob):
            albumChanged(.photos(replica.photos(with: blob)))
            announce(.album(event))
        case .peers:
            announce(.peers(event))
            rememberAddresses()
        case .admitted:
            announce(.admitted(event))
            sayName()
            tellPages()
            tellReaders(.event)
        case .pages: pagesChanged()
        case .reconciled: reconciled()
        case .revealDue(let milliseconds): revealDue(overdueMilliseconds: milliseconds)
        case .rotated: rotated()
        case .falselySealed(let epoch): falselySealed(epoch)
        case .invitationReplaced: announce(.invitationReplaced(event))
        case .cloned(let device): cloned(device)
        case .slotsLost(let guest): jobs.add { await self.reclaim(for: guest) }
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

    /// Stores the addresses where members were met for the next start: the network may carry no multicast then.
    private func rememberAddresses() {
        let addresses = replica.rememberedAddresses
        guard addresses != network.remembered else { return }
        network.remembered = addresses
        refreshSummary()
        context.report(.addressesChanged)
        writes.async { [store, logger] in
            let text = addresses.map(\.description).joined(separator: " ")
            do { try store.setMetadata(Array(text.utf8), for: "remembered addresses") } catch {
                logger.error("addresses not stored", metadata: ["reason": "\(error)"])
            }
        }
    }
}
