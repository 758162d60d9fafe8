// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableStore
import DisposableSync
import DisposableWire
import Foundation

/// The product's own store under a simulated machine: SQLite and files in a folder that goes with it.
final class StoreDisk: SimulatedDisk {
    private var store: EventStore
    private var folder: URL

    init(_ founding: FoundedEvent) throws {
        folder = try Self.newFolder()
        store = try EventStore.create(
            in: folder.path,
            keys: .makeDevice(eventKey: founding.eventKey.verifyingKey, eventSecret: founding.secret))
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func newFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("party-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    var operations: [VerifiedOperation] {
        var operations: [VerifiedOperation] = []
        do { try store.forEachOperation(bodies: { _ in true }) { operations += $0 } } catch {
            preconditionFailure("the store does not read: \(error)")
        }
        return operations
    }

    func write(_ operations: [VerifiedOperation], durably: Bool) -> Bool {
        (try? store.append(operations, durably: durably)) != nil
    }

    func load(_ ids: [OperationID]) -> [VerifiedOperation] { (try? store.operations(ids)) ?? [] }

    func store(_ chunk: ArrivedChunk, list: [Bytes32]) -> Bool {
        let write = ChunkWrite(
            root: chunk.blob.root, blobClass: chunk.blob.blobClass, byteCount: chunk.blob.byteCount, index: chunk.index,
            ciphertext: chunk.ciphertext, chunkHashes: list)
        if case .failed = store.blobs.write([write])[0] { return false }
        return true
    }

    func synchronize() { try? store.blobs.flush() }

    func put(_ blob: SealedBlob) {
        for index in blob.hashes.indices {
            let chunk = ArrivedChunk(
                blob: blob.reference.id, index: index, ciphertext: blob.chunk(index), list: blob.hashes)
            _ = store(chunk, list: blob.hashes)
        }
        synchronize()
    }

    func read(_ read: BlobRead) -> ReadResult {
        switch read {
        case .list(let blob): (try? store.blobs.chunkHashes(of: blob.root)).map { .list($0) } ?? .notHere
        case .chunk(let blob, let index):
            (try? store.blobs.chunk(index, of: blob.root)).map { .chunk($0) } ?? .notHere
        }
    }

    func state(of blob: BlobID) -> Replica.StoredBlob {
        guard let inventory = try? store.blobs.inventory() else { return .absent }
        if inventory.complete[blob.root] != nil { return .complete }
        guard let partial = inventory.partial.first(where: { $0.root == blob.root }) else { return .absent }
        return .partial(partial.chunks, hashes: partial.chunkHashes)
    }

    /// Opens the folder again in its present state, as after a kill.
    func losePower(_ random: inout SplitMix64) {
        do {
            let copy = try Self.newFolder()
            try FileManager.default.removeItem(at: copy)
            try FileManager.default.copyItem(at: folder, to: copy)
            try? store.close()
            try FileManager.default.removeItem(at: folder)
            folder = copy
            guard let event = try EventFolder.all(in: copy.path).first else {
                preconditionFailure("the event's folder is gone")
            }
            store = try EventStore.open(event)
        } catch {
            preconditionFailure("the store does not open again: \(error)")
        }
    }
}
