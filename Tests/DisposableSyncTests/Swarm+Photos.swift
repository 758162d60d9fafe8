// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

/// What people do in a swarm, and what they may expect of it.
extension Swarm {
    /// Plaintext sizes of a photo's blobs in bytes.
    struct Sizes {
        var thumbnail: Int? = 300
        var preview: Int? = 2_000
        var original = 3_000
        static let small = Sizes(thumbnail: 60, preview: nil, original: 90)
        /// Three chunks and a bit.
        static let large = Sizes(original: 3 * ChunkLayout.chunkPlaintextByteCount + 12_345)
    }

    /// The statement of a photo whose blobs are on the node's disk.
    func photo(of node: SimulatedNode, _ sizes: Sizes = Sizes()) -> Statement {
        func blob(_ byteCount: Int?, _ blobClass: BlobClass) -> SealedBlob? {
            byteCount.map { SealedBlob(random.plaintext($0), blobClass, importSecret: node.importSecret) }
        }
        let (thumbnail, preview) = (blob(sizes.thumbnail, .thumbnail), blob(sizes.preview, .preview))
        let original = blob(sizes.original, .original)!
        for blob in [thumbnail, preview, original] { if let blob { node.disk.put(blob) } }
        let manifest = PhotoManifest(
            thumbnail: thumbnail?.reference, preview: preview?.reference, takenAtMilliseconds: nil, width: 4, height: 3,
            mediaType: .jpeg)
        let originalManifest = OriginalManifest(
            original: original.reference, sha256: BLAKE2b.hash(original.chunks[0]), mediaType: .jpeg)
        return .photo(
            body: OperationBody.encode(.photo(manifest), salt: random.bytes(16)),
            originalBody: OperationBody.encode(.original(originalManifest), salt: random.bytes(16)))
    }

    /// Hands a statement in, without waiting for it.
    @discardableResult func say(_ statement: Statement, by node: SimulatedNode) -> Ticket {
        let ticket = node.newTicket()
        apply(.author(statement, by: nil, ticket), to: node)
        return ticket
    }

    /// Adds photos and waits until they are on the node's disk.
    @discardableResult func add(
        _ count: Int = 1, by node: SimulatedNode, _ sizes: Sizes = Sizes()
    ) throws -> [PhotoID] {
        let tickets = (0..<count).map { _ in say(photo(of: node, sizes), by: node) }
        try drive(within: 20_000 + 100 * count, "photos on disk") {
            tickets.allSatisfy { node.authored[$0] != nil || node.refused[$0] != nil }
        }
        return try tickets.map { PhotoID(try #require(node.authored[$0]?.first)) }
    }

    func remove(_ photo: PhotoID, by node: SimulatedNode) throws {
        let ticket = say(.remove(photo), by: node)
        try drive("removal on disk") { node.authored[ticket] != nil || node.refused[ticket] != nil }
    }

    /// Whether these nodes have the same operations and show the same.
    func agree(_ some: [SimulatedNode]? = nil) -> Bool {
        let some = some ?? nodes
        guard some.allSatisfy({ $0.replica?.isAdmitted == true }) else { return false }
        return some.allSatisfy { $0.sets == some[0].sets }
    }

    /// Whether these nodes agree and have every blob.
    func isComplete(_ some: [SimulatedNode]? = nil) -> Bool {
        agree(some) && (some ?? nodes).allSatisfy { $0.replica?.missingBlobCount == 0 }
    }

    /// Steps until all agree and have everything, and then checks it on the disks.
    func settle(
        _ some: [SimulatedNode]? = nil, within stepCountMax: Int = 200_000, milliseconds: UInt64 = 600_000
    ) throws {
        try drive(within: stepCountMax, milliseconds: milliseconds, "agreement") { isComplete(some) }
        check(some)
    }

    /// Equal digests, equal galleries in order, every blob whole and genuine.
    func check(_ some: [SimulatedNode]? = nil) {
        let some = some ?? nodes
        for node in some {
            #expect(node.replica?.state.digest != nil)
            #expect(node.replica?.state.digest == some[0].replica?.state.digest)
            #expect(node.replica?.state.gallery == some[0].replica?.state.gallery)
            for reference in wantedBlobs(of: node) {
                #expect(node.disk.holds(reference), "node \(node.index) lacks \(reference.id.short)")
            }
        }
    }

    /// The blobs of photos that have not been removed, of the classes that the node keeps.
    func wantedBlobs(of node: SimulatedNode) -> [BlobReference] {
        guard let state = node.replica?.state else { return [] }
        return node.disk.operations.flatMap { operation -> [BlobReference] in
            let author = state.membership.author(of: operation.header.device)
            let photo = operation.kind == .photo ? PhotoID(operation.id) : PhotoID(operation.header.subject)
            guard !state.album.isRemoved(photo, by: author) else { return [] }
            switch operation.content {
            case .photo(let manifest):
                return (node.keptClasses.contains(.thumbnail) ? [manifest.thumbnail] : []).compactMap(\.self)
                    + (node.keptClasses.contains(.preview) ? [manifest.preview] : []).compactMap(\.self)
            case .original(let manifest): return node.keptClasses.contains(.original) ? [manifest.original] : []
            default: return []
            }
        }
    }

    /// A swarm in which everybody knows everybody and all are admitted.
    static func joined(_ count: Int, seed: UInt64, frames: UInt32 = 27) throws -> Swarm {
        let swarm = Swarm(seed: seed, frames: frames)
        for _ in 0..<count { swarm.addNode() }
        swarm.introduceAll()
        try swarm.drive("admission of all") { swarm.agree() }
        return swarm
    }
}
