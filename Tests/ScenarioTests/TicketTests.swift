// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Tickets on real nodes")
    struct TicketTests {
        @Test("One ticket on both sides of a cut: every node finds the second use, and has the same holder")
        func bothSides() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--tickets", "on", "--frames", "2", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3]
                func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: hosts[name]!, arguments)
                }
                func add(_ number: UInt64, _ name: String) async throws -> Command {
                    try await ask(name, ["add", Pictures.paint(1, seed: 2_900 + number, in: pictures)[0]])
                }
                let made = try await ask("Anna", ["invite", "--tickets", "2", "--address", "10.0.0.1"])
                #expect(made.exitCode == 0, "\(made.errorText)")
                let links = try made.lines.compactMap(\.link)
                #expect(links.count == 2 && Set(links).count == 2)
                let without = try await add(1, "Ben")
                #expect(without.exitCode == 1 && without.errorText.contains("need a ticket"), "\(without.errorText)")
                // Both know the tickets before they are apart.
                try await stage.waitUntilHeard(by: [anna, ben, chloe])

                try await stage.lan.cut(3)
                let hers = try await ask("Chloe", ["ticket", links[0]])
                #expect(hers.exitCode == 0, "\(hers.errorText)")
                #expect(try await add(2, "Chloe").exitCode == 0)
                let his = try await ask("Ben", ["ticket", links[0]])
                #expect(his.exitCode == 0, "\(his.errorText)")
                #expect(try await add(3, "Ben").exitCode == 0)
                // Anna's node confirms what it knows.
                try await stage.waitUntilHeard(by: [anna, ben]) { $0.photoCount == 1 }

                try await stage.lan.heal(3)
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.photoCount == 1 }
                for name in hosts.keys {
                    let list = try await ask(name, ["invite", "tickets"])
                    let twice = try #require(try list.lines.first { $0.number == 1 })
                    #expect(twice.state == "usedTwice" && twice.holder == "Ben", "\(name): \(twice)")
                    #expect(Set(twice.users ?? []) == ["Ben", "Chloe"])
                }
                let again = try await add(4, "Chloe")
                #expect(again.exitCode == 1 && again.errorText.contains("need a ticket"), "\(again.errorText)")

                // Her photo is shown once the organizer gives her frames.
                #expect(try await ask("Anna", ["event", "frames", "Chloe", "+2"]).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 2)
            }
        }
    }
}
