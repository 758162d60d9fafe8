// SPDX-License-Identifier: Apache-2.0
public import DisposableCrypto
public import DisposableModel
internal import DisposableWire
internal import OrderedCollections

/// A connection, as the shell numbers them.
public struct ConnectionID: Hashable, Comparable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A chunk that came in and fits its blob's list: to be written.
public struct ArrivedChunk: Equatable, Sendable {
    public let blob: BlobID
    public let blobClass: BlobClass
    /// Length of the blob's plaintext in bytes.
    public let byteCount: UInt64
    public let index: Int
    public let ciphertext: [UInt8]
    /// The blob's whole chunk list.
    public let hashes: [Bytes32]
}

/// Decides which chunk to ask of whom, and puts together what comes.
///
/// Classes go strictly first to last: thumbnails, previews, originals. Inside a class blobs that have been started come
/// first, then the rarest of a random sample of what the peer holds, so that peers of one source fetch different blobs
/// and serve each other. Chunks of a blob are taken from a random place on, for the same reason. Each peer has a window
/// of bytes in flight that follows its measured rate; a request that stalls is cancelled when another peer has the
/// chunks. (protocol/disposable-v0.md §11)
struct ChunkScheduler {
    enum Output: Equatable {
        case request(ConnectionID, ChunkRequest)
        case cancel(ConnectionID, request: UInt32)
    }

    /// What became of bytes that a peer sent.
    enum Reception: Equatable {
        /// The chunk is not whole yet, or its request was cancelled.
        case nothing
        case chunk(ArrivedChunk)
        /// The chunk or the list is not what the blob's root promises.
        case wrong
        /// Bytes that do not belong where they claim to.
        case malformed
    }

    private enum ChunkState: UInt8 { case missing, requested, arrived, stored }

    private struct Want {
        let blobClass: BlobClass
        let layout: ChunkLayout
        var hashes: [Bytes32]?
        var chunks: [ChunkState]
        var missingCount: Int
        var storedCount: Int
        var isStarted: Bool
        var holders: OrderedSet<ConnectionID> = []
        var partialHolders: OrderedDictionary<ConnectionID, ChunkBitmap> = [:]

        func isHeld(_ index: Int, by peer: ConnectionID) -> Bool {
            holders.contains(peer) || partialHolders[peer]?[index] == true
        }
        var holderCount: Int { holders.count + partialHolders.count }
    }

    private struct Peer {
        /// Blobs that the peer holds whole and nobody has started, by class.
        var fresh: [OrderedSet<BlobID>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
        var inFlightByteCount = 0
        var windowByteCount = ChunkScheduler.windowByteCountAtStart
        var rateBytesPerMillisecond = 0.0
        var measuredSince: UInt64?
        var measuredByteCount = 0
        var pausedUntil: UInt64 = 0
        var strikes = 0
    }

    private struct Request {
        let peer: ConnectionID
        let blob: BlobID
        let chunks: Range<Int>
        var nextChunk: Int
        var buffer: [UInt8] = []
        var lastProgress: UInt64
    }

    static let windowByteCountAtStart = 1 << 20
    static let windowByteCountRange = (512 << 10)...(8 << 20)
    /// A request counts as this much at least, so that small blobs do not flood the peer's queue.
    static let requestByteCountMin = 16 << 10
    static let chunksPerRequest = 4
    static let sampleCount = 16
    static let stallMilliseconds: UInt64 = 2_000
    static let storePauseMilliseconds: UInt64 = 5_000

    private var wants: [BlobID: Want] = [:]
    private var peers: OrderedDictionary<ConnectionID, Peer> = [:]
    /// Blobs in progress that still have chunks to ask for, by class.
    private var started: [OrderedSet<BlobID>] = Array(repeating: [], count: BlobClass.allCases.count + 1)
    private var requests: OrderedDictionary<UInt32, Request> = [:]
    private var nextRequest: UInt32 = 1
    private var inFlightByteCount = 0
    private var pausedUntil: UInt64 = 0
    private var random: SplitMix64

    init(random: SplitMix64) { self.random = random }

