// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

/// False descriptions of another's blob by a dishonest member.
enum BlobLie: CaseIterable {
    case shorter, longer, fewerChunks, moreChunks, otherClass

    func told(of truth: BlobReference) throws -> BlobReference {
        let byteCount: UInt64 =
            switch self {
            case .shorter: truth.byteCount - 1
            case .longer: truth.byteCount + 1
            case .fewerChunks: 1
            case .moreChunks: truth.byteCount + 5 * UInt64(ChunkLayout.chunkPlaintextByteCount)
            case .otherClass: truth.byteCount
            }
        return try #require(
            BlobReference(
                root: truth.root, byteCount: byteCount, chunkLog2: truth.chunkLog2, key: truth.key!,
                blobClass: self == .otherClass ? .preview : .original))
    }
}

@Suite("Wrong descriptions of blobs") struct BlobLieTests {
    /// The photo and the original that describe a blob, in the classes that its reference says.
    private func operations(
        _ reference: BlobReference, by author: SigningKey, _ puppet: Puppet
    ) throws -> [VerifiedOperation] {
        var manifest = PhotoManifest(
            thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1, mediaType: .jpeg)
        if reference.id.blobClass == .preview { manifest.preview = reference }
        let photo = try puppet.operation(
            .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: author)
        guard reference.id.blobClass == .original else { return [photo] }
        let original = OriginalManifest(original: reference, sha256: .zero, mediaType: .jpeg)
        return [
            photo,
            try puppet.operation(
                .original, subject: photo.id,
                body: OperationBody.encode(.original(original), salt: puppet.random.bytes(16)), by: author),
        ]
    }

    /// Answers requests as an honest holder of the blobs does, until there are none.
    private func serve(_ blobs: [SealedBlob], _ puppet: Puppet) {
        let held = Dictionary(uniqueKeysWithValues: blobs.map { ($0.reference.id, $0) })
        while !puppet.isClosed {
            let requests = puppet.take().compactMap { message -> ChunkRequest? in
                if case .request(let request) = message { request } else { nil }
            }
            if requests.isEmpty { return }
            for request in requests {
                guard let blob = held[request.blob] else {
                    puppet.send(.refusal(request: request.request, .notHere, retryAfterMilliseconds: 0))
                    continue
                }
                if request.withList { puppet.send(.list(request: request.request, hashes: blob.hashes)) }
                for index in request.firstChunk..<request.firstChunk + request.chunkCount {
                    let chunk = blob.chunks[Int(index)]
                    for start in stride(from: 0, to: chunk.count, by: Limits.dataByteCountMax) {
                        let part = chunk[start..<min(start + Limits.dataByteCountMax, chunk.count)]
                        puppet.send(
                            .data(
                                ChunkFragment(
                                    request: request.request, chunk: index, offset: UInt32(start), bytes: part)))
                    }
                }
            }
        }
    }

    @Test(
        "blobs with a false first description are fetched nevertheless, and their honest holder is not blamed",
        arguments: BlobLie.allCases, [false, true])
    func lieFirst(lie: BlobLie, isAuthorTheLiar: Bool) throws {
        let puppet = try Puppet(isMember: true)
        // More than it takes to be shunned.
        let blobs = (0..<Limits.badChunksMax + 2).map { number in
            SealedBlob(
                puppet.random.plaintext(300_000 + number), .original, importSecret: puppet.founding.secret)
        }
        let author = isAuthorTheLiar ? puppet.key : puppet.founding.deviceKey
        for blob in blobs { puppet.send(try operations(try lie.told(of: blob.reference), by: puppet.key, puppet)) }
        for blob in blobs { puppet.send(try operations(blob.reference, by: author, puppet)) }
        for device in Set([author, puppet.key].map { DeviceID($0.verifyingKey) }) {
            let classes = [BlobClass.preview, .original]
            puppet.send(
                .have(Have(holdings: classes.map { .init(device: device, blobClass: $0, sequences: [0..<1]) })))
        }
        serve(blobs, puppet)
        for blob in blobs { #expect(puppet.replica.isComplete(blob.reference.id)) }
        #expect(!puppet.isClosed)
        #expect(puppet.replica.missingBlobCount == blobs.count, "what was described wrongly is nowhere to be had")
    }

    @Test(
        "a swarm with a member that describes everybody's originals wrongly gets them all",
        arguments: BlobLie.allCases)
    func swarm(lie: BlobLie) throws {
        let swarm = Swarm(seed: 7)
        let honest = [swarm.addNode(), swarm.addNode()]
        let liar = swarm.addNode()
        swarm.introduceAll()
        try swarm.drive("three members") { swarm.agree() }
        try swarm.add(4, by: honest[0], .large)
        let originals = swarm.wantedBlobs(of: honest[0]).filter { $0.id.blobClass == .original }
        let truths = originals.map(\.id).sorted()
        // Told before anybody else has fetched them; the liar says that it holds what it describes.
        for truth in truths {
            let reference = try #require(
                BlobReference(
                    root: truth.root, byteCount: truth.byteCount, chunkLog2: ChunkLayout.chunkLog2,
                    key: swarm.random.secret(), blobClass: .original))
            let told: BlobReference = lie == .otherClass ? reference : try lie.told(of: reference)
            var manifest = PhotoManifest(
                thumbnail: nil, preview: nil, takenAtMilliseconds: nil, width: 4, height: 3, mediaType: .jpeg)
            if lie == .otherClass {
                manifest.preview = BlobReference(
                    root: truth.root, byteCount: 500_000, chunkLog2: ChunkLayout.chunkLog2, key: reference.key!,
                    blobClass: .preview)
            }
            swarm.say(
                .photo(
                    body: OperationBody.encode(.photo(manifest), salt: swarm.random.bytes(16)),
                    originalBody: OperationBody.encode(
                        .original(OriginalManifest(original: told, sha256: .zero, mediaType: .jpeg)),
                        salt: swarm.random.bytes(16))), by: liar)
        }
        let late = swarm.addNode()
        swarm.introduceAll()
        try swarm.drive("all originals everywhere") {
            (honest + [late]).allSatisfy { node in truths.allSatisfy { node.replica?.isComplete($0) == true } }
        }
        for node in honest + [late] {
            #expect(!node.journal.closings.contains(.limitExceeded))
            for original in originals { #expect(swarm.holds(original, on: node)) }
        }
    }
}
