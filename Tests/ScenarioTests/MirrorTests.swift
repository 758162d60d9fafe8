// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("A mirror on a disk")
    struct MirrorTests {
        @Test("Each photo becomes a plain file, once, and a deleted photo's file goes")
        func follows() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                let photos = try stage.makeFolder("photos")
                let painted = try await Pictures.paint(3, seed: 700, width: 800, height: 600, in: photos)
                _ = try await stage.command("Ben", on: 2, ["add"] + painted.prefix(2))
                // Another machine's photos, as soon as their originals are here.
                let mirror = try stage.start("Anna", on: 1, ["mirror", stage.path("disk/mirror")])
                _ = try await mirror.waitFor("two files") { $0.contains { $0.fileCount == 2 } ? true : nil }
                _ = try await stage.command("Ben", on: 2, ["add", painted[2]])
                _ = try await mirror.waitFor("the third file") { $0.contains { $0.fileCount == 3 } ? true : nil }
                try await Self.expectGallery(of: "Anna", on: 1, in: "disk/mirror", stage)

                let photo = try #require(try await stage.command("Ben", on: 2, ["gallery"]).lines.first?.id)
                _ = try await stage.command("Ben", on: 2, ["remove", photo])
                _ = try await mirror.waitFor("the removal") { $0.files("removed").count == 1 ? true : nil }
                _ = try await mirror.waitFor("two files again") { lines in
                    lines.last { $0.type == "mirrored" }?.fileCount == 2 ? true : nil
                }
                try await Self.expectGallery(of: "Anna", on: 1, in: "disk/mirror", stage)
                #expect(mirror.lines.files("exported").count == 3)
                try await mirror.stop()

                // Other files are not touched.
                let other = try await stage.command("Ben", on: 2, ["mirror", photos, "--once"])
                #expect(other.exitCode == 2 && other.errorText.contains("it has other files"))
            }
        }

        @Test("A disk that is unplugged ten times while files are written has every file in the end, with the right bytes")
        func unplugged() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"])
                _ = try await anna.invitation
                let photos = try stage.makeFolder("photos")
                let painted = try await Pictures.paint(40, seed: 800, width: 1_600, height: 1_200, in: photos)
                _ = try await stage.command("Anna", on: 1, ["add"] + painted)
                let (disk, away) = (try stage.makeFolder("disk"), stage.path("disk.away"))
                let mirror = try stage.start("Anna", on: 1, ["mirror", disk + "/mirror"])
                for round in 1...10 {
                    _ = try await mirror.waitFor("files") { lines in
                        lines.files("exported").count >= 4 * round - 3 ? true : nil
                    }
                    try FileManager.default.moveItem(atPath: disk, toPath: away)
                    // Of the place where the disk was, nothing is made.
                    try await Task.sleep(for: .milliseconds(200))
                    #expect(!FileManager.default.fileExists(atPath: disk))
                    if round == 5 { try Self.damage(away + "/mirror") }
                    try FileManager.default.moveItem(atPath: away, toPath: disk)
                }
                _ = try await mirror.waitFor("all files") { lines in
                    lines.last { $0.type == "mirrored" }?.fileCount == 40 ? true : nil
                }
                try await mirror.stop()
                // Once more from the start, as after the event.
                _ = try await stage.command("Anna", on: 1, ["mirror", disk + "/mirror", "--once"])
                try await Self.expectGallery(of: "Anna", on: 1, in: "disk/mirror", stage)
            }
        }

        /// Flips a bit in a file without changing its size and time, as a bad disk does.
        private static func damage(_ folder: String) throws {
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted().first { $0.hasSuffix(".jpg") })
            let path = "\(folder)/\(name)"
            let modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.modificationDate: modified as Any], ofItemAtPath: path)
        }

        /// Expects the files of a folder to be those of the gallery, by their hashes.
        private static func expectGallery(of name: String, on host: Int, in folder: String, _ stage: Stage) async throws {
            let gallery = try await stage.command(name, on: host, ["gallery"]).lines.compactMap(\.sha256)
            let files = try FileManager.default.contentsOfDirectory(atPath: stage.path(folder))
                .filter { !$0.hasPrefix(".") }.map { stage.path("\(folder)/\($0)") }
            let hashes = try await Command.succeed(["/usr/bin/sha256sum"] + files).output.map { String($0.prefix(64)) }
            #expect(hashes.sorted() == gallery.sorted())
        }
    }
}

extension [Line] {
    fileprivate func files(_ type: String) -> [String] { filter { $0.type == type }.compactMap(\.file) }
}
