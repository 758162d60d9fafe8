// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableSync
import DisposableWire
import Testing

@Suite("BlobCatalogue") struct BlobCatalogueTests {
    private func device(_ number: Int) -> DeviceID { DeviceID(BLAKE2b.hash(Array("device \(number)".utf8))) }
    private func blob(_ number: Int) -> BlobID {
        BlobID(root: BlobRoot(BLAKE2b.hash(Array("blob \(number)".utf8))), blobClass: .original, byteCount: 10)
    }
    private func photo(_ number: Int) -> PhotoID { PhotoID(BLAKE2b.hash(Array("photo \(number)".utf8))) }

    private func add(
        _ number: Int, to catalogue: inout BlobCatalogue, device deviceNumber: Int = 0, sequence: UInt32,
        isComplete: Bool = true, photo photoNumber: Int? = nil
    ) -> Bool {
        catalogue.add(
            blob(number),
            description: .init(device: device(deviceNumber), sequence: sequence, photo: photo(photoNumber ?? number)),
            isComplete: isComplete)
    }

    /// Returns the contents of the messages for a peer; each fits a frame.
    private func read(_ messages: [Have]) throws -> (holdings: Set<[UInt8]>, partials: [BlobID]) {
        var holdings: Set<[UInt8]> = []
        var partials: [BlobID] = []
        for message in messages {
            let bytes = PeerMessage.have(message).bytes
            #expect(bytes.count + 16 <= Limits.frameByteCountMax)
            guard case .have(let have) = try PeerMessage(bytes) else { continue }
            #expect(have == message)
            for holding in have.holdings {
                for sequence in holding.sequences.joined() {
                    #expect(holdings.insert(holding.device.bytes + withUnsafeBytesOf(sequence)).inserted)
                }
            }
            partials += have.partials.map(\.blob)
        }
        return (holdings, partials)
    }

    private func withUnsafeBytesOf(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }

    @Test("ten thousand scattered blobs of many devices are told in messages within the limits, each once")
    func limits() throws {
        var catalogue = BlobCatalogue()
        var expected: Set<[UInt8]> = []
        for number in 0..<10_000 {
            // Two in three of the devices have nothing but gaps.
            let (owner, sequence) = number < 6_000 ? (0, UInt32(number * 3)) : (number % 150 + 1, UInt32(number / 2))
            #expect(add(number, to: &catalogue, device: owner, sequence: sequence))
            expected.insert(device(owner).bytes + withUnsafeBytesOf(sequence))
        }
        let bitmap = ChunkBitmap(bytes: Array(repeating: 255, count: Limits.chunksPerBlobMax / 8))
        let partial = (0..<1_000).map { (blob($0), bitmap) }
        let messages = catalogue.haveMessages(whole: catalogue.completeBlobs, partial: partial)
        let (holdings, partials) = try read(messages)
        #expect(holdings == expected)
        #expect(partials == partial.map(\.0))
    }

    @Test("neighbours are told as one run")
    func runs() {
        var catalogue = BlobCatalogue()
        for number in [3, 1, 2, 7] { _ = add(number, to: &catalogue, sequence: UInt32(number)) }
        let messages = catalogue.haveMessages(whole: catalogue.completeBlobs, partial: [])
        #expect(
            messages == [
                Have(holdings: [.init(device: device(0), blobClass: .original, sequences: [1..<4, 7..<8])])
            ])
    }

    @Test("a file added twice goes with the second of its photos only")
    func twoDescriptions() {
        var catalogue = BlobCatalogue()
        #expect(add(1, to: &catalogue, sequence: 1, photo: 1))
        #expect(!add(1, to: &catalogue, sequence: 5, photo: 2))
        #expect(catalogue.blobs(of: device(0), .original, in: 0..<10) == [blob(1), blob(1)])
        #expect(catalogue.withdraw(photo(1)).isEmpty)
        #expect(catalogue.isComplete(blob(1)))
        #expect(catalogue.blobs(of: device(0), .original, in: 0..<10) == [blob(1)])
        #expect(catalogue.withdraw(photo(2)) == [blob(1)])
        #expect(!catalogue.isComplete(blob(1)))
        #expect(catalogue.blobs(of: device(0), .original, in: 0..<262_144).isEmpty)
        #expect(catalogue.haveMessages(whole: [blob(1)], partial: []).isEmpty)
    }

    @Test("a withdrawn photo keeps each description of its blobs once, and has them in their order when it returns")
    func reinstated() {
        var catalogue = BlobCatalogue()
        let numbers = (0..<4_000).map { ($0 * 7) % 4_000 }
        for _ in 1...2 {
            for number in numbers {
                catalogue.addWithdrawn(
                    blob(number),
                    description: .init(device: device(0), sequence: UInt32(number), photo: photo(1)),
                    isComplete: number % 2 == 0)
            }
        }
        #expect(catalogue.roots(describedOnlyBy: [photo(1)]).count == 4_000)
        let kept = catalogue.reinstate(photo(1))
        #expect(kept.map(\.blob) == numbers.map(blob))
        #expect(kept.map(\.isComplete) == numbers.map { $0 % 2 == 0 })
        #expect(catalogue.reinstate(photo(1)).isEmpty)
        #expect(catalogue.roots(describedOnlyBy: [photo(1)]).isEmpty)
    }

    @Test("what is gained is announced once, whole instead of in part, and not once it is withdrawn")
    func announcements() {
        var catalogue = BlobCatalogue()
        for number in 1...3 { _ = add(number, to: &catalogue, sequence: UInt32(number), isComplete: false) }
        #expect(!catalogue.hasAnnouncements)
        for number in 1...3 { catalogue.gained(chunkOf: blob(number)) }
        catalogue.complete(blob(1))
        _ = catalogue.withdraw(photo(3))
        let (whole, parts) = catalogue.takeAnnouncements()
        #expect(whole == [blob(1)])
        #expect(parts == [blob(2)])
        #expect(!catalogue.hasAnnouncements)
    }
}
