// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Turned photos on real nodes")
    struct TurnTests {
        @Test("A photo turned behind a cut is turned alike on all nodes, also on one that starts again; its file is not")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.host("Anna", on: 1)
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func turn(_ name: String) async throws -> Int? { try await ask(name, ["gallery"]).lines.first?.turn }
                let own = try await Pictures.paint(1, seed: 1_600, in: pictures)
                let photo = try #require(try await stage.add(own, "Ben", on: 2)[0].id)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                let home = try stage.makeFolder("home")
                _ = try await ask("Anna", ["export", home])
                let hashes = try await Stage.hashes(ofFilesIn: home)

                try await stage.lan.cut(1)
                #expect(try await ask("Ben", ["turn", photo, "90"]).exitCode == 0)
                let refused = try await ask("Anna", ["turn", photo, "180"])
                #expect(refused.exitCode == 1, "\(refused.errorText)")
                try await stage.lan.heal(1)
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.photoCount == 1 }
                for name in ["Anna", "Ben", "Chloe"] { #expect(try await turn(name) == 90, "\(name)") }
                try await anna.kill()
                let again = try stage.start("Anna", on: 1, ["run"])
                #expect(try await ask("Ben", ["turn", photo, "270"]).exitCode == 0)
                try await stage.waitUntilHeard(by: [again, ben, chloe]) { $0.photoCount == 1 }
                for name in ["Anna", "Ben", "Chloe"] { #expect(try await turn(name) == 270, "\(name)") }
                let later = try stage.makeFolder("later")
                _ = try await ask("Anna", ["export", later])
                #expect(try await Stage.hashes(ofFilesIn: later) == hashes)
            }
        }
    }
}
