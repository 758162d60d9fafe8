// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

@Suite struct ZIPLayoutTests {
    private static let max32 = UInt64(UInt32.max)

    private func entry(_ byteCount: UInt64, _ name: String = "a.jpg") -> ZIPLayout.Entry {
        .init(name: name, byteCount: byteCount, modified: DOSTime(milliseconds: 1_764_000_000_000))
    }

    /// Returns the little-endian number at `offset`.
    private func number<Number: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, as: Number.Type) -> Number {
        bytes[offset..<offset + Number.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private func holdsLarge(_ bytes: [UInt8]) -> Bool { Data(bytes).range(of: Data([0x50, 0x4B, 6, 6])) != nil }

    @Test("the archive's length is the sum of its headers, files, directory and end", arguments: 0...4)
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

    @Test("only a file of 4 GiB and more, and one after it, have 64-bit numbers")
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
            // The second starts beyond 4 GiB in each case; its own length is small.
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

    @Test("a time has the day and second in UTC, in the range of ZIP")
    func times() {
        // 2024-02-29 23:59:59 UTC, 2000-03-01 00:00:00, before 1980, and the maximum.
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

    /// Writes a file with the layout's headers, and holes in place of the photos.
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

    @Test("Python reads an archive of files beyond 4 GiB, each at its offset")
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

    @Test("Python and unzip read 70,000 files")
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

/// Archives of a real server, read by other programs.
@Suite struct ZIPRoutesTests {
    private func serve(
        limits: PortalLimits = PortalLimits(),
        _ body: @escaping @Sendable (HTTPClient, TestGallery, _ guest: AuthorID) async throws -> Void
    ) async throws {
        let gallery = try TestGallery(name: "Anna & Ben: 2026")
        try await withPortal([gallery], limits: limits) { _, client in
            let guest = TestGuest()
            let (entered, id) = (try await client.entering(gallery, as: guest), try guest.id(in: gallery))
            fill(gallery, mine: id)
            try await body(entered, gallery, id)
        }
    }

    /// Photos of 1, 1,000, 2,000 ... bytes and one of three parts and a byte; every second is another guest's.
    private func fill(_ gallery: TestGallery, mine: AuthorID) {
        for index in 0..<8 {
            let bytes = photoBytes(index == 7 ? 3 << 20 | 1 : max(1, index * 1_000), seed: UInt64(index + 1))
            gallery.put(bytes, by: index % 2 == 0 ? mine : .stranger(1))
            gallery.with { state in
                state.items[0].photo.authorName = ["Zoë 📸", "a/b", "CON", nil][index % 4]
                state.items[0].photo.addedAtMilliseconds = 1_764_000_000_000
            }
        }
    }

    private func ask(_ client: HTTPClient, _ gallery: TestGallery, _ form: String) async throws -> Reply {
        try await client.send(
            "POST", gallery.path + "zip", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array(form.utf8))
    }

    private func id(_ index: Int, in gallery: TestGallery) -> PhotoID { gallery.with { $0.items[7 - index].photo.id } }

    /// Returns the entries of an archive, as Python reads them after checking each checksum: name, SHA-256, date.
    private func entries(_ reply: Reply) async throws -> [[String]] {
        try await withTemporaryFolder { folder in
            let path = folder + "/archive.zip"
            try Data(reply.body).write(to: URL(filePath: path))
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
    }

    private func sha256(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.finalize().description
    }

    @Test("the archive of all photos has each once, complete, oldest first, under a safe name")
    func all() async throws {
        try await serve { client, gallery, _ in
            let reply = try await ask(client, gallery, "all=1")
            #expect(reply.status == 200)
            #expect(reply["content-type"] == "application/zip")
            #expect(reply["content-length"] == "\(reply.body.count)")
            #expect(reply["disposable-skipped"] == "0")
            #expect(
                reply["content-disposition"]
                    == "attachment; filename=\"Anna & Ben_ 2026.zip\"; filename*=UTF-8''Anna%20%26%20Ben_%202026.zip")
            let entries = try await entries(reply)
            #expect(entries.map { $0[1] } == gallery.originals.map(sha256))
            #expect(
                entries.prefix(4).map { $0[0] } == ["1-Zoë 📸-1.jpg", "2-a_b-2.jpg", "3-_CON-3.jpg", "4-guest-4.jpg"])
            #expect(entries[0][2...].joined(separator: "-") == "2025-11-24-16-0-0")
        }
    }

    @Test("a guest's own archive has only its photos, waiting ones too; a selection has each selected photo once")
    func selections() async throws {
        try await serve { client, gallery, guest in
            let waiting = photoBytes(77, seed: 77)
            gallery.put(waiting, by: guest, isWaiting: true)
            let mine = try await entries(try await ask(client, gallery, "mine=1"))
            let originals = gallery.originals
            #expect(mine.map { $0[1] } == [0, 2, 4, 6, 8].map { sha256(originals[$0]) })
            #expect(mine.last?[0] == "0-guest-5.jpg")
            let ids = gallery.with { state in [5, 0, 5].map { "\(state.items[8 - $0].photo.id)" } }
            let unknown = PhotoID(Bytes32.zero).description
            let reply = try await ask(client, gallery, "ids=" + (ids + [unknown]).joined(separator: "+"))
            #expect(reply["disposable-skipped"] == "1")
            let selected = try await entries(reply)
            #expect(selected.map { $0[1] } == [5, 0].map { sha256(originals[$0]) })
        }
    }

    @Test("a form with too many ids, or with many of no photo, is refused")
    func inventedIDs() async throws {
        var limits = PortalLimits()
        (limits.archives.ids, limits.archives.unknownIDs) = (40, 20)
        try await serve(limits: limits) { client, gallery, _ in
            for (count, status) in [(20, 404), (21, 400), (80, 413)] {
                let ids = (0..<count).map { String(repeating: "0", count: 62) + String(10 + $0) }
                let reply = try await ask(client, gallery, "ids=" + ids.joined(separator: "+"))
                #expect(reply.status == status)
            }
        }
    }

    @Test("everything about a guest is one archive: the photos, and a text that names their files")
    func everythingAboutMe() async throws {
        try await serve { client, gallery, guest in
            let entries = try await entries(try await ask(client, gallery, "mine=1&me=1"))
            #expect(entries.map { $0[1] }.prefix(4) == [0, 2, 4, 6].map { sha256(gallery.originals[$0]) }[...])
            let names = entries.dropLast().map { $0[0] }
            let record = Array("{\"key\": \"\(guest)\", \"files\": \(names.sorted())}".utf8)
            #expect(entries.last?[0] == "me.json" && entries.last?[1] == sha256(record))
            // Somebody without a photo gets the text alone.
            let other = try await self.entries(try await ask(try await client.entering(gallery), gallery, "mine=1&me=1"))
            #expect(other.map { $0[0] } == ["me.json"])
        }
    }

    @Test("a guest saves everything about the guest a few times, and then once in a while")
    func everythingTooOften() async throws {
        try await serve { client, gallery, _ in
            for _ in 0..<3 { #expect(try await ask(client, gallery, "mine=1&me=1").status == 200) }
            let reply = try await ask(client, gallery, "mine=1&me=1")
            #expect(reply.status == 429 && reply.errorCode == "too-many-downloads")
            #expect((1...60).contains(Int(reply["retry-after"] ?? "") ?? 0))
            // The photos alone, and others, do not wait.
            #expect(try await ask(client, gallery, "mine=1").status == 200)
            #expect(try await ask(try await client.entering(gallery), gallery, "mine=1&me=1").status == 200)
        }
    }

    @Test("photos whose originals are not here are left out and counted; with none at all there is no archive")
    func missingOriginals() async throws {
        try await serve { client, gallery, _ in
            let away = gallery.put(photoBytes(50, seed: 50), by: .stranger(2), isHere: false)
            let reply = try await ask(client, gallery, "all=1")
            #expect(reply["disposable-skipped"] == "1")
            #expect(try await entries(reply).count == 8)
            let none = try await ask(client, gallery, "ids=\(away.id)")
            #expect(none.status == 404)
            #expect(none.errorCode == "not-here")
        }
    }

    @Test(
        "a form that says nothing, or nonsense, is refused",
        arguments: ["", "all=2", "ids=xyz", "ids=%zz", "me=1", "all=1&me=1", "mine=1&me=2", "mine=1&me=1&ids=xyz"])
    func badForm(form: String) async throws {
        try await serve { client, gallery, _ in
            let reply = try await ask(client, gallery, form)
            #expect(reply.status == 400)
            #expect(reply.errorCode == "malformed-request")
        }
    }

    @Test("a guest's own archive needs a guest, the archive of all photos needs a session only")
    func nobody() async throws {
        try await serve { client, gallery, _ in
            var other = client
            other.headers = [:]
            let nobody = try await other.opening(gallery)
            #expect(try await ask(nobody, gallery, "mine=1").errorCode == "not-entered")
            #expect(try await ask(nobody, gallery, "all=1").status == 200)
            #expect(try await ask(other, gallery, "all=1").status == 401)
        }
    }

    @Test("an archive of too many photos is refused, and so is a form that is too long for the limit")
    func tooMany() async throws {
        var limits = PortalLimits()
        limits.archives.entries = 7
        try await serve(limits: limits) { client, gallery, _ in
            let all = try await ask(client, gallery, "all=1")
            #expect(all.errorCode == "too-many-photos")
            #expect(try await ask(client, gallery, "mine=1").status == 200)
            #expect(try await ask(client, gallery, "ids=" + String(repeating: "0", count: 10_000)).status == 413)
        }
    }

    @Test("if a photo's bytes vanish, the connection is reset: no client takes the archive for complete")
    func vanishingBytes() async throws {
        try await serve { client, gallery, _ in
            let id = id(7, in: gallery)
            gallery.with { $0.vanishing[id] = 2 << 20 }
            let reply = try await ask(client, gallery, "all=1")
            #expect(reply.status == 200)
            #expect(reply.body.count < Int(try #require(reply["content-length"]))!)
        }
    }

    @Test("an unread download is paused and holds a permit until it ends")
    func unreadDownload() async throws {
        var limits = PortalLimits()
        limits.archives.places.byOwner = 1
        try await serve(limits: limits) { client, gallery, _ in
            let photo = gallery.put([UInt8](repeating: 7, count: 64 << 20), by: .stranger(1), type: .mp4)
            let socket = try Socket(port: client.port)
            let form = "ids=\(photo.id)"
            let head = """
                POST \(gallery.path)zip HTTP/1.1\r
                Host: \(client.host)\r
                Cookie: \(client.headers["Cookie"] ?? "")\r
                Content-Type: application/x-www-form-urlencoded\r
                Content-Length: \(form.utf8.count)\r
                \r

                """
            try await socket.write(Array((head + form).utf8))
            // Once through for the checksum, and then as much as the connection buffers.
            try await eventually { gallery.with { $0.readCount } > 64 }
            #expect(try await ask(client, gallery, "all=1").status == 429)
            #expect(gallery.with { $0.readCount } < 128)
            // After a mere shutdown, TCP gives up a minute later: nobody reads, so nothing more can be sent.
            socket.breakOff()
            try await eventually { try await ask(client, gallery, "mine=1").status == 200 }
        }
    }
}

/// Returns the output of a program. Throws its error output if it fails.
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
