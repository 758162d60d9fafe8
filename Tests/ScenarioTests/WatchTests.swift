// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Watching a folder")
    struct WatchTests {
        @Test("Photos on a card and later ones are added once each, and other files are reported once")
        func cardAndTether() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let card = try stage.makeFolder("card/DCIM/100CANON")
                let first = try await Pictures.paint(3, seed: 100, width: 800, height: 600, in: card)
                try Data("settings".utf8).write(to: URL(fileURLWithPath: card + "/IMG_1.ctg"))
                let watch = try stage.watch("Anna", "card")
                _ = try await watch.waitFor("the photos on the card") { lines in
                    lines.files("added") == first && lines.files("skipped") == [card + "/IMG_1.ctg"] ? true : nil
                }
                #expect(watch.lines.first { $0.type == "skipped" }?.reason?.hasPrefix("neither a photo") == true)

                // As a camera writes: into a folder that it makes, in parts.
                let later = try stage.makeFolder("card/DCIM/101CANON")
                let elsewhere = try stage.makeFolder("elsewhere")
                let picture = try await Pictures.paint(1, seed: 200, width: 800, height: 600, in: elsewhere)[0]
                try await writeSlowly(picture, to: later + "/IMG_4.jpg")
                // The same photo under another name, moved instead of written.
                try FileManager.default.moveItem(atPath: picture, toPath: stage.path("card/copy.jpg"))
                _ = try await watch.waitFor("the photo and its copy") { lines in
                    lines.files("added").contains(later + "/IMG_4.jpg")
                        && lines.files("skipped").contains(stage.path("card/copy.jpg")) ? true : nil
                }
                try await watch.stop()
                #expect(watch.errorText.contains("4 photos added, 1 file in the gallery already, 1 file skipped"))
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).lines.count == 4)
            }
        }

        @Test("After a restart, with and without a running node, `watch` adds only new photos")
        func restarted() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("tether")
                let first = try await Pictures.paint(2, seed: 300, width: 800, height: 600, in: folder)
                let watch = try stage.watch("Anna", "tether")
                _ = try await watch.waitFor("the first two") { $0.files("added") == first ? true : nil }
                try await watch.stop()
                try await anna.stop()

                let again = try stage.watch("Anna", "tether")
                _ = try await again.waitFor("the known photos") { $0.files("skipped") == first ? true : nil }
                let second = try await Pictures.paint(1, seed: 400, width: 800, height: 600, in: folder)
                _ = try await again.waitFor("the new photo") { $0.files("added") == second ? true : nil }
                // A node may start meanwhile: the folder is unlocked between two files.
                let node = try stage.start("Anna", on: 1, ["run"])
                _ = try await node.invitation
                let third = try await Pictures.paint(1, seed: 500, width: 800, height: 600, in: folder)
                try await node.waitForStatus("the last one") { $0.photoCount == 4 }
                _ = try await again.waitFor("its line") { $0.files("added") == second + third ? true : nil }
                try await again.stop()
                #expect(!again.errorText.contains("skipped IMG"))
            }
        }

        @Test("While the quota is full files wait, with one message, and they are added when there are more frames")
        func fullRoll() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "2"])
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                let folder = try stage.makeFolder("tether")
                _ = try await Pictures.paint(4, seed: 600, width: 800, height: 600, in: folder)
                let watch = try stage.watch("Ben", "tether", on: 2)
                _ = try await watch.waitFor("the full quota") { lines in
                    let isFull = lines.contains {
                        $0.type == "waiting" && $0.reason?.hasPrefix("the quota is full") == true
                    }
                    return isFull ? true : nil
                }
                #expect(watch.lines.files("added").count == 2)
                try await stage.command("Anna", on: 1, ["event", "frames", "Ben", "+5"]).expectSuccess()
                _ = try await watch.waitFor("all four") { $0.files("added").count == 4 ? true : nil }
                #expect(watch.lines.filter { $0.type == "waiting" }.count == 1)
                try await watch.stop()
            }
        }

        @Test("An invalid folder and a node without an event are reported at once")
        func refused() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let nowhere = try await stage.command("Anna", on: 1, ["watch", stage.folder])
                #expect(nowhere.exitCode == 3 && nowhere.errorText.contains("there is no event"))
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let none = try await stage.command("Anna", on: 1, ["watch", stage.path("none")])
                #expect(none.exitCode == 2 && none.errorText.contains("cannot be watched: it is not a folder"))
                let own = try await stage.command("Anna", on: 1, ["watch", stage.folder])
                #expect(own.exitCode == 2 && own.errorText.contains("overlaps the node's own folder"))
            }
        }

        private func writeSlowly(_ picture: String, to path: String) async throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: picture))
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for part in 0..<4 {
                try handle.write(contentsOf: bytes[(bytes.count * part / 4)..<(bytes.count * (part + 1) / 4)])
                try await Task.sleep(for: .seconds(1))
            }
            try handle.close()
        }
    }
}

extension Stage {
    fileprivate func watch(_ name: String, _ folder: String, on host: Int = 1) throws -> RunningNode {
        try start(name, on: host, ["watch", path(folder)])
    }
}

extension Command {
    fileprivate func expectSuccess() { #expect(exitCode == 0, "\(errorText)") }
}

extension [Line] {
    fileprivate func files(_ type: String) -> [String] { filter { $0.type == type }.compactMap(\.file) }
}
