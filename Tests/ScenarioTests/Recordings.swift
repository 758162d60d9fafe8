// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Large files that are fast to make: videos of noise, all different.
enum Recordings {
    /// - Parameter byteCounts: of the noise; each file has 40 bytes more.
    static func make(_ byteCounts: [Int], in folder: String, named name: String = "film") async throws -> [String] {
        var paths: [String] = []
        for (index, byteCount) in byteCounts.enumerated() {
            let path = "\(folder)/\(name)-\(index).mp4"
            let boxes: [UInt8] =
                bigEndian(24) + "ftypisom".utf8 + bigEndian(512) + "isommp42".utf8 + bigEndian(byteCount + 8)
                + "mdat".utf8
            try Data(boxes).write(to: URL(fileURLWithPath: path))
            try await Command.succeed(["/bin/sh", "-c", "head -c \(byteCount) /dev/urandom >>'\(path)'"])
            paths.append(path)
        }
        return paths
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}

/// The traffic counters of two nodes, compared with the bytes that had to be transferred.
struct WireCount {
    /// Ciphertext of the files: the bytes that have to be transferred once.
    let usefulByteCount: Int

    /// - Parameter byteCounts: of the files.
    init(byteCounts: [Int]) { usefulByteCount = byteCounts.reduce(0, +) }

    /// Returns the part of `byteCount` beyond frames, tags, lists, operations and greetings.
    /// - Parameter connections: the number of connections between the two.
    func repeated(in byteCount: Int, connections: Int) -> Int {
        max(0, byteCount - usefulByteCount - usefulByteCount / 1_000 - connections * 20_000)
    }
}

/// Random numbers that are the same for the same seed.
struct Dice {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// Returns a number in the range, by xorshift.
    mutating func roll(_ range: ClosedRange<Int>) -> Int {
        for shift in [13, -7, 17] { state ^= shift > 0 ? state << UInt64(shift) : state >> UInt64(-shift) }
        return range.lowerBound + Int(state % UInt64(range.count))
    }
}