    var wantedCount: Int { wants.count }
    func isWanted(_ blob: BlobID) -> Bool { wants[blob] != nil }
    var hasRequestsInFlight: Bool { !requests.isEmpty }
    func hasRequests(of peer: ConnectionID) -> Bool { (peers[peer]?.inFlightByteCount ?? 0) > 0 }

    // Wishes

    /// - Parameters:
    ///   - present: chunks that are on disk already.
    ///   - hashes: the chunk list, where it is known from before.
    mutating func want(
        _ blob: BlobID, blobClass: BlobClass, byteCount: UInt64, present: ChunkBitmap?, hashes: [Bytes32]?,
        holders: [ConnectionID]
    ) {
        guard wants[blob] == nil else { return }
        let layout = ChunkLayout(plaintextByteCount: byteCount)
        var chunks = [ChunkState](repeating: .missing, count: layout.chunkCount)
        if let present, hashes != nil { for index in chunks.indices where present[index] { chunks[index] = .stored } }
        let storedCount = chunks.count { $0 == .stored }
        var want = Want(
            blobClass: blobClass, layout: layout, hashes: hashes, chunks: chunks,
            missingCount: chunks.count - storedCount, storedCount: storedCount, isStarted: storedCount > 0)
        want.holders = OrderedSet(holders)
        wants[blob] = want
        if want.isStarted {
            started[Int(blobClass.rawValue)].append(blob)
        } else {
            for peer in holders { peers[peer]?.fresh[Int(blobClass.rawValue)].append(blob) }
        }
    }

    /// Forgets a blob, cancelling what is asked of it.
    mutating func unwant(_ blob: BlobID) -> [Output] {
        guard let want = wants.removeValue(forKey: blob) else { return [] }
        forget(blob, of: want.blobClass)
        return requests.filter { $0.value.blob == blob }.map { id, request in
            drop(id, request)
            return .cancel(request.peer, request: id)
        }
    }

    private mutating func forget(_ blob: BlobID, of blobClass: BlobClass) {
        let place = Int(blobClass.rawValue)
        started[place].remove(blob)
        for peer in peers.keys { peers[peer]?.fresh[place].remove(blob) }
    }

    // Peers

    mutating func addPeer(_ peer: ConnectionID) { peers[peer] = Peer() }

    /// The peer's requests go back to what is missing.
    mutating func removePeer(_ peer: ConnectionID) {
        for (id, request) in requests where request.peer == peer { drop(id, request) }
        for blob in wants.keys {
            wants[blob]?.holders.remove(peer)
            wants[blob]?.partialHolders.removeValue(forKey: peer)
        }
        peers.removeValue(forKey: peer)
    }

    mutating func holds(_ peer: ConnectionID, _ blob: BlobID) {
        guard wants[blob]?.holders.append(peer).inserted == true, let want = wants[blob] else { return }
        wants[blob]?.partialHolders.removeValue(forKey: peer)
        if !want.isStarted { peers[peer]?.fresh[Int(want.blobClass.rawValue)].append(blob) }
    }

    mutating func holds(_ peer: ConnectionID, _ chunks: ChunkBitmap, of blob: BlobID) {
        guard let want = wants[blob], !want.holders.contains(peer), chunks.bytes.count <= (want.chunks.count + 7) / 8
        else { return }
        wants[blob]?.partialHolders[peer] = chunks
        // A blob that nobody has whole can be started from its parts.
        if !want.isStarted, chunks.count > 0 { start(blob) }
    }

    mutating func lacks(_ peer: ConnectionID, _ blob: BlobID) {
        guard let want = wants[blob] else { return }
        wants[blob]?.holders.remove(peer)
        wants[blob]?.partialHolders.removeValue(forKey: peer)
        peers[peer]?.fresh[Int(want.blobClass.rawValue)].remove(blob)
    }

    // Asking

    /// Everything that may be asked now.
    mutating func poll(at now: UInt64) -> [Output] {
        var outputs: [Output] = []
        guard now >= pausedUntil else { return outputs }
        var mayAsk = true
        while mayAsk, inFlightByteCount < Limits.inFlightByteCountMax {
            mayAsk = false
            for peer in peers.keys {
                guard let request = nextRequest(to: peer, at: now) else { continue }
                outputs.append(.request(peer, request))
                mayAsk = true
            }
        }
        return outputs
    }

