// SPDX-License-Identifier: Apache-2.0
internal import DequeModule
internal import DisposableModel
package import DisposableWire

/// The chunks that one peer has requested of this node: read from the store two at a time, small classes first, and
/// sent in the order in which they were read, in whatever order the reads end.
package struct ChunkService {
    /// A chunk, or the list, that the peer has requested.
    package struct Item: Equatable {
        package let request: UInt32
        package let read: BlobRead
    }

    private struct ReadInProgress {
        let ticket: Ticket
        let item: Item
        /// `nil` until the read has ended.
        var result: ReadResult?
        var isCancelled = false
    }

    package static let readsMax = 2

    /// By class, in the order of the requests.
    private var waiting: [Deque<Item>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
    private var reads: Deque<ReadInProgress> = []

    package init() {}

    /// The number of items that are not being read yet.
    package var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }
    package func isReading(_ ticket: Ticket) -> Bool { reads.contains { $0.ticket == ticket } }

    /// Whether the request fits.
    package func hasRoom(for request: ChunkRequest) -> Bool {
        waitingCount + Int(request.chunkCount) + 1 <= Limits.requestsPerPeerMax
    }

    package mutating func append(_ request: ChunkRequest) {
        let place = Int(request.blob.blobClass.rawValue)
        if request.withList { waiting[place].append(Item(request: request.request, read: .list(request.blob))) }
        for index in Int(request.firstChunk)..<Int(request.firstChunk + request.chunkCount) {
            waiting[place].append(Item(request: request.request, read: .chunk(request.blob, index: index)))
        }
    }

    /// Returns the next item to read, `nil` if none waits or enough are being read.
    package mutating func next() -> Item? {
        guard reads.count < Self.readsMax, let place = waiting.firstIndex(where: { !$0.isEmpty }) else { return nil }
        return waiting[place].popFirst()
    }

    package mutating func begin(_ item: Item, _ ticket: Ticket) {
        reads.append(ReadInProgress(ticket: ticket, item: item))
    }

    package mutating func end(_ ticket: Ticket, with result: ReadResult) {
        guard let place = reads.firstIndex(where: { $0.ticket == ticket }) else { return }
        reads[place].result = result
    }

    /// Returns the next item to answer, once it and all before it were read.
    package mutating func nextAnswer() -> (item: Item, result: ReadResult)? {
        while let read = reads.first, let result = read.result {
            reads.removeFirst()
            if !read.isCancelled { return (read.item, result) }
        }
        return nil
    }

    package mutating func cancel(_ request: UInt32) {
        for place in waiting.indices { waiting[place].removeAll { $0.request == request } }
        for place in reads.indices where reads[place].item.request == request { reads[place].isCancelled = true }
    }
}
