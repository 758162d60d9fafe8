// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import Foundation
import Testing

/// A volume of its own in memory, which only root may mount.
private final class SmallVolume {
    static let mayMount = (try? SmallVolume(byteCount: 1 << 20)) != nil
    let path: String

    init(byteCount: Int) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("volume-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
            let code = errno
            rmdir(path)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}

@Suite(.enabled(if: SmallVolume.mayMount, "mounting a small volume needs root"))
struct DiskFullTests {
    @Test("a full disk is told apart from other failures, and the store goes on once there is room")
    func full() throws {
        let volume = try SmallVolume(byteCount: 8 << 20)
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: volume.path, keys: keys)
        let ballast = volume.path + "/ballast"
        func fill() throws {
            let handle: FileHandle
            #expect(FileManager.default.createFile(atPath: ballast, contents: nil))
            handle = try #require(FileHandle(forWritingAtPath: ballast))
            var chunk = 64 << 10
            while chunk >= 4096 {
                do { try handle.write(contentsOf: Data(repeating: 1, count: chunk)) } catch { chunk /= 2 }
            }
            try handle.close()
        }
        let blob = try RemoteBlob(byteCount: 600_000, blobClass: .original, seed: 1)
        var author = Author(keys)
        let operations = try (0..<2_000).map { try author.name("n\($0)") }
        #expect(store.blobs.write([blob.write(0)]) == [.stored])
        try fill()

        #expect(isDiskFull { try store.append(operations, durably: true) })
        #expect(
            isDiskFull {
                _ = try store.blobs.prepare(
                    blob.plaintext, blobClass: .original, importSecret: keys.importSecret)
            })
        for outcome in store.blobs.write([blob.write(1), blob.write(2)]) {
            guard case .failed(let error) = outcome, error.isDiskFull else {
                Issue.record("\(outcome)")
                continue
            }
        }
        try FileManager.default.removeItem(atPath: ballast)
        #expect(try store.operationCount == 0)
        try store.append(operations, durably: true)
        #expect(store.blobs.write([blob.write(1), blob.write(2)]) == [.stored, .completed])
        for index in 0..<3 { #expect(try store.blobs.chunk(index, of: blob.root) == blob.chunks[index]) }
        try store.close()
        #expect(try EventStore.open(store.folder).everything() == operations)
    }

    @Test("below the reserve blobs are refused and operations are kept, until there is room again")
    func reserve() throws {
        let volume = try SmallVolume(byteCount: 32 << 20)
        let keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: volume.path, keys: keys)
        let room = try DiskRoom(at: volume.path)
        #expect(room.reserveByteCount == 4 << 20)
        let ballast = volume.path + "/ballast"
        try Data(count: Int(room.freeByteCount - room.reserveByteCount + 4_096)).write(
            to: URL(fileURLWithPath: ballast))
        let blob = try RemoteBlob(byteCount: 600_000, blobClass: .original, seed: 1)
        for outcome in store.blobs.write(blob.writes) {
            guard case .failed(.belowReserve) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
        #expect(
            isDiskFull {
                _ = try store.blobs.prepare(blob.plaintext, blobClass: .original, importSecret: keys.importSecret)
            })
        var author = Author(keys)
        try store.append((0..<100).map { try author.name("n\($0)") }, durably: true)
        #expect(try store.operationCount == 100)
        try FileManager.default.removeItem(atPath: ballast)
        #expect(store.blobs.write(blob.writes).last == .completed)
    }

    private func isDiskFull(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch let error as StoreError where error.isDiskFull {
            return true
        } catch {
            Issue.record("\(error)")
            return false
        }
    }
}
