// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableStore
import Foundation
import Testing

/// The shares that the founder's machine has not given to anybody yet.
@Suite struct UndealtShareTests {
    private func share(_ index: UInt8) -> SecretSharing.Share {
        var value = [UInt8](repeating: index, count: 32)
        return SecretSharing.Share(index: index, value: SecretBytes(consuming: &value))
    }

    private func zeros(_ file: FileHandle) throws -> Bool {
        try file.seek(toOffset: 0)
        let bytes = try file.readToEnd() ?? Data()
        return !bytes.isEmpty && bytes.allSatisfy { $0 == 0 }
    }

    @Test("shares come back from their file; those that are given, and in the end all, are overwritten on the disk")
    func given() throws {
        let data = try TemporaryFolder()
        let store = try EventStore.create(in: data.path, keys: EventKeys.makeEvent())
        #expect(try store.undealtShares().isEmpty)
        try store.keep(undealt: [share(2), share(3)])
        let path = "\(store.folder.path)/keys/reveal.shares"
        let first = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try store.keep(undealt: [share(3)])
        #expect(try zeros(first))
        let left = try store.undealtShares()
        #expect(left.map(\.index) == [3] && left[0].value.isEqual(to: share(3).value))
        let second = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try Data(repeating: 9, count: 33).write(to: URL(fileURLWithPath: path + ".new"))
        let interrupted = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + ".new"))
        try store.keep(undealt: [])
        #expect(try zeros(second) && zeros(interrupted))
        #expect(try store.undealtShares().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: path + ".new"))
        try store.close()
    }

    @Test("a file of another form is an error, and no shares")
    func damaged() throws {
        let data = try TemporaryFolder()
        let store = try EventStore.create(in: data.path, keys: EventKeys.makeEvent())
        try store.keep(undealt: [share(2)])
        let path = "\(store.folder.path)/keys/reveal.shares"
        try Data(repeating: 1, count: 40).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.keyByteCount(path: path, byteCount: 40)) { try store.undealtShares() }
        try store.close()
    }
}
