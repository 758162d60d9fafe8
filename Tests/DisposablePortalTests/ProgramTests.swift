// SPDX-License-Identifier: Apache-2.0
import DisposablePortal
import DisposableWeb
import Foundation
import Glibc
import Testing

/// A package that a node may offer: which files are taken.
@Suite struct OfferedProgramTests {
    @Test("a package has the name, length and SHA-256 of its file")
    func whole() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/disposable_1.0~git12+b_amd64.deb"
            try Data(photoBytes(3_000_000)).write(to: URL(filePath: path))
            let program = try OfferedProgram(path: path, version: "1.0")
            #expect(program.name == "disposable_1.0~git12+b_amd64.deb" && program.version == "1.0")
            #expect(program.byteCount == 3_000_000)
            let printed = try await run("sha256sum", [path])
            #expect(printed.split(separator: " ").first.map(String.init) == program.sha256)
        }
    }

    @Test(
        "a name that is no package's, or needs quotes in a command, is refused",
        arguments: [
            "disposable.zip", "disposable", ".deb", "-disposable.deb", "disposable 1.deb", "a;b.deb", "a'b.tar.xz",
            "é.deb", "a\nb.deb", String(repeating: "a", count: 125) + ".deb",
        ])
    func names(name: String) async throws {
        try await withTemporaryFolder { folder in
            try Data([1]).write(to: URL(filePath: "\(folder)/\(name)"))
            #expect(throws: OfferedProgram.Failure.unsuitableName(name)) {
                try OfferedProgram(path: "\(folder)/\(name)", version: "1.0")
            }
        }
    }

    @Test("a missing file, a link, a folder and a pipe are refused at once")
    func irregular() async throws {
        try await withTemporaryFolder { folder in
            let target = folder + "/target.deb"
            try Data([1]).write(to: URL(filePath: target))
            let (link, directory, pipe) = (folder + "/link.deb", folder + "/folder.deb", folder + "/pipe.deb")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            try #require(mkfifo(pipe, 0o600) == 0)
            #expect(throws: OfferedProgram.Failure.symbolicLink(path: link)) { try OfferedProgram.check(path: link) }
            for path in [directory, pipe] {
                #expect(throws: OfferedProgram.Failure.notRegular(path: path)) { try OfferedProgram.check(path: path) }
                #expect(throws: OfferedProgram.Failure.notRegular(path: path)) {
                    try OfferedProgram(path: path, version: "1.0")
                }
            }
            #expect(throws: OfferedProgram.Failure.self) { try OfferedProgram.check(path: folder + "/missing.deb") }
        }
    }

    @Test("an empty file and one of more than 1 GiB are refused before they are read")
    func sizes() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/disposable.tar.xz"
            let limit = OfferedProgram.byteCountMax
            for (byteCount, isTaken) in [(0, false), (1, true), (limit, true), (limit + 1, false), (1 << 40, false)] {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
                // A hole: the file takes no room.
                try #require(truncate(path, off_t(byteCount)) == 0)
                let failure = OfferedProgram.Failure.unsuitableByteCount(byteCount)
                if isTaken {
                    try OfferedProgram.check(path: path)
                } else {
                    #expect(throws: failure) { try OfferedProgram.check(path: path) }
                    #expect(throws: failure) { try OfferedProgram(path: path, version: "1.0") }
                }
            }
        }
    }
}

@Suite struct SharedPaceTests {
    private let start = ContinuousClock.now

    @Test("parts follow each other at the rate, however many answers they belong to, and a pause saves nothing up")
    func turns() {
        var pace = SharedPace(bytesPerSecond: 1_000)
        #expect(pace.turn(byteCount: 500, at: start) == start)
        #expect(pace.turn(byteCount: 500, at: start) == start + .milliseconds(500))
        #expect(pace.turn(byteCount: 250, at: start + .milliseconds(100)) == start + .seconds(1))
        #expect(pace.turn(byteCount: 1, at: start + .seconds(60)) == start + .seconds(60))
        #expect(pace.turn(byteCount: 1, at: start + .seconds(60)) == start + .seconds(60) + .milliseconds(1))
    }

