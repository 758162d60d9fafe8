// SPDX-License-Identifier: Apache-2.0
import DisposableModel
import DisposablePortal
import Foundation
import Testing

/// Uploads that the node finishes without their clients.
@Suite struct UploadTakingTests {
    private static let preference = ["Prefer": "respond-async"]

    /// The answer to the body of a whole upload, with the preference for an early one.
    private static func send(_ bytes: [UInt8], as guest: Uploader) async throws -> (path: String, reply: Reply) {
        let path = try await guest.create(bytes.count)
        return (path, try await offer(path, bytes, as: guest))
    }

    private static func offer(_ path: String, _ bytes: [UInt8], as guest: Uploader) async throws -> Reply {
        let headers = Uploader.patch(at: 0).merging(preference.mapValues { Optional($0) }) { $1 }
        return try await guest.ask("PATCH", path, headers: headers, body: bytes)
    }

    @Test("a client that prefers so is answered before the photo is there, and asks for it later")
    func answeredEarly() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.adding.togetherCount = 2 }
            let bytes = photoBytes(100_000)
            let (path, reply) = try await Self.send(bytes, as: guest)
            #expect(reply.status == 204)
            #expect(reply["preference-applied"] == "respond-async")
            #expect(reply["upload-offset"] == "100000")
            #expect(reply["disposable-photo"] == nil)
            #expect(guest.gallery.originals == [])
            let asked = try await guest.ask("HEAD", path)
            #expect(asked.status == 200)
            #expect(asked["upload-length"] == "100000")
            #expect(asked["preference-applied"] == "respond-async")
            // The bytes are here: nobody sends them again.
            #expect(try await guest.send(path, [], at: 100_000).status == 423)
            guest.gallery.with { $0.adding.togetherCount = 1 }
            try await eventually { try await guest.ask("HEAD", path)["disposable-photo"] != nil }
            #expect(guest.gallery.originals == [bytes])
            #expect(try guest.gallery.uploadNames.allSatisfy { $0.hasSuffix(".done") })
        }
    }

    @Test("without the preference the answer has the photo, as it has with a preference that is another one")
    func answeredLate() async throws {
        try await Uploader.serve { guest in
            let path = try await guest.create(1_000)
            let headers = Uploader.patch(at: 0).merging(["Prefer": "return=minimal, wait=5"]) { $1 }
            let reply = try await guest.ask("PATCH", path, headers: headers, body: photoBytes(1_000))
            #expect(reply["disposable-photo"] != nil)
            #expect(reply["preference-applied"] == nil)
        }
    }

    @Test("what a node had taken over when it fell becomes a photo after the start, without any client")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            let bytes = photoBytes(200_000)
            let entered = try await withTransfer(in: folder) { guest async throws -> [AuthorID: Delegation] in
                guest.gallery.with { $0.adding.delay = .seconds(600) }
                #expect(try await Self.send(bytes, as: guest).reply["preference-applied"] != nil)
                return guest.gallery.with { $0.entered }
            }
            let gallery = try TestGallery(folderPath: folder)
            gallery.with { $0.entered = entered }
            try await withPortal([gallery]) { _, _ in
                try await eventually { gallery.originals == [bytes] }
                try await eventually { try gallery.uploadNames.allSatisfy { $0.hasSuffix(".done") } }
            }
        }
    }

    @Test("neither a name nor bytes nor a key of what was taken over can be read in the folder")
    func sealed() async throws {
        try await withTemporaryFolder { folder in
            let bytes = photoBytes(50_000)
            let guests = try await withTransfer(in: folder) { guest async throws -> [AuthorID] in
                guest.gallery.with { $0.adding.delay = .seconds(600) }
                _ = try await Self.send(bytes, as: guest)
                return guest.gallery.with { Array($0.entered.keys) }
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/uploads")
            #expect(files.contains { $0.hasSuffix(".taken") })
            for name in files where !name.hasPrefix("tmp-") {
                let content = try Data(contentsOf: URL(filePath: "\(folder)/uploads/\(name)"))
                #expect(content.range(of: Data(bytes[4..<12])) == nil)
                for guest in guests { #expect(content.range(of: Data(guest.bytes)) == nil) }
            }
        }
    }

    @Test("what is no photo is refused afterwards, with the same words")
    func refusedLate() async throws {
        try await Uploader.serve { guest in
            let (path, reply) = try await Self.send([UInt8](repeating: 0x20, count: 1_000), as: guest)
            #expect(reply["preference-applied"] != nil)
            try await eventually { try await guest.ask("HEAD", path).status == 422 }
            #expect(try await guest.ask("HEAD", path).errorCode == nil)  // a HEAD has no body
            #expect(try await guest.send(path, [], at: 1_000).errorCode == "not-a-photo")
        }
    }

    @Test("what fails for now is tried again, whatever the client does")
    func triedAgain() async throws {
        var limits = PortalLimits()
        limits.uploads.taken.pause = .milliseconds(100)
        try await Uploader.serve(limits: limits) { guest in
            guest.gallery.with {
                $0.adding.refusals = [.unavailable(reason: "the disk is full"), .unavailable(reason: "the disk is full")]
                $0.adding.stopCount = 1
            }
            let bytes = photoBytes(1_000)
            let (path, _) = try await Self.send(bytes, as: guest)
            try await eventually { try await guest.ask("HEAD", path)["disposable-photo"] != nil }
            #expect(guest.gallery.originals == [bytes])
            #expect(guest.gallery.with { $0.adding.count } == 4)
        }
    }

    @Test("a photo for which there may be no frame is waited for, so that the client learns whether there is one")
    func lastFrame() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with {
                $0.frameLimit = 1
                // The first waits until the second is under way.
                $0.adding.togetherCount = 2
            }
            let (first, second) = (try await guest.create(1_000), try await guest.create(1_000))
            #expect(try await Self.offer(first, photoBytes(1_000), as: guest)["preference-applied"] != nil)
            let reply = try await Self.offer(second, photoBytes(1_000, seed: 2), as: guest)
            #expect(reply["preference-applied"] == nil)
            #expect(reply["disposable-photo"] != nil)
        }
    }

    @Test("beyond so many that wait, a client waits itself")
    func bounded() async throws {
        var limits = PortalLimits()
        limits.uploads.taken.countByGuest = 1
        try await Uploader.serve(limits: limits) { guest in
            guest.gallery.with { $0.adding.togetherCount = 2 }
            var applied: [Bool] = []
            for seed in 1...2 {
                let bytes = photoBytes(1_000, seed: UInt64(seed))
                applied.append(try await Self.send(bytes, as: guest).reply["preference-applied"] != nil)
            }
            #expect(applied == [true, false])
            try await eventually { guest.gallery.originals.count == 2 }
        }
    }

    @Test("a film that became full meanwhile makes the upload unknown, and its client is refused at once")
    func fullMeanwhile() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.adding.refusals = [.rollFull(limit: 27)] }
            let (path, reply) = try await Self.send(photoBytes(1_000), as: guest)
            #expect(reply["preference-applied"] != nil)
            try await eventually { try await guest.ask("HEAD", path).status == 404 }
            // The file is removed after its entry.
            try await eventually { try guest.gallery.uploadNames == [] }
        }
    }

    @Test("a guest who deletes everything deletes what waits as well; one who deletes one upload deletes that")
    func withdrawn() async throws {
        try await Uploader.serve { guest in
            // A guest's photos are added two at a time: none of them goes on.
            guest.gallery.with { $0.adding.togetherCount = 3 }
            var paths: [String] = []
            for seed in 1...5 { paths.append(try await Self.send(photoBytes(1_000, seed: UInt64(seed)), as: guest).path) }
            #expect(try await guest.ask("DELETE", paths[4]).status == 204)
            #expect(try await guest.ask("HEAD", paths[4]).status == 404)
            async let deletion = guest.ask("DELETE", guest.gallery.path + "api/guest")
            for path in paths[2...3] { try await eventually { try await guest.ask("HEAD", path).status == 404 } }
            guest.gallery.with { $0.adding.togetherCount = 1 }
            #expect(try await deletion.status == 204)
            // Those that were becoming photos just then were deleted as photos.
            #expect(guest.gallery.with { $0.items.allSatisfy(\.isRemoved) })
            #expect(guest.gallery.with { $0.adding.count } == 2)
        }
    }

    @Test("a session that ends takes nothing with it that was taken over")
    func endedSession() async throws {
        try await Uploader.serve { guest in
            guest.gallery.with { $0.adding.delay = .seconds(1) }
            let bytes = photoBytes(1_000)
            _ = try await Self.send(bytes, as: guest)
            #expect(try await guest.ask("DELETE", guest.gallery.path + "api/session").status == 204)
            try await eventually { guest.gallery.originals == [bytes] }
        }
    }

    /// A portal of an event in this folder, which has ended when this returns.
    private func withTransfer<Result: Sendable>(
        in folder: String, _ body: @escaping @Sendable (Uploader) async throws -> Result
    ) async throws -> Result {
        let gallery = try TestGallery(folderPath: folder)
        return try await withPortal([gallery]) { _, client in try await body(Uploader(client, gallery)) }
    }
}
