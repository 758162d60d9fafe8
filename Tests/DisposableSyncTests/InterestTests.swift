// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSimulation
import DisposableSync
import DisposableWire
import Testing

@Suite("Which blobs are fetched") struct InterestTests {
    /// A node, and a member that states photos and serves their files. The node is the organizer's.
    private final class Feed {
        let puppet: Puppet
        private var blobs: [BlobID: SealedBlob] = [:]

        init() throws { puppet = try Puppet(isMember: true) }

        var replica: Replica { puppet.replica }
        var device: DeviceID { DeviceID(puppet.key.verifyingKey) }

        /// Photos with thumbnails and originals, which claim slots from `firstSlot` on, or none.
        func photos(
            _ count: Int, firstSlot: UInt64?, sequence: UInt32 = 1, by key: SigningKey? = nil,
            original: SealedBlob? = nil
        ) throws -> [PhotoID] {
            let key = key ?? puppet.key
            var operations: [VerifiedOperation] = []
            var photos: [PhotoID] = []
            for number in 0..<count {
                let (thumbnail, original) = (blob(30, .thumbnail), original ?? blob(3_000, .original))
                for blob in [thumbnail, original] {
                    puppet.disk.archive.file(blob)
                    blobs[blob.reference.id] = blob
                }
                let manifest = PhotoManifest(
                    thumbnail: thumbnail.reference, preview: nil, takenAtMilliseconds: nil, width: 1, height: 1,
                    mediaType: .jpeg)
                let photo = try puppet.operation(
                    .photo, body: OperationBody.encode(.photo(manifest), salt: puppet.random.bytes(16)), by: key)
                operations.append(photo)
                photos.append(PhotoID(photo.id))
                if let firstSlot {
                    operations.append(
                        try VerifiedOperation(
                            draft: Draft(kind: .claim, subject: photo.id, argument: firstSlot + UInt64(number)),
                            event: puppet.founding.id, sequence: sequence, previous: photo.id,
                            timestamp: photo.header.timestamp, key: key))
                }
                let originalManifest = OriginalManifest(
                    original: original.reference, sha256: .zero, mediaType: .jpeg)
                operations.append(
                    try puppet.operation(
                        .original, subject: photo.id,
                        body: OperationBody.encode(.original(originalManifest), salt: puppet.random.bytes(16)), by: key)
                )
            }
            puppet.sendInParts(operations)
            return photos
        }

        /// Further originals of a photo of the member's.
        func originals(_ count: Int, of photo: PhotoID) throws {
            puppet.sendInParts(
                try (0..<count).map { _ in
                    let original = blob(3_000, .original)
                    puppet.disk.archive.file(original)
                    blobs[original.reference.id] = original
                    let manifest = OriginalManifest(original: original.reference, sha256: .zero, mediaType: .jpeg)
                    return try puppet.operation(
                        .original, subject: photo.operationID,
                        body: OperationBody.encode(.original(manifest), salt: puppet.random.bytes(16)))
                })
        }

        var completeOriginalCount: Int { blobs.keys.count { $0.blobClass == .original && replica.isComplete($0) } }

        func blob(_ byteCount: Int, _ blobClass: BlobClass) -> SealedBlob {
            SealedBlob(puppet.random.plaintext(byteCount), blobClass, importSecret: puppet.founding.secret)
        }

        /// Says that it has everything, and answers requests until there are none.
        func serve(of keys: [SigningKey] = []) {
            for device in [device] + keys.map({ DeviceID($0.verifyingKey) }) {
                let holdings = [BlobClass.thumbnail, .original].map {
                    Have.Holding(device: device, blobClass: $0, sequences: [0..<1])
                }
                puppet.send(.have(Have(holdings: holdings)))
            }
            while !puppet.isClosed {
                let requests = puppet.take().compactMap { message -> ChunkRequest? in
                    if case .request(let request) = message { request } else { nil }
                }
                if requests.isEmpty { return }
                for request in requests {
                    guard let chunk = blobs[request.blob]?.chunks.first else { continue }
                    puppet.send(
                        .data(ChunkFragment(request: request.request, chunk: 0, offset: 0, bytes: chunk[...])))
                }
            }
        }

