// SPDX-License-Identifier: Apache-2.0
import DisposableNode
import Foundation
import Testing

@Suite("Files that come into a folder") struct FolderWatchTests {
    /// Files that the test changes, as the watch sees them.
    private final class Files {
        var all: [String: FolderWatch.Appearance] = [:]
        func write(_ path: String, _ byteCount: Int64, at time: Int64 = 0) -> FolderWatch.Appearance {
            let appearance = FolderWatch.Appearance(byteCount: byteCount, modifiedAtNanoseconds: time)
            all[path] = appearance
            return appearance
        }
        func look(_ path: String) -> FolderWatch.Appearance? { all[path] }
    }
    private let files = Files()
    private let closed = FolderWatch.closedMilliseconds
    private let found = FolderWatch.foundMilliseconds

    @Test("a file that was closed is given soon, once, however often it is seen")
    func closedOnce() {
        var watch = FolderWatch()
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: true, at: 100)
        #expect(watch.nextDue == 100 + closed)
        #expect(watch.take(upTo: 8, at: 99 + closed, files.look) == [])
        #expect(watch.take(upTo: 8, at: 100 + closed, files.look) == ["a.jpg"])
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: true, at: 10_000)
        #expect(watch.nextDue == nil)
        #expect(watch.take(upTo: 8, at: 20_000, files.look) == [])
    }

    @Test("a file that was found waits until its size and time stay the same")
    func growing() {
        var watch = FolderWatch()
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: false, at: 0)
        _ = files.write("a.jpg", 9)
        #expect(watch.take(upTo: 8, at: found, files.look) == [])
        _ = files.write("a.jpg", 9, at: 1)
        #expect(watch.take(upTo: 8, at: 2 * found, files.look) == [])
        #expect(watch.take(upTo: 8, at: 3 * found, files.look) == ["a.jpg"])
    }

    @Test("a file that stays the same while its writer has it open is given only once it was closed")
    func stalledWriter() {
        var watch = FolderWatch()
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: false, at: 0)
        files.all["a.jpg"]?.isOpen = true
        for turn in 1...5 { #expect(watch.take(upTo: 8, at: UInt64(turn) * found, files.look) == []) }
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: true, at: 6 * found)
        #expect(watch.take(upTo: 8, at: 6 * found + closed, files.look) == ["a.jpg"])
    }

    @Test("a scan does not put off a file that waits, and its being closed is earlier")
    func scannedAgain() {
        var watch = FolderWatch()
        let appearance = files.write("a.jpg", 5)
        watch.note("a.jpg", appearance, isClosed: false, at: 0)
        watch.note("a.jpg", appearance, isClosed: false, at: found - 1)
        #expect(watch.nextDue == found)
        watch.note("a.jpg", appearance, isClosed: true, at: 1)
        #expect(watch.nextDue == 1 + closed)
    }

    @Test("an empty file that was closed waits for what its writer puts into it")
    func empty() {
        var watch = FolderWatch()
        watch.note("a.jpg", files.write("a.jpg", 0), isClosed: true, at: 0)
        #expect(watch.take(upTo: 8, at: closed, files.look) == [])
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: true, at: closed)
        #expect(watch.take(upTo: 8, at: 2 * closed, files.look) == ["a.jpg"])
    }

    @Test("a file that is written once more is given once more; one that went is not given")
    func changed() {
        var watch = FolderWatch()
        watch.note("a.jpg", files.write("a.jpg", 5), isClosed: true, at: 0)
        _ = watch.take(upTo: 8, at: closed, files.look)
        watch.note("a.jpg", files.write("a.jpg", 6), isClosed: true, at: closed)
        #expect(watch.take(upTo: 8, at: 2 * closed, files.look) == ["a.jpg"])
        watch.note("b.jpg", files.write("b.jpg", 6), isClosed: true, at: 0)
        files.all["b.jpg"] = nil
        #expect(watch.take(upTo: 8, at: closed, files.look) == [])
        #expect(watch.nextDue == nil)
    }

    @Test("two thousand files are given a few at a time, in the order of their names")
    func many() {
        var watch = FolderWatch()
        let names = (0..<2_000).map { "IMG_\(10_000 + $0).jpg" }
        for name in names.shuffled() { watch.note(name, files.write(name, 5), isClosed: false, at: 0) }
        var given: [String] = []
        while true {
            let batch = watch.take(upTo: 8, at: found, files.look)
            guard !batch.isEmpty else { break }
            #expect(batch.count <= 8)
            given += batch
        }
        #expect(given == names)
    }

    @Test("files beyond the limit wait for another scan")
    func limit() {
        var watch = FolderWatch()
        for number in 0...FolderWatch.waitingCountMax {
            watch.note("\(number)", files.write("\(number)", 5), isClosed: false, at: 0)
        }
        let given = watch.take(upTo: .max, at: found, files.look)
        #expect(given.count == FolderWatch.waitingCountMax)
        let late = "\(FolderWatch.waitingCountMax)"
        watch.note(late, files.write(late, 5), isClosed: false, at: found)
        #expect(watch.take(upTo: 8, at: 2 * found, files.look) == [late])
    }

    @Test("a file that could not be added comes once more, alone and after the others, and in turn with its like")
    func retry() {
        var watch = FolderWatch()
        for name in ["a", "b", "c"] { watch.note(name, files.write(name, 5), isClosed: true, at: 0) }
        #expect(watch.take(upTo: 2, at: 1_000, files.look) == ["a", "b"])
        watch.retry("a", at: 1_001)
        watch.retry("b", at: 1_002)
        // A scan meanwhile makes no difference.
        watch.note("a", files.write("a", 5), isClosed: false, at: 1_100)
        #expect(watch.take(upTo: 8, at: 2_000, files.look) == ["c"])
        #expect(watch.take(upTo: 8, at: 2_000, files.look) == ["a"])
        watch.retry("a", at: 2_000)
        #expect(watch.take(upTo: 8, at: 2_000, files.look) == ["b"])
        #expect(watch.take(upTo: 8, at: 2_000, files.look) == ["a"])
    }

    @Test("files that a scan does not meet are forgotten, and are new when they return")
    func returned() {
        var watch = FolderWatch()
        let appearance = files.write("a", 5)
        watch.note("a", appearance, isClosed: true, at: 0)
        _ = watch.take(upTo: 8, at: closed, files.look)
        watch.keep(only: [])
        watch.note("a", appearance, isClosed: true, at: 0)
        #expect(watch.take(upTo: 8, at: closed, files.look) == ["a"])
    }
}

