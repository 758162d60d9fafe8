// SPDX-License-Identifier: Apache-2.0
import DisposableImaging
import DisposableModel
import DisposableNode
import DisposableWire
import Foundation
import Testing

/// A node without a network, on a folder of its own, with real pictures.
@Suite(.timeLimit(.minutes(60))) struct NodeTests {
    private let folder: TestFolder
    private let charter = Charter(name: "Party", startsAtMilliseconds: 1_700_000_000_000, frames: 2)

    init() throws { folder = try TestFolder() }
    private func node(_ name: String) throws -> Node { try folder.node(name) }

    /// Each time by a node that was just started.
    private func askHost(_ request: ControlRequest) async throws -> [ControlReply] {
        try await node("host").runOffline { await ask($0, request) }
    }

    @Test("the image worker is the program that the configuration names")
    func imageWorker() async throws {
        let path = try await folder.picture(1)
        var configuration = NodeConfiguration.offline
        configuration.imageWorkerPath = folder.path("worker")
        let node = try folder.node("host", configuration)
        try await node.runOffline { node in
            let event = try await node.event(node.host(charter, organizerName: nil))
            let error = await #expect(throws: NodeError.self) { try await event.addPhoto(at: path) }
            #expect(error.map { "\($0)".contains("the image worker could not be started") } == true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("worker"), withDestinationPath: ImageWorkerPool.installedExecutable)
            let id = try await event.addPhoto(at: path)
            #expect(try await event.photos.map { [$0.id, $0.state] } == [[id, "complete"]])
            #expect(try await event.addPhoto(at: path) == id)
        }
    }

    @Test("a file that is added for a person who reads no warnings is one photo, and refused with its reason otherwise")
    func addedForDesk() async throws {
        let path = try await folder.picture(1)
        let text = folder.path("notes.jpg")
        try Data("no photo at all".utf8).write(to: URL(fileURLWithPath: text))
        try await node("host").runOffline { node in
            let event = try await node.event(node.host(charter, organizerName: nil))
            let first = try await event.addCleaned(fileAt: path)
            let second = try await event.addCleaned(fileAt: path)
            #expect(first.isNew && !second.isNew && first.photo == second.photo)
            let refusal = Refusal.refusedFile(reason: "neither a photo nor a video by its first bytes")
            await #expect(throws: NodeError.refused(refusal)) { _ = try await event.addCleaned(fileAt: text) }
        }
    }

    @Test("photos are added, listed, exported byte for byte and removed, and all of it survives a restart")
    func lifeOfAPhoto() async throws {
        let path = try await folder.picture(1)
        let added = try await node("host").runOffline { node in
            _ = try await node.host(charter, organizerName: "Anna")
            return await ask(node, .add(event: nil, paths: [path], keepsMetadata: false))
        }
        guard case .added(let photo) = added.first else {
            Issue.record("not added: \(added)")
            return
        }
        #expect(added.last == .finished(exitCode: 0))
        #expect(photo.frame == 1)

        let gallery = try await askHost(.gallery(event: nil, onlyMine: false))
        guard case .photo(let listed) = gallery.first else {
            Issue.record("not listed: \(gallery)")
            return
        }
        #expect(listed.id == photo.id)
        #expect(listed.picture.sha256 == photo.sha256)
        #expect(listed.state == "complete")
        #expect(listed.takenAt == "2023-11-14T22:13:20.000Z")
        #expect((listed.picture.width, listed.picture.height) == (640, 480))

        let again = try await askHost(.add(event: nil, paths: [path], keepsMetadata: false))
        guard case .skipped(let skipped) = again.first else {
            Issue.record("added twice: \(again)")
            return
        }
        #expect(!skipped.isFailure)

        let target = folder.path("export")
        let exported = try await askHost(.export(event: nil, folder: target, isAlbum: false))
        guard case .exported(let file) = exported.first else {
            Issue.record("not exported: \(exported)")
            return
        }
        #expect(file.problem == nil)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.file)).count == Int(photo.byteCount))
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["0001-A guest-1.jpg"])

        let removed = try await askHost(.remove(event: nil, photo: String(photo.id.prefix(8))))
        #expect(removed == [.removed(photo: photo.id), .finished(exitCode: 0)])
        #expect(try await askHost(.gallery(event: nil, onlyMine: false)) == [.finished(exitCode: 0)])
        let twice = try await askHost(.remove(event: nil, photo: photo.id))
        guard case .failed(_, _, let exitCode) = twice.last else {
            Issue.record("removed twice: \(twice)")
            return
        }
        #expect(exitCode == 3)
    }

    @Test("sidecars hold caption, comments, author and time as text, follow them, and spare those of other programs")
    func sidecars() async throws {
        let path = try await folder.picture(1)
        let target = folder.path("library")
        let id = try await node("host").runOffline { node in
            _ = try await node.host(charter, organizerName: "Anna & <Ben>")
            _ = await ask(node, .rename(event: nil, name: "Anna & <Ben>"))
            let added = await ask(
                node, .add(event: nil, paths: [path], keepsMetadata: false, caption: "Cake <b>& more"))
            guard case .added(let photo)? = added.first else { throw NodeError.control("\(added)") }
            return photo.id
        }
        func export() async throws -> String {
            _ = try await askHost(.export(event: nil, folder: target, isAlbum: false, hasSidecars: true))
            let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
            try #require(names.count == 2 && names[1] == names[0] + ".xmp")
            return try String(contentsOfFile: "\(target)/\(names[1])", encoding: .utf8)
        }
        let text = try await export()
        #expect(text.contains("<rdf:li xml:lang=\"x-default\">Cake &lt;b&gt;&amp; more</rdf:li>"))
        #expect(text.contains("<rdf:li>Anna &amp; &lt;Ben&gt;</rdf:li>"))
        #expect(text.contains("<exif:DateTimeOriginal>2023-11-14T22:13:20.000Z</exif:DateTimeOriginal>"))
        _ = try await askHost(.say(event: nil, remark: .caption(photo: id, text: "Pie")))
        _ = try await askHost(.say(event: nil, remark: .comment(photo: id, text: "So <good>!")))
        let later = try await export()
        #expect(later.contains(">Pie</rdf:li>") && !later.contains("Cake"))
        #expect(later.contains("<exif:UserComment>") && later.contains(">Anna &amp; &lt;Ben&gt;: So &lt;good&gt;!</rdf:li>"))
        let sidecar = try #require(
            FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String }
                .first { $0.hasSuffix(".xmp") })
        try Data("<x:xmpmeta x:xmptk=\"Other\"/>".utf8).write(to: URL(fileURLWithPath: "\(target)/\(sidecar)"))
        #expect(try await export() == "<x:xmpmeta x:xmptk=\"Other\"/>")
    }

    @Test("a folder belongs to one node at a time")
    func lock() throws {
        let first = try node("host")
        #expect(throws: NodeError.folderInUse(path: folder.data("host").path)) { _ = try node("host") }
        withExtendedLifetime(first) {}
    }

    @Test("a node that nobody has let in can neither add nor be taken for a member")
    func outside() async throws {
        let path = try await folder.picture(2)
        let info = try await node("host").runOffline { node in
            try await node.event(node.host(charter, organizerName: nil)).invitation
        }
        let invitation = try Invitation(text: info.invitation)
        let replies = try await node("guest").runOffline { node in
            let event = try await node.join(invitation, name: "Ben")
            #expect(try await !node.event(event).isAdmitted)
            #expect(try await node.event(event).status.operations.digest == nil)
            #expect(try await node.event(event).status.name == "Party")
            return await ask(node, .add(event: nil, paths: [path], keepsMetadata: false))
        }
        guard case .failed(let message, let hint?, 1) = replies.last else {
            Issue.record("\(replies)")
            return
        }
        #expect(message == "\(NodeError.refused(.notAdmitted))")
        #expect(!hint.isEmpty)
    }

    @Test("what is no photo is refused with its reason while the others are added")
    func refusals() async throws {
        let path = try await folder.picture(3)
        let text = folder.path("text.jpg")
        try "no picture at all".write(toFile: text, atomically: true, encoding: .utf8)
        let empty = folder.path("empty.jpg")
        try Data().write(to: URL(fileURLWithPath: empty))
        let missing = folder.path("missing.jpg")
        let paths = [text, empty, path, missing]
        let replies = try await node("host").runOffline { node in
            _ = try await node.host(charter, organizerName: nil)
            return await ask(node, .add(event: nil, paths: paths, keepsMetadata: false))
        }
        let failures = replies.compactMap { if case .skipped(let file) = $0, file.isFailure { file.file } else { nil } }
        #expect(failures == [text, empty, missing])
        #expect(replies.contains { if case .added(let photo) = $0 { photo.file == path } else { false } })
        #expect(replies.last == .finished(exitCode: 1))
    }

    @Test(
        "photos deleted while no node ran are purged by the next one that runs; the same file added again stays")
    func destruction() async throws {
        let kept = try await folder.picture(4)
        let gone = try await folder.picture(5)
        let added = try await node("host").runOffline { node in
            _ = try await node.host(charter, organizerName: "Anna")
            return await ask(node, .add(event: nil, paths: [kept, gone], keepsMetadata: false))
        }
        let ids = added.compactMap { if case .added(let photo) = $0 { photo.id } else { nil } }
        try #require(ids.count == 2)
        for id in ids { #expect(try await askHost(.remove(event: nil, photo: id)).last == .finished(exitCode: 0)) }
        let again = try await askHost(.add(event: nil, paths: [kept], keepsMetadata: false))
        #expect(again.last == .finished(exitCode: 0))
        func toDestroyCount() async throws -> Int {
            try await node("host").runOffline { try await $0.event($0.events[0]).status.photos.toDestroyCount }
        }
        let blobs = folder.data("host").path + "/events"
        func fileCount() -> Int {
            FileManager.default.enumerator(atPath: blobs)?.count {
                ("\($0)").contains("/blobs/") && "\($0)".count > 140
            } ?? 0
        }
        #expect(try await toDestroyCount() == 2)
        #expect(fileCount() == 4)

        var configuration = NodeConfiguration(listen: .address(host: "127.0.0.1", port: 0), usesMulticast: false)
        configuration.destructionDelaySeconds = 1
        let running = try Node(folder: folder.data("host"), configuration: configuration, logger: folder.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await running.run() }
            let event = try #require(await running.events.first)
            for await _ in running.updates
            where try await running.event(event).status.photos.toDestroyCount == 0 { break }
            await running.stop()
            try await group.waitForAll()
        }
        #expect(try await toDestroyCount() == 0)
        // Preview and original of the one that was added again.
        #expect(fileCount() == 2)
        let target = folder.path("export")
        let exported = try await askHost(.export(event: nil, folder: target, isAlbum: false))
        #expect(exported.last == .finished(exitCode: 0))
        guard case .exported(let file) = exported.first else {
            Issue.record("not exported: \(exported)")
            return
        }
        #expect(file.problem == nil)
    }
}
