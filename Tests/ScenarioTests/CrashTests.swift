// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Killed in the middle")
    struct CrashTests {
        static let photoCount = 60

        @Test("A transfer goes on where it was when the receiver is killed, then the sender, and everything arrives")
        func transfer() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let pictures = try stage.makeFolder("pictures")
                _ = try await Pictures.paint(Self.photoCount, seed: 2_000, width: 3_600, height: 2_700, in: pictures)
                let added = try await stage.add([pictures], "Anna", on: 1)
                #expect(added.count == Self.photoCount)

                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                try await Self.waitUntilOnDisk(12 << 20, stage, "Ben")
                try await ben.kill()
                let kept = try await Self.completeCount(stage, "Ben", 2)
                #expect(kept < Self.photoCount, "Ben had everything already when he was killed")

                let keptByteCount = Self.blobByteCount(stage, "Ben")
                let benAgain = try stage.start("Ben", on: 2, ["run"])
                try await Self.waitUntilOnDisk(keptByteCount + (12 << 20), stage, "Ben")
                try await anna.kill()
                #expect(try await Self.completeCount(stage, "Ben", 2) < Self.photoCount, "too late to be in the middle")

                let annaAgain = try stage.start("Anna", on: 1, ["run"])
                try await stage.waitUntilEqual([annaAgain, benAgain], photoCount: Self.photoCount)
                let gallery = try await stage.command("Ben", on: 2, ["gallery"]).lines
                #expect(Set(gallery.compactMap(\.sha256)) == Set(added.compactMap(\.sha256)))
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: Self.photoCount)
            }
        }

        @Test("Every photo that `add` has acknowledged is there after the node was killed while adding")
        func adding() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                _ = try await ben.waitFor("being let in") { $0.first { $0.type == "admitted" } }
                let pictures = try stage.makeFolder("pictures")
                _ = try await Pictures.paint(12, seed: 3_000, in: pictures)

                let add = try stage.start("Anna", on: 1, ["add", pictures])
                _ = try await add.waitFor("four photos added") { $0.count { $0.type == "added" } >= 4 ? true : nil }
                try await anna.kill()
                #expect(try await add.end == 1)
                #expect(add.errorText.contains("the running node did not answer"))
                let acknowledged = add.lines.filter { $0.type == "added" }.compactMap(\.id)
                #expect(acknowledged.count >= 4 && acknowledged.count < 12)

                let kept = try await stage.command("Anna", on: 1, ["gallery"]).lines.compactMap(\.id)
                #expect(Set(kept).isSuperset(of: acknowledged))
                let annaAgain = try stage.start("Anna", on: 1, ["run"])
                _ = try await annaAgain.invitation
                // What had not been acknowledged is added now; what had been is not added twice.
                let rest = try await stage.add([pictures], "Anna", on: 1)
                #expect(rest.count == 12 && rest.filter { $0.type == "added" }.count == 12 - kept.count)
                try await stage.waitUntilEqual([annaAgain, ben], photoCount: 12)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: 12)
            }
        }

        /// Looks at the files, because what the node says of itself comes too late where the network is fast: all
        /// photos together are some 140 MB, which is a second or two.
        private static func waitUntilOnDisk(_ byteCount: Int, _ stage: Stage, _ name: String) async throws {
            try await watchdog(.seconds(90), { "\(byteCount) bytes of blobs in the folder of \(name)" }) {
                while blobByteCount(stage, name) < byteCount { try await Task.sleep(for: .milliseconds(5)) }
            }
        }

        private static func blobByteCount(_ stage: Stage, _ name: String) -> Int {
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: stage.path(name)), includingPropertiesForKeys: [.fileSizeKey])
            return (files?.compactMap { $0 as? URL } ?? []).filter { $0.path.contains("/blobs/") }
                .compactMap { try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize }.reduce(0, +)
        }

        private static func completeCount(_ stage: Stage, _ name: String, _ host: Int) async throws -> Int {
            try #require(try await stage.command(name, on: host, ["status"]).lines.first?.completeCount)
        }
    }
}
