// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import Foundation
import Testing

@Suite struct ZIPLayoutTests {
    private static let max32 = UInt64(UInt32.max)

    private func entry(_ byteCount: UInt64, _ name: String = "a.jpg") -> ZIPLayout.Entry {
        .init(name: name, byteCount: byteCount, modified: DOSTime(milliseconds: 1_764_000_000_000))
    }

    /// The little-endian number at `offset`.
    private func number<Number: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as: Number.Type) -> Number {
        bytes[offset..<offset + Number.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private func holdsLarge(_ bytes: [UInt8]) -> Bool { Data(bytes).range(of: Data([0x50, 0x4B, 6, 6])) != nil }

    @Test("the archive is as long as its headers, files, directory and end together", arguments: 0...4)
    func lengths(count: Int) {
        let layout = ZIPLayout((0..<count).map { entry(UInt64($0 * 1_000), "\($0)-Zoë.jpg") })
        var offset: UInt64 = 0
        for index in 0..<count {
            #expect(layout.offsets[index] == offset)
            offset += UInt64(layout.localHeader(of: index, crc32: 0).count) + layout.entries[index].byteCount
        }
        #expect(layout.directoryOffset == offset)
        for index in 0..<count { offset += UInt64(layout.directoryHeader(of: index, crc32: 0).count) }
        #expect(layout.directoryOffset + layout.directoryByteCount == offset)
        #expect(layout.byteCount == offset + UInt64(layout.end.count))
        #expect(!holdsLarge(layout.end))
    }

    @Test("a file of 4 GiB and more, and one behind it, have their numbers in 64 bits, and just those have")
    func largeFile() {
        for (byteCount, isLarge) in [(Self.max32 - 1, false), (Self.max32, true), (6 << 30, true)] {
            let layout = ZIPLayout([entry(byteCount), entry(7, "behind.jpg")])
            let (local, directory) = (layout.localHeader(of: 0, crc32: 9), layout.directoryHeader(of: 0, crc32: 9))
            #expect(number(local, 4, as: UInt16.self) == (isLarge ? 45 : 20))
            #expect(number(local, 14, as: UInt32.self) == 9)
            #expect(number(local, 18, as: UInt32.self) == (isLarge ? .max : UInt32(byteCount)))
            #expect(number(local, 22, as: UInt32.self) == (isLarge ? .max : UInt32(byteCount)))
            #expect(local.count == 30 + 5 + (isLarge ? 20 : 0))
            #expect(directory.count == 46 + 5 + (isLarge ? 20 : 0))
            if isLarge {
                #expect(number(local, 39, as: UInt64.self) == byteCount)
                #expect(number(local, 47, as: UInt64.self) == byteCount)
                #expect(number(directory, 55, as: UInt64.self) == byteCount)
            }
            // The second lies beyond 4 GiB in each case, its own length is small.
            let second = layout.directoryHeader(of: 1, crc32: 9)
            #expect(layout.offsets[1] == byteCount + UInt64(local.count))
            #expect(number(second, 24, as: UInt32.self) == 7)
            #expect(number(second, 42, as: UInt32.self) == .max)
            #expect(number(second, 30, as: UInt16.self) == 12)
            #expect(number(second, second.count - 8, as: UInt64.self) == layout.offsets[1])
            #expect(layout.localHeader(of: 1, crc32: 9).count == 30 + 10)
            #expect(holdsLarge(layout.end))
            #expect(number(layout.end, 48, as: UInt64.self) == layout.directoryOffset)
            #expect(number(layout.end, 64, as: UInt64.self) == layout.directoryOffset + layout.directoryByteCount)
            #expect(number(layout.end, 76 + 16, as: UInt32.self) == .max)
            #expect(layout.byteCount == layout.directoryOffset + layout.directoryByteCount + 98)
        }
    }

    @Test("65,535 files and more are counted in 64 bits, fewer are not")
    func manyFiles() {
        for count in [65_534, 65_535, 100_000] {
            let layout = ZIPLayout((0..<count).map { entry(1, "\($0)") })
            let isLarge = count >= 65_535
            #expect(holdsLarge(layout.end) == isLarge)
            #expect(layout.end.count == (isLarge ? 98 : 22))
            #expect(number(layout.end, layout.end.count - 12, as: UInt16.self) == UInt16(min(count, 65_535)))
            if isLarge { #expect(number(layout.end, 32, as: UInt64.self) == UInt64(count)) }
        }
    }

    @Test("a time is the day and second in UTC, within what ZIP can say")
    func times() {
        // 2024-02-29 23:59:59 UTC, 2000-03-01 00:00:00, before 1980, and as late as can be.
        for (milliseconds, date, time) in [
            (1_709_251_199_000, "2024-2-29", "23:59:58"), (951_868_800_000, "2000-3-1", "0:0:0"),
            (0, "1980-1-1", "0:0:0"),
            (1_764_547_199_999, "2025-11-30", "23:59:58"), (UInt64.max, "2107-12-31", "23:59:58"),
        ] as [(UInt64, String, String)] {
            let value = DOSTime(milliseconds: milliseconds)
            let (day, clock) = (Int(value.date), Int(value.time))
            #expect("\(day >> 9 + 1_980)-\(day >> 5 & 15)-\(day & 31)" == date)
            #expect("\(clock >> 11):\(clock >> 5 & 63):\((clock & 31) * 2)" == time)
        }
    }

    /// A file of the layout with holes in the place of the photos.
    private func write(_ layout: ZIPLayout, crc32: UInt32, to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        for index in layout.entries.indices {
            try file.seek(toOffset: layout.offsets[index])
            try file.write(contentsOf: Data(layout.localHeader(of: index, crc32: crc32)))
        }
        try file.seek(toOffset: layout.directoryOffset)
        let directory = layout.entries.indices.flatMap { layout.directoryHeader(of: $0, crc32: crc32) }
        try file.write(contentsOf: Data(directory + layout.end))
        try file.close()
    }

    @Test("Python reads an archive of files beyond 4 GiB, each where it is")
    func pythonReadsLargeFiles() async throws {
        try await withTemporaryFolder { folder in
            let layout = ZIPLayout([entry(5 << 30, "large"), entry(1 << 20, "behind"), entry(0, "empty")])
            try write(layout, crc32: 0, to: folder + "/large.zip")
            let script = """
                import sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                for entry in archive.infolist():
                    with archive.open(entry) as file:  # compares the local header with the directory
                        file._expected_crc = None
                        print(entry.filename, entry.file_size, entry.header_offset, len(file.read(1000)))
                """
            let text = try await run("python3", ["-c", script, folder + "/large.zip"])
            #expect(
                text == """
                    large \(5 << 30 as UInt64) 0 1000
                    behind \(1 << 20) \(layout.offsets[1]) 1000
                    empty 0 \(layout.offsets[2]) 0

                    """)
        }
    }

    @Test("Python and unzip find 70,000 files whole")
    func manyFilesAreWhole() async throws {
        try await withTemporaryFolder { folder in
            let layout = ZIPLayout((0..<70_000).map { entry(0, "\($0)-Zoë.jpg") })
            try write(layout, crc32: 0, to: folder + "/many.zip")
            let size = try FileManager.default.attributesOfItem(atPath: folder + "/many.zip")[.size] as? Int
            #expect(size == Int(layout.byteCount))
            let script =
                "import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); print(len(a.namelist()), a.testzip(), a.namelist()[-1])"
            #expect(try await run("python3", ["-c", script, folder + "/many.zip"]) == "70000 None 69999-Zoë.jpg\n")
            #expect(try await run("unzip", ["-tqq", folder + "/many.zip"]) == "")
        }
    }
}

@Suite struct FileNameTests {
    private func photo(_ author: String?, frame: UInt64? = 7, _ type: MediaType = .jpeg) -> PortalPhoto {
        var photo = UploadTestGallery.photo(
            PhotoID(Bytes32.zero), by: TestServer.guest("anna"), frame: frame ?? 0, byteCount: 1)
        photo.authorName = author
        photo.mediaType = type
        if frame == nil { photo.state = .waiting }
        return photo
    }

    @Test("a photo's name is its frame, its author and a number")
    func names() {
        #expect(FileName.Entry(photo("Anna")).text(number: 12) == "7-Anna-12.jpg")
        #expect(FileName.Entry(photo(nil, frame: nil, .quicktime)).text(number: 1) == "0-guest-1.mov")
    }

    @Test(
        "what people type leaves the folder in no way and disturbs no list",
        arguments: [
            ("../../etc/passwd", "_.._etc_passwd"), ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("..", "none"),
            ("  .hidden. ", "hidden"), ("new\nline\u{0}", "new_line_"), ("CON", "_CON"), ("con.txt", "_con.txt"),
            ("Lpt1", "_Lpt1"), ("Contact", "Contact"), ("gpj\u{202E}.exe", "gpj_.exe"), ("Zoë 📸 👨‍👩‍👧", "Zoë 📸 👨‍👩‍👧"),
            ("e\u{301}", "\u{E9}"), ("", "none"),
        ])
    func component(text: String, expected: String) {
        let component = FileName.component(text, byteCountMax: 60, orElse: "none")
        #expect(Array(component.utf8) == Array(expected.utf8))
    }

    @Test("a long name is cut between characters, and the whole stays within 120 bytes")
    func length() {
        let family = "👨‍👩‍👧‍👦"
        for text in [
            String(repeating: family, count: 40), String(repeating: "CON", count: 99),
            String(repeating: "x", count: 500),
        ] {
            let name = FileName.Entry(photo(text, frame: .max, .quicktime)).text(number: 100_000)
            #expect(name.utf8.count <= 120)
        }
        let name = FileName.component(String(repeating: family, count: 40), byteCountMax: 60, orElse: "")
        #expect(name == family + family)
    }

    @Test("a header says a name in a plain way and in the whole one, and no name gets out of its quotes")
    func attachment() {
        #expect(
            FileName.attachment("Zoë \"x\"%.zip")
                == "attachment; filename=\"Zo_ _x__.zip\"; filename*=UTF-8''Zo%C3%AB%20%22x%22%25.zip")
    }
}

