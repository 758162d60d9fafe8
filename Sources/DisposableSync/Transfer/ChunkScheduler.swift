// SPDX-License-Identifier: Apache-2.0
package import DisposableCrypto
package import DisposableModel
package import DisposableWire
internal import DequeModule
internal import OrderedCollections

/// A connection, as numbered by the shell.
public struct ConnectionID: Hashable, Comparable, Sendable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Decides which chunk to request from which peer, and assembles what arrives.
///
/// Classes go strictly first to last: thumbnails, previews, originals. Within a class, the chunks that the fewest peers
/// hold come first, of a sample of what the peer holds; among equals those of this node's share, then those of started
/// blobs. So peers of one source fetch different chunks and serve each other, and each leaves the source about once
/// (`ChunkShares`). Chunks of a blob are requested from a random index on, for the same reason. Each peer has a window
/// of bytes in flight that follows its measured rate; a request that stalls is cancelled when another peer has the
/// chunks.
/// (protocol/disposable-v1.md §11)
package struct ChunkScheduler {
    package enum Output: Equatable {
        case request(ConnectionID, ChunkRequest)
        case cancel(ConnectionID, request: UInt32)
    }

    /// The result of bytes from a peer.
    package enum Reception: Equatable {
        /// The chunk is not complete yet, or its request was cancelled.
        case nothing
        case chunk(ArrivedChunk)
        /// The list does not match the blob's root, or a chunk came before its list.
        case wrong
        /// Bytes that do not belong where they claim to.
        case malformed
    }

    enum ChunkState: UInt8 { case missing, requested, arrived, stored }

    /// A wanted blob. A class, like `Peer`, since data that is read for every request must not be copied.
    final class Want {
        let layout: ChunkLayout
        var hashes: [Bytes32]?
        var chunks: [ChunkState]
        var missingCount: Int
        var storedCount: Int
        var isStarted: Bool
        var holders: OrderedSet<ConnectionID> = []
        private(set) var partialHolders: OrderedDictionary<ConnectionID, ChunkBitmap> = [:]
        /// For each chunk the number of `partialHolders` that have it; empty if there are none.
        private var partCounts: [UInt16] = []

        init(
            layout: ChunkLayout, hashes: [Bytes32]?, chunks: [ChunkState], storedCount: Int,
            holders: [ConnectionID]
        ) {
            self.layout = layout
            self.hashes = hashes
            self.chunks = chunks
            missingCount = chunks.count - storedCount
            self.storedCount = storedCount
            isStarted = storedCount > 0
            self.holders = OrderedSet(holders)
        }

        /// Returns the number of peers that hold the chunk.
        func holderCount(of index: Int) -> Int { holders.count + (partCounts.isEmpty ? 0 : Int(partCounts[index])) }

        /// Replaces what a peer holds of the blob; `nil` for nothing, or for everything if it is in `holders`.
        func setPart(_ part: ChunkBitmap?, of peer: ConnectionID) {
            let earlier = partialHolders.removeValue(forKey: peer)
            guard earlier != nil || part != nil else { return }
            if partCounts.isEmpty { partCounts = Array(repeating: 0, count: chunks.count) }
            for index in chunks.indices {
                if earlier?[index] == true { partCounts[index] -= 1 }
                if part?[index] == true { partCounts[index] += 1 }
            }
            partialHolders[peer] = part
            if partialHolders.isEmpty { partCounts = [] }
        }
        func state(of index: Int) -> ChunkState? { chunks.indices.contains(index) ? chunks[index] : nil }
    }

    final class Peer {
        let member: ChunkShares.Member?
        init(device: DeviceID?) { member = device.map { ChunkShares.Member($0) } }

        /// Blobs that the peer holds completely and that are not started, by class.
        var fresh: [SampleSet<BlobID>] = Array(repeating: SampleSet(), count: BlobClass.allCases.count + 1)
        /// Blobs in progress with chunks to request that the peer holds completely or in part, by class.
        var started: [SampleSet<BlobID>] = Array(repeating: SampleSet(), count: BlobClass.allCases.count + 1)
        /// Whether nothing can be requested from it.
        var isIdle: Bool { fresh.allSatisfy(\.isEmpty) && started.allSatisfy(\.isEmpty) }
        var inFlightByteCount = 0
        /// Places of its requests in the peer's queue: one for each chunk, one for a list.
        var placeCount = 0
        var lastProgress: UInt64 = 0
        var windowByteCount = ChunkScheduler.windowByteCountAtStart
        var rateBytesPerMillisecond = 0.0
        var measuredSince: UInt64?
        var measuredByteCount = 0
        var pausedUntil: UInt64 = 0
        /// The number of pauses for delivering nothing, since it last delivered a chunk.
        var stallCount = 0
        var strikes = 0
    }

    struct Request {
        let peer: ConnectionID
        let blob: BlobID
        let chunks: Range<Int>
        /// The bytes that it counts against the windows.
        let byteCount: Int
        var nextChunk: Int
        var buffer: [UInt8] = []
        var lastProgress: UInt64

        var placeCount: Int { chunks.count + 1 }
    }

    struct Refusal {
        let peer: ConnectionID
        let blob: BlobID
        let endsAt: UInt64
    }

    /// A chunk that has arrived and is being verified and stored.
    struct Arrival: Hashable {
        let blob: BlobID
        let index: Int
    }
    struct Arrived {
        let peer: ConnectionID
        let byteCount: Int
    }

    /// While more bytes have arrived and are not stored, nothing is requested: a disk that is slower than the network
    /// does not fill the memory. What is on its way by then arrives in addition.
    package static let arrivedByteCountMax = 4 << 20
    package static let windowByteCountAtStart = 1 << 20
    package static let windowByteCountRange = (512 << 10)...(8 << 20)
    /// The minimum that a request counts, so that small blobs do not flood the peer's queue.
    static let requestByteCountMin = 16 << 10
    package static let chunksPerRequest = 4
    static let sampleCount = 16
    /// The number of blobs in progress that are examined for one request.
    static let startedCountMax = 64
    package static let stallMilliseconds: UInt64 = 2_000
    /// A peer that lets requests stall is paused for `stallMilliseconds`, then twice as long, up to 32 times.
    static let stallDoublingsMax = 5
    /// A request without an answer for this long is repeated even to the same peer.
    package static let lostMilliseconds: UInt64 = 30_000
    /// After a disk error nothing is requested for this time, then for twice as long, and so on.
    package static let storePauseMilliseconds: UInt64 = 5_000
    package static let storePauseMillisecondsMax: UInt64 = 60_000

    /// A peer that has refused a blob may be asked again after this time: its disk may have failed only once.
    package static let refusalMilliseconds: UInt64 = 60_000
    /// The number of refusals that are remembered; beyond it the oldest are dropped, and their peers asked again.
    static let refusalCountMax = 65_536

    var wants: [BlobID: Want] = [:]
    var peers: OrderedDictionary<ConnectionID, Peer> = [:]
    /// Blobs in progress with some chunks on disk.
    var partial = SampleSet<BlobID>()
    var requests: OrderedDictionary<UInt32, Request> = [:]
    var nextRequest: UInt32 = 1
    /// Bytes requested and not received, or received and not stored.
    var inFlightByteCount = 0
    var arrivals: [Arrival: Arrived] = [:]
    /// That of `arrivals`.
    var arrivedByteCount = 0
    var pausedUntil: UInt64 = 0
    /// While the disk has no room, nothing is requested; wanted blobs stay wanted.
    var hasRoom = true
    var storePause = Self.storePauseMilliseconds
    var refusals: Deque<Refusal> = []
    /// When requests were last checked for stalls.
    var checkedAt: UInt64 = 0
    /// Whether anything has changed since `poll` found nothing more to request, and when time alone changes it.
    var mayAskMore = true
    var asksMoreAt: UInt64 = .max
    var random: SplitMix64
    let shares: ChunkShares

    /// - Parameter device: the node's own; `nil` if it shares nothing with others.
    package init(random: SplitMix64, device: DeviceID? = nil) {
        self.random = random
        shares = ChunkShares(of: device)
    }

    package var wantedCount: Int { wants.count }
    /// In arbitrary order.
    var wantedBlobs: Dictionary<BlobID, Want>.Keys { wants.keys }
    func isWanted(_ blob: BlobID) -> Bool { wants[blob] != nil }
    /// Whether part of it was requested, or is here.
    func isStarted(_ blob: BlobID) -> Bool { wants[blob]?.isStarted == true }
    package func hasRequests(of peer: ConnectionID) -> Bool { (peers[peer]?.inFlightByteCount ?? 0) > 0 }

    // Wanted blobs

    /// - Parameters:
    ///   - present: chunks that are stored already.
    ///   - hashes: the chunk list, if it is known from before.
    package mutating func want(
        _ blob: BlobID, present: ChunkBitmap?, hashes: [Bytes32]?, holders: [ConnectionID]
    ) {
        guard wants[blob] == nil else { return }
        let layout = blob.layout
        let hashes = hashes?.count == layout.chunkCount ? hashes : nil
        var chunks = [ChunkState](repeating: .missing, count: layout.chunkCount)
        if let present, hashes != nil { for index in chunks.indices where present[index] { chunks[index] = .stored } }
        // A blob whose last chunk was written, but which was not finished: writing one again finishes it.
        if !chunks.contains(.missing) { chunks[0] = .missing }
        let storedCount = chunks.count { $0 == .stored }
        wants[blob] = Want(
            layout: layout, hashes: hashes, chunks: chunks, storedCount: storedCount, holders: holders)
        if storedCount > 0 { partial.insert(blob) }
        list(blob)
    }

    /// Drops a wanted blob and cancels its requests.
    package mutating func unwant(_ blob: BlobID) -> [Output] {
        guard let want = wants.removeValue(forKey: blob) else { return [] }
        unlist(blob, want)
        // Chunks that wait for the disk no longer matter, not even if storing them fails.
        for arrival in arrivals.keys where arrival.blob == blob { settle(arrival) }
        return requests.filter { $0.value.blob == blob }.map { id, request in
            drop(id, request)
            return .cancel(request.peer, request: id)
        }
    }

    /// Adds the blob to the lists of its holders, if there is something left to request.
    private mutating func list(_ blob: BlobID) {
        guard let want = wants[blob] else { return }
        mayAskMore = true
        guard want.missingCount > 0 else { return unlist(blob, want) }
        let place = Int(blob.blobClass.rawValue)
        for peer in want.holders {
            if want.isStarted { peers[peer]?.fresh[place].remove(blob) } else { peers[peer]?.fresh[place].insert(blob) }
        }
        guard want.isStarted else { return }
        for peer in want.holders { peers[peer]?.started[place].insert(blob) }
        for peer in want.partialHolders.keys { peers[peer]?.started[place].insert(blob) }
    }

    mutating func unlist(_ blob: BlobID, _ want: Want) {
        for peer in want.holders { unlist(blob, want, of: peer) }
        for peer in want.partialHolders.keys { unlist(blob, want, of: peer) }
        if wants[blob] == nil { partial.remove(blob) }
    }

    private mutating func unlist(_ blob: BlobID, _ want: Want, of peer: ConnectionID) {
        let place = Int(blob.blobClass.rawValue)
        peers[peer]?.fresh[place].remove(blob)
        peers[peer]?.started[place].remove(blob)
    }

    // Peers

    package mutating func addPeer(_ peer: ConnectionID, device: DeviceID? = nil) { peers[peer] = Peer(device: device) }

    /// Removes a peer; its requested chunks are missing again.
    package mutating func removePeer(_ peer: ConnectionID) {
        for (id, request) in requests where request.peer == peer { drop(id, request) }
        for want in wants.values {
            want.holders.remove(peer)
            want.setPart(nil, of: peer)
        }
        peers.removeValue(forKey: peer)
    }

    package mutating func holds(_ peer: ConnectionID, _ blob: BlobID) {
        guard peers[peer] != nil, let want = wants[blob], want.holders.append(peer).inserted else { return }
        want.setPart(nil, of: peer)
        list(blob, want, of: peer)
    }

    package mutating func holds(_ peer: ConnectionID, _ chunks: ChunkBitmap, of blob: BlobID) {
        guard peers[peer] != nil, let want = wants[blob], !want.holders.contains(peer),
            chunks.bytes.count <= (want.chunks.count + 7) / 8
        else { return }
        want.setPart(chunks, of: peer)
        // A blob that no peer has completely can be started from its parts.
        if want.isStarted { list(blob, want, of: peer) } else if chunks.count > 0 { start(blob) }
    }

    /// Does the same as `list(_:)` for one new holder.
    private mutating func list(_ blob: BlobID, _ want: Want, of peer: ConnectionID) {
        guard want.missingCount > 0 else { return }
        mayAskMore = true
        let place = Int(blob.blobClass.rawValue)
        if want.isStarted { peers[peer]?.started[place].insert(blob) } else { peers[peer]?.fresh[place].insert(blob) }
    }

    package mutating func lacks(_ peer: ConnectionID, _ blob: BlobID) {
        guard let want = wants[blob] else { return }
        unlist(blob, want, of: peer)
        want.holders.remove(peer)
        want.setPart(nil, of: peer)
    }

    // Requesting

    /// Returns every request that may be sent now.
    package mutating func poll(at now: UInt64) -> [Output] {
        var outputs: [Output] = []
        guard hasRoom, arrivedByteCount <= Self.arrivedByteCountMax, mayAskMore || now >= asksMoreAt,
            now >= pausedUntil, !wants.isEmpty
        else { return outputs }
        var mayAsk = true
        while mayAsk, inFlightByteCount < Limits.inFlightByteCountMax {
            mayAsk = false
            for (peer, state) in peers where !state.isIdle {
                guard let request = nextRequest(to: peer, at: now) else { continue }
                outputs.append(.request(peer, request))
                mayAsk = true
            }
        }
        mayAskMore = false
        asksMoreAt = .max
        for peer in peers.values where peer.pausedUntil > now { asksMoreAt = min(asksMoreAt, peer.pausedUntil) }
        return outputs
    }

    mutating func start(_ blob: BlobID) {
        wants[blob]?.isStarted = true
        list(blob)
    }

    mutating func request(
        _ chunks: Range<Int>, of blob: BlobID, from peer: ConnectionID, at now: UInt64
    ) -> ChunkRequest? {
        guard let want = wants[blob] else { return nil }
        let id = nextRequest
        nextRequest &+= 1
        let request = Request(
            peer: peer, blob: blob, chunks: chunks, byteCount: cost(of: chunks, want.layout),
            nextChunk: chunks.lowerBound, lastProgress: now)
        requests[id] = request
        setState(.requested, of: chunks, in: blob)
        inFlightByteCount += request.byteCount
        if let state = peers[peer] {
            if state.inFlightByteCount == 0 {
                // Idle until now: the time without requests is no measure of the rate.
                state.measuredSince = now
                state.measuredByteCount = 0
                state.lastProgress = now
            }
            state.inFlightByteCount += request.byteCount
            state.placeCount += request.placeCount
        }
        return ChunkRequest(
            request: id, blob: blob, firstChunk: UInt32(chunks.lowerBound), chunkCount: UInt32(chunks.count),
            withList: want.hashes == nil && want.chunks.count > 1)
    }

    private func cost(of chunks: Range<Int>, _ layout: ChunkLayout) -> Int {
        let byteCount = chunks.reduce(0) { $0 + Int(layout.ciphertextRange(ofChunk: $1).count) }
        return max(byteCount, Self.requestByteCountMin)
    }

    mutating func setState(_ state: ChunkState, of chunks: Range<Int>, in blob: BlobID) {
        guard let want = wants[blob] else { return }
        let before = want.missingCount
        for index in chunks {
            if want.chunks[index] == .missing { want.missingCount -= 1 }
            if state == .missing { want.missingCount += 1 }
            want.chunks[index] = state
        }
        mayAskMore = true
        if (want.missingCount == 0) != (before == 0) { list(blob) }
    }

    /// Ends a request in any state: its missing chunks are to be requested again.
    mutating func drop(_ id: UInt32, _ request: Request) {
        guard requests.removeValue(forKey: id) != nil else { return }
        mayAskMore = true
        inFlightByteCount -= request.byteCount
        peers[request.peer]?.inFlightByteCount -= request.byteCount
        peers[request.peer]?.placeCount -= request.placeCount
        setState(.missing, of: request.nextChunk..<request.chunks.upperBound, in: request.blob)
    }
}