    @Test("the largest part at the lowest rate is a finite time")
    func extremes() {
        var pace = SharedPace(bytesPerSecond: 1)
        _ = pace.turn(byteCount: 64 << 10, at: start)
        #expect(pace.turn(byteCount: 64 << 10, at: start) == start + .seconds(65_536))
    }
}

/// The routes, over a real connection.
@Suite struct ProgramRouteTests {
    private static let name = "disposable_1.0_amd64.deb"

    /// Serves a package of these bytes; without bytes none.
    private func serve(
        _ bytes: [UInt8]?, limits: PortalLimits = PortalLimits(),
        _ body: @escaping @Sendable (HTTPClient, TestGallery, _ path: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let (gallery, path) = (try TestGallery(), "\(folder)/\(Self.name)")
            var configuration = Portal.Configuration(hosts: ["127.0.0.1"], port: .exactly(0))
            configuration.limits = limits
            if let bytes {
                try Data(bytes).write(to: URL(filePath: path))
                configuration.program = try OfferedProgram(path: path, version: "1.0")
            }
            try await withPortal(configuration, { [gallery] }) { _, client in try await body(client, gallery, path) }
        }
    }

    private func file(_ gallery: TestGallery) -> String { gallery.path + "program/file" }

    @Test("a guest downloads the file, byte for byte, as an attachment that no browser executes or keeps")
    func whole() async throws {
        let bytes = photoBytes(200_001)
        try await serve(bytes) { client, gallery, path in
            let guest = try await client.entering(gallery)
            let hash = try OfferedProgram(path: path, version: "").sha256
            let answer = try await guest.get(gallery.path + "api/program").object
            let said = try #require(answer["program"] as? [String: Any])
            #expect(said["name"] as? String == Self.name && said["sha256"] as? String == hash)
            #expect(said["byteCount"] as? Int == bytes.count && said["version"] as? String == "1.0")
            let reply = try await guest.get(file(gallery))
            #expect(reply.status == 200 && reply.body == bytes)
            #expect(reply["content-length"] == "\(bytes.count)" && reply["etag"] == "\"\(hash)\"")
            #expect(reply["content-type"] == "application/octet-stream")
            #expect(reply["content-disposition"]?.hasPrefix("attachment; filename=\"\(Self.name)\"") == true)
            #expect(reply["x-content-type-options"] == "nosniff" && reply["cache-control"] == "no-store")
            #expect(reply["content-security-policy"] == "sandbox; default-src 'none'")
            let head = try await guest.send("HEAD", file(gallery))
            #expect(head.status == 200 && head.body.isEmpty && head["content-length"] == "\(bytes.count)")
        }
    }

    @Test("an interrupted download goes on with a range, of the same file only")
    func ranges() async throws {
        let bytes = photoBytes(200_001)
        try await serve(bytes) { client, gallery, _ in
            let guest = try await client.entering(gallery)
            for (range, expected) in [
                ("bytes=0-0", 0..<1), ("bytes=65536-", 65_536..<200_001), ("bytes=-7", 199_994..<200_001),
                ("bytes=200000-999999999", 200_000..<200_001),
            ] {
                let reply = try await guest.get(file(gallery), headers: ["Range": range])
                #expect(reply.status == 206 && reply.body == Array(bytes[expected]), "\(range)")
                #expect(reply["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/200001")
            }
            let beyond = try await guest.get(file(gallery), headers: ["Range": "bytes=200001-"])
            #expect(beyond.status == 416 && beyond["content-range"] == "bytes */200001" && beyond.body.isEmpty)
            let tag = try #require(beyond["etag"])
            let other = try await guest.get(file(gallery), headers: ["Range": "bytes=9-", "If-Range": "\"other\""])
            #expect(other.status == 200 && other.body == bytes)
            let same = try await guest.get(file(gallery), headers: ["Range": "bytes=9-", "If-Range": tag])
            #expect(same.status == 206 && same.body == Array(bytes[9...]))
            #expect(try await guest.get(file(gallery), headers: ["If-None-Match": tag]).status == 304)
        }
    }

