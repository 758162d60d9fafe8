// SPDX-License-Identifier: Apache-2.0

/// Measures the time until a node with many photos serves.
struct StartBench {
    let photoCount: Int

    func run() async throws {
        let folder = BenchFolder()
        let operationCount = try SyntheticEvent.fill(folder.path, photoCount: photoCount)
        let child = try BenchNode(data: folder.path, ["run", "--no-mdns"])
        try await child.waitUntil("ready")
        let readySeconds = child.seconds
        let peakMemory = child.peakMemoryMegabytes
        // By then it is idle.
        try await Task.sleep(for: .seconds(3))
        let memory = child.memoryMegabytes
        child.stop()
        Figure.report(
            "start",
            [
                "photos": Double(photoCount), "operations": Double(operationCount),
                "secondsToReady": readySeconds, "peakMemoryMegabytes": peakMemory,
                "idleMemoryMegabytes": memory,
            ])
    }
}