        func count(_ blobClass: BlobClass, of photos: [PhotoID]) -> Int {
            photos.count { replica.isComplete(blobClass, of: $0) }
        }

        func rule(_ ruling: Ruling, by key: SigningKey? = nil) {
            let ticket = Ticket(puppet.random.next() >> 40)
            puppet.apply(.author(.rule(ruling, salt: puppet.random.bytes(16)), by: key, ticket))
            puppet.wait(milliseconds: 2_000)
        }

        /// The founder has the member removed, and leaves nothing of it.
        func removeMember() throws {
            puppet.send([
                try puppet.operation(
                    .revokeDevice, subject: OperationID(device.bytes32),
                    body: OperationBody.encode(.revocation(heads: []), salt: puppet.random.bytes(16)),
                    by: puppet.founding.eventKey)
            ])
            puppet.wait(milliseconds: 2_000)
        }
    }

    private let roll: UInt64 = 27

    @Test("of 200 photos beyond the roll 100 are fetched, of the others thumbnails; with frames the rest follows")
    func beyondRoll() throws {
        let feed = try Feed()
        let photos = try feed.photos(200, firstSlot: roll + 1)
        feed.serve()
        #expect(feed.count(.thumbnail, of: photos) == 200)
        #expect(feed.count(.original, of: photos) == Limits.unshownPhotosPlainMax)
        #expect(photos.count(where: feed.replica.isSetAside) == 100)
        #expect(feed.replica.missingBlobCount == 0)
        feed.rule(.frames(200, to: AuthorID(feed.device)))
        #expect(feed.replica.state.gallery.count == 200)
        feed.serve()
        #expect(feed.count(.original, of: photos) == 200)
        #expect(!photos.contains(where: feed.replica.isSetAside))
    }

    @Test("a photo that is shown, wherever it comes in the order, is fetched, and gives its place to another one")
    func shownAmongUnshown() throws {
        let feed = try Feed()
        let unshown = try feed.photos(150, firstSlot: roll + 1)
        let shown = try feed.photos(20, firstSlot: 1)
        feed.serve()
        #expect(feed.count(.original, of: shown) == 20)
        #expect(feed.count(.original, of: unshown) == 100)
        feed.rule(.frames(30, to: AuthorID(feed.device)))
        feed.serve()
        feed.puppet.wait(milliseconds: 2_000)
        feed.serve()
        #expect(feed.replica.state.gallery.count == 50)
        #expect(feed.count(.original, of: unshown) == 130)
    }

    @Test("a frame that its author moves from photo to photo has a few of them fetched, of the others thumbnails")
    func movedFrame() throws {
        let feed = try Feed()
        var photos: [PhotoID] = []
        for number in 0..<60 { photos += try feed.photos(1, firstSlot: 1, sequence: 60 - UInt32(number)) }
        feed.serve()
        #expect(feed.replica.state.gallery.map(\.id) == [photos[59]])
        #expect(feed.count(.thumbnail, of: photos) == 60)
        #expect(feed.count(.original, of: photos) <= Limits.contestedFramePhotosMax + 1)
    }

    @Test("of a photo with any number of originals a few are fetched")
    func manyOriginals() throws {
        let feed = try Feed()
        let photo = try feed.photos(1, firstSlot: 1)[0]
        try feed.originals(50, of: photo)
        feed.serve()
        #expect(feed.replica.isComplete(.original, of: photo))
        #expect(feed.completeOriginalCount == Limits.originalsPerPhotoMax)
    }

    @Test("a restart gives no tree further places")
    func restart() throws {
        let feed = try Feed()
        let photos = try feed.photos(200, firstSlot: nil)
        feed.serve()
        #expect(feed.count(.original, of: photos) == 100)
        let restarted = feed.puppet.restarted()
        #expect(photos.count { restarted.isComplete(.original, of: $0) } == 100)
        #expect(restarted.missingBlobCount == 0)
        #expect(photos.count(where: restarted.isSetAside) == 100)
    }

