// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

extension Duration {
    /// For what takes a second where nothing else runs: here hundreds of tests and their helpers share two cores.
    static let patience = Duration.seconds(600)
}

/// The pool's treatment of workers that crash, hang and end.
@Suite struct ImageWorkerPoolTests {
    let folder: TestFolder
    let path: String

    init() async throws {
        folder = try TestFolder()
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        path = try folder.write(try await pool.jpeg(of: DemoPhoto(seed: 3, width: 200, height: 150)), to: "a.jpg")
        await pool.stop()
    }

    /// The one helper of `pool`, stopped by a signal, so that requests to it hang.
    private func stoppedWorker(of pool: ImageWorkerPool) async throws -> Int32 {
        _ = try await pool.render(path: path)
        let id = try #require(pool.isBusyByWorker.keys.first)
        #expect(kill(id, SIGSTOP) == 0)
        return id
    }

    private func waitUntilBusy(_ id: Int32, in pool: ImageWorkerPool) async throws {
        let deadline = ContinuousClock.now + .patience
        while pool.isBusyByWorker[id] != true {
            try #require(ContinuousClock.now < deadline, "helper \(id) got no request")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("a helper that dies in the middle of a request costs that request only")
    func crash() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        let id = try await stoppedWorker(of: pool)
        let lost = Task { try await pool.render(path: path) }
        try await waitUntilBusy(id, in: pool)
        #expect(kill(id, SIGKILL) == 0)
        await #expect(throws: ImagingError.workerCrashed(signal: SIGKILL)) { try await lost.value }
        #expect(try await pool.render(path: path).renditions != nil)
        #expect(pool.isBusyByWorker[id] == nil)
        await pool.stop()
    }

    @Test("a picture in memory that somebody waits for goes before files that wait")
    func urgent() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        let id = try await stoppedWorker(of: pool)
        let first = Task { try await pool.render(path: path) }
        try await waitUntilBusy(id, in: pool)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let (order, sink) = AsyncStream.makeStream(of: String.self)
        let requests = ["file", "file", "memory"].enumerated().map { index, kind in
            Task { () async throws -> RenderedImage in
                while pool.waitingCount < index { try await Task.sleep(for: .milliseconds(10)) }
                let image = try await kind == "file" ? pool.render(path: path) : pool.render(bytes: bytes)
                sink.yield(kind)
                return image
            }
        }
        while pool.waitingCount < 3 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(kill(id, SIGCONT) == 0)
        var images = [try await first.value]
        for request in requests { images.append(try await request.value) }
        sink.finish()
        #expect(images.allSatisfy { $0 == images[0] })
        var kinds: [String] = []
        for await kind in order { kinds.append(kind) }
        #expect(kinds.last == "file", "\(kinds)")
        await pool.stop()
    }

    @Test("a helper that hangs is ended, and the next request gets a new one")
    func hang() async throws {
        // Long enough for a request that is answered, on a machine of which other tests have the most.
        let pool = ImageWorkerPool(count: 1, timeout: .seconds(60))
        let id = try await stoppedWorker(of: pool)
        await #expect(throws: ImagingError.timedOut) { try await pool.render(path: path) }
        #expect(try await pool.render(path: path).renditions != nil)
        #expect(pool.isBusyByWorker[id] == nil)
        #expect(kill(id, 0) == -1 && errno == ESRCH)
        await pool.stop()
    }

    @Test("a helper that dies while idle costs nothing")
    func idleDeath() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        let id = try await stoppedWorker(of: pool)
        #expect(kill(id, SIGKILL) == 0)
        // Wait until it can be reaped, and leave it to the pool: its threads may be longer about dying than it is.
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == 0)
        #expect(try await pool.render(path: path).renditions != nil)
        await pool.stop()
    }

    @Test("the helper has given up what it does not need")
    func confinement() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        _ = try await pool.render(path: path)
        let id = try #require(pool.isBusyByWorker.keys.first)
        let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8).split(separator: "\n")
        func limit(_ name: String) -> [String] {
            let line = limits.first { $0.hasPrefix(name) } ?? ""
            return line.dropFirst(26).split(separator: " ").prefix(2).map(String.init)
        }
        #expect(limit("Max address space") == ["1610612736", "1610612736"])
        #expect(limit("Max core file size") == ["0", "0"])
        #expect(limit("Max file size") == ["0", "0"])
        #expect(limit("Max open files") == ["32", "32"])
        #expect(try #require(Int(limit("Max cpu time")[0])) <= 30)
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        // Standard streams only: none of the node's sockets and files came along.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
        #expect(open.filter { Int($0)! <= 2 }.count == 3)
        #expect(open.count <= 8)
        await pool.stop()
    }

    @Test("requests run on as many helpers as allowed, and all are answered")
    func parallel() async throws {
        let pool = ImageWorkerPool(count: 2, timeout: .patience)
        let count = try await withThrowingTaskGroup(of: RenderedImage.self) { group in
            for _ in 0..<20 { group.addTask { try await pool.render(path: path) } }
            return try await group.reduce(0) { $0 + ($1.renditions == nil ? 0 : 1) }
        }
        #expect(count == 20)
        #expect((1...2).contains(pool.isBusyByWorker.count))
        await pool.stop()
    }

    @Test("no helper runs before it is needed, and none after the pool is stopped")
    func stop() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        #expect(pool.isBusyByWorker.isEmpty)
        _ = try await pool.render(path: path)
        let id = try #require(pool.isBusyByWorker.keys.first)
        await pool.stop()
        #expect(kill(id, 0) == -1 && errno == ESRCH)
        await #expect(throws: ImagingError.stopped) { try await pool.render(path: path) }
        await pool.stop()
    }

    @Test("more requests than may wait are refused, and what waits is refused when the pool stops")
    func bounded() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience, waitingCountMax: 1)
        let id = try await stoppedWorker(of: pool)
        async let running = pool.render(path: path)
        try await waitUntilBusy(id, in: pool)
        // Of two more, one waits and the other is refused; which one is which does not matter.
        let refusals = AsyncStream { continuation in
            for _ in 0..<2 {
                Task {
                    let error = await #expect(throws: ImagingError.self) { try await pool.render(path: path) }
                    continuation.yield(error)
                }
            }
        }
        var iterator = refusals.makeAsyncIterator()
        #expect(await iterator.next() == .queueFull(limit: 1))
        async let stopped: Void = pool.stop()
        #expect(await iterator.next() == .stopped)
        #expect(kill(id, SIGCONT) == 0)
        #expect(try await running.renditions != nil)
        await stopped
    }

    @Test("a request that is cancelled while it waits leaves the queue")
    func cancellation() async throws {
        let pool = ImageWorkerPool(count: 1, timeout: .patience)
        let id = try await stoppedWorker(of: pool)
        async let running = pool.render(path: path)
        try await waitUntilBusy(id, in: pool)
        let waiting = Task { try await pool.render(path: path) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(kill(id, SIGCONT) == 0)
        #expect(try await running.renditions != nil)
        await pool.stop()
    }

    @Test("a helper that is not there, or is something else, is an error and not a wait")
    func wrongExecutable() async throws {
        let missing = ImageWorkerPool(executable: folder.file("nothing"), count: 1)
        await #expect(throws: ImagingError.workerUnavailable(code: ENOENT)) { try await missing.render(path: path) }
        let other = ImageWorkerPool(executable: "/bin/false", count: 1)
        await #expect(throws: ImagingError.workerExited(status: 1)) { try await other.render(path: path) }
    }
}