    private mutating func nextRequest(to peer: ConnectionID, at now: UInt64) -> ChunkRequest? {
        guard let state = peers[peer], state.inFlightByteCount < state.windowByteCount, now >= state.pausedUntil else {
            return nil
        }
        for blobClass in BlobClass.allCases {
            let place = Int(blobClass.rawValue)
            for blob in started[place].prefix(64) {
                if let chunks = missingRun(of: blob, for: peer) { return request(chunks, of: blob, from: peer, at: now) }
            }
            let fresh = state.fresh[place]
            guard !fresh.isEmpty else { continue }
            var rarest: (blob: BlobID, count: Int)?
            for _ in 0..<min(Self.sampleCount, fresh.count) {
                let blob = fresh[Int.random(in: 0..<fresh.count, using: &random)]
                let count = wants[blob]?.holderCount ?? 0
                if count < rarest?.count ?? .max { rarest = (blob, count) }
            }
            guard let blob = rarest?.blob else { continue }
            start(blob)
            if let chunks = missingRun(of: blob, for: peer) { return request(chunks, of: blob, from: peer, at: now) }
        }
        return nil
    }

    private mutating func start(_ blob: BlobID) {
        guard let blobClass = wants[blob]?.blobClass else { return }
        forget(blob, of: blobClass)
        wants[blob]?.isStarted = true
        started[Int(blobClass.rawValue)].append(blob)
    }

    /// Missing chunks in a row that the peer has, from a random place on.
    private mutating func missingRun(of blob: BlobID, for peer: ConnectionID) -> Range<Int>? {
        guard let want = wants[blob], want.missingCount > 0,
            want.holders.contains(peer) || want.partialHolders[peer] != nil
        else { return nil }
        let count = want.chunks.count
        let offset = count > Self.chunksPerRequest ? Int.random(in: 0..<count, using: &random) : 0
        for step in 0..<count {
            let first = (offset + step) % count
            guard want.chunks[first] == .missing, want.isHeld(first, by: peer) else { continue }
            var end = first + 1
            while end < count, end - first < Self.chunksPerRequest, want.chunks[end] == .missing,
                want.isHeld(end, by: peer)
            { end += 1 }
            return first..<end
        }
        return nil
    }

    private mutating func request(
        _ chunks: Range<Int>, of blob: BlobID, from peer: ConnectionID, at now: UInt64
    ) -> ChunkRequest? {
        guard let want = wants[blob] else { return nil }
        let id = nextRequest
        nextRequest &+= 1
        requests[id] = Request(peer: peer, blob: blob, chunks: chunks, nextChunk: chunks.lowerBound, lastProgress: now)
        setState(.requested, of: chunks, in: blob)
        account(cost(of: chunks, want.layout), to: peer)
        return ChunkRequest(
            request: id, blob: blob, firstChunk: UInt32(chunks.lowerBound), chunkCount: UInt32(chunks.count),
            blobClass: want.blobClass, withList: want.hashes == nil && want.chunks.count > 1)
    }

    private func cost(of chunks: Range<Int>, _ layout: ChunkLayout) -> Int {
        let byteCount = chunks.reduce(0) { $0 + Int(layout.ciphertextRange(ofChunk: $1).count) }
        return max(byteCount, Self.requestByteCountMin)
    }

    private mutating func account(_ byteCount: Int, to peer: ConnectionID) {
        inFlightByteCount += byteCount
        peers[peer]?.inFlightByteCount += byteCount
    }

    private mutating func setState(_ state: ChunkState, of chunks: Range<Int>, in blob: BlobID) {
        guard var want = wants.removeValue(forKey: blob) else { return }
        for index in chunks {
            if want.chunks[index] == .missing { want.missingCount -= 1 }
            if state == .missing { want.missingCount += 1 }
            want.chunks[index] = state
        }
        let place = Int(want.blobClass.rawValue)
        if want.isStarted {
            if want.missingCount > 0 { started[place].append(blob) } else { started[place].remove(blob) }
        }
        wants[blob] = want
    }

