// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableStore
import DisposableWire
import Foundation
import Testing

extension Scenarios {
    @Suite("Exported albums")
    struct AlbumTests {
        @Test("An album exported by any node is verifiable: altered, missing and added files are reported")
        func album() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben <b>"])
                let first = try await stage.add(Pictures.paint(3, seed: 800, in: pictures), "Anna", on: 1)
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)
                try await stage.add(Pictures.paint(2, seed: 810, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben], photoCount: 5)
                let removed = try #require(first[0].id)
                #expect(try await stage.command("Anna", on: 1, ["remove", removed]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben], photoCount: 4)

                let album = stage.path("album")
                let exported = try await stage.command("Ben", on: 2, ["export", album, "--album"])
                #expect(exported.exitCode == 0, "\(exported.errorText)")
                let page = try String(contentsOfFile: album + "/index.html", encoding: .utf8)
                #expect(page.contains("Ben &lt;b&gt;") && !page.contains("<b>Ben <b>"))
                for file in try FileManager.default.contentsOfDirectory(atPath: album + "/photos") {
                    #expect(page.contains(file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!))
                }
                #expect(
                    try await Command.run(["/usr/bin/pdftotext", album + "/contact-sheet.pdf", "-"]).output.contains {
                        $0.hasPrefix("1 ")
                    })
                // The keys of the deleted photo are not in the album: the operation's body is not exported.
                let verified = try await verify(album)
                #expect(verified.exitCode == 0, "\(verified.errorText)")

                let archive = stage.path("party.zip")
                let zipped = try await stage.command(
                    "Ben", on: 2, ["export", "--zip", archive, "--album", "--language", "fr"])
                #expect(zipped.exitCode == 0, "\(zipped.errorText)")
                let listed = try await Command.run(["/usr/bin/unzip", "-Z1", archive]).output
                #expect(listed.count { $0.hasPrefix("party/photos/") } == 4 && listed.contains("party/index.html"))
                try await Command.succeed(["/usr/bin/unzip", "-q", archive, "-d", stage.path("unpacked")])
                #expect(try await verify(stage.path("unpacked/party")).exitCode == 0)
                let french = try String(contentsOfFile: stage.path("unpacked/party/index.html"), encoding: .utf8)
                #expect(french.contains("<html lang=\"fr\">") && french.contains("4 photos de 2 personnes"))
                #expect(french.contains("Toutes les photos sur papier") && !french.contains("Photo by"))
                let book = try String(contentsOfFile: stage.path("unpacked/party/book.html"), encoding: .utf8)
                #expect(book.contains("Imprimez cette page") && book.contains("Ben &lt;b&gt;"))
                let again = try await stage.command("Ben", on: 2, ["export", "--zip", archive])
                #expect(again.exitCode == 1 && again.errorText.contains("already exists"))
                let hidden = try FileManager.default.contentsOfDirectory(atPath: stage.path("."))
                #expect(!hidden.contains { $0.hasPrefix(".party") }, "\(hidden)")

                for (damage, complaint) in [
                    ("printf x >> \"$(ls photos/*.jpg | head -1)\"", "is not the file that was exported"),
                    ("rm \"$(ls photos/*.jpg | head -1)\"", "is missing"),
                    ("cp photos/0001-* photos/0099-Eve-1.jpg", "does not belong to the album"),
                    (
                        "sed -i 's/\"authorName\" : \"Anna\"/\"authorName\" : \"Eve\"/' manifest.json",
                        "not signed by a member"
                    ),
                    ("truncate -s -1 operations.bin", "in operations.bin cannot be read"),
                    ("rm manifest.sig", "not signed by a member"),
                    ("rm operations.bin", "operations.bin is missing"),
                    ("rm manifest.json", "is not an album"),
                ] {
                    let copy = stage.path("damaged")
                    try await Command.succeed(["/bin/cp", "-r", album, copy])
                    try await Command.succeed(["/bin/sh", "-c", "cd '\(copy)' && \(damage)"])
                    let answer = try await verify(copy)
                    #expect(answer.exitCode == 1, "\(damage)")
                    #expect(answer.errorText.contains(complaint), "\(damage): \(answer.errorText)")
                    try FileManager.default.removeItem(atPath: copy)
                }
            }
        }

        @Test("An album whose organizers used a newer version is reported as newer, not as altered")
        func newerVersion() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                try await stage.add(Pictures.paint(1, seed: 830, in: stage.makeFolder("pictures")), "Anna", on: 1)
                try await anna.waitForStatus("the photo") { $0.completeCount == 1 }
                let album = stage.path("album")
                #expect(try await stage.command("Anna", on: 1, ["export", album, "--album"]).exitCode == 0)
                #expect(try await verify(album).exitCode == 0)

                let folder = try #require(try EventFolder.all(in: stage.path("Anna")).first)
                let key = try #require(try EventKeys(loadingFrom: folder).organizer)
                let header = OperationHeader(
                    kind: 200, flags: .critical, event: folder.event, device: DeviceID(key.verifyingKey), sequence: 0,
                    previous: .none,
                    timestamp: HybridTimestamp(milliseconds: 0, counter: 0), subject: .none, argument: 0,
                    bodyHash: .zero, bodyByteCount: 0)
                let operation = try UncheckedOperation(
                    headerBytes: header.bytes, signature: key.signature(for: header.signedBytes), body: nil
                ).verified(event: folder.event)
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: album + "/operations.bin"))
                defer { try? file.close() }
                try file.seekToEnd()
                try file.write(contentsOf: Data(OperationFile.record(of: operation, keepsBody: false)))
                let answer = try await verify(album)
                #expect(answer.exitCode == 1 && answer.errorText.contains("1 problem in"), "\(answer.errorText)")
                #expect(answer.errorText.contains("used a newer version"), "\(answer.errorText)")
            }
        }

        @Test("An album of photos that were sealed has their pictures, and an author without a name is a guest in it")
        func sealed() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--reveal", "by-host"])
                _ = try await anna.invitation
                try await stage.add(Pictures.paint(1, seed: 840, in: stage.makeFolder("pictures")), "Anna", on: 1)
                #expect(try await stage.command("Anna", on: 1, ["event", "reveal", "--yes"]).exitCode == 0)
                let album = stage.path("album")
                let exported = try await stage.command("Anna", on: 1, ["export", album, "--album"])
                #expect(exported.exitCode == 0, "\(exported.errorText)")
                for folder in ["thumbnails", "previews"] {
                    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(album)/\(folder)") == ["0001.jpg"])
                }
                let photos = try FileManager.default.contentsOfDirectory(atPath: album + "/photos")
                #expect(photos.count == 1 && photos[0].contains("guest") && photos[0].hasSuffix("-1.jpg"), "\(photos)")
                #expect(try await verify(album).exitCode == 0)
            }
        }

        private func verify(_ album: String) async throws -> Command {
            try await Command.run([try Product.disposable, "verify", album])
        }
    }
}
