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

/// The list of uploads, their owners and their limits.
@Suite struct UploadStoreTests {
    /// Limits under which no upload is dropped on a slow machine.
    private static let patient = {
        var limits = UploadLimits()
        limits.unfinished.idleTimeBeforeEviction = .seconds(3_600)
        return limits
    }()

    private func withStore(
        limits: UploadLimits = patient, _ body: (UploadStore, GuestSession) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let store = try UploadStore(folderPath: folder, limits: limits)
            try await body(store, guestSession(1, in: TestGallery(folderPath: folder)))
        }
    }

    private func head(_ length: UInt64) -> UploadFile.Head { .init(length: length, metadata: "") }

    private func offset(_ store: UploadStore, _ id: UploadID, _ session: GuestSession) async throws -> UInt64 {
        try await store.withUpload(id, of: session, from: "10.0.0.1", for: .look) { $0.contents.end.offset }
    }

    private func names(_ store: UploadStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    }

    /// Returns the code of the error that `body` throws.
    private func code(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? PortalError)?.code ?? "\(error)"
        }
    }

    @Test("only the session that made an upload finds it, after a restart too")
    func ownUploadsOnly() async throws {
        try await withStore { store, anna in
            let id = try await store.create(head(10), for: anna)
            let ben = guestSession(2, in: anna.gallery)
            let parent = String(store.folder.path.dropLast("/uploads".count))
            for store in [store, try UploadStore(folderPath: parent)] {
                #expect(try await offset(store, id, anna) == 0)
                #expect(await code { _ = try await self.offset(store, id, ben) } == "unknown-upload")
                #expect(await code { _ = try await self.offset(store, UploadID(), anna) } == "unknown-upload")
            }
        }
    }

    @Test("a guest has a limit of unfinished uploads, and others are not affected")
    func countLimit() async throws {
        var limits = Self.patient
        limits.unfinished.countByGuest = 3
        try await withStore(limits: limits) { store, anna in
            var ids: [UploadID] = []
            for _ in 0..<3 { ids.append(try await store.create(head(1), for: anna)) }
            #expect(await code { _ = try await store.create(head(1), for: anna) } == "too-many-uploads")
            _ = try await store.create(head(1), for: guestSession(2, in: anna.gallery))
            try await store.drop(ids[0], of: anna)
            _ = try await store.create(head(1), for: anna)
            #expect(try names(store).count == 4)
        }
    }

    @Test("the bytes of unfinished uploads are limited by guest and by event, and the error is not a full disk")
    func byteLimits() async throws {
        var limits = Self.patient
        limits.unfinished.bytesByGuest = 1_000
        limits.unfinished.bytesInEvent = 1_500
        try await withStore(limits: limits) { store, anna in
            let id = try await store.create(head(900), for: anna)
            #expect(await code { _ = try await store.create(head(101), for: anna) } == "too-many-uploads")
            let ben = guestSession(2, in: anna.gallery)
            #expect(await code { _ = try await store.create(head(601), for: ben) } == "uploads-full")
            _ = try await store.create(head(600), for: ben)
            try await store.drop(id, of: anna)
            _ = try await store.create(head(900), for: anna)
        }
    }

    @Test("concurrent requests for the last place: only one gets it")
    func limitUnderConcurrency() async throws {
        var limits = Self.patient
        limits.unfinished.countByGuest = 4
        try await withStore(limits: limits) { store, anna in
            let made = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<32 { group.addTask { (try? await store.create(head(1), for: anna)) != nil } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            let names = try names(store)
            #expect(made == 4)
            #expect(names.count == 4)
        }
    }

    @Test("an upload that would leave too little disk space is refused, and leaves nothing behind")
    func diskReserve() async throws {
        var limits = Self.patient
        limits.diskReserve = { _ in 1 << 62 }
        try await withStore(limits: limits) { store, anna in
            #expect(await code { _ = try await store.create(head(1), for: anna) } == "disk-full")
            let left = try names(store)
            #expect(left == [])
        }
    }

    @Test("idle uploads expire; an upload with a request in progress does not")
    func expiry() async throws {
        var limits = Self.patient
        limits.lifetime = .milliseconds(50)
        try await withStore(limits: limits) { store, anna in
            let (kept, left) = (try await store.create(head(1), for: anna), try await store.create(head(1), for: anna))
            try await store.withUpload(kept, of: anna, from: "10.0.0.1", for: .look) { _ in
                try await Task.sleep(for: .milliseconds(100))
                try await store.sweep()
            }
            #expect(try await offset(store, kept, anna) == 0)
            #expect(await code { _ = try await self.offset(store, left, anna) } == "unknown-upload")
            #expect(try names(store) == ["\(anna.id)-\(kept)"])
        }
    }

    @Test("requests for the state of an upload do not extend its lifetime, in memory and on disk")
    func askedFor() async throws {
        var limits = Self.patient
        limits.lifetime = .milliseconds(300)
        try await withStore(limits: limits) { store, anna in
            let id = try await store.create(head(1), for: anna)
            let end = ContinuousClock.now + .seconds(60)
            var isThere = true
            while isThere, .now < end {
                try await store.sweep()
                isThere = await code { _ = try await self.offset(store, id, anna) } == nil
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(!isThere)
            #expect(try names(store) == [])
        }
    }

    @Test("an upload of any announced length reserves only a window until bytes arrive")
    func window() async throws {
        var limits = Self.patient
        limits.unfinished.window = 100
        limits.unfinished.bytesByGuest = 1_000
        try await withStore(limits: limits) { store, anna in
            for _ in 0..<10 { _ = try await store.create(head(1 << 20), for: anna) }
            #expect(await code { _ = try await store.create(head(1 << 20), for: anna) } == "too-many-uploads")
        }
    }

    @Test("a start removes expired uploads, and incomplete files of a stopped process")
    func start() async throws {
        try await withStore { store, anna in
            let parent = String(store.folder.path.dropLast("/uploads".count))
            let (old, young) = (try await store.create(head(1), for: anna), try await store.create(head(1), for: anna))
            let day: TimeInterval = 24 * 3_600
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now.addingTimeInterval(-day)],
                ofItemAtPath: "\(store.folder.path)/\(anna.id)-\(old)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now.addingTimeInterval(60 - day)],
                ofItemAtPath: "\(store.folder.path)/\(anna.id)-\(young)")
            let temporary = "\(store.folder.path)/tmp-00112233445566778899aabbccddeeff"
            try Data("plaintext".utf8).write(to: URL(filePath: temporary))
            let again = try UploadStore(folderPath: parent)
            #expect(try names(again) == ["\(anna.id)-\(young)"])
            #expect(await code { _ = try await self.offset(again, old, anna) } == "unknown-upload")
            #expect(try await offset(again, young, anna) == 0)
        }
    }

    @Test("a stop between the outcome and the removal of the data keeps the outcome")
    func stopWhileSettling() async throws {
        try await withStore { store, anna in
            let parent = String(store.folder.path.dropLast("/uploads".count))
            let id = try await store.create(head(3), for: anna)
            let path = "\(store.folder.path)/\(anna.id)-\(id)"
            let data = try Data(contentsOf: URL(filePath: path))
            let photo = PhotoID(BLAKE2b.hash([7]))
            let file = UploadFile(id, of: anna, in: store.folder)
            _ = try file.settle(try #require(try file.load(isSettled: false)), as: .photo(photo))
            try data.write(to: URL(filePath: path))
            let again = try UploadStore(folderPath: parent)
            #expect(
                try await again.withUpload(id, of: anna, from: "10.0.0.1", for: .look) { $0.contents.outcome }
                    == .photo(photo))
            #expect(try names(again) == ["\(anna.id)-\(id).done"])
        }
    }

    @Test("finished uploads do not count as unfinished, and the oldest beyond a limit are forgotten")
    func settledOnes() async throws {
        var limits = Self.patient
        limits.unfinished.countByGuest = 1
        limits.finishedPerSession = 2
        try await withStore(limits: limits) { store, anna in
            let parent = String(store.folder.path.dropLast("/uploads".count))
            var names: [String] = []
            for hours in 1...3 {
                let id = UploadID()
                let file = UploadFile(id, of: anna, in: store.folder)
                _ = try file.settle(try file.create(head(5)), as: .refused(.refusedFile(reason: "no")))
                names.append("\(anna.id)-\(id).done")
                try FileManager.default.setAttributes(
                    [.modificationDate: Date.now.addingTimeInterval(-3_600 * TimeInterval(hours))],
                    ofItemAtPath: "\(store.folder.path)/\(names.last!)")
            }
            let again = try UploadStore(folderPath: parent, limits: limits)
            let id = try await again.create(head(1), for: anna)
            #expect(await code { _ = try await again.create(head(1), for: anna) } == "too-many-uploads")
            try await again.sweep()
            #expect(try self.names(again) == [names[0], names[1], "\(anna.id)-\(id)"].sorted())
        }
    }
}

extension UploadStore {
    fileprivate func create(_ head: UploadFile.Head, for session: GuestSession) async throws -> UploadID {
        try await create(head, for: session, from: "")
    }
}

/// Returns a session for each number, the same in each test.
private func guestSession(_ number: UInt8, in gallery: any Gallery) -> GuestSession {
    GuestSession(
        gallery: gallery, id: BLAKE2b.hash([number]),
        storageKey: SecretBytes(copying: BLAKE2b.hash([number, 0]).bytes.span),
        guest: AuthorID(BLAKE2b.hash([number, 1])))
}