    @Test("a tree to which an organizer gives a role has more places")
    func establishedTree() throws {
        let feed = try Feed()
        let photos = try feed.photos(200, firstSlot: nil)
        feed.rule(.grant(.page, to: feed.device.bytes32))
        feed.serve()
        #expect(feed.count(.original, of: photos) == 200)
    }

    @Test("photos of a removed member are not fetched, and after a grant that cancels the removal they are")
    func removedMember() throws {
        let feed = try Feed()
        let courier = SigningKey(seed: feed.puppet.random.secret())
        feed.puppet.send([try feed.puppet.join(of: courier)])
        let before = try feed.photos(2, firstSlot: 1)
        #expect(feed.replica.missingBlobCount == 4)
        try feed.removeMember()
        #expect(feed.replica.state.gallery.isEmpty)
        #expect(feed.replica.missingBlobCount == 0, "what is void is not asked for any longer")
        try feed.puppet.reconnect(as: courier)
        let after = try feed.photos(2, firstSlot: 3)
        feed.serve()
        #expect(feed.count(.thumbnail, of: before + after) == 0)
        feed.rule(.grant(.participant, to: feed.device.bytes32), by: feed.puppet.founding.eventKey)
        #expect(feed.replica.state.gallery.count == 4)
        feed.serve()
        #expect(feed.count(.thumbnail, of: before + after) == 4)
        #expect(feed.count(.original, of: before + after) == 4)
    }

    @Test("a file that a void photo names as well is fetched for the photo that is shown")
    func sharedBlob() throws {
        let feed = try Feed()
        let courier = SigningKey(seed: feed.puppet.random.secret())
        feed.puppet.send([try feed.puppet.join(of: courier)])
        try feed.removeMember()
        try feed.puppet.reconnect(as: courier)
        let original = feed.blob(3_000, .original)
        let void = try feed.photos(1, firstSlot: 1, original: original)
        feed.serve()
        #expect(!feed.replica.isComplete(original.reference.id))
        let shown = try feed.photos(1, firstSlot: 1, by: courier, original: original)
        feed.serve(of: [courier])
        #expect(feed.count(.original, of: shown) == 1)
        #expect(feed.count(.thumbnail, of: void) == 0)
    }

    @Test("originals of one plain tree stop at its share of the volume, and go on when there is room")
    func share() throws {
        let feed = try Feed()
        let other = SigningKey(seed: feed.puppet.random.secret())
        feed.puppet.send([try feed.puppet.join(of: other)])
        feed.puppet.apply(.originalsLimited(perTree: 10_000))
        let photos = try feed.photos(5, firstSlot: 1)
        let others = try feed.photos(2, firstSlot: 1, by: other)
        feed.serve(of: [other])
        #expect(feed.count(.thumbnail, of: photos + others) == 7)
        #expect(feed.count(.original, of: photos) == 3)
        #expect(feed.count(.original, of: others) == 2)
        #expect(feed.replica.missingBlobCount == 0)
        #expect(photos.count(where: feed.replica.isSetAside) == 2)
        feed.puppet.apply(.originalsLimited(perTree: nil))
        feed.puppet.wait(milliseconds: 2_000)
        feed.serve(of: [other])
        #expect(feed.count(.original, of: photos) == 5)
    }

    @Test("originals that nobody has begun to send wait when the disk becomes half full")
    func shareOfWanted() throws {
        let feed = try Feed()
        let photos = try feed.photos(5, firstSlot: 1)
        #expect(feed.replica.missingBlobCount == 10)
        feed.puppet.apply(.originalsLimited(perTree: 10_000))
        #expect(feed.replica.missingBlobCount == 8)
        feed.serve()
        #expect(feed.count(.original, of: photos) == 3)
    }

    @Test("the share is 1 GiB or an eighth of the volume, and there is none while half of it is free")
    func shareOfVolume() {
        let gibibyte: UInt64 = 1 << 30
        func share(_ free: UInt64, of volume: UInt64) -> UInt64? {
            DiskReserve.originalsPerTree(freeByteCount: free * gibibyte, volumeByteCount: volume * gibibyte)
        }
        #expect(share(256, of: 512) == nil)
        #expect(share(255, of: 512) == 64 * gibibyte)
        #expect(share(1, of: 4) == gibibyte)
    }
}