    /// Ends a request whatever its state: what has not come is missing again.
    private mutating func drop(_ id: UInt32, _ request: Request) {
        guard requests.removeValue(forKey: id) != nil else { return }
        let open = request.nextChunk..<request.chunks.upperBound
        if let layout = wants[request.blob]?.layout {
            account(-cost(of: request.chunks, layout), to: request.peer)
        } else {
            // The blob is no longer wanted; its size is gone with it, so count the peer's requests anew.
            recount(request.peer)
        }
        setState(.missing, of: open, in: request.blob)
    }

    private mutating func recount(_ peer: ConnectionID) {
        let byteCount = requests.values.filter { $0.peer == peer }.reduce(0) { sum, request in
            sum + (wants[request.blob].map { cost(of: request.chunks, $0.layout) } ?? 0)
        }
        inFlightByteCount += byteCount - (peers[peer]?.inFlightByteCount ?? 0)
        peers[peer]?.inFlightByteCount = byteCount
    }

    // What comes

    mutating func receive(list hashes: [Bytes32], request id: UInt32, from peer: ConnectionID) -> Reception {
        guard let request = requests[id], request.peer == peer, var want = wants[request.blob] else { return .nothing }
        guard want.hashes == nil else { return .nothing }
        guard hashes.count == want.chunks.count,
            BlobSealing.root(byteCount: want.layout.plaintextByteCount, chunkHashes: hashes) == request.blob
        else { return strike(id, request) }
        want.hashes = hashes
        wants[request.blob] = want
        return .nothing
    }

    mutating func receive(_ fragment: ChunkFragment, from peer: ConnectionID, at now: UInt64) -> Reception {
        guard var request = requests[fragment.request], request.peer == peer, let want = wants[request.blob] else {
            return .nothing
        }
        let chunkByteCount = Int(want.layout.ciphertextRange(ofChunk: request.nextChunk).count)
        guard Int(fragment.chunk) == request.nextChunk, Int(fragment.offset) == request.buffer.count,
            request.buffer.count + fragment.bytes.count <= chunkByteCount
        else { return .malformed }
        // Taken out while it changes, so that the buffer is not copied.
        requests[fragment.request]?.buffer = []
        if request.buffer.isEmpty { request.buffer.reserveCapacity(chunkByteCount) }
        request.buffer.append(contentsOf: fragment.bytes)
        request.lastProgress = now
        measure(fragment.bytes.count, from: peer, at: now)
        guard request.buffer.count == chunkByteCount else {
            requests[fragment.request] = request
            return .nothing
        }
        return finish(fragment.request, request, want)
    }

    /// A chunk is whole: checks it against the list and moves the request on.
    private mutating func finish(_ id: UInt32, _ request: Request, _ want: Want) -> Reception {
        let index = request.nextChunk
        let hash = BlobSealing.hash(ofChunk: request.buffer.span)
        let hashes: [Bytes32]
        if let list = want.hashes {
            guard list[index] == hash else { return strike(id, request) }
            hashes = list
        } else {
            // The list of a blob of one chunk is that chunk's hash; larger blobs' lists come first.
            guard want.chunks.count == 1,
                BlobSealing.root(byteCount: want.layout.plaintextByteCount, chunkHashes: [hash]) == request.blob
            else { return strike(id, request) }
            hashes = [hash]
            wants[request.blob]?.hashes = hashes
        }
        setState(.arrived, of: index..<index + 1, in: request.blob)
        var request = request
        let ciphertext = request.buffer
        request.buffer = []
        request.nextChunk += 1
        if request.nextChunk == request.chunks.upperBound {
            drop(id, request)
        } else {
            requests[id] = request
        }
        return .chunk(
            ArrivedChunk(
                blob: request.blob, blobClass: want.blobClass, byteCount: want.layout.plaintextByteCount, index: index,
                ciphertext: ciphertext, hashes: hashes))
    }

    private mutating func strike(_ id: UInt32, _ request: Request) -> Reception {
        drop(id, request)
        lacks(request.peer, request.blob)
        peers[request.peer]?.strikes += 1
        return .wrong
    }

