// SPDX-License-Identifier: Apache-2.0
import DisposableCrypto
import DisposableModel
import DisposableWire
import Foundation
import Testing

extension Scenarios {
    @Suite("Rotation, on real nodes")
    struct RotationTests {
        private func invitation(_ name: String, on host: Int, _ stage: Stage) async throws -> String {
            let shown = try await stage.command(name, on: host, ["invite", "--node"])
            return try #require(try shown.lines.first?.invitation, "\(shown.errorText)")
        }

        private func secret(_ invitation: String) throws -> Data {
            try Invitation(text: invitation).secret.withSpan { span in Data((0..<span.count).map { span[$0] }) }
        }

        /// Returns the files below a folder that contain any of the secrets, as bytes or as text.
        private func files(in folder: String, with secrets: [Data]) -> [String] {
            let wanted = secrets + secrets.map { Data([UInt8]($0).hex.utf8) }
            return (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter { path in
                // Sockets and folders have no content.
                guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")) else { return false }
                return wanted.contains { bytes.range(of: $0) != nil }
            }
        }

        private func waitFor(
            _ what: String, _ name: String, on host: Int, _ stage: Stage, _ isSo: (Line.Epoch) -> Bool
        ) async throws {
            let end = ContinuousClock.now + .patience
            while true {
                let status = try await stage.command(name, on: host, ["status"])
                let epoch = try #require(try status.lines.first?.epoch, "\(status.errorText)")
                if isSo(epoch) { return }
                try #require(ContinuousClock.now < end, "\(what): \(name) says \(epoch)")
                try await Task.sleep(for: .milliseconds(200))
            }
        }

        @Test(
            "All members get the new secret, also one that was away; the old invitation and removed members are refused"
        )
        func rotation() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let old = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", old, "--as", "Ben"])
                let chloe = try stage.start("Chloe", on: 3, ["join", old, "--as", "Chloe"])
                let eve = try stage.start("Eve", on: 2, ["join", old, "--as", "Eve"])
                try await ben.waitUntilIn()
                let first = try await Pictures.paint(1, seed: 1_700, in: pictures)
                try await stage.add(first, "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben, chloe, eve], photoCount: 1)
                for node in [anna, chloe] { try await node.waitForStatus("all four are known") { $0.memberCount == 4 } }

                // Chloe is away. Eve is removed, and still knows the invitation.
                try await stage.lan.cut(3)
                let out = try await stage.command("Anna", on: 1, ["role", "revoke", "participant", "Eve"])
                #expect(out.exitCode == 0 && out.errorText.contains("invite rotate"), "\(out.errorText)")
                // She is notified: a node that does not know would let others in with an invalid invitation.
                try await eve.waitForStatus("Eve knows that she is removed") { $0.isPutOut == true }
                let refused = try await stage.command("Ben", on: 2, ["invite", "rotate", "--yes"])
                #expect(refused.exitCode == 1 && refused.output.isEmpty, "\(refused.errorText)")
                let asked = try await stage.command("Anna", on: 1, ["invite", "rotate"])
                #expect(asked.exitCode == 2 && asked.errorText.contains("add --yes"), "\(asked.errorText)")
                #expect(asked.errorText.contains("3 nodes of members"), "\(asked.errorText)")
                let rotated = try await stage.command("Anna", on: 1, ["invite", "rotate", "--yes"])
                #expect(rotated.exitCode == 0, "\(rotated.errorText)")
                let new = try await invitation("Anna", on: 1, stage)
                #expect(new != old)
                try await waitFor("Ben's renewal", "Anna", on: 1, stage) { $0.number == 1 && $0.renewedCount == 2 }
                #expect(try await invitation("Ben", on: 2, stage).prefix(80) == new.prefix(80), "event key and secret")

                // In the other partition no node knows the rotation: Chloe admits Dora with the old invitation.
                let dora = try stage.start("Dora", on: 3, ["join", old, "--as", "Dora"])
                try await chloe.waitForStatus("Dora is a member") { $0.memberCount == 5 }
                try await dora.waitUntilIn()
                let hers = try await Pictures.paint(1, seed: 1_701, in: pictures)
                try await stage.add(hers, "Dora", on: 3)
                try await stage.waitUntilEqual([chloe, dora], photoCount: 2)

                // A stranger found the old invitation before the rotation.
                let frank = try await stage.command(
                    "Frank", on: 2, ["join", old, "--as", "Frank", "--timeout", "30", "--peer", "10.77.0.1:8028"])
                #expect(
                    frank.output.contains { $0.contains("invitationReplaced") }, "\(frank.output) \(frank.errorText)")
                #expect(frank.errorText.contains("this invitation was replaced; ask the organizer for the new one"))
                #expect(!frank.output.contains { $0.contains("\"admitted\"") })

                // A killed node restarts with the content of its disk.
                try await ben.kill()
                let again = try stage.start("Ben", on: 2, ["run"])
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 2)
                try await waitFor("all three use the new secret", "Anna", on: 1, stage) {
                    $0.renewedCount == 3 && $0.nodeCount == 3 && $0.waiting.map(\.name) == ["Dora"]
                }
                try await waitFor("Chloe has it", "Chloe", on: 3, stage) { $0.number == 1 && $0.hasSecret }
                let after = try await Pictures.paint(1, seed: 1_702, in: pictures)
                try await stage.add(after, "Anna", on: 1)
                try await stage.waitUntilEqual([anna, again, chloe], photoCount: 3)
                #expect(eve.latestStatus?.photoCount == 1, "Eve has received nothing since")
                #expect(dora.latestStatus?.photoCount == 2, "nor has Dora, until a member admits her")

                let admitted = try await stage.command("Anna", on: 1, ["invite", "admit", "Dora"])
                #expect(admitted.exitCode == 0, "\(admitted.errorText)")
                try await stage.waitUntilEqual([anna, again, chloe, dora], photoCount: 3)

                // A node that leaves keeps no secret; the secrets of the others are sealed.
                let secrets = [try secret(old), try secret(new)]
                for name in ["Ben", "Eve"] {
                    #expect(files(in: stage.path(name), with: [secrets[1]]).isEmpty, "\(name)")
                }
                #expect(!files(in: stage.path("Ben"), with: [secrets[0]]).isEmpty, "proves the search")
                let left = try await stage.command("Ben", on: 2, ["leave", "--yes", "--wait", "600"])
                #expect(left.exitCode == 0, "\(left.errorText)")
                #expect(files(in: stage.path("Ben"), with: secrets).isEmpty)
                try await stage.expectSameGallery([("Anna", 1), ("Chloe", 3), ("Dora", 3)], photoCount: 3)
            }
        }
    }
}
