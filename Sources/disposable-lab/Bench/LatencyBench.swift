// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableImaging
import DisposableNode
import Foundation
import Logging
import Synchronization

/// Returns the median and the 95th percentile of the values.
func percentiles(_ values: [Double], _ name: String) -> [String: Double] {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return [:] }
    return ["\(name)P50": sorted[(sorted.count - 1) / 2], "\(name)P95": sorted[(sorted.count - 1) * 95 / 100]]
}

/// Measures the time from "added" on one node to visible on another: real photos of camera size, one after the other.
struct PhotoBench {
    let photoCount: Int

    func run() async throws {
        let folder = BenchFolder()
        let (a, b) = (DataFolder(path: folder.path + "/a"), DataFolder(path: folder.path + "/b"))
        let (paths, byteCount) = try await paint(in: folder.path)
        let host = try BenchNode(data: a.path, ["host", "Bench", "--frames", "unlimited", "--no-mdns", "--no-portal"])
        guard let invitation = try await host.waitUntil("ready")["invitation"] as? String else {
            throw Failure("the node gave no invitation")
        }
        let join = try BenchNode(data: b.path, ["join", invitation, "--no-mdns", "--no-portal"])
        try await join.waitUntil("admitted")
        var (adding, thumbnail, original): ([Double], [Double], [Double]) = ([], [], [])
        let clock = ContinuousClock()
        for path in paths {
            let asked = clock.now
            let id = try await add(path, a)
            let added = clock.now
            adding.append(Self.milliseconds(added - asked))
            try await wait(for: id, b) { $0 != "announced" }
            thumbnail.append(Self.milliseconds(clock.now - added))
            try await wait(for: id, b) { $0 == "complete" }
            original.append(Self.milliseconds(clock.now - added))
        }
        join.stop()
        host.stop()
        let figures = [
            percentiles(adding, "addMilliseconds"), percentiles(thumbnail, "thumbnailMilliseconds"),
            percentiles(original, "originalMilliseconds"),
            ["photos": Double(paths.count), "megabytesEach": Double(byteCount) / 1e6 / Double(paths.count)],
        ]
        Figure.report("photo", figures.reduce(into: [:]) { $0.merge($1) { $1 } })
    }

    private func paint(in folder: String) async throws -> (paths: [String], byteCount: Int) {
        let painter = ImageWorkerPool()
        var paths: [String] = []
        var byteCount = 0
        for index in 0..<photoCount {
            let bytes = try await painter.jpeg(
                of: DemoPhoto(
                    seed: UInt64(index), width: 4_800, height: 3_600,
                    capturedAtMilliseconds: 1_755_345_600_000 + Int64(index) * 1_000))
            byteCount += bytes.count
            paths.append("\(folder)/\(index).jpg")
            try Data(bytes).write(to: URL(fileURLWithPath: paths[index]))
        }
        await painter.stop()
        return (paths, byteCount)
    }

    private func add(_ path: String, _ folder: DataFolder) async throws -> String {
        let id = Mutex<String?>(nil)
        let request = ControlRequest.add(event: nil, paths: [path], keepsMetadata: false)
        try await NodeClient.ask(request, folder: folder, logger: Logger(label: "bench")) { reply in
            if case .added(let photo) = reply { id.withLock { $0 = photo.id } }
        }
        guard let id = id.withLock({ $0 }) else { throw Failure("the measured node has not added \(path)") }
        return id
    }

    /// Polls repeatedly; a poll takes about a millisecond and is part of the measurement.
    private func wait(for id: String, _ folder: DataFolder, until isWanted: @Sendable @escaping (String) -> Bool)
        async throws
    {
        let isThere = Mutex(false)
        for _ in 0..<10_000 {
            try await NodeClient.ask(.show(event: nil, photo: id), folder: folder, logger: Logger(label: "bench")) {
                reply in
                if case .photo(let photo) = reply, isWanted(photo.state) { isThere.withLock { $0 = true } }
            }
            if isThere.withLock({ $0 }) { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw Failure("photo \(id.prefix(8)) has not arrived")
    }

    static func milliseconds(_ duration: Duration) -> Double { duration.seconds * 1_000 }
}

/// Measures the time until a browsing process sees a node that has just been started, and until one that has just begun
/// to browse sees a running node: by mDNS on loopback.
struct DiscoveryBench {
    let runCount: Int

    func run() async throws {
        let folder = BenchFolder()
        let empty = DataFolder(path: folder.path + "/nobody")
        var (announced, looked): ([Double], [Double]) = ([], [])
        for run in 0..<runCount {
            let data = "\(folder.path)/\(run)"
            let (node, listen) = try await Self.watching(empty) { seen in
                try await Task.sleep(for: .seconds(1))
                let node = try BenchNode(data: data, ["host", "Bench \(run)", "--no-portal"])
                let ready = try await node.waitUntil("ready")
                let start = ContinuousClock.now
                guard let listen = ready["listen"] as? String else { throw Failure("the node does not listen") }
                for await address in seen where address == listen { break }
                announced.append((ContinuousClock.now - start).seconds)
                return (node, listen)
            }
            try await Task.sleep(for: .seconds(1))
            let start = ContinuousClock.now
            try await Self.watching(empty) { seen in for await address in seen where address == listen { break } }
            looked.append((ContinuousClock.now - start).seconds)
            node.stop()
        }
        Figure.report(
            "discovery",
            percentiles(announced, "secondsToBeSeen").merging(percentiles(looked, "secondsToSee")) { $1 }
                .merging(["runs": Double(runCount)]) { $1 })
    }

    /// Runs `body` while browsing; it gets the addresses that are discovered.
    private static func watching<Result>(
        _ folder: DataFolder, _ body: (AsyncStream<String>) async throws -> Result
    ) async throws -> Result {
        let (seen, sink) = AsyncStream.makeStream(of: String.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sink.finish() }
                try await Nearby.watch(interface: "lo", folder: folder, logger: Logger(label: "bench")) {
                    sink.yield($0.address)
                }
            }
            defer { group.cancelAll() }
            return try await body(seen)
        }
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
