// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableCrypto
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Foundation
internal import Glibc
internal import Logging

/// Bundles: the whole event in one sealed file, for a node that this one never meets (protocol/bundle.md).
extension EventNode {
    // Writing

    /// Writes all operations and all complete blobs into a new file.
    func exportBundle(to path: String, reply: (ControlReply) async -> Void) async throws {
        let blobs = replica.completeBlobs.sorted { ($0.blobClass, $0.root) < ($1.blobClass, $1.root) }
        let count = replica.summary(of: .authority).count + replica.summary(of: .content).count
        let about = BundleRecord.About(
            event: event, device: replica.deviceID, writtenAtMilliseconds: now.wallClockMilliseconds,
            operationCount: count, blobCount: UInt64(blobs.count))
        let byteCount = blobs.reduce(0) { $0 + $1.layout.ciphertextByteCount }
        let (steps, sink) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let (state, secret) = (replica.state, replica.credentials.secret)
        async let written = Self.write(about, blobs, byteCount, of: state, secret, from: store, on: readers, to: path) {
            if let done = $0 { sink.yield(done) } else { sink.finish() }
        }
        for await done in steps { await reply(.progress(done: done, total: blobs.count)) }
        var bundle = try await written
        bundle.name = name
        bundle.missingBlobCount = replica.missingBlobCount
        await reply(.bundled(bundle))
    }

    /// - Parameter step: called with the number of blobs so far, and at last with `nil`.
    private static func write(
        _ about: BundleRecord.About, _ blobs: [BlobID], _ byteCount: UInt64, of state: EventState,
        _ secret: SecretBytes, from store: EventStore, on queue: DispatchQueue, to path: String,
        step: @escaping @Sendable (Int?) -> Void
    ) async throws -> WrittenBundle {
        defer { step(nil) }
        do {
            return try await queue.run {
                let folder = (path as NSString).deletingLastPathComponent
                try DiskRoom(at: folder.isEmpty ? "." : folder).check(for: byteCount)
                let writer = try BundleWriter(
                    path: path, salt: Entropy.bytes(EventBundle.Header.saltByteCount), event: about.event,
                    secret: secret)
                try writer.append(.about(about))
                var operationCount = 0
                try store.forEachOperation(bodies: { _ in true }) { operations in
                    for operation in operations {
                        let isWithdrawn = state.album.withdrawnSubject(of: operation.id, operation.header) != nil
                        try writer.append(.operation(UncheckedOperation(isWithdrawn ? operation.bodiless : operation)))
                    }
                    operationCount += operations.count
                }
                var blobCount = 0
                for (index, blob) in blobs.enumerated() {
                    // One that is purged, or found corrupt, meanwhile is left out in part: the reader ignores it.
                    do throws(StoreError) {
                        try writer.append(.list(blob, store.blobs.chunkHashes(of: blob.root)))
                        for chunk in 0..<blob.layout.chunkCount {
                            try writer.append(
                                .chunk(blob.root, index: chunk, ciphertext: store.blobs.chunk(chunk, of: blob.root)))
                        }
                        blobCount += 1
                    } catch {
                        switch error {
                        case .notHere, .damaged: break
                        default: throw error
                        }
                    }
                    step(index + 1)
                }
                try writer.finish()
                return WrittenBundle(
                    event: about.event.description, name: "", file: path, operationCount: operationCount,
                    blobCount: blobCount, byteCount: writer.byteCount, missingBlobCount: 0)
            }
        } catch let error as StoreError {
            if case .file(_, _, EEXIST, _) = error { throw NodeError.fileExists(path: path) }
            throw NodeError.storage("\(error)")
        }
    }

    // Reading

    /// Returns the key of a bundle of this event, sealed under any of the event's secrets that this node has.
    func key(of header: EventBundle.Header) -> SecretBytes? {
        replica.keyring.all.lazy.compactMap { [event] in header.key(event: event, secret: $0.secret) }.first
    }

    /// Takes everything that is new from a bundle, as from a peer.
    func importBundle(_ path: String, key: SecretBytes, reply: (ControlReply) async -> Void) async throws {
        let carrier: Carrier
        do {
            carrier = try await readers.run { [event] in try Carrier(BundleReader(path: path, key: key), of: event) }
        } catch let error as StoreError {
            throw NodeError.storage("\(error)")
        } catch let error as BundleError {
            throw NodeError(error, path: path)
        }
        let before = held(of: carrier)
        disk.storageFailure = nil
        let connection = network.addBundle(carrier)
        defer {
            network.bundles[connection] = nil
            apply(.disconnected(connection))
        }
        apply(.bundleOpened(connection, Entropy.connection))
        try await take(carrier, connection, reply)
        let isRefused = !replica.isOpen(bundle: connection)
        do { try await writes.run { [store] in try store.blobs.flush() } } catch {
            throw NodeError.storage("\(error)")
        }
        let after = held(of: carrier)
        await reply(
            .carriedIn(
                CarriedBundle(
                    event: event.description, name: name, file: path,
                    from: carrier.about.flatMap {
                        replica.state.album.shownName(of: replica.state.membership.author(of: $0.device))
                    },
                    writtenAt: carrier.about.map {
                        Timestamps.iso8601(min($0.writtenAtMilliseconds, HybridTimestamp.millisecondsMax))
                    },
                    operationCount: carrier.operationCount, newOperationCount: after.operations - before.operations,
                    blobCount: carrier.blobs.count, newBlobCount: after.blobs - before.blobs,
                    refusedOperationCount: carrier.operationCount - after.operations,
                    refusedBlobCount: carrier.blobs.count - after.blobs,
                    byteCount: carrier.survey.byteCount)))
        if isRefused, !isStopped { throw NodeError.forgedBundle(path: path) }
        if let end = carrier.survey.truncatedAt { throw NodeError.truncatedBundle(path: path, byteCount: end) }
        if carrier.survey.damagedBlockCount > 0 {
            throw NodeError.damagedBundle(
                path: path, places: carrier.survey.damages, count: carrier.survey.damagedBlockCount)
        }
    }

    /// Waits until the replica has what it accepts of the bundle.
    private func take(
        _ carrier: Carrier, _ connection: ConnectionID, _ reply: (ControlReply) async -> Void
    ) async throws {
        while !replica.hasTaken(bundle: connection) {
            guard !isStopped else { throw NodeError.stopped }
            if let failure = disk.storageFailure { throw NodeError.storage("\(failure)") }
            guard replica.diskSpace == .plenty else {
                throw NodeError.storage("the disk of this node is almost full, so it takes no more photos")
            }
            await reply(
                .progress(done: carrier.blobs.count { replica.isComplete($0) }, total: carrier.blobs.count))
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The numbers of the bundle's operations and blobs that are here.
    private func held(of carrier: Carrier) -> (operations: Int, blobs: Int) {
        let operations = carrier.items.reduce(0) { sum, set in
            sum + set.value.items.count { replica.contains($0, in: set.key) }
        }
        return (operations, carrier.blobs.count { replica.isComplete($0) })
    }

    /// Passes a message for a bundle to it; its answers arrive as an input.
    func ask(_ carrier: Carrier, _ bytes: [UInt8], _ connection: ConnectionID) {
        carrier.queue.async { [self] in
            guard let message = try? PeerMessage(bytes) else { return }
            let answers = carrier.answer(message)
            guard !answers.isEmpty else { return }
            complete { $0.apply(.bundleAnswered(connection, answers)) }
        }
    }
}
