// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// The file of one upload, after a stop of the machine at any moment, or corruption on the disk.
@Suite struct UploadFileTests {
    private let session: GuestSession

    init() throws { session = try guestSession(1, in: TestGallery()) }

    /// An upload of 300 bytes with three pieces: 100, 1 and 99 bytes.
    private struct Fixture {
        let folder: UploadFolder
        let id = UploadID()
        let file: UploadFile
        let path: String
        let bytes = photoBytes(200)
        /// The offsets after the head and each piece.
        private(set) var ends: [UploadFile.End] = []

        init(in parent: String, session: GuestSession) throws {
            try FileManager.default.createDirectory(atPath: parent + "/uploads", withIntermediateDirectories: true)
            folder = UploadFolder(in: parent)
            file = UploadFile(id, of: session, in: folder)
            path = "\(folder.path)/\(session.id)-\(id)"
            ends.append(try file.create(.init(length: 300, metadata: "filename YQ==")).end)
            for range in [0..<100, 100..<101, 101..<200] {
                ends.append(try file.append(Array(bytes[range]), after: ends.last!))
            }
            try file.synchronize()
        }

        var content: [UInt8] {
            get throws { Array(try Data(contentsOf: URL(filePath: path))) }
        }
        func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(filePath: path)) }
    }

    @Test("a file truncated at any byte has its complete records, and continues from there")
    func tornTail() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            let whole = try fixture.content
            #expect(whole.count == Int(fixture.ends[3].fileByteCount))
            #expect(fixture.ends.map(\.offset) == [0, 100, 101, 200])
            for count in 0...whole.count {
                try fixture.write(whole[..<count])
                let contents = try fixture.file.load(isSettled: false)
                guard let last = fixture.ends.last(where: { $0.fileByteCount <= count }) else {
                    #expect(contents == nil, "\(count) bytes")
                    continue
                }
                #expect(contents?.end == last, "\(count) bytes")
                #expect(contents?.head == .init(length: 300, metadata: "filename YQ=="))
                #expect(try fixture.content == Array(whole[..<Int(last.fileByteCount)]))
                let more = try fixture.file.append(Array("more".utf8), after: last)
                #expect(try fixture.file.load(isSettled: false)?.end == more)
            }
        }
    }

    @Test("data with a checksum is available only after its comparison")
    func unverified() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            var end = fixture.ends[3]
            for _ in 0..<2 { end = try fixture.file.append([1, 2, 3], after: end, isVerified: false) }
            #expect(try fixture.file.load(isSettled: false)?.end == fixture.ends[3])
            #expect(try fixture.content.count == fixture.ends[3].fileByteCount)
            end = fixture.ends[3]
            for _ in 0..<2 { end = try fixture.file.append([1, 2, 3], after: end, isVerified: false) }
            end = try fixture.file.verify(after: end)
            #expect(end.offset == 206)
            #expect(try fixture.file.load(isSettled: false)?.end == end)
        }
    }

    @Test("with any byte changed, only the records before it are available")
    func changedByte() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            let whole = try fixture.content
            for index in whole.indices {
                var changed = whole
                changed[index] ^= 1 << UInt8(index % 8)
                try fixture.write(changed)
                let last = fixture.ends.last { $0.fileByteCount <= index }
                #expect(try fixture.file.load(isSettled: false)?.end == last, "byte \(index)")
            }
        }
    }

    @Test("records in another order, of another upload or under another session's key do not decrypt")
    func foreignRecords() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            let whole = try fixture.content
            let ends = fixture.ends.map { Int($0.fileByteCount) }
            // The pieces of 100 and of 1 byte are swapped.
            try fixture.write(
                whole[..<ends[0]] + whole[ends[1]..<ends[2]] + whole[ends[0]..<ends[1]] + whole[ends[2]...])
            #expect(try fixture.file.load(isSettled: false)?.end == fixture.ends[0])
            // The first piece is repeated.
            try fixture.write(whole[..<ends[1]] + whole[ends[0]..<ends[1]])
            #expect(try fixture.file.load(isSettled: false)?.end == fixture.ends[1])
            try fixture.write(whole)
            let stranger = guestSession(2, in: session.gallery)
            let name = "\(fixture.folder.path)/\(stranger.id)-\(fixture.id)"
            try FileManager.default.copyItem(atPath: fixture.path, toPath: name)
            #expect(try UploadFile(fixture.id, of: stranger, in: fixture.folder).load(isSettled: false) == nil)
            let other = UploadID()
            try FileManager.default.copyItem(
                atPath: fixture.path, toPath: "\(fixture.folder.path)/\(session.id)-\(other)")
            #expect(try UploadFile(other, of: session, in: fixture.folder).load(isSettled: false) == nil)
            #expect(try fixture.file.load(isSettled: false)?.end == fixture.ends[3])
        }
    }

    @Test("no part of a photo or its name is readable in the folder")
    func sealed() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            let content = Data(try fixture.content)
            #expect(content.range(of: Data(fixture.bytes[4..<12])) == nil)
            #expect(content.range(of: Data("filename".utf8)) == nil)
            let permissions = try FileManager.default.attributesOfItem(atPath: fixture.path)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
        }
    }

    @Test(
        "an outcome replaces the data, and is there after a stop",
        arguments: [
            UploadFile.Outcome.photo(PhotoID(BLAKE2b.hash([1]))), .refused(.refusedFile(reason: "this is no photo")),
            .refused(.metadataLeft), .refused(.refusedVideo(secondsMax: 0)), .refused(.refusedVideo(secondsMax: 3_600)),
        ])
    func settling(outcome: UploadFile.Outcome) async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            let before = try #require(try fixture.file.load(isSettled: false))
            let settled = try fixture.file.settle(before, as: outcome)
            #expect(settled.outcome == outcome)
            let again = try #require(try fixture.file.load(isSettled: true))
            #expect(again == settled)
            #expect(again.isComplete)
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
            #expect(names == ["\(session.id)-\(fixture.id).done"])
        }
    }

    @Test("the plaintext of an upload is the sent bytes; later corruption is an error")
    func plaintext() async throws {
        try await withTemporaryFolder { parent in
            let fixture = try Fixture(in: parent, session: session)
            var contents = try #require(try fixture.file.load(isSettled: false))
            contents.end = try fixture.file.append(photoBytes(100, seed: 2), after: contents.end)
            try fixture.file.copyPlaintext(of: contents, to: parent + "/plain")
            #expect(
                Array(try Data(contentsOf: URL(filePath: parent + "/plain"))) == fixture.bytes
                    + photoBytes(100, seed: 2))
            var changed = try fixture.content
            changed[Int(fixture.ends[2].fileByteCount) + 40] ^= 1
            try fixture.write(changed)
            #expect(throws: DamagedUpload.self) {
                try fixture.file.copyPlaintext(of: contents, to: parent + "/plain2")
            }
        }
    }
}
