// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// tus 1.0.0 over HTTP, as any client sees it.
@Suite struct UploadRoutesTests {
    private static let version = ["Tus-Resumable": "1.0.0"]
    private static let patch = version.merging(["Content-Type": "application/offset+octet-stream"]) { $1 }

    /// A server with the upload routes, on `folder`, or one that is gone afterwards.
    private func serve(
        limits: UploadLimits = UploadLimits(), in folder: String? = nil, gallery: UploadTestGallery? = nil,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { temporary in
            let gallery = gallery ?? UploadTestGallery(folderPath: folder ?? temporary)
            let store = try UploadStore(folderPath: gallery.folderPath, limits: limits)
            try await TestServer.running(
                gallery, routes: { UploadRoutes(store: { _ in store }).add(to: $0) }, body)
        }
    }

    private func create(_ server: TestServer, length: Int, session: String = "anna") async throws -> String {
        let answer = try await server.ask(
            "POST", "uploads", session: session,
            headers: Self.version.merging(["Upload-Length": "\(length)"]) { $1 })
        #expect(answer.status == 201)
        return try #require(answer.headers["location"])
    }

    private func send(
        _ server: TestServer, _ path: String, _ bytes: some Sequence<UInt8>, at offset: Int, session: String = "anna"
    ) async throws -> RawConnection.Answer {
        try await server.ask(
            "PATCH", path, session: session,
            headers: Self.patch.merging(["Upload-Offset": "\(offset)"]) { $1 }, body: Array(bytes))
    }

