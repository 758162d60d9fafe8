// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableSync
import Foundation

/// Measures two nodes in two processes: speed and cost.
struct TransferBench {
    let fileCount: Int
    static let fileByteCount = 4 << 20

    func run() async throws {
        let folder = BenchFolder()
        let (a, b) = (folder.path + "/a", folder.path + "/b")
        let pictures = folder.path + "/pictures"
        try Self.makeFiles(fileCount, in: pictures)
        let host = try BenchNode(data: a, ["host", "Bench", "--frames", "unlimited", "--no-mdns"])
        let ready = try await host.waitUntil("ready")
        guard let invitation = ready["invitation"] as? String else { throw Failure("the node gave no invitation") }
        let (addSeconds, _) = try Figure.seconds {
            try BenchNode.runToEnd(data: a, ["add", "--keep-metadata", pictures])
        }
        let hostCPU = host.cpuSeconds
        let join = try BenchNode(data: b, ["join", invitation, "--no-mdns"])
        try await join.waitUntil("ready")
        let clock = ContinuousClock()
        let start = clock.now
        let hostStart = host.cpuSeconds
        try await join.waitUntil("status") { ($0["completeCount"] as? Int) == fileCount }
        let elapsed = clock.now - start
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let gigabytes = Double(fileCount * Self.fileByteCount) / 1e9
        Figure.report(
            "transfer",
            [
                "files": Double(fileCount), "megabytes": gigabytes * 1_000, "seconds": seconds,
                "megabytesPerSecond": gigabytes * 1_000 / seconds,
                "senderCPUSecondsPerGigabyte": (host.cpuSeconds - hostStart) / gigabytes,
                "receiverCPUSecondsPerGigabyte": join.cpuSeconds / gigabytes,
                "senderPeakMemoryMegabytes": host.peakMemoryMegabytes,
                "receiverPeakMemoryMegabytes": join.peakMemoryMegabytes,
                "addMegabytesPerSecond": gigabytes * 1_000 / addSeconds,
                "addCPUSecondsPerGigabyte": hostCPU / gigabytes,
            ])
        join.stop()
        host.stop()
    }
}

extension TransferBench {
    /// Creates files with a JPEG header and noise after it: this measures moving bytes, not decoding.
    static func makeFiles(_ count: Int, in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for index in 0..<count {
            var bytes = [UInt8](repeating: 0, count: fileByteCount)
            var random = SplitMix64(seed: UInt64(index))
            for place in stride(from: 0, to: bytes.count, by: 8) {
                withUnsafeBytes(of: random.next()) { word in
                    for offset in 0..<8 { bytes[place + offset] = word[offset] }
                }
            }
            bytes.replaceSubrange(0..<4, with: [0xFF, 0xD8, 0xFF, 0xFE])
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(index).jpg"))
        }
    }
}
