// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableSync
internal import DisposableWire

/// The storage of a simulated machine: memory with the guarantees of a disk, or the product's own store.
package protocol SimulatedDisk: AnyObject {
    /// In the order in which they were stored, with the available bodies.
    var operations: [VerifiedOperation] { get }
    /// Runs one transaction. Returns false if the disk did not accept it.
    func write(_ operations: [VerifiedOperation], durably: Bool) -> Bool
    func load(_ ids: [OperationID]) -> [VerifiedOperation]
    /// - Parameter list: the blob's chunk list, which the chunk matches.
    func store(_ chunk: ArrivedChunk, list: [Bytes32]) -> Bool
    /// Makes everything that was stored survive a power cut.
    func synchronize()
    /// Stores a blob that this machine has made itself, durably.
    func put(_ blob: SealedBlob)
    func read(_ read: BlobRead) -> ReadResult
    func state(of blob: BlobID) -> Replica.StoredBlob
    /// Stops the machine immediately; unsynchronized data may be lost.
    func losePower(_ random: inout SplitMix64)
}

/// A disk with the guarantees of SQLite's WAL and of files that are synchronized before their chunks are recorded:
/// transactions reach it in order, and those not written durably may be lost in a power cut, the latest first; any
/// unsynchronized chunk may be lost or torn, which is the same, since no row records it.
package final class MemoryDisk: SimulatedDisk {
    private enum File {
        case absent
        case partial(ChunkBitmap)
        case complete
    }
    private struct Chunk: Hashable {
        let place: Int
        let index: Int
    }

    package let archive: Archive
    /// Indexes in the archive.
    private var order: [Int32] = []
    /// By index: 0 if absent, 1 without its body, 2 complete.
    private var held: [UInt8] = []
    private var durableCount = 0
    private var files: [File] = []
    private var unsynchronised: [Chunk] = []
    private var damaged: Set<Chunk> = []
    /// Operations that were given to this disk with another signature than the archive's.
    package private(set) var forgedIDs: [OperationID] = []
    /// The number of chunks that differ from the archive's: there should be none.
    package private(set) var foreignChunkCount = 0

    package init(archive: Archive = Archive()) { self.archive = archive }

    package var operationCount: Int { order.count }
    package var operations: [VerifiedOperation] { order.map { operation(at: Int($0)) } }
    var places: [Int] { order.map(Int.init) }

    private func operation(at place: Int) -> VerifiedOperation {
        let operation = archive.operations[place]
        guard held[place] == 1, operation.body?.isEmpty == false else { return operation }
        return VerifiedOperation(
            id: operation.id, header: operation.header, signature: operation.signature, body: nil, content: nil)
    }

    @discardableResult package func write(_ new: [VerifiedOperation], durably: Bool) -> Bool {
        for operation in new {
            let place = archive.file(operation)
            if archive.operations[place].signature != operation.signature { forgedIDs.append(operation.id) }
            if place >= held.count { held += Array(repeating: 0, count: place + 1 - held.count) }
            if held[place] == 0 { order.append(Int32(place)) }
            held[place] = max(held[place], operation.body == nil ? 1 : 2)
        }
        if durably { durableCount = order.count }
        return true
    }

    package func load(_ ids: [OperationID]) -> [VerifiedOperation] {
        ids.compactMap { id in archive.place(of: id).flatMap { holds($0) ? operation(at: $0) : nil } }
    }

    package func holds(_ place: Int) -> Bool { place < held.count && held[place] > 0 }

    package func losePower(_ random: inout SplitMix64) {
        let count = Int.random(in: durableCount...order.count, using: &random)
        for place in order[count...] { held[Int(place)] = 0 }
        order.removeSubrange(count...)
        for chunk in unsynchronised where Bool.random(using: &random) {
            guard case .partial(var chunks) = file(chunk.place) else { continue }
            chunks[chunk.index] = false
            setFile(chunks.count == 0 ? .absent : .partial(chunks), chunk.place)
        }
        unsynchronised = []
    }

    // Blobs

    private func file(_ place: Int) -> File { place < files.count ? files[place] : .absent }

    private func setFile(_ file: File, _ place: Int) {
        while files.count <= place { files.append(.absent) }
        files[place] = file
    }

    package func put(_ blob: SealedBlob) { setFile(.complete, archive.file(blob)) }

    @discardableResult package func store(_ chunk: ArrivedChunk, list: [Bytes32]) -> Bool {
        guard let place = archive.place(of: chunk.blob),
            chunk.index < archive.blobs[place].hashes.count,
            archive.blobs[place].chunk(chunk.index) == chunk.ciphertext
        else {
            foreignChunkCount += 1
            return true
        }
        damaged.remove(Chunk(place: place, index: chunk.index))
        let count = archive.blobs[place].hashes.count
        switch file(place) {
        case .complete: break
        case .absent where count == 1: setFile(.complete, place)
        case .absent:
            var chunks = ChunkBitmap(chunkCount: count)
            chunks[chunk.index] = true
            setFile(.partial(chunks), place)
            unsynchronised.append(Chunk(place: place, index: chunk.index))
        case .partial(var chunks):
            chunks[chunk.index] = true
            if chunks.count == count {
                setFile(.complete, place)
            } else {
                setFile(.partial(chunks), place)
                unsynchronised.append(Chunk(place: place, index: chunk.index))
            }
        }
        return true
    }

    package func synchronize() {
        durableCount = order.count
        unsynchronised = []
    }

    package func read(_ read: BlobRead) -> ReadResult {
        guard let place = archive.place(of: read.blob) else { return .notHere }
        switch (file(place), read) {
        case (.absent, _): return .notHere
        case (_, .list): return .list(archive.blobs[place].hashes)
        case (.partial(let chunks), .chunk(_, let index)):
            guard chunks[index], !isDamaged(index, place) else { return .notHere }
            return .chunk(archive.blobs[place].chunk(index))
        case (.complete, .chunk(_, let index)):
            return isDamaged(index, place) ? .notHere : .chunk(archive.blobs[place].chunk(index))
        }
    }

    /// Whether a bit of the chunk was flipped. The store verifies on reading, so such a chunk appears to be missing.
    private func isDamaged(_ index: Int, _ place: Int) -> Bool {
        !damaged.isEmpty && damaged.contains(Chunk(place: place, index: index))
    }

    package func state(of blob: BlobID) -> Replica.StoredBlob {
        guard let place = archive.place(of: blob) else { return .absent }
        switch file(place) {
        case .absent: return .absent
        case .partial(let chunks): return .partial(chunks, hashes: archive.blobs[place].hashes)
        case .complete: return .complete
        }
    }

    /// Whether the blob is complete and correct.
    package func isWhole(_ place: Int) -> Bool {
        guard case .complete = file(place) else { return false }
        return damaged.isEmpty || !(0..<archive.blobs[place].hashes.count).contains { isDamaged($0, place) }
    }

    /// Flips a bit of a complete blob on this disk. Returns the blob's index.
    @discardableResult func flipBit(_ random: inout SplitMix64) -> Int? {
        let complete = files.indices.filter { if case .complete = files[$0] { true } else { false } }
        guard !complete.isEmpty else { return nil }
        let place = complete[Int.random(in: complete.indices, using: &random)]
        damaged.insert(
            Chunk(place: place, index: Int.random(in: archive.blobs[place].hashes.indices, using: &random)))
        return place
    }

    /// The blobs that are here, in part or completely.
    package var fileIDs: [BlobID] {
        files.indices.filter { if case .absent = files[$0] { false } else { true } }
            .map { archive.blobs[$0].reference.id }
    }

    /// The number of stored chunks of each blob that is here.
    package var chunkCounts: [(present: Int, all: Int)] {
        files.indices.compactMap { place in
            let count = archive.blobs[place].hashes.count
            switch files[place] {
            case .absent: return nil
            case .partial(let chunks): return (chunks.count, count)
            case .complete: return (count, count)
            }
        }
    }
}