    private func names(in gallery: UploadTestGallery) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: gallery.folderPath + "/uploads").sorted()
    }

    @Test("a file sent in two pieces becomes a photo, which the last answer and every later question name")
    func upload() async throws {
        try await serve { server in
            let bytes = photoBytes(200_000)
            let path = try await create(server, length: bytes.count)
            #expect(path.hasPrefix("/e/00000000/uploads/"))
            let first = try await send(server, path, bytes[..<150_000], at: 0)
            #expect(first.status == 204)
            #expect(first.headers["upload-offset"] == "150000")
            #expect(first.headers["disposable-photo"] == nil)
            #expect(first.headers["tus-resumable"] == "1.0.0")
            #expect(server.gallery.added.isEmpty)
            let middle = try await server.ask("HEAD", path, headers: Self.version)
            #expect(middle.status == 200)
            #expect(middle.headers["upload-offset"] == "150000")
            #expect(middle.headers["upload-length"] == "200000")
            #expect(middle.headers["cache-control"] == "no-store")
            let last = try await send(server, path, bytes[150_000...], at: 150_000)
            #expect(last.status == 204)
            #expect(last.headers["upload-offset"] == "200000")
            let photo = try #require(server.gallery.added.first)
            #expect(photo.bytes == bytes)
            #expect(last.headers["disposable-photo"] == "\(photo.photo.id)")
            for _ in 0..<2 {
                let later = try await server.ask("HEAD", path, headers: Self.version)
                #expect(later.headers["disposable-photo"] == "\(photo.photo.id)")
                #expect(later.headers["upload-offset"] == "200000")
            }
            #expect(server.gallery.now.addCount == 1)
        }
    }

    @Test("OPTIONS says what can be done, and asks for no version")
    func options() async throws {
        try await serve { server in
            let answer = try await server.ask("OPTIONS", "uploads")
            #expect(answer.status == 204)
            #expect(answer.headers["tus-version"] == "1.0.0")
            #expect(answer.headers["tus-extension"] == "creation,termination,expiration")
            #expect(answer.headers["tus-max-size"] == "\(256 << 20)")
        }
    }

    @Test("without the right version nothing happens, whatever the method")
    func wrongVersion() async throws {
        try await serve { server in
            let path = try await create(server, length: 10)
            for (method, path) in [("POST", "uploads"), ("HEAD", path), ("PATCH", path), ("DELETE", path)] {
                for version in [nil, "0.2.2"] as [String?] {
                    var headers = [
                        "Upload-Length": "1", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
                    ]
                    headers["Tus-Resumable"] = version
                    let answer = try await server.ask(method, path, headers: headers)
                    #expect(answer.status == 412, "\(method)")
                    #expect(answer.headers["tus-version"] == "1.0.0")
                    #expect(answer.headers["tus-resumable"] == "1.0.0")
                }
            }
            #expect(try names(in: server.gallery).count == 1)
            #expect(try await server.ask("HEAD", path, headers: Self.version).headers["upload-offset"] == "0")
        }
    }

    @Test(
        "a creation that makes no sense is refused and leaves nothing",
        arguments: [
            ([:], 400, "malformed-header"),
            (["Upload-Length": "-1"], 400, "malformed-header"),
            (["Upload-Length": "0x10"], 400, "malformed-header"),
            (["Upload-Length": "99999999999999999999"], 400, "malformed-header"),
            (["Upload-Defer-Length": "1"], 400, "malformed-header"),
            (["Upload-Length": "0"], 422, "not-a-photo"),
            (["Upload-Length": "\(256 << 20 + 1)"], 413, "too-large"),
            (["Upload-Length": "1", "Upload-Metadata": "filename %%%"], 400, "malformed-header"),
            (["Upload-Length": "1", "Upload-Metadata": ",,"], 400, "malformed-header"),
            (
                ["Upload-Length": "1", "Upload-Metadata": "a " + String(repeating: "AAAA", count: 600)], 400,
                "malformed-header"
            ),
        ] as [([String: String], Int, String)])
    func badCreation(headers: [String: String], status: Int, code: String) async throws {
        try await serve { server in
            let answer = try await server.ask("POST", "uploads", headers: Self.version.merging(headers) { $1 })
            #expect(answer.status == status)
            #expect(answer.text == code)
            #expect(answer.headers["tus-resumable"] == "1.0.0")
            #expect(try names(in: server.gallery) == [])
        }
    }

    @Test("what the client says of its file is given back as it came, after a restart too")
    func metadata() async throws {
        try await withTemporaryFolder { folder in
            var path = ""
            let metadata = "filename 8J+TuC5qcGc=,filetype aW1hZ2UvanBlZw==,is_confidential"
            try await serve(in: folder) { server in
                let answer = try await server.ask(
                    "POST", "uploads",
                    headers: ["Tus-Resumable": "1.0.0", "Upload-Length": "5", "Upload-Metadata": metadata])
                path = try #require(answer.headers["location"])
                #expect(
                    answer.headers["upload-expires"]?.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/)
                        != nil)
            }
            try await serve(in: folder) { server in
                let answer = try await server.ask("HEAD", path, headers: Self.version)
                #expect(answer.headers["upload-metadata"] == metadata)
            }
        }
    }

    @Test("a piece of another type, at another offset, or without one, is refused and changes nothing")
    func badPatch() async throws {
        try await serve { server in
            let path = try await create(server, length: 100)
            _ = try await send(server, path, photoBytes(40), at: 0)
            var headers = Self.patch
            headers["Upload-Offset"] = "40"
            headers["Content-Type"] = "image/jpeg"
            let piece = photoBytes(60)
            #expect(try await server.ask("PATCH", path, headers: headers, body: piece).status == 415)
            for offset in [0, 39, 41, 100] {
                let answer = try await send(server, path, piece, at: offset)
                #expect(answer.status == 409)
                #expect(answer.text == "wrong-offset")
                #expect(answer.headers["upload-offset"] == "40")
            }
            for offset in ["", "x", "-1"] {
                headers = Self.patch.merging(["Upload-Offset": offset]) { $1 }
                #expect(try await server.ask("PATCH", path, headers: headers, body: piece).status == 400)
            }
            #expect(try await server.ask("HEAD", path, headers: Self.version).headers["upload-offset"] == "40")
            #expect(server.gallery.added.isEmpty)
        }
    }

    @Test("a body that goes beyond the upload's length is refused, and the upload can still be finished")
    func tooLong() async throws {
        try await serve { server in
            let bytes = photoBytes(100)
            let path = try await create(server, length: 100)
            _ = try await send(server, path, bytes[..<40], at: 0)
            let answer = try await send(server, path, bytes[40...] + [1], at: 40)
            #expect(answer.status == 413)
            let head = try await server.ask("HEAD", path, headers: Self.version)
            let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
            #expect((40...100).contains(offset))
            #expect(try await send(server, path, bytes[offset...], at: offset).status == 204)
            #expect(server.gallery.added.map(\.bytes) == [bytes])
        }
    }

    @Test("another session's upload, a made-up one and a path in the place of one are all unknown")
    func foreignUploads() async throws {
        try await serve { server in
            let path = try await create(server, length: 10)
            let madeUp = "uploads/" + String(repeating: "0", count: 32)
            for (session, path) in [
                ("ben", path), ("anna", madeUp), ("anna", "uploads/..%2f..%2fetc"),
                ("anna", "uploads/" + path.suffix(31)),
            ] {
                #expect(try await server.ask("HEAD", path, session: session, headers: Self.version).status == 404)
                #expect(
                    try await server.ask("DELETE", path, session: session, headers: Self.version).text
                        == "unknown-upload")
                #expect(try await send(server, path, [1], at: 0, session: session).text == "unknown-upload")
            }
            #expect(try await server.ask("HEAD", path, session: "anna", headers: Self.version).status == 200)
        }
    }

    @Test("a request without a session is refused, and one whose guest nobody knows cannot begin an upload")
    func noSession() async throws {
        try await serve { server in
            let headers = Self.version.merging(["Upload-Length": "1"]) { $1 }
            #expect(try await server.ask("POST", "uploads", session: nil, headers: headers).text == "no-session")
            let answer = try await server.ask("POST", "uploads", session: "nobody", headers: headers)
            #expect(answer.status == 403)
            #expect(answer.text == "not-entered")
        }
    }

    @Test("a deleted upload is gone from the disk; a photo that it became stays")
    func termination() async throws {
        try await serve { server in
            let path = try await create(server, length: 10)
            _ = try await send(server, path, photoBytes(5), at: 0)
            #expect(try await server.ask("DELETE", path, headers: Self.version).status == 204)
            #expect(try names(in: server.gallery) == [])
            #expect(try await server.ask("HEAD", path, headers: Self.version).status == 404)
            let other = try await create(server, length: 10)
            #expect(try await send(server, other, photoBytes(10), at: 0).headers["disposable-photo"] != nil)
            #expect(try await server.ask("DELETE", other, headers: Self.version).status == 204)
            #expect(server.gallery.added.count == 1)
        }
    }

    @Test("POST does what it is told to stand for")
    func methodOverride() async throws {
        try await serve { server in
            let path = try await create(server, length: 10)
            var headers = Self.patch.merging(["Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"]) { $1 }
            let answer = try await server.ask("POST", path, headers: headers, body: photoBytes(4))
            #expect(answer.headers["upload-offset"] == "4")
            headers = Self.version.merging(["X-HTTP-Method-Override": "DELETE"]) { $1 }
            #expect(try await server.ask("POST", path, headers: headers).status == 204)
            #expect(try await server.ask("POST", path, headers: Self.version).status == 405)
        }
    }

    // What breaks

    @Test("a body that breaks off keeps what came of it")
    func brokenBody() async throws {
        try await serve { server in
            let bytes = photoBytes(300_000)
            let path = try await create(server, length: bytes.count)
            try await RawConnection.open(port: server.port) { connection in
                let headers = Self.patch.merging(["Upload-Offset": "0"]) { $1 }
                try await connection.send(TestServer.request("PATCH", path, headers: headers, byteCount: bytes.count))
                try await connection.send(Array(bytes[..<200_000]))
                try await eventually { try self.byteCount(of: path, in: server.gallery) > 65_536 }
            }
            // The server sees the end of the connection some time, and the question waits for that.
            let answer = try await server.ask("HEAD", path, headers: Self.version)
            let offset = try #require(answer.headers["upload-offset"].flatMap { Int($0) })
            #expect((65_536...200_000).contains(offset))
            #expect(try await send(server, path, bytes[offset...], at: offset).headers["disposable-photo"] != nil)
            #expect(server.gallery.added.map(\.bytes) == [bytes])
        }
    }

    @Test("what came before the body stopped is kept, and whoever asks ends the body that does not go on")
    func takingOver() async throws {
        try await serve { server in
            let bytes = photoBytes(200_000)
            let path = try await create(server, length: bytes.count)
            try await RawConnection.open(port: server.port) { connection in
                let headers = Self.patch.merging(["Upload-Offset": "0"]) { $1 }
                try await connection.send(TestServer.request("PATCH", path, headers: headers, byteCount: bytes.count))
                try await connection.send(Array(bytes[..<100_000]))
                try await eventually { try self.byteCount(of: path, in: server.gallery) > 65_536 }
                // A second body at once gets nothing.
                let second = try await send(server, path, bytes, at: 0)
                #expect(second.status == 423)
                #expect(second.headers["retry-after"] == "1")
                // A question ends the first.
                let head = try await server.ask("HEAD", path, headers: Self.version)
                let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
                #expect((65_536...100_000).contains(offset))
                _ = await connection.rest()
                #expect(try await send(server, path, bytes[offset...], at: offset).status == 204)
            }
            #expect(server.gallery.added.map(\.bytes) == [bytes])
        }
    }

    @Test("a body on which nothing moves is given up, and what came of it is kept")
    func stalledBody() async throws {
        var limits = UploadLimits()
        limits.stall = .milliseconds(300)
        try await serve(limits: limits) { server in
            let path = try await create(server, length: 1_000)
            try await RawConnection.open(port: server.port) { connection in
                let headers = Self.patch.merging(["Upload-Offset": "0"]) { $1 }
                try await connection.send(TestServer.request("PATCH", path, headers: headers, byteCount: 1_000))
                try await connection.send(photoBytes(400))
                _ = await connection.rest()
            }
            try await eventually {
                try await server.ask("HEAD", path, headers: Self.version).headers["upload-offset"] == "400"
            }
        }
    }

    @Test("a session sends so many bodies at once, and others are not held up by it")
    func bodiesPerSession() async throws {
        var limits = UploadLimits()
        limits.bodiesPerSession = 1
        try await serve(limits: limits) { server in
            let first = try await create(server, length: 200_000)
            let second = try await create(server, length: 10)
            let other = try await create(server, length: 10, session: "ben")
            try await RawConnection.open(port: server.port) { connection in
                let headers = Self.patch.merging(["Upload-Offset": "0"]) { $1 }
                try await connection.send(TestServer.request("PATCH", first, headers: headers, byteCount: 200_000))
                try await connection.send(photoBytes(100_000))
                try await eventually { try self.byteCount(of: first, in: server.gallery) > 65_536 }
                let answer = try await send(server, second, photoBytes(10), at: 0)
                #expect(answer.status == 429)
                #expect(answer.headers["retry-after"] == "1")
                #expect(try await send(server, other, photoBytes(10), at: 0, session: "ben").status == 204)
            }
            try await eventually { try await send(server, second, photoBytes(10), at: 0).status == 204 }
        }
    }

    @Test("what is no photo is refused once and for all, and its bytes are not kept")
    func noPhoto() async throws {
        try await serve { server in
            let path = try await create(server, length: 100_000)
            let answer = try await send(server, path, [UInt8](repeating: 0x20, count: 100_000), at: 0)
            #expect(answer.status == 422)
            #expect(answer.text == "not-a-photo")
            #expect(try await server.ask("HEAD", path, headers: Self.version).status == 422)
            #expect(try await send(server, path, [], at: 100_000).status == 422)
            #expect(server.gallery.now.addCount == 1)
            #expect(try byteCount(of: path, in: server.gallery) < 1_000)
        }
    }

    @Test("a refusal that may pass keeps the bytes, and an empty piece at the end tries again")
    func passingRefusals() async throws {
        try await serve { server in
            server.gallery.change {
                $0.refusals = [.unavailable(reason: "not let in yet"), .rollFull(limit: 3), .notEntered]
            }
            let bytes = photoBytes(1_000)
            let path = try await create(server, length: bytes.count)
            let first = try await send(server, path, bytes, at: 0)
            #expect(first.status == 503)
            #expect(first.headers["retry-after"] != nil)
            #expect(try await send(server, path, [], at: 1_000).text == "roll-full")
            #expect(try await server.ask("HEAD", path, headers: Self.version).status == 403)
            #expect(try await send(server, path, [], at: 1_000).headers["disposable-photo"] != nil)
            #expect(server.gallery.added.map(\.bytes) == [bytes])
        }
    }

    @Test("a stop between the photo and the record of it doubles nothing, whichever way the client asks again")
    func stopAfterAdding() async throws {
        for method in ["HEAD", "PATCH"] {
            try await withTemporaryFolder { folder in
                let gallery = UploadTestGallery(folderPath: folder)
                gallery.change { $0.stopsAfterAdding = 1 }
                let bytes = photoBytes(100_000)
                var path = ""
                try await serve(gallery: gallery) { server in
                    path = try await create(server, length: bytes.count)
                    #expect(try await send(server, path, bytes, at: 0).status == 500)
                }
                try await serve(gallery: gallery) { server in
                    let answer =
                        method == "HEAD"
                        ? try await server.ask("HEAD", path, headers: Self.version)
                        : try await send(server, path, [], at: bytes.count)
                    #expect(answer.headers["disposable-photo"] == "\(gallery.added[0].photo.id)")
                }
                #expect(gallery.added.count == 1)
                #expect(gallery.now.addCount == 2)
            }
        }
    }

    @Test("the same file sent again is the same photo")
    func sameFile() async throws {
        try await serve { server in
            let bytes = photoBytes(1_000)
            var photos: Set<String> = []
            for _ in 0..<2 {
                let path = try await create(server, length: bytes.count)
                photos.insert(try #require(try await send(server, path, bytes, at: 0).headers["disposable-photo"]))
            }
            #expect(photos.count == 1)
        }
    }

    @Test("the plaintext is in a file for its owner only, so few at once as is allowed, and gone afterwards")
    func plaintextFiles() async throws {
        var limits = UploadLimits()
        limits.completionsAtOnce = 2
        try await serve(limits: limits) { server in
            server.gallery.change { $0.addDelay = .milliseconds(30) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...8 {
                    group.addTask {
                        let (name, seed) = ("guest\(seed / 2)", UInt8(seed))
                        let path = try await create(server, length: 500, session: name)
                        let bytes = seed == 8 ? [UInt8](repeating: 0, count: 500) : photoBytes(500, seed: seed)
                        let answer = try await send(server, path, bytes, at: 0, session: name)
                        #expect(answer.status == (seed == 8 ? 422 : 204))
                    }
                }
                try await group.waitForAll()
            }
            let state = server.gallery.now
            #expect(state.mostAtOnce == 2)
            #expect(Set(state.paths).count == 8)
            #expect(Set(state.permissions) == [0o600])
            #expect(state.added.count == 7)
            let names = try names(in: server.gallery)
            #expect(names.count == 8)
            #expect(names.allSatisfy { $0.hasSuffix(".done") })
        }
    }

    @Test(
        "whatever pieces a file comes in, and however often the node is started anew, it arrives whole",
        arguments: 1...6)
    func randomPieces(seed: Int) async throws {
        var generator = SplitMix(state: UInt64(seed))
        try await withTemporaryFolder { folder in
            let gallery = UploadTestGallery(folderPath: folder)
            let bytes = photoBytes(Int.random(in: 1...400_000, using: &generator), seed: UInt8(seed))
            var (path, isDone) = ("", false)
            try await serve(gallery: gallery) { path = try await create($0, length: bytes.count) }
            while !isDone {
                try await serve(gallery: gallery) { server in
                    for _ in 0..<Int.random(in: 1...4, using: &generator) where !isDone {
                        let head = try await server.ask("HEAD", path, headers: Self.version)
                        let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
                        let end = Int.random(in: offset...min(bytes.count, offset + 150_000), using: &generator)
                        let answer = try await send(server, path, bytes[offset..<end], at: offset)
                        #expect(answer.headers["upload-offset"] == "\(end)")
                        isDone = answer.headers["disposable-photo"] != nil
                    }
                }
            }
            #expect(gallery.added.map(\.bytes) == [bytes])
            #expect(gallery.now.addCount == 1)
        }
    }

    @Test(
        "a disk that is full in the middle is said so; what was kept goes on once there is room",
        .enabled(if: SmallVolume.mayMount))
    func diskFull() async throws {
        let volume = try SmallVolume(byteCount: 16 << 20)
        var limits = UploadLimits()
        limits.diskReserveByteCount = 0
        try await serve(limits: limits, in: volume.path) { server in
            let bytes = photoBytes(3_000_000)
            let path = try await create(server, length: bytes.count)
            let ballast = URL(filePath: volume.path + "/ballast")
            try Data(count: 15 << 20).write(to: ballast)
            let answer = try await send(server, path, bytes, at: 0)
            #expect(answer.status == 503)
            #expect(answer.text == "unavailable")
            let head = try await server.ask("HEAD", path, headers: Self.version)
            let offset = try #require(head.headers["upload-offset"].flatMap { Int($0) })
            #expect((1..<1 << 20).contains(offset))
            try FileManager.default.removeItem(at: ballast)
            #expect(try await send(server, path, bytes[offset...], at: offset).status == 204)
            #expect(server.gallery.added.map(\.bytes) == [bytes])
        }
    }

    private func byteCount(of path: String, in gallery: UploadTestGallery) throws -> Int {
        let names = try names(in: gallery).filter { $0.contains(path.suffix(32)) }
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(gallery.folderPath)/uploads/\(names[0])")
        return attributes[.size] as? Int ?? 0
    }
}

/// A volume of its own in memory, which only root may mount.
final class SmallVolume {
    static let mayMount = (try? SmallVolume(byteCount: 1 << 20)) != nil
    let path: String

    init(byteCount: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/volume-\(UUID())"
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

/// The same numbers from the same seed.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
