// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import DisposableWeb
import Foundation
import Testing

/// Interrupted uploads, and the data that remains of them.
@Suite struct UploadBreakTests {
    @Test("a body that breaks off keeps the received bytes")
    func brokenBody() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(300_000)
            let path = try await guest.create(bytes.count)
            try await guest.begin(path, bytes[..<200_000], of: bytes.count).shut()
            // The server notices the end of the connection later, and the request waits for it.
            let offset = try await guest.offset(path)
            #expect((65_536...200_000).contains(offset))
            #expect(try await guest.send(path, bytes[offset...], at: offset)["disposable-photo"] != nil)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test("during a body a second one is refused; a HEAD ends the first, and the upload continues after it")
    func takingOver() async throws {
        try await Uploader.serve { guest in
            let bytes = photoBytes(200_000)
            let path = try await guest.create(bytes.count)
            let first = try await guest.begin(path, bytes[..<100_000], of: bytes.count)
            let second = try await guest.send(path, bytes, at: 0)
            #expect(second.status == 423)
            #expect(second["retry-after"] == "1")
            let offset = try await guest.offset(path)
            #expect((65_536...100_000).contains(offset))
            #expect(try await first.readToEnd() == [])
            #expect(try await guest.send(path, bytes[offset...], at: offset).status == 204)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test("deleting an upload ends the body in progress")
    func deletedUnderWay() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(200_000)
            let body = try await guest.begin(path, photoBytes(100_000), of: 200_000)
            #expect(try await guest.ask("DELETE", path).status == 204)
            #expect(try await body.readToEnd() == [])
            #expect(try guest.gallery.uploadNames == [])
        }
    }

    @Test("a stalled body is given up, and the received bytes are kept")
    func stalledBody() async throws {
        var limits = PortalLimits()
        limits.server.bodyWindow = .seconds(3)
        try await Uploader.serve(limits: limits) { guest in
            let path = try await guest.create(200_000)
            let body = try await guest.begin(path, photoBytes(100_000), of: 200_000)
            #expect(try await body.readToEnd() == [])
            try await eventually { try await guest.offset(path) == 100_000 }
        }
    }

    @Test("a session has a limit of concurrent bodies, and others are not delayed")
    func bodiesByGuest() async throws {
        var limits = PortalLimits()
        limits.uploads.bodiesByGuest = 1
        try await Uploader.serve(limits: limits) { guest in
            let (first, second) = (try await guest.create(200_000), try await guest.create(10))
            let body = try await guest.begin(first, photoBytes(100_000), of: 200_000)
            let reply = try await guest.send(second, photoBytes(10), at: 0)
            #expect(reply.status == 429)
            #expect(reply["retry-after"] == "1")
            var other = guest.client
            other.headers = [:]
            let ben = try await Uploader(other, guest.gallery)
            #expect(try await ben.send(try await ben.create(10), photoBytes(10), at: 0).status == 204)
            body.shut()
            try await eventually { try await guest.send(second, photoBytes(10), at: 0).status == 204 }
        }
    }

