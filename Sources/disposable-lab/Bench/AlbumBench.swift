// SPDX-License-Identifier: Apache-2.0
import DisposableConsole
import DisposableImaging
import Foundation
import Glibc

/// Measures exporting everything: an album on disk compared with copying the same files, and the guests' ZIP with the
/// node's memory for it.
struct AlbumBench {
    let photoCount: Int
    /// The number of painted pictures; the others are copies with other bytes in a comment, so that no two files are
    /// equal.
    private static let paintedCount = 40

    func run() async throws {
        let folder = BenchFolder()
        let data = folder.path + "/node"
        let byteCount = try await paint(in: folder.path + "/pictures")
        let node = try BenchNode(
            data: data, ["host", "Bench", "--frames", "unlimited", "--no-mdns", "--portal", "127.0.0.1:0"])
        let ready = try await node.waitUntil("ready")
        let (adding, _) = try Figure.seconds {
            try BenchNode.runToEnd(data: data, ["add", "--keep-metadata", folder.path + "/pictures"])
        }
        let (exporting, _) = try Figure.seconds {
            try BenchNode.runToEnd(data: data, ["export", folder.path + "/photos"])
        }
        let (album, _) = try Figure.seconds {
            try BenchNode.runToEnd(data: data, ["export", "--album", folder.path + "/album"])
        }
        let (copying, _) = try Figure.seconds { try Self.copy(folder.path + "/photos", to: folder.path + "/copy") }

        guard let link = ready["guestURL"] as? String, let portal = ready["portal"] as? String,
            let port = portal.split(separator: ":").last.flatMap({ UInt16($0) }),
            let token = link.split(separator: "#").last
        else { throw Failure("the node serves no pages") }
        let (early, late, zipByteCount, downloading) = try download(String(token), port: port, of: node)
        let megabytes = Double(byteCount) / 1e6
        Figure.report(
            "album",
            [
                "photos": Double(photoCount), "megabytes": megabytes, "addSeconds": adding, "exportSeconds": exporting,
                "albumSeconds": album, "copySeconds": copying, "exportShareOfCopyRate": copying / exporting,
                "albumShareOfCopyRate": copying / album, "zipMegabytes": Double(zipByteCount) / 1e6,
                "zipMegabytesPerSecond": Double(zipByteCount) / 1e6 / downloading,
                "memoryMegabytesFirstTenth": early, "memoryMegabytesLastTenth": late,
            ])
        node.stop()
    }

    /// - Returns: the total size of the files.
    private func paint(in folder: String) async throws -> Int {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let painter = ImageWorkerPool()
        var byteCount = 0
        var pictures: [[UInt8]] = []
        for index in 0..<min(photoCount, Self.paintedCount) {
            pictures.append(
                [UInt8](
                    try await painter.jpeg(
                        of: DemoPhoto(
                            seed: UInt64(index), width: 1_280, height: 960,
                            capturedAtMilliseconds: 1_755_345_600_000 + Int64(index) * 1_000))))
        }
        await painter.stop()
        for index in 0..<photoCount {
            // A comment of four bytes, which scrubbing removes unless metadata is kept, after the start of the image
            // (ITU-T T.81, B.2.4.5).
            let number = withUnsafeBytes(of: UInt32(index).bigEndian) { [UInt8]($0) }
            let picture = pictures[index % pictures.count]
            let bytes = picture.prefix(2) + [0xFF, 0xFE, 0, 6] + number + picture.dropFirst(2)
            byteCount += bytes.count
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(index).jpg"))
        }
        return byteCount
    }

    private static func copy(_ source: String, to target: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cp")
        process.arguments = ["--recursive", "--reflink=never", source, target]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure("the disk does not take a copy of the photos") }
    }

    /// Downloads all photos as one archive, over HTTP.
    /// - Returns: the peak memory of the node in the first and in the last tenth, in megabytes; bytes; seconds.
    private func download(
        _ token: String, port: UInt16, of node: BenchNode
    ) throws -> (early: Double, late: Double, byteCount: Int, seconds: Double) {
        let (session, cookie) = try LoopbackHTTP.open(
            "/api/session", port: port, body: "{\"token\":\"\(token)\"}")
        guard let path = session.split(separator: "\"path\":\"").dropFirst().first?.prefix(while: { $0 != "\"" }) else {
            throw Failure("the node admitted no guest: \(session.prefix(200))")
        }
        let zip = try LoopbackHTTP(port: port)
        node.resetPeakMemory()
        let start = ContinuousClock.now
        try zip.post(
            path.replacing("\\/", with: "/") + "zip", type: "application/x-www-form-urlencoded", "all=1",
            more: "Cookie: \(cookie)\r\n")
        let answer = try zip.head()
        guard
            let length = answer.fields.split(separator: "\r\n").first(where: {
                $0.lowercased().hasPrefix("content-length:")
            })?
            .split(separator: ":").last.flatMap({ Int($0.drop { $0 == " " }) })
        else { throw Failure("the node gave no archive: \(answer.fields.prefix(60))") }
        var (early, received, isInLastTenth) = (0.0, answer.answer.count, false)
        while let count = try zip.skip() {
            received += count
            if early == 0, received >= length / 10 { early = node.peakMemoryMegabytes }
            if !isInLastTenth, received >= length / 10 * 9 {
                isInLastTenth = true
                node.resetPeakMemory()
            }
        }
        let elapsed = ContinuousClock.now - start
        guard received >= length else { throw Failure("the archive ended after \(received) of \(length) bytes") }
        return (early, node.peakMemoryMegabytes, length, elapsed / .seconds(1))
    }
}