@Suite("Watching a real folder") struct FolderWatcherTests {
    private func watcher(_ folder: TestFolder) throws -> FolderWatcher {
        try FolderWatcher(folder: folder.path("card"), node: folder.data("node"))
    }

    private func make(_ folder: TestFolder, _ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }

    /// The files that the watcher reports, up to that many.
    private func files(_ watcher: FolderWatcher, _ count: Int) async throws -> [String] {
        var files: [String] = []
        let end = ContinuousClock.now + .seconds(300)
        while files.count < count {
            try #require(ContinuousClock.now < end, "only \(files)")
            files += await watcher.next().files
        }
        return files.map { ($0 as NSString).lastPathComponent }
    }

    @Test("gives what was there, what is moved in, and what comes in subfolders that are made later")
    func everything() async throws {
        let folder = try TestFolder()
        try make(folder, "card/DCIM/100CANON")
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("card/DCIM/100CANON/1.jpg")))
        let watcher = try watcher(folder)
        #expect(try await files(watcher, 1) == ["1.jpg"])
        try Data("two".utf8).write(to: URL(fileURLWithPath: folder.path("2.jpg")))
        try FileManager.default.moveItem(atPath: folder.path("2.jpg"), toPath: folder.path("card/2.jpg"))
        #expect(try await files(watcher, 1) == ["2.jpg"])
        try make(folder, "card/DCIM/101CANON/a")
        try Data("three".utf8).write(to: URL(fileURLWithPath: folder.path("card/DCIM/101CANON/a/3.jpg")))
        #expect(try await files(watcher, 1) == ["3.jpg"])
    }

    @Test("gives no file that is still written, hidden, or a symbolic link")
    func incomplete() async throws {
        let folder = try TestFolder()
        try make(folder, "card")
        let watcher = try watcher(folder)
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("card/.1.jpg")))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("card/link.jpg"), withDestinationPath: folder.path("card/.1.jpg"))
        let path = folder.path("card/2.jpg")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for _ in 0..<8 {
            try handle.write(contentsOf: Data("part".utf8))
            #expect(await watcher.next().files == [])
        }
        try handle.close()
        #expect(try await files(watcher, 1) == ["2.jpg"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 32)
    }

    @Test("a folder that goes and returns, as a memory card does, is told once and given again")
    func card() async throws {
        let folder = try TestFolder()
        try make(folder, "card")
        let watcher = try watcher(folder)
        _ = await watcher.next()
        try FileManager.default.removeItem(atPath: folder.path("card"))
        var problems: [String] = []
        let end = ContinuousClock.now + .seconds(300)
        while problems.isEmpty, ContinuousClock.now < end {
            problems += await watcher.next().problems.map(\.reason)
        }
        #expect(problems == ["the folder is gone; waiting until it returns"])
        try make(folder, "card")
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("card/1.jpg")))
        #expect(try await files(watcher, 1) == ["1.jpg"])
    }

    @Test("files are kept while they cannot be added, and given once more")
    func paused() async throws {
        let folder = try TestFolder()
        try make(folder, "card")
        try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("card/1.jpg")))
        let watcher = try watcher(folder)
        for _ in 0..<5 { #expect(await watcher.next(isPaused: true).files == []) }
        #expect(try await files(watcher, 1) == ["1.jpg"])
        await watcher.retry([folder.path("card/1.jpg")])
        #expect(try await files(watcher, 1) == ["1.jpg"])
    }

    @Test("the node's own folder, a file and nothing are refused", arguments: ["", "node/events", "file", "none"])
    func refused(_ name: String) throws {
        let folder = try TestFolder()
        try make(folder, "node/events")
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        #expect(throws: NodeError.self) {
            try FolderWatcher(folder: folder.path(name), node: folder.data("node"))
        }
    }
}
