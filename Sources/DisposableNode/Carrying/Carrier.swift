// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import DisposableModel
internal import DisposableStore
internal import DisposableSync
internal import DisposableWire
internal import Synchronization

/// A bundle in the place of a peer: it answers a replica's messages from the file, as a node would that holds what is
/// in it. Immutable but for its greeting, so that any thread may ask it.
final class Carrier: Sendable {
    let reader: BundleReader
    let survey: BundleReader.Survey
    let about: BundleRecord.About?
    /// The operations as the two sets name them.
    let items: [OperationSet: ItemSet.Snapshot]
    private let summaries: [OperationSet: SetSummary]
    private let operations: [OperationID: BundleReader.Place]
    private let lists: [BlobID: BundleReader.Place]
    private let chunks: [BlobRoot: [Int: BundleReader.Place]]
    /// The blobs that are completely in the bundle, and described by an operation in it.
    let blobs: [BlobID]
    private let holdings: [Have]
    /// Answers in the order of the messages.
    let queue = DispatchQueue(label: "disposable.carrier")
    private let isGreeted = Mutex(false)

    /// Reads the whole file. Throws `StoreError` and `BundleError`.
    init(_ reader: BundleReader, of event: EventID) throws {
        self.reader = reader
        var about: BundleRecord.About?
        var found: [OperationSet: [ItemSet.Item]] = [:]
        var operations: [OperationID: BundleReader.Place] = [:]
        var lists: [BlobID: BundleReader.Place] = [:]
        var chunks: [BlobRoot: [Int: BundleReader.Place]] = [:]
        var described: [(blob: BlobID, description: BlobCatalogue.Description)] = []
        survey = try reader.forEachRecord { record, place in
            switch record {
            case .about(let record): if record.event == event { about = record }
            case .operation(let operation):
                guard operation.header.event == event, operations.updateValue(place, forKey: operation.id) == nil
                else { return }
                guard operations.count <= EventBundle.operationsMax else {
                    throw BundleError.tooManyOperations(limit: EventBundle.operationsMax)
                }
                found[operation.header.set, default: []].append(
                    ItemSet.Item(timestamp: operation.header.timestamp.milliseconds, id: operation.id.bytes32))
                described += Self.blobs(describedBy: operation)
            case .list(let blob, _): lists[blob] = place
            case .chunk(let root, let index, _): chunks[root, default: [:]][index] = place
            }
        }
        var catalogue = BlobCatalogue()
        for (blob, description) in described where chunks[blob.root]?.count == blob.layout.chunkCount {
            guard lists[blob] != nil else { continue }
            _ = catalogue.add(blob, description: description, isComplete: true)
        }
        blobs = catalogue.completeBlobs
        holdings = catalogue.haveMessages(whole: blobs, partial: [])
        var items: [OperationSet: ItemSet.Snapshot] = [:]
        var summaries: [OperationSet: SetSummary] = [:]
        for set in OperationSet.allCases {
            var all = ItemSet(found[set] ?? [])
            items[set] = all.snapshot()
            summaries[set] = SetSummary(count: UInt64(all.count), fingerprint: all.fingerprint.bytes)
        }
        (self.about, self.items, self.summaries) = (about, items, summaries)
        (self.operations, self.lists, self.chunks) = (operations, lists, chunks)
    }

    private static func blobs(
        describedBy operation: UncheckedOperation
    ) -> [(blob: BlobID, description: BlobCatalogue.Description)] {
        let header = operation.header
        func described(_ blob: BlobID, _ photo: PhotoID) -> (BlobID, BlobCatalogue.Description) {
            (blob, .init(device: header.device, sequence: header.sequence, photo: photo))
        }
        switch header.knownKind {
        case .photo:
            guard case .photo(let manifest) = operation.content else { return [] }
            let references = [manifest.thumbnail, manifest.preview].compactMap(\.self)
            return references.map { described($0.id, PhotoID(operation.id)) }
        case .original:
            guard case .original(let manifest) = operation.content else { return [] }
            return [described(manifest.original.id, PhotoID(header.subject))]
        default: return []
        }
    }

    var operationCount: Int { operations.count }

    /// Returns the answer to a message.
    func answer(_ message: PeerMessage) -> [PeerMessage] {
        switch message {
        case .ping(let ping):
            guard let authority = summaries[.authority], let content = summaries[.content] else { return [] }
            let pong = PeerMessage.pong(Ping(nonce: ping.nonce, authority: authority, content: content))
            let isFirst = isGreeted.withLock { isGreeted in
                defer { isGreeted = true }
                return !isGreeted
            }
            return isFirst ? holdings.map { .have($0) } + [pong] : [pong]
        case .reconcile(let set, true, let message):
            guard let items = items[set] else { return [] }
            let responder = ReconciliationResponder(
                items: items, frameSizeLimit: Limits.reconciliationMessageByteCountMax)
            guard let answer = try? responder.reconcile(message) else { return [] }
            return [.reconcile(set: set, isInitiator: false, message: answer)]
        case .want(let ids, _):
            return PeerMessage.packing(
                ids.compactMap { id in
                    guard let place = operations[id], case .operation(let operation)? = try? reader.record(at: place)
                    else { return nil }
                    return operation
                })
        case .request(let request): return answer(request)
        default: return []
        }
    }

    private func answer(_ request: ChunkRequest) -> [PeerMessage] {
        var answers: [PeerMessage] = []
        let refusal = PeerMessage.refusal(request: request.request, .notHere, retryAfterMilliseconds: 0)
        if request.withList {
            guard let place = lists[request.blob], case .list(_, let hashes)? = try? reader.record(at: place) else {
                return [refusal]
            }
            answers.append(.list(request: request.request, hashes: hashes))
        }
        for index in request.firstChunk..<request.firstChunk + request.chunkCount {
            guard let place = chunks[request.blob.root]?[Int(index)],
                case .chunk(_, _, let ciphertext)? = try? reader.record(at: place)
            else { return answers + [refusal] }
            answers.append(
                .data(ChunkFragment(request: request.request, chunk: index, offset: 0, bytes: ciphertext[...])))
        }
        return answers
    }
}
