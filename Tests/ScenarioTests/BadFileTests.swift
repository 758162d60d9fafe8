// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Bad files")
    struct BadFileTests {
        @Test("Files that are neither photos nor videos are refused with a reason, and the node keeps running")
        func refused() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("bad")
                try BadFiles.write([], to: folder + "/empty.jpg")
                try BadFiles.write(Array("dear diary".utf8), to: folder + "/text.jpg")
                try BadFiles.writeSparseJPEG(byteCount: 257 << 20, to: folder + "/large.jpg")
                try BadFiles.makeFIFO(folder + "/fifo.jpg")
                let reasons = [
                    ("empty.jpg", "empty file"),
                    ("text.jpg", "neither a photo nor a video by its first bytes"),
                    ("large.jpg", "257 MiB; the limit is 256 MiB"),
                    ("fifo.jpg", "not a regular file"),
                    ("missing.jpg", "there is no such file"),
                ]
                for (name, reason) in reasons {
                    let add = try await stage.command("Anna", on: 1, ["add", "\(folder)/\(name)"])
                    #expect(add.exitCode == 1, "\(name)")
                    #expect(try add.lines.map(\.reason) == [reason])
                    #expect(add.errorText.contains("disposable: error: \(name) was not added: \(reason)"))
                }
                // A good file in the same command is added.
                try BadFiles.write(BadFiles.onePixel, to: folder + "/good.png")
                let all = try await stage.command("Anna", on: 1, ["add", folder])
                #expect(all.exitCode == 1)
                #expect(try all.lines.filter { $0.type == "added" }.count == 1)
                try await expectAlive(stage, photoCount: 1)
            }
        }

        @Test("Pictures and videos that do not decode are kept, with a warning")
        func undecodable() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("odd")
                let whole = try await Pictures.paint(1, seed: 1_000, width: 800, height: 600, in: folder)[0]
                let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
                try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder + "/half.jpg"))
                try bytes.prefix(20).write(to: URL(fileURLWithPath: folder + "/start.jpg"))
                try BadFiles.write(BadFiles.twoGigapixels, to: folder + "/huge.png")
                try BadFiles.write(BadFiles.video, to: folder + "/clip.mp4")
                let warnings = [
                    ("half.jpg", "the picture is corrupt"), ("start.jpg", "no preview"),
                    ("huge.png", "image of 50000 x 40000 pixels exceeds the limit"),
                ]
                for (name, warning) in warnings {
                    let add = try await stage.command("Anna", on: 1, ["add", "\(folder)/\(name)"])
                    #expect(add.exitCode == 0, "\(add.errorText)")
                    let line = try #require(try add.lines.first)
                    #expect(line.type == "added")
                    #expect(line.warnings?.contains { $0.contains(warning) } == true, "\(name): \(line.warnings ?? [])")
                }
                let video = try await stage.add([folder + "/clip.mp4"], "Anna", on: 1)[0]
                #expect(video.sha256 == video.sourceSha256)
                try await expectAlive(stage, photoCount: 4)
            }
        }

        @Test("File names with dots, newlines and emoji do no harm")
        func names() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("names")
                let names = [
                    "..up..jpg", "new\nline.jpg", "party 🎉👩‍👩‍👧.jpg", "-rf.jpg", "\u{1B}[31mred.jpg", "a;b$(c)'\".jpg",
                ]
                let pictures = try await Pictures.paint(names.count, seed: 1_100, width: 640, height: 480, in: folder)
                for (picture, name) in zip(pictures, names) {
                    try FileManager.default.moveItem(atPath: picture, toPath: "\(folder)/\(name)")
                    let lines = try await stage.add(["\(folder)/../names/\(name)"], "Anna", on: 1)
                    #expect(lines.map(\.file) == ["\(folder)/\(name)"])
                }
                try await expectAlive(stage, photoCount: names.count)
                // A newline in a name would start a second line of output; a control character could forge any output.
                let text = try await Command.run(
                    stage.lan.on(
                        1, [try Product.disposable, "add", "\(folder)/new\nline.jpg", "--data", stage.path("Anna")]))
                #expect(text.errorText == "skipped new?line.jpg: is in the gallery already\n")
                try await stage.expectSameGallery([("Anna", 1)], photoCount: names.count)
            }
        }

        @Test("An unreadable folder is named in the output, and the readable files are added")
        func unreadableFolder() async throws {
            try await Stage.with(hostCount: 1) { stage in
                // Root without the capability to read everything: sees such a folder as any other user does.
                let wrapper = ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party"], through: wrapper)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("mixed")
                let locked = try stage.makeFolder("mixed/locked")
                try BadFiles.write(BadFiles.onePixel, to: folder + "/good.png")
                try BadFiles.write(BadFiles.onePixel, to: locked + "/hidden.png")
                try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked)
                let add = try await stage.command("Anna", on: 1, ["add", folder], through: wrapper)
                #expect(add.exitCode == 1)
                #expect(try add.lines.filter { $0.type == "added" }.map(\.file) == [folder + "/good.png"])
                #expect(try add.lines.filter { $0.type == "skipped" }.map(\.reason) == ["the folder cannot be read"])
                try await expectAlive(stage, photoCount: 1)
            }
        }

        /// Expects that Anna's node answers, shows this many photos, and has left no temporary files.
        private func expectAlive(_ stage: Stage, photoCount: Int) async throws {
            let status = try #require(try await stage.command("Anna", on: 1, ["status"]).lines.first)
            #expect(status.listen == "0.0.0.0:8028")
            #expect(status.photoCount == photoCount && status.completeCount == photoCount)
            #expect(status.problems == [])
            let left = FileManager.default.enumerator(atPath: stage.path("Anna"))?.compactMap { $0 as? String } ?? []
            #expect(left.contains { $0.hasSuffix("/incoming") })
            #expect(left.filter { $0.contains("/incoming/") || $0.hasSuffix(".part") } == [])
        }
    }
}