    @Test("nobody sees the program before joining the event")
    func strangers() async throws {
        try await serve(photoBytes(1_000)) { client, gallery, _ in
            let opened = try await client.opening(gallery)
            for path in ["api/program", "program", "program/file"] {
                let stranger = try await client.get(gallery.path + path)
                #expect((stranger.status, stranger.errorCode) == (401, "no-session"))
                let looking = try await opened.get(gallery.path + path)
                #expect((looking.status, looking.errorCode) == (403, "not-entered"))
            }
            #expect(try await client.get("/program").status == 404)
            let simple = try await opened.get(gallery.path + "simple")
            #expect(simple.status == 200 && !simple.text.contains("\(gallery.path)program"))
        }
    }

    @Test("a node that offers none says so to programs, and has no page of it and no link to one")
    func none() async throws {
        try await serve(nil) { client, gallery, _ in
            let guest = try await client.entering(gallery)
            #expect(try await guest.get(gallery.path + "api/program").text == #"{"program":null}"#)
            for path in ["program", "program/file"] {
                let reply = try await guest.get(gallery.path + path)
                #expect((reply.status, reply.errorCode) == (404, "not-found"))
            }
            let simple = try await guest.get(gallery.path + "simple")
            #expect(simple.status == 200 && !simple.text.contains("\(gallery.path)program"))
        }
    }

    @Test("the page tells the steps in the language of the browser, or in the one of the page before")
    func page() async throws {
        try await serve(photoBytes(1_000)) { client, gallery, path in
            let guest = try await client.entering(gallery)
            let hash = try OfferedProgram(path: path, version: "").sha256
            for (query, accepted, language, sentence) in [
                ("", "en", "en", "Install it only if you know the owner"), ("", "fr-CH", "fr", "Ne l’installez que si"),
                ("?lang=fr", "en", "fr", "Ne l’installez que si"), ("?lang=en", "fr", "en", "Install it only if"),
                ("?lang=xx", "fr", "fr", "Ne l’installez que si"), ("?lang=%22%3E", "en", "en", "Install it only if"),
            ] {
                let reply = try await guest.get(
                    gallery.path + "program" + query, headers: ["Accept": "text/html", "Accept-Language": accepted])
                #expect(reply.status == 200 && reply.text.contains("<html lang=\"\(language)\">"))
                for part in [
                    sentence, hash, "sha256sum \(Self.name)", "sudo apt install ./\(Self.name)", "disposable --version",
                    "disposable join DISPOSABLE1:", "href=\"\(gallery.path)program/file\"",
                ] {
                    #expect(reply.text.contains(part), "\(part) \(query) \(accepted)")
                }
                #expect(!reply.text.contains("<script"))
            }
            let simple = try await guest.get(gallery.path + "simple", headers: ["Accept": "text/html"])
            #expect(simple.text.contains("href=\"\(gallery.path)program\""))
        }
    }

