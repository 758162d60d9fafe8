// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import Foundation
import Testing

/// Files are cleaned in a process of their own, which they may end.
@Suite struct CleaningTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func pool() -> ImageWorkerPool { ImageWorkerPool(role: .cleaning, count: 1, timeout: .patience) }

    /// A JPEG with a comment in it.
    private func picture() async throws -> [UInt8] {
        let painter = ImageWorkerPool(count: 1, timeout: .patience)
        let bytes = try await painter.jpeg(of: DemoPhoto(seed: 5, width: 200, height: 150))
        await painter.stop()
        let comment = Array("at home".utf8)
        return bytes[..<2] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + bytes[2...]
    }

    @Test("a helper cleans as the scrubber does, byte for byte")
    func same() async throws {
        let bytes = try await picture()
        let (here, there) = (try folder.write(bytes, to: "a.jpg"), try folder.write(bytes, to: "b.jpg"))
        let pool = pool()
        let report = try await pool.clean(path: there)
        #expect(try report == MetadataScrubber.scrub(fileAt: here))
        #expect(report.mediaType == .jpeg && report.changedByteCount > 0 && !report.isUnparsable)
        let cleaned = try Data(contentsOf: URL(fileURLWithPath: there))
        #expect(try cleaned == Data(contentsOf: URL(fileURLWithPath: here)))
        #expect(cleaned.range(of: Data("at home".utf8)) == nil)
        #expect(try await pool.clean(path: there).changedByteCount == 0)
        await #expect(throws: ImagingError.unreadable(code: ENOENT)) { try await pool.clean(path: folder.file("no")) }
        await pool.stop()
    }

    @Test("a helper that a file ends costs that file only")
    func crash() async throws {
        let path = try folder.write(try await picture(), to: "a.jpg")
        let pool = pool()
        _ = try await pool.clean(path: path)
        let id = try #require(pool.isBusyByWorker.keys.first)
        #expect(kill(id, SIGSTOP) == 0)
        let lost = Task { try await pool.clean(path: path) }
        let deadline = ContinuousClock.now + .patience
        while pool.isBusyByWorker[id] != true, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        // As a trap in a parser does.
        #expect(kill(id, SIGILL) == 0 && kill(id, SIGCONT) == 0)
        await #expect(throws: ImagingError.workerCrashed(signal: SIGILL)) { try await lost.value }
        #expect(try await pool.clean(path: path).mediaType == .jpeg)
        await pool.stop()
    }

    @Test("a helper that cleans may write no further than the largest file, and has no other files")
    func confinement() async throws {
        let pool = pool()
        _ = try await pool.clean(path: try folder.write(try await picture(), to: "a.jpg"))
        let id = try #require(pool.isBusyByWorker.keys.first)
        let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
        #expect(limits.firstMatch(of: /Max file size +268435456 +268435456/) != nil)
        #expect(try await pool.confinement() == ConfinementLayer.allCases)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
        #expect(open.count <= 8)
        await pool.stop()
    }

    @Test("no file of lengths without end and of offsets that point at themselves ends a helper")
    func fuzz() async throws {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/image")
        let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted()
        try #require(names.count > 50)
        let seed =
            ProcessInfo.processInfo.environment["DISPOSABLE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        var random = SplitMix64(state: seed)
        let pool = pool()
        for round in 0..<1_500 {
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            var bytes = [UInt8](try Data(contentsOf: corpus.appending(path: name)))
            guard bytes.count >= 16 else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 4...bytes.count - 8, using: &random)
                let value = [
                    UInt64.max, UInt64(place) << 32 | UInt64(place), UInt64(place - 4) << 32 | 0xffff_ffff,
                    0x7fff_ffff_ffff_ffff, 0xffff_fff8_ffff_fff8, 0,
                ].randomElement(using: &random)!
                let isLittleEndian = Bool.random(using: &random)
                let count = Bool.random(using: &random) ? 8 : 4
                for index in 0..<count {
                    let shift = isLittleEndian ? 8 * index : 56 - 8 * index
                    bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(shift))
                }
            }
            let path = try folder.write(bytes, to: "fuzz")
            do {
                _ = try await pool.clean(path: path)
                _ = try await pool.clean(path: path)
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == bytes.count)
            } catch {
                Issue.record("DISPOSABLE_SEED=\(seed), round \(round), of \(name): \(error)")
            }
        }
        await pool.stop()
    }
}
