// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Consent of people with a node")
    struct ConsentTests {
        private struct Agreed: Decodable { var consentCount: Int }
        private struct Personal: Decodable {
            struct Statement: Decodable { var kind: String }
            var said: [Statement]
        }

        /// Waits until this node knows this many consents; they are in no digest.
        private static func waitForCount(_ count: Int, _ stage: Stage, _ name: String, on host: Int) async throws {
            try await Stage.wait(for: "the consents at \(name)", toBe: count) {
                let shown = try await stage.command(name, on: host, ["event", "show"])
                try #require(shown.exitCode == 0, "\(shown.errorText)")
                return try JSONDecoder().decode(Agreed.self, from: Data(shown.output.joined().utf8)).consentCount
            }
        }

        @Test("An organizer's text requires consent on joining or before adding, and again after a change")
        func consent() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let text = stage.path("consent.txt")
                try "No photos of the children.".write(toFile: text, atomically: true, encoding: .utf8)
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--consent-text", text])
                let invitation = try await anna.invitation
                let pictures = try stage.makeFolder("pictures")
                let files = try await Pictures.paint(4, seed: 1_700, in: pictures)

                // A script without consent is told what to do, and can still run the node.
                let refused = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                #expect(try await refused.end == 2)
                #expect(refused.errorText.contains("No photos of the children."), "\(refused.errorText)")
                #expect(refused.errorText.contains("--agree"))
                let ben = try stage.start("Ben", on: 2, ["run"])
                try await stage.waitUntilEqual([anna, ben], photoCount: 0)
                func ask(_ arguments: String...) async throws -> Command {
                    try await stage.command("Ben", on: 2, arguments)
                }
                let early = try await ask("add", files[0])
                #expect(early.exitCode == 1 && early.errorText.contains("disposable consent"), "\(early.errorText)")
                #expect(try await ask("consent").exitCode == 2)
                #expect(try await ask("consent", "--agree").exitCode == 0)
                #expect(try await ask("add", files[0]).exitCode == 0)
                // Organizers are not asked, since they may write the text.
                #expect(try await stage.command("Anna", on: 1, ["add", files[1]]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                try await Self.waitForCount(1, stage, "Anna", on: 1)

                try "No photos at all.".write(toFile: text, atomically: true, encoding: .utf8)
                #expect(
                    try await stage.command("Anna", on: 1, ["event", "edit", "--consent-text", text]).exitCode == 0)
                try await Self.waitForCount(0, stage, "Ben", on: 2)
                #expect(try await ask("add", files[2]).exitCode == 1)
                // Earlier consents are kept.
                let folder = stage.path("me")
                #expect(try await ask("me", "export", folder).exitCode == 0)
                let me = try JSONDecoder().decode(
                    Personal.self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/me.json")))
                #expect(me.said.count { $0.kind == "consent" } == 1)

                try await ben.stop()
                let again = try stage.start("Ben", on: 2, ["join", "Garden party", "--agree"])
                try await Self.waitForCount(1, stage, "Ben", on: 2)
                #expect(try await ask("add", files[2]).exitCode == 0)
                try await stage.waitUntilEqual([anna, again], photoCount: 3)
            }
        }
    }
}