    @Test("a file that was rewritten, replaced or removed is not sent under the hash of the earlier one")
    func changed() async throws {
        let bytes = photoBytes(100_000)
        try await serve(bytes) { client, gallery, path in
            let guest = try await client.entering(gallery)
            #expect(try await guest.get(file(gallery)).status == 200)
            func expectRefused(_ what: String) async throws {
                for part in ["program", "program/file"] {
                    let reply = try await guest.get(gallery.path + part)
                    #expect((reply.status, reply.errorCode) == (503, "program-changed"), "\(what)")
                }
            }
            // The same length, and the time of the last change that the file had.
            let times = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.write(contentsOf: Data([bytes[0] ^ 1]))
            try handle.close()
            try FileManager.default.setAttributes([.modificationDate: try #require(times)], ofItemAtPath: path)
            try await expectRefused("rewritten")
            // The same bytes in another file are not looked at again: the node does that when it starts.
            try FileManager.default.removeItem(atPath: path)
            try await expectRefused("removed")
            try Data(bytes).write(to: URL(filePath: path))
            try await expectRefused("replaced")
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".old")
            try await expectRefused("a link")
        }
    }

    @Test("a file that changes while it is sent ends the answer early, so that nobody takes it for whole")
    func changedWhileSent() async throws {
        let bytes = photoBytes(1 << 20)
        var limits = PortalLimits()
        limits.program.bytesPerSecond = 64 << 10
        try await serve(bytes, limits: limits) { client, gallery, path in
            let guest = try await client.entering(gallery)
            let socket = try await begin(guest, file(gallery))
            // Rewritten in place: the file is the same, its contents are not.
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seek(toOffset: UInt64(bytes.count) - 1)
            try handle.write(contentsOf: Data([bytes[bytes.count - 1] ^ 1]))
            try handle.close()
            let rest = try await socket.readToEnd()
            #expect(rest.count < bytes.count)
        }
    }

    /// Sends a request, and returns the connection once its answer has begun.
    private func begin(_ client: HTTPClient, _ path: String) async throws -> Socket {
        let socket = try Socket(port: client.port, lastByte: client.lastByte, source: client.source)
        let fields = client.headers.map { "\($0): \($1)\r\n" }.joined()
        try await socket.write(Array("GET \(path) HTTP/1.1\r\nHost: \(client.host)\r\n\(fields)\r\n".utf8))
        let first = try await socket.read()
        try #require(String(decoding: first, as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        return socket
    }

    @Test("a guest has two downloads at once, others have theirs, and everything else is answered meanwhile")
    func limits() async throws {
        var limits = PortalLimits()
        // Each download takes minutes.
        limits.program.bytesPerSecond = 16 << 10
        try await serve(photoBytes(1 << 20), limits: limits) { client, gallery, _ in
            let (guest, other) = (try await client.entering(gallery), try await client.entering(gallery))
            let (first, second) = (try await begin(guest, file(gallery)), try await begin(guest, file(gallery)))
            let refused = try await guest.get(file(gallery))
            #expect((refused.status, refused.errorCode) == (429, "too-many-downloads"))
            #expect(refused["retry-after"] == "10")
            #expect(try await other.send("HEAD", file(gallery)).status == 200)
            for path in ["api/photos", "api/program", "program", "simple"] {
                #expect(try await guest.get(gallery.path + path).status == 200)
            }
            first.breakOff()
            try await eventually { try await guest.send("HEAD", file(gallery)).status == 200 }
            second.breakOff()
        }
    }

    @Test("all guests together have as many downloads as the limit says, and one of them gives way to a newcomer")
    func fair() async throws {
        var limits = PortalLimits()
        limits.program.bytesPerSecond = 16 << 10
        limits.program.places.inAll = 2
        try await serve(photoBytes(1 << 20), limits: limits) { client, gallery, _ in
            let (guest, other, third) = (
                try await client.entering(gallery), try await client.entering(gallery),
                try await client.entering(gallery)
            )
            let (first, second) = (try await begin(guest, file(gallery)), try await begin(guest, file(gallery)))
            // The guest with two loses the older one.
            let newcomer = try await begin(other, file(gallery))
            #expect(try await first.readToEnd().count < 1 << 20)
            // Now each has one, and nobody takes another's.
            let refused = try await third.get(file(gallery))
            #expect((refused.status, refused.errorCode) == (429, "too-many-downloads"))
            for socket in [second, newcomer] { socket.breakOff() }
        }
    }
}
