// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableModel
import DisposableNode
import DisposablePortal
import DisposableSync
import DisposableWeb
import Foundation
import Glibc
import Synchronization

/// A node for programs that watch it: its numbers as Prometheus reads them, and its health.
final class NodeMonitor: NodeWatch {
    private let node: Node
    /// About the start of the process: the pages start right after it.
    private let startedAt = Date()

    /// The last numbers of the node, for a second: a program that asks more often does not make the events count again.
    private let counted = Mutex<(at: ContinuousClock.Instant, families: [MetricFamily])?>(nil)

    init(node: Node) { self.node = node }

    func hindrances() async -> [HealthProblem] {
        await node.hindrances.map { HealthProblem(code: $0.code, message: $0.text) }
    }

    func metrics() async -> [MetricFamily] {
        if let counted = counted.withLock({ $0 }), .now - counted.at < .seconds(1) { return counted.families }
        let numbers = await node.measurements()
        let families = program() + Self.families(of: numbers) + Self.families(of: numbers.events)
        counted.withLock { $0 = (.now, families) }
        return families
    }

    private func program() -> [MetricFamily] {
        var info = MetricFamily("disposable_info", .gauge, "1, with the version of the program.")
        info.add(1, ["version": ProgramVersion.text])
        var start = MetricFamily(
            "process_start_time_seconds", .gauge, "Start time of the process since 1970 UTC, in seconds.")
        start.add(startedAt.timeIntervalSince1970)
        var memory = MetricFamily("process_resident_memory_bytes", .gauge, "Resident memory, in bytes.")
        if let byteCount = Self.residentByteCount { memory.add(byteCount) }
        return [info, start, memory]
    }

    /// As the kernel counts it; `nil` without /proc.
    private static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        // The second number counts resident pages (proc(5)).
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) }
    }

    private static func families(of node: NodeMeasurements) -> [MetricFamily] {
        var free = MetricFamily("disposable_disk_free_bytes", .gauge, "Free bytes of the disk with the data folder.")
        var reserve = MetricFamily(
            "disposable_disk_reserve_bytes", .gauge, "Bytes that the node keeps free; below, it takes no photos.")
        if let disk = node.disk {
            free.add(disk.freeByteCount)
            reserve.add(disk.reserveByteCount)
        }
        var waiting = MetricFamily(
            "disposable_image_requests_waiting", .gauge, "Files that wait for an image worker, by its task.")
        var busy = MetricFamily("disposable_image_workers_busy", .gauge, "Image workers at work, by their task.")
        for (task, queue) in [("rendering", node.rendering), ("cleaning", node.cleaning)] {
            waiting.add(queue.waitingCount, ["task": task])
            busy.add(queue.busyCount, ["task": task])
        }
        return [
            MetricFamily("disposable_events", .gauge, "Open events of the node.", node.events.count),
            MetricFamily(
                "disposable_events_rebuilding", .gauge, "Events that are closed while their databases are rebuilt.",
                node.rebuildingCount),
            MetricFamily("disposable_problems", .gauge, "Problems that the node reports now.", node.problemCount),
            free, reserve, waiting, busy,
        ]
    }

    private static func families(of events: [EventMeasurements]) -> [MetricFamily] {
        func family(
            _ name: String, _ help: String, _ kind: MetricFamily.Kind = .gauge, _ value: (EventMeasurements) -> Int
        ) -> MetricFamily {
            var family = MetricFamily(name, kind, help)
            for event in events { family.add(value(event), ["event": event.event]) }
            return family
        }
        return [
            family("disposable_event_members", "Members of the event.") { $0.status.operations.memberCount },
            family("disposable_event_operations", "Stored operations.") { $0.status.operations.operationCount },
            photos(of: events),
            family("disposable_event_photos_complete", "Photos whose original is here.") {
                $0.status.photos.completeCount
            },
            copies(of: events),
            family("disposable_event_peers", "Connected nodes.") { $0.status.network.peers.count },
            family("disposable_event_peers_synchronized", "Connected nodes with the same operations.") {
                $0.status.network.peers.count(where: \.isSynchronized)
            },
            family("disposable_event_nodes_known", "Other nodes whose inventory is here.") {
                $0.status.network.nodes.count
            },
            family("disposable_event_files_missing", "Files that are wanted and not complete here.") {
                $0.status.photos.missingBlobCount
            },
            family("disposable_event_chunks_in_flight", "Chunks requested of nodes and not stored yet.") {
                $0.chunksInFlightCount
            },
            family("disposable_event_chunks_to_serve", "Chunks that nodes have requested and that are not read yet.") {
                $0.chunksToServeCount
            },
            family("disposable_event_received_bytes_total", "Bytes received from nodes.", .counter) {
                Int(clamping: $0.status.network.receivedByteCount)
            },
            family("disposable_event_sent_bytes_total", "Bytes sent to nodes.", .counter) {
                Int(clamping: $0.status.network.sentByteCount)
            },
            chunkBytes(
                of: events, "disposable_event_chunk_received_bytes_total",
                "Bytes of chunks received from nodes, by class of file.", \.receivedByteCount),
            chunkBytes(
                of: events, "disposable_event_chunk_sent_bytes_total",
                "Bytes of chunks sent to nodes, by class of file.", \.sentByteCount),
        ]
    }

    private static func photos(of events: [EventMeasurements]) -> MetricFamily {
        var family = MetricFamily("disposable_event_photos", .gauge, "Photos, by who may see them now.")
        for event in events {
            let status = event.status
            for (state, count) in [
                ("shown", status.photos.photoCount - status.photos.sealedCount), ("sealed", status.photos.sealedCount),
                ("pending", status.photos.pendingCount), ("veiled", status.photos.veiledCount),
            ] { family.add(count, ["event": event.event, "state": state]) }
        }
        return family
    }

    private static func copies(of events: [EventMeasurements]) -> MetricFamily {
        var family = MetricFamily(
            "disposable_event_photo_copies", .gauge, "Photos whose original is at these places, as far as known.")
        for event in events {
            let copies = event.status.photos.copies
            for (place, count) in [
                ("here", copies.here), ("two_machines", copies.onTwoMachines), ("organizers", copies.onOrganizers),
                ("confirmed", copies.confirmed),
            ] { family.add(count, ["event": event.event, "place": place]) }
        }
        return family
    }

    private static func chunkBytes(
        of events: [EventMeasurements], _ name: String, _ help: String, _ count: KeyPath<Traffic, UInt64>
    ) -> MetricFamily {
        var family = MetricFamily(name, .counter, help)
        for event in events {
            for (label, blobClass) in [
                ("thumbnail", BlobClass.thumbnail), ("preview", .preview), ("original", .original),
            ] { family.add(event.chunkTraffic[blobClass][keyPath: count], ["event": event.event, "class": label]) }
        }
        return family
    }
}
