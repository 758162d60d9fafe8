// SPDX-License-Identifier: Apache-2.0
public import DisposableModel
public import DisposableWire
internal import OrderedCollections

/// The state of the event and of its peers, for the shell.
extension Replica {
    /// Whether this device's join counts.
    public var isAdmitted: Bool { state.membership.isMember(device) }

    /// Whether this device was a member and has been removed.
    public var isPutOut: Bool { state.membership.isRevoked(device) }

    /// Throws `removed` or `notAdmitted` unless operations of `device` count.
    public func checkStanding(of device: DeviceID) throws(Refusal) {
        guard state.membership.rank(of: device) == nil else { return }
        throw state.membership.isRevoked(device) ? .removed : .notAdmitted
    }

    public var deviceID: DeviceID { device }
    /// The author of this device's operations.
    public var authorID: AuthorID { state.membership.author(of: device) }
    /// Whether the device's operations are signed on this node: its own, and those of the guests that it serves.
    public func signs(for device: DeviceID) -> Bool { authoring.chains.signs(for: device) }
    public var credentials: EventCredentials { epochs.keyring.current }

    public func summary(of set: OperationSet) -> SetSummary { index.summary(of: set) }
    /// The event's secrets.
    public var keyring: Keyring { epochs.keyring }
    /// Grows whenever `destructible` may have changed.
    public var withdrawalCount: Int { index.withdrawals.revision }
    /// See `Input.originalsLimited`.
    public var originalsPerTree: UInt64? { interests.originalsPerTree }

    /// Live peers, in the order of their devices.
    public var livePeers: [PeerStatus] {
        peers.values.compactMap { peer in
            guard !peer.isBundle, let device = peer.device else { return nil }
            return PeerStatus(
                device: device, address: peer.address?.description ?? peer.host, isAdmitted: trusts(peer),
                isSynchronized: peer.reconciliation.isSynchronized,
                clockDifferenceMilliseconds: peer.process.clock?.difference,
                roundTripMilliseconds: peer.liveness.roundTripMilliseconds,
                receivedByteCount: peer.traffic.receivedByteCount, sentByteCount: peer.traffic.sentByteCount)
        }.sorted { $0.device < $1.device }
    }

    /// The classes of blobs that this node fetches without a request.
    public var keptClasses: Set<BlobClass> { interests.classes }
    public var diskSpace: DiskSpace { status.diskSpace }
    /// Whether the store has lost operations, some of which may be this device's own: until a member has sent all of
    /// its operations, the device signs nothing, since it would fork its chain.
    public var mustReconcile: Bool { status.mustReconcile }
    var isStopping: Bool { status.isStopping }
    /// Bytes over all connections, including closed ones.
    public var traffic: Traffic { status.traffic }
    public var chunkTraffic: ChunkTraffic { status.chunkTraffic }
    var device: DeviceID { identity.device }

    /// The number of blobs that are wanted and missing, without those that are set aside (`isSetAside`).
    public var missingBlobCount: Int { scheduler.wantedCount }
    /// The number of chunks that were requested of peers and are not stored yet.
    public var chunksInFlightCount: Int { scheduler.chunksInFlightCount }
    /// The number of chunks and lists that peers have requested and this node has not read yet.
    public var chunksToServeCount: Int { peers.values.reduce(0) { $0 + $1.service.waitingCount } }
    public func isComplete(_ blob: BlobID) -> Bool { blobs.isComplete(blob) }
    /// Whether a photo that is not withdrawn has the blob.
    public func isDescribed(_ blob: BlobID) -> Bool { blobs[blob] != nil }
    /// Returns the photos that the blob belongs to.
    public func photos(with blob: BlobID) -> [PhotoID] { blobs.photos(with: blob) }
    public func isComplete(_ blobClass: BlobClass, of photo: PhotoID) -> Bool {
        let author = state.album.author(of: photo)
        return blobs.isComplete(blobClass, of: photo) { state.membership.author(of: $0) == author }
    }
}

/// A live peer for display.
public struct PeerStatus: Equatable, Sendable {
    public let device: DeviceID
    public let address: String
    public let isAdmitted: Bool
    /// Whether both sets have been reconciled on this connection.
    public let isSynchronized: Bool
    /// The difference of its wall clock to this node's when it connected; positive if ahead.
    public let clockDifferenceMilliseconds: Int64?
    public let roundTripMilliseconds: UInt64?
    public let receivedByteCount: UInt64
    public let sentByteCount: UInt64
}