    func strikes(of peer: ConnectionID) -> Int { peers[peer]?.strikes ?? 0 }

    private mutating func measure(_ byteCount: Int, from peer: ConnectionID, at now: UInt64) {
        guard var state = peers[peer] else { return }
        state.measuredByteCount += byteCount
        let since = state.measuredSince ?? now
        state.measuredSince = since
        if now >= since + 200 {
            let rate = Double(state.measuredByteCount) / Double(now - since)
            state.rateBytesPerMillisecond =
                state.rateBytesPerMillisecond == 0 ? rate : 0.7 * state.rateBytesPerMillisecond + 0.3 * rate
            // Twice what the peer delivers in a round trip and 50 ms; a LAN's round trip is small against that.
            let window = Int(state.rateBytesPerMillisecond * 110)
            state.windowByteCount = min(max(window, Self.windowByteCountRange.lowerBound), Self.windowByteCountRange.upperBound)
            state.measuredSince = now
            state.measuredByteCount = 0
        }
        peers[peer] = state
    }

    /// The chunk is on disk. True when it was the blob's last.
    mutating func stored(_ index: Int, of blob: BlobID) -> Bool {
        guard var want = wants[blob], want.chunks.indices.contains(index), want.chunks[index] != .stored else {
            return false
        }
        want.chunks[index] = .stored
        want.storedCount += 1
        wants[blob] = want
        guard want.storedCount == want.chunks.count else { return false }
        wants.removeValue(forKey: blob)
        forget(blob, of: want.blobClass)
        return true
    }

    /// The disk did not take the chunk: it is missing again, and nothing is asked for a while.
    mutating func storingFailed(_ index: Int, of blob: BlobID, at now: UInt64) {
        guard wants[blob]?.chunks.indices.contains(index) == true else { return }
        setState(.missing, of: index..<index + 1, in: blob)
        pausedUntil = now + Self.storePauseMilliseconds
    }

    /// The peer will not serve the request.
    mutating func refused(_ id: UInt32, by peer: ConnectionID, retryAfter milliseconds: UInt64, at now: UInt64) {
        guard let request = requests[id], request.peer == peer else { return }
        drop(id, request)
        if milliseconds > 0 {
            peers[peer]?.pausedUntil = now + milliseconds
        } else {
            lacks(peer, request.blob)
        }
    }

    var startedBlobs: [BlobID] { started.flatMap { Array($0) } }

    /// Chunks of an unfinished blob that can be served already.
    func presentChunks(of blob: BlobID) -> ChunkBitmap? {
        guard let want = wants[blob], want.storedCount > 0 else { return nil }
        var bitmap = ChunkBitmap(chunkCount: want.chunks.count)
        for (index, state) in want.chunks.enumerated() where state == .stored { bitmap[index] = true }
        return bitmap
    }

    // Time

    /// Cancels requests that have stalled although somebody else has the chunks.
    mutating func cancelStalled(at now: UInt64) -> [Output] {
        var outputs: [Output] = []
        for (id, request) in requests {
            guard let want = wants[request.blob] else { continue }
            let rate = max(peers[request.peer]?.rateBytesPerMillisecond ?? 0, 1)
            let expected = UInt64(4 * Double(ChunkLayout.chunkCiphertextByteCount) / rate)
            guard now >= request.lastProgress + min(max(Self.stallMilliseconds, expected), 10_000) else { continue }
            let others = want.holders.contains { $0 != request.peer && (peers[$0]?.pausedUntil ?? 0) <= now }
            guard others else { continue }
            drop(id, request)
            peers[request.peer]?.pausedUntil = now + Self.stallMilliseconds
            outputs.append(.cancel(request.peer, request: id))
        }
        return outputs
    }

    /// When `poll` or `cancelStalled` should be called next on account of time alone.
    func nextDeadline(after now: UInt64) -> UInt64? {
        if now < pausedUntil { return pausedUntil }
        if !requests.isEmpty { return now + 500 }
        let paused = peers.values.map(\.pausedUntil).filter { $0 > now }.min()
        return wants.isEmpty ? nil : paused
    }
}
