// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Disks that are full, corrupt or broken")
    struct DamageTests {
        @Test("Photos with flipped bits are neither shown nor sent, and are fetched again from the other node")
        func flippedBits() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let (anna, ben) = try await Self.party(stage, photoCount: 3)
                // One is found by the export, one by `fsck`, and one is missing.
                let files = Self.originals(stage, "Ben")
                try #require(files.count == 3)
                try Self.flip(files[0], at: 300_000)
                let exported = try await stage.command("Ben", on: 2, ["export", stage.path("first export")])
                #expect(exported.exitCode == 1)
                #expect(exported.errorText.contains("it is corrupt on this disk; it is fetched again"))
                // The other two are exported, the corrupt one is not.
                #expect(try FileManager.default.contentsOfDirectory(atPath: stage.path("first export")).count == 2)
                try await Self.waitUntilComplete(ben, 3)

                try Self.flip(files[1], at: 1_000)
                try FileManager.default.removeItem(atPath: files[2])
                let looked = try await stage.command("Ben", on: 2, ["fsck", "--check"])
                #expect(looked.exitCode == 1)
                #expect(
                    try looked.lines.count { $0.type == "finding" && $0.kind == "blob" && $0.state == "found" } == 2)
                let repaired = try await stage.command("Ben", on: 2, ["fsck"])
                #expect(repaired.exitCode == 0, "\(repaired.output)")
                #expect(try repaired.lines.count { $0.kind == "blob" && $0.state == "incomplete" } == 2)
                try await Self.waitUntilClean("Ben", on: 2, stage)
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)

                // One that another node requests, while no other node has it.
                try await stage.lan.cut(2)
                try Self.flip(try #require(Self.originals(stage, "Anna").first), at: 2_000)
                let chloe = try stage.start("Chloe", on: 3, ["join", try await anna.invitation, "--as", "Chloe"])
                try await chloe.waitForStatus("the two intact photos") { $0.photoCount == 3 && $0.completeCount == 2 }
                _ = try await anna.waitFor("a warning") { lines in
                    lines.first { $0.type == "warning" && $0.message?.contains("on this disk is corrupt") == true }
                }
                try await stage.lan.heal(2)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 3)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 3)
            }
        }

        @Test("A corrupt database is set aside and rebuilt, and the node makes no fork")
        func database() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let (anna, ben) = try await Self.party(stage, photoCount: 2)
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(2, seed: 11_100, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben], photoCount: 4)
                try await ben.stop()
                let database = try #require(Self.files(stage, "Ben").first { $0.hasSuffix("/event.sqlite") })
                for place in 0..<60 { try Self.flip(database, at: UInt64(place)) }

                let looked = try await stage.command("Ben", on: 2, ["fsck", "--check"])
                #expect(looked.exitCode == 1)
                #expect(try looked.lines.contains { $0.kind == "database" && $0.state == "found" })
                let benAgain = try stage.start("Ben", on: 2, ["run"])
                let warning = try await benAgain.waitFor("a warning") { lines in
                    lines.first { $0.type == "warning" && $0.message?.contains("was corrupt") == true }?.message
                }
                #expect(warning.contains("it was set aside as "))
                _ = try await benAgain.waitFor("the end of the problem") { $0.first { $0.type == "solved" } }
                try await stage.waitUntilEqual([anna, benAgain], photoCount: 4)
                try await stage.add(Pictures.paint(1, seed: 11_200, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, benAgain], photoCount: 5)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 5)
                #expect(Self.files(stage, "Ben").contains { $0.contains("/event.sqlite.damaged-") })
                let checked = try await stage.command("Ben", on: 2, ["fsck"])
                #expect(checked.exitCode == 0)
                // The set-aside file is mentioned; there is no other finding, and no sequence of the chain was used
                // twice.
                let findings = try checked.lines.filter { $0.type == "finding" }
                #expect(findings.allSatisfy { $0.state == "note" && $0.kind == "file" })
            }
        }

        @Test("A database that becomes corrupt while the node runs is rebuilt without a restart")
        func databaseInUse() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let (anna, ben) = try await Self.party(stage, photoCount: 2)
                // Another process overwrites the pages of the database.
                let database = try #require(Self.files(stage, "Ben").first { $0.hasSuffix("/event.sqlite") })
                // Wait for an empty log: the node may be about to write.
                let checkpoint = """
                    import sqlite3, sys
                    database = sqlite3.connect(sys.argv[1], timeout=60)
                    while database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                        pass
                    """
                try await Command.succeed(["/usr/bin/python3", "-c", checkpoint, database])
                let handle = try #require(FileHandle(forUpdatingAtPath: database))
                let byteCount = try handle.seekToEnd()
                try handle.seek(toOffset: 4_096)
                try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(byteCount) - 4_096))
                try handle.close()
                // The next read notices it.
                _ = try await stage.command("Ben", on: 2, ["gallery"])
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(1, seed: 11_300, in: pictures), "Anna", on: 1)
                _ = try await ben.waitFor("a warning") { lines in
                    lines.first { $0.type == "warning" && $0.message?.contains("it is being rebuilt") == true }
                }
                try await stage.waitUntilEqual([anna, ben], photoCount: 3)
                #expect(ben.isRunning)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 3)
            }
        }

        @Test("A full disk stops photos only; with free space again the node continues")
        func fullDisk() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let volume = try SmallVolume(byteCount: 16 << 20, at: stage.makeFolder("Ben"))
                let stick = try SmallVolume(byteCount: 8 << 20, at: stage.makeFolder("stick"))
                let anna = try stage.host("Anna", on: 1)
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
                let pictures = try stage.makeFolder("pictures")
                _ = try await Pictures.paint(10, seed: 11_400, width: 3_600, height: 2_700, in: pictures)
                try await stage.add([pictures], "Anna", on: 1)
                _ = try await ben.waitFor("a warning") { lines in
                    lines.first {
                        $0.type == "warning" && $0.message?.contains("no photos are accepted or fetched") == true
                    }
                }
                // Operations are kept, and the state is reported.
                let status = try await ben.waitForStatus("every photo known") { $0.photoCount == 10 }
                #expect(status.completeCount ?? 10 < 10)
                let problems = try await stage.command("Ben", on: 2, ["status"]).lines.first?.problems
                #expect(problems?.contains { $0.contains("are kept free") } == true)
                let added = try await stage.command("Ben", on: 2, ["add", pictures + "/IMG_11400_0.jpg"])
                #expect(added.exitCode == 1 && added.errorText.contains("are kept free"), "\(added.errorText)")
                // Stored photos are still served.
                #expect(try await stage.command("Ben", on: 2, ["gallery"]).output.count == 10)

                try volume.grow(to: 200 << 20)
                _ = try await ben.waitFor("the end of the problem") { $0.first { $0.type == "solved" } }
                try await stage.waitUntilEqual([anna, ben], photoCount: 10)
                #expect(try await stage.command("Ben", on: 2, ["status"]).lines.first?.problems?.isEmpty == true)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 10)

                // A volume that is too small for the export: an error, and the files written are intact.
                let exported = try await stage.command("Ben", on: 2, ["export", stick.path])
                #expect(exported.exitCode == 1)
                #expect(exported.errorText.contains("are kept free"), "\(exported.errorText)")
                let gallery = Set(try await stage.command("Ben", on: 2, ["gallery"]).lines.compactMap(\.sha256))
                #expect(Set(try await Stage.hashes(ofFilesIn: stick.path)).isSubset(of: gallery))
                try await ben.stop()
            }
        }

        @Test("A disk on which every write fails loses no acknowledged photo")
        func brokenDisk() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let library = stage.path("broken-disk.so")
                try await Command.succeed(
                    ["/usr/bin/gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library]
                        + [Product.file("examples/lan/broken-disk.c"), "-ldl"])
                let broken = stage.path("the disk is broken")
                let wrapper = ["/usr/bin/env", "LD_PRELOAD=\(library)", "BROKEN_DISK=\(broken)"]
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"], through: wrapper)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"], through: wrapper)
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
                let pictures = try stage.makeFolder("pictures")
                let paths = try await Pictures.paint(3, seed: 11_500, in: pictures)
                try await stage.add([paths[0]], "Anna", on: 1)
                try await stage.waitUntilEqual([anna, ben], photoCount: 1)

                #expect(FileManager.default.createFile(atPath: broken, contents: nil))
                let refused = try await stage.command("Anna", on: 1, ["add", paths[1]])
                #expect(refused.exitCode == 1 && refused.output.isEmpty)
                #expect(refused.errorText.contains("Input/output error"), "\(refused.errorText)")
                // Stored photos are still served.
                let exported = try await stage.command("Anna", on: 1, ["export", stage.path("in trouble")])
                #expect(exported.exitCode == 0, "\(exported.errorText)")
                try FileManager.default.removeItem(atPath: broken)
                try await stage.add([paths[1]], "Anna", on: 1)

                // The same while a node receives photos.
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                try await anna.stop()
                let annaAgain = try stage.start("Anna", on: 1, ["run"])
                _ = try await annaAgain.invitation
                #expect(FileManager.default.createFile(atPath: broken, contents: nil))
                try await stage.add([paths[2]], "Anna", on: 1)
                _ = try await ben.waitFor("a warning") { lines in
                    lines.first {
                        $0.type == "warning" && $0.message?.contains("I/O error") == true
                            || $0.message?.contains("Input/output error") == true
                    }
                }
                try FileManager.default.removeItem(atPath: broken)
                try await stage.waitUntilEqual([annaAgain, ben], photoCount: 3)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 3)
                #expect(try await stage.command("Ben", on: 2, ["fsck", "--check"]).exitCode == 0)
            }
        }

        @Test("`fsck` finds and removes the remains of interrupted work, and leaves other files alone")
        func leftOver() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let (anna, ben) = try await Self.party(stage, photoCount: 1)
                try await ben.stop()
                let blob = try #require(Self.originals(stage, "Ben").first)
                let other = URL(fileURLWithPath: blob).deletingLastPathComponent().path
                let events = stage.path("Ben") + "/events"
                let event = events + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: events).first))
                let folder = try stage.makeFolder(event.dropFirst(stage.folder.count + 1) + "/blobs/00/00")
                let stray = folder + "/" + String(repeating: "0", count: 64) + ".part"
                let copy = event + "/incoming/0011"
                for path in [stray, copy, other + "/holiday.txt"] {
                    try Data([1]).write(to: URL(fileURLWithPath: path))
                }
                let looked = try await stage.command("Ben", on: 2, ["fsck", "--check"])
                #expect(looked.exitCode == 1)
                #expect(try looked.lines.filter { $0.kind == "file" }.map(\.state) == ["note", "found", "found"])
                let repaired = try await stage.command("Ben", on: 2, ["fsck"])
                #expect(repaired.exitCode == 0, "\(repaired.output)")
                #expect(!FileManager.default.fileExists(atPath: stray) && !FileManager.default.fileExists(atPath: copy))
                #expect(FileManager.default.fileExists(atPath: other + "/holiday.txt"))
                #expect(try await stage.command("Ben", on: 2, ["fsck", "--check"]).exitCode == 0)
                // Intact files are unchanged.
                #expect(try await stage.command("Ben", on: 2, ["gallery"]).lines.allSatisfy { $0.state == "complete" })
                let empty = try await stage.command("Nobody", on: 1, ["fsck"])
                #expect(empty.exitCode == 3, "\(empty.errorText)")
                _ = anna
            }
        }

        @Test("A copied folder that runs twice: both copies and the others are warned, and no photo is lost")
        func copiedFolder() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let (anna, ben) = try await Self.party(stage, photoCount: 1)
                try await ben.stop()
                try FileManager.default.copyItem(atPath: stage.path("Ben"), toPath: stage.path("Copy"))
                // In separate partitions both add photos: the same sequences of one chain, the same frames of one
                // quota.
                try await stage.lan.cut(3)
                let benAgain = try stage.start("Ben", on: 2, ["run"])
                let copy = try stage.start("Copy", on: 3, ["run"])
                _ = try await (benAgain.invitation, copy.invitation)
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(2, seed: 11_600, in: pictures), "Ben", on: 2)
                try await stage.add(Pictures.paint(2, seed: 11_700, in: pictures), "Copy", on: 3)
                try await stage.waitUntilEqual([anna, benAgain], photoCount: 3)
                try await stage.lan.heal(3)
                let nodes = [anna, benAgain, copy]
                try await stage.waitUntilEqual(nodes, photoCount: 5)
                _ = try await RunningNode.wait(nodes, for: "warnings about the copy") {
                    nodes.allSatisfy { node in
                        node.lines.contains { $0.type == "warning" && $0.message?.contains("in use") == true }
                    } ? true : nil
                }
                for (name, host) in [("Ben", 2), ("Copy", 3)] {
                    let problems = try await stage.command(name, on: host, ["status"]).lines.first?.problems
                    #expect(problems?.contains { $0.contains("a copy of its folder") } == true)
                }
                // Both continue.
                try await stage.add(Pictures.paint(1, seed: 11_800, in: pictures), "Copy", on: 3)
                try await stage.add(Pictures.paint(1, seed: 11_900, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual(nodes, photoCount: 7)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Copy", 3)], photoCount: 7)
            }
        }

        // Helpers

        /// Starts Anna's node with this many photos, and Ben's, which fetches them all.
        private static func party(_ stage: Stage, photoCount: Int) async throws -> (RunningNode, RunningNode) {
            let anna = try stage.host("Anna", on: 1)
            let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
            _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
            let pictures = try stage.makeFolder("pictures of Anna")
            try await stage.add(Pictures.paint(photoCount, seed: 11_000, in: pictures), "Anna", on: 1)
            try await stage.waitUntilEqual([anna, ben], photoCount: photoCount)
            return (anna, ben)
        }

        private static func files(_ stage: Stage, _ name: String) -> [String] {
            let base = stage.path(name)
            return (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []).sorted()
                .map { "\(base)/\($0)" }
        }

        /// Returns the files of complete blobs that are larger than the limit of a preview.
        private static func originals(_ stage: Stage, _ name: String) -> [String] {
            files(stage, name).filter { path in
                let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
                return path.contains("/blobs/") && (path as NSString).lastPathComponent.count == 64 && size > 600 << 10
            }
        }

        private static func flip(_ path: String, at offset: UInt64) throws {
            let handle = try #require(FileHandle(forUpdatingAtPath: path))
            try handle.seek(toOffset: offset)
            let byte = try #require(try handle.read(upToCount: 1)?.first)
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: [byte ^ 0x10])
            try handle.close()
        }

        private static func waitUntilComplete(_ node: RunningNode, _ count: Int) async throws {
            // It was complete before as well: only a status after the reported loss counts.
            _ = try await node.waitFor("\(count) complete again") { lines -> Bool? in
                guard
                    let loss = lines.lastIndex(where: {
                        $0.type == "warning" && $0.message?.contains("corrupt") == true
                    })
                else { return nil }
                return lines[loss...].last { $0.type == "status" }?.completeCount == count ? true : nil
            }
        }

        private static func waitUntilClean(_ name: String, on host: Int, _ stage: Stage) async throws {
            try await watchdog(.patience, { "an fsck of \(name) that finds nothing" }) {
                while try await stage.command(name, on: host, ["fsck", "--check"]).exitCode != 0 {
                    try await Task.sleep(for: .milliseconds(300))
                }
            }
        }
    }
}

/// A separate volume in memory, mounted at a folder.
private final class SmallVolume {
    let path: String

    init(byteCount: Int, at path: String) throws {
        self.path = path
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(byteCount)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }

    func grow(to byteCount: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(byteCount)") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
