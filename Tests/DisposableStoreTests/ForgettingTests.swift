// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposableStore
import Foundation
import Testing

@Suite("Forgetting an event") struct ForgettingTests {
    private let data: TemporaryFolder
    private let folder: EventFolder
    private let keys: EventKeys

    init() throws {
        data = try TemporaryFolder()
        keys = EventKeys.makeEvent()
        let store = try EventStore.create(in: data.path, keys: keys)
        folder = store.folder
        var author = Author(keys)
        try store.append([try author.name("Anna")], durably: true)
        let blob = try RemoteBlob(byteCount: 700_000, blobClass: .original, seed: 1)
        _ = store.blobs.write(blob.writes)
        try store.close()
        try Data("half a key".utf8).write(to: URL(fileURLWithPath: folder.path + "/keys/device.seed.new"))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/portal/uploads", withIntermediateDirectories: true)
        try Data("half a photo".utf8).write(to: URL(fileURLWithPath: folder.path + "/portal/uploads/one"))
    }

    @Test("nothing is left of it, its keys were overwritten, other events are untouched, and twice is as good as once")
    func destroy() throws {
        let other = try EventStore.create(in: data.path, keys: .makeEvent())
        try other.close()
        // Another name for the file shows what it holds at the end.
        let kept = data.path + "/kept"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/keys")
        #expect(names.count == 7)
        for name in names {
            try FileManager.default.linkItem(atPath: "\(folder.path)/keys/\(name)", toPath: "\(kept)/\(name)")
        }
        try folder.destroy()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        for name in names {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(kept)/\(name)"))
            #expect(!bytes.isEmpty && bytes.allSatisfy { $0 == 0 }, "\(name)")
        }
        #expect(try EventFolder.all(in: data.path) == [other.folder])
        try folder.destroy()
        _ = try EventKeys(loadingFrom: other.folder)
    }

    @Test("where it was interrupted, whatever was gone by then, it is finished the next time")
    func interrupted() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/keys/storage.key")
        try FileManager.default.removeItem(atPath: folder.path + "/event.sqlite")
        try folder.destroy()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a link in the folder is removed, and what it points to stays")
    func links() throws {
        let outside = data.path + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: outside + "/file"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside)
        try folder.destroy()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(FileManager.default.fileExists(atPath: outside + "/file"))
    }
}
