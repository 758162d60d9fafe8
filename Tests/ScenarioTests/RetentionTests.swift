// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Retention, on real nodes")
    struct RetentionTests {
        private func hasEvents(_ name: String, _ stage: Stage) throws -> Bool {
            try !FileManager.default.contentsOfDirectory(atPath: stage.path(name) + "/events").isEmpty
        }

        @Test(
            "Nodes forget an event whose end others confirm; a lone node with a wrong clock asks its person"
        )
        func end() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--duration", "1h", "--retention", "1h"])
                let invitation = try await anna.invitation
                let (ben, chloe) = try await stage.join(anna)
                let picture = try await Pictures.paint(1, seed: 510, width: 1_400, height: 1_050, in: pictures)
                let id = try #require(try await stage.add(picture, "Ben", on: 2)[0].id)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                let traces = try stage.traces(of: id, by: anna)
                let early = try await stage.command("Ben", on: 2, ["event", "expire", "--confirm"])
                #expect(early.exitCode == 1 && early.errorText.contains("kept until"), "\(early.errorText)")
                for node in [anna, ben, chloe] { try await node.stop() }

                // Three hours later, by Chloe's clock alone.
                let later = ["run", "--retention-grace", "2"]
                try await stage.lan.cut(3)
                try await stage.lan.setClock(3, aheadBy: 3 * 3_600)
                let lone = try stage.start("Chloe", on: 3, later)
                _ = try await lone.waitForStatus("the doubt") {
                    $0.problems?.contains { $0.contains("no other node confirms") } == true
                }
                try await Task.sleep(for: .seconds(6))
                #expect(
                    try lone.isRunning && hasEvents("Chloe", stage) && !stage.left(of: traces, on: lone).isEmpty)

                // By everybody's clock: each has the other's confirmation, and both forget the event.
                for host in [1, 2] { try await stage.lan.setClock(host, aheadBy: 3 * 3_600) }
                let (anna2, ben2) = (try stage.start("Anna", on: 1, later), try stage.start("Ben", on: 2, later))
                #expect(try await anna2.end == 0, "\(anna2.errorText)")
                #expect(try await ben2.end == 0, "\(ben2.errorText)")
                for name in ["Anna", "Ben"] {
                    #expect(try !hasEvents(name, stage))
                    #expect(try traces.left(in: stage.path(name)).isEmpty, "\(name)")
                }
                let again = try await stage.command("Ben", on: 2, ["join", invitation, "--timeout", "5"])
                #expect(again.exitCode == 3 && again.errorText.contains("retention was over"), "\(again.errorText)")

                // Chloe checks her clock, and confirms it.
                let asked = try await stage.command("Chloe", on: 3, ["event", "expire"])
                #expect(asked.exitCode == 2)
                let confirmed = try await stage.command("Chloe", on: 3, ["event", "expire", "--confirm"])
                #expect(confirmed.exitCode == 0, "\(confirmed.errorText)")
                #expect(try await lone.end == 0, "\(lone.errorText)")
                #expect(try !hasEvents("Chloe", stage) && traces.left(in: stage.path("Chloe")).isEmpty)
            }
        }
    }
}
