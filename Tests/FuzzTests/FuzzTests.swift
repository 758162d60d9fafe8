// SPDX-License-Identifier: Apache-2.0
import DisposableSimulation
import Foundation
import FuzzTargets
import Testing

/// Every decoder that is given foreign bytes: what the fuzzer has kept (Tests/Fuzz), findings among it, and the same
/// spoilt at random. Whatever comes of it must keep `FuzzTarget`'s promises; a crash or an endless loop fails the run.
@Suite("Foreign bytes", .timeLimit(.minutes(30))) struct FuzzTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzz/corpus").standardizedFileURL

    /// Fifty times as many in `make test-long`.
    private static let isLong = ProcessInfo.processInfo.environment["DISPOSABLE_LONG"] != nil

    /// Differs from run to run where `make test` sets it; the same seed makes the same inputs.
    private static let seed = ProcessInfo.processInfo.environment["DISPOSABLE_SEED"].flatMap { UInt64($0) } ?? 1

    private func corpus(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Self.folder.appending(path: target.rawValue)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test("the corpus, and what was found once", arguments: FuzzTarget.allCases)
    func corpusIsDecoded(target: FuzzTarget) throws {
        let corpus = try corpus(target)
        try #require(!corpus.isEmpty, "\(Self.folder.path)/\(target.rawValue) is empty")
        for (name, bytes) in corpus { #expect(throws: Never.self, "\(name)") { try target.run(bytes) } }
    }

    @Test("the corpus, spoilt", arguments: FuzzTarget.allCases)
    func spoiltCorpusIsDecoded(target: FuzzTarget) throws {
        var mutator = Mutator(
            seed: Self.seed, samples: try corpus(target).map(\.bytes), byteCountMax: target.inputByteCountMax)
        for _ in 0..<inputCount(target) {
            let bytes = mutator.next()
            do { try target.run(bytes) } catch { Issue.record("\(error): \(Data(bytes).base64EncodedString())") }
        }
    }

    private func inputCount(_ target: FuzzTarget) -> Int {
        let count =
            switch target {
            // Key agreements and signatures; minutes of a whole stack.
            case .handshake, .multicast: 750
            case .reconciliation, .chunks: 2_500
            // Files.
            case .image: 5_000
            default: 20_000
            }
        return Self.isLong ? 50 * count : count
    }
}
