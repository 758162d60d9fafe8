// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Photos sealed by pages on real nodes")
    struct PageSealingTests {
        private struct Event: Decodable {
            struct Parameters: Decodable { let pageSealing: Bool }
            let parameters: Parameters
        }

        @Test("Switched off and on behind a cut by another organizer, it is on at all nodes, and off when all erase it")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.start(
                    "Anna", on: 1,
                    ["host", "Garden party", "--reveal", "by-host", "--page-sealing", "on", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func edit(_ name: String, isOn: Bool) async throws {
                    let edited = try await ask(name, ["event", "edit", "--page-sealing", isOn ? "on" : "off"])
                    #expect(edited.exitCode == 0, "\(edited.errorText)")
                }
                func expect(_ isOn: Bool) async throws {
                    try await stage.waitUntilHeard(by: [anna, ben, chloe])
                    for name in ["Anna", "Ben", "Chloe"] {
                        let shown = try await ask(name, ["event", "show"]).output.joined()
                        let event = try JSONDecoder().decode(Event.self, from: Data(shown.utf8))
                        #expect(event.parameters.pageSealing == isOn, "\(name)")
                    }
                }
                #expect(try await ask("Anna", ["role", "grant", "organizer", "Ben"]).exitCode == 0)
                try await stage.waitForRole("organizer", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])
                try await expect(true)
                try await stage.lan.cut(1)
                try await edit("Anna", isOn: false)
                try await edit("Ben", isOn: false)
                try await edit("Ben", isOn: true)
                try await stage.lan.heal(1)
                try await expect(true)
                try await edit("Anna", isOn: false)
                try await expect(false)
            }
        }
    }
}