/// Archives of a real server, read by others.
@Suite struct ZIPRoutesTests {
    private func serve(
        limits: ZIPRoutes.Limits = .init(), name: String = "Anna & Ben: 2026", _ body: (TestServer) async throws -> Void
    ) async throws {
        let gallery = UploadTestGallery(folderPath: "/", name: name)
        try await TestServer.running(gallery, routes: { ZIPRoutes(limits: limits).add(to: $0) }, body)
    }

    /// Photos of 1, 1,000, 2,000 ... bytes and one of three parts and a byte, each second one Ben's.
    private func fill(_ gallery: UploadTestGallery) {
        gallery.change { state in
            for index in 0..<8 {
                let bytes = photoBytes(index == 7 ? 3 << 20 | 1 : max(1, index * 1_000), seed: UInt8(index + 1))
                let id = PhotoID(BLAKE2b.hash(bytes))
                var photo = UploadTestGallery.photo(
                    id, by: TestServer.guest(index % 2 == 0 ? "anna" : "ben"), frame: UInt64(index),
                    byteCount: bytes.count)
                photo.authorName = ["Zoë 📸", "a/b", "CON", nil][index % 4]
                state.added.append(.init(photo: photo, bytes: bytes))
            }
        }
    }

    private func ask(_ server: TestServer, _ form: String, session: String? = "anna") async throws
        -> RawConnection.Answer
    {
        try await server.ask(
            "POST", "zip", session: session, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8))
    }

    /// The entries of an archive, as Python finds them after checking each checksum: name, SHA-256, date.
    private func entries(_ archive: [UInt8], in folder: String) async throws -> [[String]] {
        let path = folder + "/archive.zip"
        try Data(archive).write(to: URL(filePath: path))
        #expect(try await run("unzip", ["-tqq", path]) == "")
        let script = """
            import sys, zipfile, hashlib
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            for entry in archive.infolist():
                assert entry.flag_bits == 0x800 and entry.compress_type == 0 and entry.extra == b''
                print(entry.filename, hashlib.sha256(archive.read(entry)).hexdigest(), *entry.date_time, sep='|')
            """
        return try await run("python3", ["-c", script, path]).split(separator: "\n").map { line in
            line.split(separator: "|").map(String.init)
        }
    }

    private func sha256(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.finalize().description
    }

    @Test("the archive of all photos holds each once, whole, the oldest first, under a name that is safe")
    func all() async throws {
        try await withTemporaryFolder { folder in
            try await serve { server in
                fill(server.gallery)
                let answer = try await ask(server, "all=1")
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == "application/zip")
                #expect(answer.headers["content-length"] == "\(answer.body.count)")
                #expect(answer.headers["disposable-skipped"] == "0")
                #expect(
                    answer.headers["content-disposition"]
                        == "attachment; filename=\"Anna & Ben_ 2026.zip\"; filename*=UTF-8''Anna%20%26%20Ben_%202026.zip"
                )
                let entries = try await entries(answer.body, in: folder)
                #expect(entries.map { $0[1] } == server.gallery.added.map { sha256($0.bytes) })
                #expect(
                    entries.prefix(4).map { $0[0] } == [
                        "0-Zoë 📸-1.jpg", "1-a_b-2.jpg", "2-_CON-3.jpg", "3-guest-4.jpg",
                    ])
                #expect(entries[0][2...].joined(separator: "-") == "2025-11-24-16-0-0")
            }
        }
    }

    @Test("the archive of one's own photos holds no others, and a selection holds what was selected, each once")
    func selections() async throws {
        try await withTemporaryFolder { folder in
            try await serve { server in
                fill(server.gallery)
                let added = server.gallery.added
                let mine = try await entries(try await ask(server, "mine=1").body, in: folder)
                #expect(mine.map { $0[1] } == stride(from: 0, to: 8, by: 2).map { sha256(added[$0].bytes) })
                let ids = [5, 0, 5].map { "\(added[$0].photo.id)" } + [PhotoID(Bytes32.zero).description]
                let answer = try await ask(server, "ids=" + ids.joined(separator: "+"))
                #expect(answer.headers["disposable-skipped"] == "1")
                let selected = try await entries(answer.body, in: folder)
                #expect(selected.map { $0[1] } == [5, 0].map { sha256(added[$0].bytes) })
            }
        }
    }

    @Test("photos whose originals are not here are left out and counted; with none at all there is no archive")
    func missingOriginals() async throws {
        try await withTemporaryFolder { folder in
            try await serve { server in
                fill(server.gallery)
                server.gallery.change { state in
                    state.added[1] = .init(photo: Self.withoutOriginal(state.added[1].photo), bytes: [])
                    state.added[6] = .init(photo: Self.withoutOriginal(state.added[6].photo), bytes: [])
                }
                let answer = try await ask(server, "all=1")
                #expect(answer.headers["disposable-skipped"] == "2")
                #expect(try await entries(answer.body, in: folder).count == 6)
                let id = server.gallery.added[1].photo.id
                let none = try await ask(server, "ids=\(id)")
                #expect(none.status == 404)
                #expect(none.text == "not-here")
            }
        }
    }

    private static func withoutOriginal(_ photo: PortalPhoto) -> PortalPhoto {
        var photo = photo
        photo.available = [.thumbnail]
        return photo
    }

    @Test(
        "a form that says nothing, or nonsense, is refused",
        arguments: [
            ("", "malformed-form"), ("all=2", "malformed-form"), ("ids=xyz", "malformed-form"),
            ("ids=%zz", "malformed-form"),
        ])
    func badForm(form: String, code: String) async throws {
        try await serve { server in
            fill(server.gallery)
            let answer = try await ask(server, form)
            #expect(answer.status == 400)
            #expect(answer.text == code)
        }
    }

    @Test("an archive of too many photos is refused, and so is a form that is too long for as many")
    func tooMany() async throws {
        var limits = ZIPRoutes.Limits()
        limits.entries = 7
        try await serve(limits: limits) { server in
            fill(server.gallery)
            let (all, mine) = (try await ask(server, "all=1"), try await ask(server, "mine=1"))
            #expect(all.text == "too-many-photos")
            #expect(mine.status == 200)
            let long = try await ask(server, "ids=" + String(repeating: "0", count: 10_000))
            #expect(long.status == 413)
        }
    }

    @Test("when a photo's bytes vanish, the connection breaks: nobody takes the archive for whole")
    func vanishingBytes() async throws {
        try await serve { server in
            fill(server.gallery)
            let id = server.gallery.added[7].photo.id
            server.gallery.change { $0.vanishing[id] = 2 << 20 }
            await #expect(throws: RawConnection.Closed.self) { _ = try await ask(server, "all=1") }
        }
    }

    @Test("a download that nobody reads is held back, given up in time, and its place is free again")
    func unreadDownload() async throws {
        var limits = ZIPRoutes.Limits()
        (limits.perSession, limits.stall) = (1, .milliseconds(500))
        try await serve(limits: limits) { server in
            let bytes = photoBytes(64 << 20)
            let photo = UploadTestGallery.photo(
                PhotoID(BLAKE2b.hash([1])), by: TestServer.guest("anna"), frame: 1, byteCount: bytes.count)
            server.gallery.change { $0.added = [.init(photo: photo, bytes: bytes)] }
            try await RawConnection.open(port: server.port, receiveBufferByteCount: 65_536) { connection in
                let form = Array("all=1".utf8)
                let headers = ["Content-Type": "application/x-www-form-urlencoded"]
                try await connection.send(TestServer.request("POST", "zip", headers: headers, byteCount: form.count))
                try await connection.send(form)
                // Once through for the checksum, and then as much as the connection takes.
                try await eventually { server.gallery.now.readCount > 64 }
                #expect(try await ask(server, "all=1").status == 429)
                try await eventually { try await ask(server, "ids=00").status == 400 }
                #expect(server.gallery.now.readCount < 128)
                withExtendedLifetime(connection) {}
            }
        }
    }
}

/// What a program prints. Throws where it fails, with what it says to that.
func run(_ program: String, _ arguments: [String]) async throws -> String {
    struct Failed: Error {
        let program: String
        let said: String
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONIOENCODING": "utf-8"]) { $1 }
    let output = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        process.terminationHandler = { _ in continuation.resume() }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    guard process.terminationStatus == 0 else { throw Failed(program: program, said: text) }
    return text
}