    @Test("a file that is no photo is refused finally, and its bytes are not kept")
    func noPhoto() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(100_000)
            let reply = try await guest.send(path, [UInt8](repeating: 0x20, count: 100_000), at: 0)
            #expect(reply.status == 422)
            #expect(reply.errorCode == "not-a-photo")
            #expect(try await guest.ask("HEAD", path).status == 422)
            #expect(try await guest.send(path, [], at: 100_000).status == 422)
            #expect(guest.gallery.with { $0.adding.count } == 1)
            #expect(try guest.storedByteCount(path) < 1_000)
        }
    }

    @Test("a file whose metadata cannot be removed is refused finally with its own error, after a restart too")
    func metadataLeft() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.adding.refusals = [.metadataLeft] }
        let (guest, path) = try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let path = try await guest.create(1_000)
            let reply = try await guest.send(path, photoBytes(1_000), at: 0)
            #expect(reply.status == 422)
            #expect(reply.errorCode == "metadata-left")
            #expect(reply.text.contains("screenshot"))
            return (guest, path)
        }
        try await withPortal([gallery]) { _, client in
            let guest = try guest.at(client)
            #expect(try await guest.send(path, [], at: 1_000).errorCode == "metadata-left")
            #expect(gallery.with { $0.adding.count } == 1)
            #expect(gallery.originals.isEmpty)
        }
    }

    @Test("a temporary refusal keeps the bytes, and an empty piece at the end tries again")
    func passingRefusals() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with {
                $0.adding.refusals = [.unavailable(reason: "not let in yet"), .notAdmitted]
            }
            let bytes = photoBytes(1_000)
            let path = try await guest.create(bytes.count)
            let first = try await guest.send(path, bytes, at: 0)
            #expect(first.status == 503)
            #expect(first["retry-after"] != nil)
            #expect(first["tus-resumable"] == "1.0.0")
            #expect(try await guest.ask("HEAD", path).status == 403)
            #expect(try await guest.send(path, [], at: 1_000)["disposable-photo"] != nil)
            #expect(guest.gallery.originals == [bytes])
        }
    }

    @Test(
        "an upload of a guest who may add nothing more leaves no byte behind, and its client begins again",
        arguments: [Refusal.rollFull(limit: 3), .removed, .hasLeft, .over(at: 0), .notBegun(at: nil)])
    func refusedGuest(refusal: Refusal) async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.adding.refusals = [refusal] }
            let bytes = photoBytes(200_000)
            let path = try await guest.create(bytes.count)
            #expect(try await guest.send(path, bytes, at: 0).errorCode == PortalError(refusal).code)
            #expect(try guest.gallery.uploadNames.isEmpty)
            #expect(try await guest.ask("HEAD", path).status == 404)
            #expect(try await guest.photo(of: bytes).count == 64)
        }
    }

    @Test("if the quota is full an upload is refused before its first byte")
    func fullRoll() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.frameLimit = 1 }
            _ = try await guest.photo(of: photoBytes(1_000))
            let reply = try await guest.ask(
                "POST", guest.gallery.path + "uploads", headers: ["Upload-Length": "1000"])
            #expect((reply.status, reply.errorCode) == (409, "roll-full"))
            guest.gallery.with { $0.frameLimit = 2 }
            #expect(try await guest.photo(of: photoBytes(1_000, seed: 2)).count == 64)
        }
    }

    @Test(
        "before the start and after the end an upload is refused before a byte of it comes",
        arguments: [
            (Refusal.over(at: 1_800_000_000_000), "over", "Fri, 15 Jan 2027 08:00:00 GMT"),
            (.notBegun(at: 1_800_000_000_000), "not-begun", "Fri, 15 Jan 2027 08:00:00 GMT"),
            (.notBegun(at: nil), "not-begun", "the event is a draft"),
        ])
    func untimely(refusal: Refusal, code: String, message: String) async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.untimely = refusal }
            let reply = try await guest.ask(
                "POST", guest.gallery.path + "uploads", headers: ["Upload-Length": "1000"])
            #expect((reply.status, reply.errorCode) == (409, code))
            #expect(reply.text.contains(message), "\(reply.text)")
            #expect(try guest.gallery.uploadNames.isEmpty)
            guest.gallery.with { $0.untimely = nil }
            #expect(try await guest.photo(of: photoBytes(1_000)).count == 64)
        }
    }

    @Test(
        "a stop between the photo and the record of it doubles nothing, whichever way the client asks again",
        arguments: ["HEAD", "PATCH"])
    func stopAfterAdding(method: String) async throws {
        let gallery = try TestGallery()
        gallery.with { $0.adding.stopCount = 1 }
        let bytes = photoBytes(100_000)
        let (guest, path) = try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            let path = try await guest.create(bytes.count)
            #expect(try await guest.send(path, bytes, at: 0).status == 500)
            return (guest, path)
        }
        try await withPortal([gallery]) { _, client in
            let guest = try guest.at(client)
            let reply =
                method == "HEAD" ? try await guest.ask("HEAD", path) : try await guest.send(path, [], at: bytes.count)
            let id = gallery.with { "\($0.items[0].photo.id)" }
            #expect(reply["disposable-photo"] == id)
        }
        #expect(gallery.originals == [bytes])
        #expect(gallery.with { $0.adding.count } == 2)
    }

    @Test("the plaintext is in files for their owner only, few at once, and removed afterwards")
    func plaintextFiles() async throws {
        var limits = PortalLimits()
        limits.uploads.completions.places = 2
        let gallery = try TestGallery()
        gallery.with { ($0.adding.togetherCount, $0.adding.delay) = (2, .milliseconds(30)) }
        try await withPortal([gallery], limits: limits) { _, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...8 as ClosedRange<UInt64> {
                    group.addTask {
                        let guest = try await Uploader(client, gallery)
                        let path = try await guest.create(500)
                        let bytes = seed == 8 ? [UInt8](repeating: 0, count: 500) : photoBytes(500, seed: seed)
                        #expect(try await guest.send(path, bytes, at: 0).status == (seed == 8 ? 422 : 204))
                    }
                }
                try await group.waitForAll()
            }
        }
        let adding = gallery.with { $0.adding }
        #expect(adding.atOnceMax == 2)
        #expect(Set(adding.paths).count == 8)
        #expect(Set(adding.permissions) == [0o600])
        #expect(gallery.originals.count == 7)
        let names = try gallery.uploadNames
        #expect(names.count == 8)
        #expect(names.allSatisfy { $0.hasSuffix(".done") })
    }

    @Test("the plaintext is overwritten before its name is removed, also after a refusal")
    func plaintextErased() async throws {
        let gallery = try TestGallery()
        gallery.with { $0.adding.keepsFilesOpen = true }
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            for bytes in [photoBytes(200_000), [UInt8](repeating: 0, count: 300)] {
                let path = try await guest.create(bytes.count)
                _ = try await guest.send(path, bytes, at: 0)
            }
        }
        let files = gallery.with { $0.adding.openFiles }
        #expect(files.count == 2)
        for file in files {
            var bytes = [UInt8](repeating: 1, count: 300_000)
            let count = pread(file, &bytes, bytes.count, 0)
            #expect([200_000, 300].contains(count) && bytes.prefix(max(count, 0)).allSatisfy { $0 == 0 })
            close(file)
        }
    }

    @Test("one guest's photos take at most two permits, so that others need not wait for all of them")
    func placesOfOneGuest() async throws {
        let gallery = try TestGallery()
        gallery.with { ($0.adding.togetherCount, $0.adding.delay) = (2, .milliseconds(50)) }
        try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...4 as ClosedRange<UInt64> {
                    group.addTask {
                        let path = try await guest.create(500)
                        #expect(try await guest.send(path, photoBytes(500, seed: seed), at: 0).status == 204)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(gallery.with { $0.adding.atOnceMax } == 2)
    }

    @Test("if the disk has lost a part, the upload continues from there")
    func damage() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.adding.refusals = [.unavailable(reason: "not let in yet")] }
            let bytes = photoBytes(200_000)
            let path = try await guest.create(bytes.count)
            #expect(try await guest.send(path, bytes, at: 0).status == 503)
            let name = try #require(try guest.gallery.uploadNames.first)
            let file = URL(filePath: "\(guest.gallery.folderPath)/uploads/\(name)")
            var stored = try Data(contentsOf: file)
            stored[150_000] ^= 1
            try stored.write(to: file)
            #expect(try await guest.send(path, [], at: bytes.count).errorCode == "unavailable")
            let offset = try await guest.offset(path)
            #expect(offset == 131_072)
            #expect(try await guest.send(path, bytes[offset...], at: offset).status == 204)
            #expect(guest.gallery.originals == [bytes])
            #expect(guest.gallery.with { $0.adding.count } == 2)
        }
    }

    @Test("an upload in very many small pieces is refused beyond a limit")
    func manyPieces() async throws {
        var limits = PortalLimits()
        limits.uploads.recordsPerUpload = 4
        try await Uploader.serve(limits: limits) { guest in
            let path = try await guest.create(100)
            for offset in 0..<3 { #expect(try await guest.send(path, [0xFF], at: offset).status == 204) }
            #expect(try await guest.send(path, [0xFF], at: 3).errorCode == "too-many-pieces")
            #expect(try await guest.offset(path) == 3)
        }
    }

    @Test(
        "a file arrives complete in pieces of any size and after any number of restarts",
        arguments: 1...6)
    func randomPieces(seed: Int) async throws {
        var generator = SplitMix(state: UInt64(seed))
        let gallery = try TestGallery()
        let bytes = photoBytes(Int.random(in: 1...400_000, using: &generator), seed: UInt64(seed))
        let (guest, path) = try await withPortal([gallery]) { _, client in
            let guest = try await Uploader(client, gallery)
            return (guest, try await guest.create(bytes.count))
        }
        var isDone = false
        while !isDone {
            let start = generator
            (isDone, generator) = try await withPortal([gallery]) { _, client in
                let guest = try guest.at(client)
                var generator = start
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let offset = try await guest.offset(path)
                    let end = Int.random(in: offset...min(bytes.count, offset + 150_000), using: &generator)
                    let reply = try await guest.send(path, bytes[offset..<end], at: offset)
                    #expect(reply["upload-offset"] == "\(end)")
                    if reply["disposable-photo"] != nil { return (true, generator) }
                }
                return (false, generator)
            }
        }
        #expect(gallery.originals == [bytes])
        #expect(gallery.with { $0.adding.count } == 1)
    }

    @Test(
        "a disk that becomes full is reported; the upload continues with the kept bytes once there is space",
        .enabled(if: SmallVolume.mayMount, "mounting a small volume needs root"))
    func diskFull() async throws {
        let volume = try SmallVolume(byteCount: 16 << 20)
        var limits = PortalLimits()
        limits.uploads.diskReserve = { _ in 0 }
        try await Uploader.serve(limits: limits, folder: volume.path) { guest in
            let bytes = photoBytes(3_000_000)
            let path = try await guest.create(bytes.count)
            let ballast = URL(filePath: volume.path + "/ballast")
            try Data(count: 15 << 20).write(to: ballast)
            let reply = try await guest.send(path, bytes, at: 0)
            #expect(reply.status == 503)
            #expect(reply.errorCode == "disk-full")
            let offset = try await guest.offset(path)
            #expect((1..<1 << 20).contains(offset))
            try FileManager.default.removeItem(at: ballast)
            #expect(try await guest.send(path, bytes[offset...], at: offset).status == 204)
            #expect(guest.gallery.originals == [bytes])
        }
    }
}
