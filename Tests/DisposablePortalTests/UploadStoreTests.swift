// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Synchronization
import Testing

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

    @Test("the end of a session interrupts the request that brings one of its uploads")
    func interrupted() async throws {
        try await withStore { store, anna in
            let id = try await store.create(head(10), for: anna)
            let interrupts = Mutex(0)
            let interrupt: @Sendable () -> Void = { interrupts.withLock { $0 += 1 } }
            try await store.withUpload(id, of: anna, from: "10.0.0.1", for: .body(interrupt: interrupt)) { _ in
                try await store.dropAll(of: guestSession(2, in: anna.gallery).id)
                #expect(interrupts.withLock { $0 } == 0)
                try await store.dropAll(of: anna.id)
            }
            #expect(interrupts.withLock { $0 } == 1)
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
func guestSession(_ number: UInt8, in gallery: any Gallery) -> GuestSession {
    GuestSession(
        gallery: gallery, id: BLAKE2b.hash([number]),
        storageKey: SecretBytes(copying: BLAKE2b.hash([number, 0]).bytes.span),
        guest: AuthorID(BLAKE2b.hash([number, 1])))
}
