// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableNode
import Foundation
import Testing

/// The event folder of `Tests/Fixtures/version-1`, which a node of that version wrote and which is never written again:
/// what people have on their disks opens in every later version, whatever its schema.
@Suite(.timeLimit(.minutes(60))) struct FixtureTests {
    /// The values that `make.py` saw when it created the folder.
    private struct Expected: Decodable {
        struct Photo: Decodable, Equatable {
            let id, author, sha256: String
            let frame: UInt64
            let caption: String?
            let comments: [String]
            let reactions: [String: Int]
        }
        let event, name, digest, place, hidden, removed: String
        let schema: Int
        let operationCount, memberCount: Int
        let notices: [String]
        let photos: [Photo]
        /// SHA-256 by path.
        let files: [String: String]
    }

    private static let committed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/version-1")
    private let folder: TestFolder
    private let expected: Expected

    init() throws {
        folder = try TestFolder()
        expected = try JSONDecoder().decode(
            Expected.self, from: Data(contentsOf: Self.committed.appending(path: "expected.json")))
        let data = folder.data("host").path
        try FileManager.default.copyItem(atPath: Self.committed.appending(path: "data").path, toPath: data)
        // Git keeps no permissions; the node's files are its owner's alone.
        for name in try Self.files(in: data) {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(data)/\(name)")
        }
    }

    /// Their paths in the folder.
    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue
        }
    }

    private func sha256(of path: String) throws -> String {
        var hash = SHA256()
        hash.update([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))).span)
        return "\(hash.finalize())"
    }

    /// The number of the schema in a database's head, where SQLite keeps what a program has set.
    private func schema(of data: String) throws -> Int {
        let database = URL(fileURLWithPath: "\(data)/events/\(expected.event)/event.sqlite")
        let head = try Data(contentsOf: database).prefix(64)
        return head.dropFirst(60).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Each time by a node that was just started.
    private func askHost(_ request: ControlRequest) async throws -> [ControlReply] {
        try await folder.node("host").runOffline { await ask($0, request) }
    }

    private func gallery() async throws -> [GalleryPhoto] {
        try await askHost(.gallery(event: nil, onlyMine: false)).compactMap {
            if case .photo(let photo) = $0 { photo } else { nil }
        }
    }

    private func status() async throws -> EventStatus? {
        try await askHost(.status).lazy.compactMap { if case .status(let status) = $0 { status } else { nil } }.first
    }

    @Test("the folder is as it was committed, file by file, with the schema of its version")
    func asCommitted() throws {
        let data = folder.data("host").path
        let files = try Self.files(in: data).reduce(into: [:]) { $0[$1] = try sha256(of: "\(data)/\($1)") }
        #expect(files == expected.files)
        #expect(try schema(of: data) == expected.schema)
        #expect(expected.schema == 5)
    }

    @Test("a node of today opens it: the same digest, photos, names, captions, remarks and rulings")
    func opens() async throws {
        let status = try #require(try await status())
        #expect(status.event == expected.event && status.name == expected.name)
        #expect(status.operations.digest == expected.digest)
        #expect(status.operations.operationCount == expected.operationCount)
        #expect(status.operations.memberCount == expected.memberCount)
        #expect(status.photos.photoCount == expected.photos.count)
        #expect(status.photos.completeCount == expected.photos.count)
        #expect(status.isOrganizer && status.isAdmitted)
        #expect(status.notices.map(\.text) == expected.notices)
        let photos = try await gallery().map { photo in
            Expected.Photo(
                id: photo.id, author: photo.author, sha256: photo.picture.sha256 ?? "", frame: photo.frame ?? 0,
                caption: photo.caption?.text, comments: photo.comments.map(\.text), reactions: photo.reactions)
        }
        #expect(photos == expected.photos)
        guard case .event(let event) = try await askHost(.event(event: nil)).first else {
            Issue.record("nothing is said of the event")
            return
        }
        #expect(event.parameters.presentation.place == expected.place)
        #expect(event.parameters.organizer.consentText == "No photos of the children.")
        #expect((event.photos.hiddenCount, event.photos.removedCount) == (1, 1))
        #expect(event.hasEventKey)
        #expect(event.members.people.first { $0.name == "Ben" }?.roles == ["moderator"])
        #expect(try await folder.node("host").runOffline { await $0.events.map(\.description) } == [expected.event])
    }

    @Test("the originals come out byte for byte")
    func exports() async throws {
        let target = folder.path("export")
        let exported = try await askHost(.export(event: nil, folder: target, isAlbum: true))
        let files = exported.compactMap { if case .exported(let file) = $0 { file } else { nil } }
        #expect(files.map(\.photo) == expected.photos.map(\.id))
        for (file, photo) in zip(files, expected.photos) {
            #expect(file.problem == nil)
            #expect(try sha256(of: file.file) == photo.sha256)
        }
    }

    @Test("fsck finds nothing in it")
    func isSound() async throws {
        let replies = Replies()
        try await FolderCheck.run(folder.data("host"), event: nil, onlyLooks: true) { replies.append($0) }
        let all = replies.all
        #expect(all.last == .finished(exitCode: 0))
        let summaries = all.compactMap { if case .checked(let summary) = $0 { summary } else { nil } }
        #expect(summaries.map(\.foundCount) == [0] && summaries.map(\.operationCount) == [expected.operationCount])
        #expect(!all.contains { if case .finding = $0 { true } else { false } })
    }

    @Test("it goes on: a photo is added, what was hidden is put back, and what was removed stays so")
    func goesOn() async throws {
        let added = try await askHost(.add(event: nil, paths: [try await folder.picture(7)], keepsMetadata: false))
        guard case .added(let photo) = added.first else {
            Issue.record("not added: \(added)")
            return
        }
        #expect(photo.frame == 3)
        let shown = try await askHost(.rule(event: nil, act: .unhide(photo: expected.hidden)))
        #expect(shown.last == .finished(exitCode: 0), "\(shown)")
        let photos = try await gallery().map(\.id)
        #expect(Set(photos) == Set(expected.photos.map(\.id) + [photo.id, expected.hidden]))
        #expect(try await status()?.operations.digest != expected.digest)
        #expect(
            try await askHost(.show(event: nil, photo: expected.removed)).contains { reply in
                if case .photo(let photo) = reply { photo.state == "removed" } else { false }
            })
    }
}
