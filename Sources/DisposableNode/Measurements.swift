// SPDX-License-Identifier: Apache-2.0
internal import DisposableImaging
internal import DisposableModel
internal import DisposableStore
public import DisposableSync

/// The numbers of a node at one moment.
public struct NodeMeasurements: Sendable {
    public struct Disk: Sendable {
        public let freeByteCount: UInt64
        public let reserveByteCount: UInt64
    }

    /// The queue of a pool of image workers.
    public struct Queue: Sendable {
        /// Requests that no worker has taken yet.
        public let waitingCount: Int
        /// Requests that workers are working on.
        public let busyCount: Int
    }

    /// In the order of their ids.
    public let events: [EventMeasurements]
    /// Events that are closed while their databases are rebuilt.
    public let rebuildingCount: Int
    /// `nil` if the disk cannot be examined.
    public let disk: Disk?
    public let rendering: Queue
    public let cleaning: Queue
    public let problemCount: Int
}

/// The numbers of one event at one moment.
public struct EventMeasurements: Sendable {
    /// The first eight hexadecimal digits of the event's id.
    public let event: String
    public let status: EventStatus
    public let chunkTraffic: ChunkTraffic
    public let chunksInFlightCount: Int
    public let chunksToServeCount: Int
}

/// A reason why a node cannot take photos or serve one of its events.
public struct Hindrance: Sendable {
    /// `room`, `storage` or `rebuilding`.
    public let code: String
    /// A sentence for people.
    public let text: String
}

extension EventNode {
    var measurements: EventMeasurements {
        EventMeasurements(
            event: event.short, status: status, chunkTraffic: replica.chunkTraffic,
            chunksInFlightCount: replica.chunksInFlightCount, chunksToServeCount: replica.chunksToServeCount)
    }
}

extension Node {
    public func measurements() async -> NodeMeasurements {
        var measured: [EventMeasurements] = []
        for id in events { if let event = open[id] { measured.append(await event.measurements) } }
        let room = try? DiskRoom(at: folder.path)
        func queue(_ pool: ImageWorkerPool) -> NodeMeasurements.Queue {
            NodeMeasurements.Queue(
                waitingCount: pool.waitingCount, busyCount: pool.isBusyByWorker.values.count(where: \.self))
        }
        return NodeMeasurements(
            events: measured, rebuildingCount: rebuilding.count,
            disk: room.map {
                NodeMeasurements.Disk(freeByteCount: $0.freeByteCount, reserveByteCount: $0.reserveByteCount)
            },
            rendering: queue(context.images), cleaning: queue(context.cleaners),
            problemCount: context.problems.all.count)
    }

    /// The reasons why this node cannot take photos or serve one of its events; empty if there are none.
    public var hindrances: [Hindrance] {
        let closed = rebuilding.values.map(\.name).sorted().map {
            Hindrance(code: "rebuilding", text: "the database of \($0) is corrupt and is being rebuilt")
        }
        let others = problemReasons.filter { ["room", "storage"].contains($0.value) }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { Hindrance(code: $0.value, text: $0.key) }
        return closed + others
    }
}
