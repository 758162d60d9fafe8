// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("The board of events")
    struct BoardTests {
        @Test("An event reaches a node of another event, and through it a third one after its own node is gone")
        func relay() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.start(
                    "Anna", on: 1,
                    [
                        "host", "Summer fair", "--as", "Anna", "--category", "market", "--place", "Besançon", "--details",
                        "Cakes and books.", "--price", "free", "--registration", "732829320",
                        "--position", "47.243,6.022",
                    ])
                _ = try await anna.invitation
                let ben = try stage.host("Ben", on: 2, event: "Concert")
                _ = try await ben.invitation

                // Ben's node has it, and where its page is.
                let seen = try await board("Ben", on: 2, stage) { $0.count == 2 }
                let fair = try #require(seen.first { $0.name == "Summer fair" })
                #expect(fair.category == "market" && fair.place == "Besançon" && fair.isReachable == true)
                let text = try await stage.text("Ben", on: 2, ["board", "besancon"])
                for words in ["Cakes and books.", "732829320 (format valid, not verified)", "47.243, 6.022", "free", "http://10.77.0.1:8027/"] {
                    #expect(text.contains(words), "\(words)")
                }
                let nearby = try await stage.text("Chloe", on: 3, ["nearby", "--for", "10s"])
                #expect(nearby.contains("Summer fair") && nearby.contains("market, Besançon"))

                // A correction arrives, too; and then Anna leaves.
                try await Command.succeed(
                    stage.lan.on(1, [try Product.disposable, "event", "edit", "--place", "Dole", "--data", stage.path("Anna")]))
                _ = try await board("Ben", on: 2, stage) { $0.contains { $0.place == "Dole" } }
                try await anna.stop()

                // Chloe's node comes after that, and later finds it without a network and without a running node.
                let chloe = try stage.host("Chloe", on: 3, event: "Wedding")
                _ = try await chloe.invitation
                let relayed = try await board("Chloe", on: 3, stage) { $0.contains { $0.place == "Dole" } }
                #expect(relayed.first { $0.place == "Dole" }?.isReachable == false)
                try await chloe.stop()
                try await ben.stop()
                let kept = try await stage.command("Chloe", on: 3, ["board", "fair", "--for", "1s"])
                #expect(try kept.lines.map(\.name) == ["Summer fair"])
            }
        }

        @Test("Photos of the last hour are a number on the board of a node that is not a member, which lists by it")
        func popular() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let ben = try stage.host("Ben", on: 2, event: "Concert")
                _ = try await ben.invitation
                // Anna's node counts every second, not every ten minutes.
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Summer fair", "--as", "Anna", "--activity-interval", "1"])
                _ = try await anna.invitation
                let quiet = try await board("Ben", on: 2, stage) { $0.count == 2 }
                #expect(quiet.map(\.name) == ["Concert", "Summer fair"] && quiet.allSatisfy { $0.recent == nil })

                let pictures = try await Pictures.paint(
                    3, seed: 100, width: 640, height: 480, in: stage.makeFolder("pictures"))
                try await stage.add(pictures, "Anna", on: 1)
                let lively = try await board("Ben", on: 2, stage) { $0.contains { $0.recent?.photos == 2 } }
                #expect(lively.map(\.recent) == [nil, Line.Recent(photos: 2, people: 1)])
                let popular = try await stage.command("Ben", on: 2, ["board", "--sort", "popular"])
                #expect(try popular.lines.map(\.name) == ["Summer fair", "Concert"])
                let text = try await stage.text("Ben", on: 2, ["board"])
                #expect(text.contains("about 2 photos, 1 person in the last hour"), "\(text)")
            }
        }

        @Test("An event that is no longer listed disappears from the boards of others")
        func withdrawal() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1, event: "Secret dinner")
                _ = try await anna.invitation
                let ben = try stage.host("Ben", on: 2, event: "Concert")
                _ = try await ben.invitation
                _ = try await board("Ben", on: 2, stage) { $0.count == 2 }
                try await Command.succeed(
                    stage.lan.on(1, [try Product.disposable, "event", "edit", "--unlisted", "--data", stage.path("Anna")]))
                _ = try await board("Ben", on: 2, stage) { $0.map(\.name) == ["Concert"] }
            }
        }

        @Test("A misspelt kind of event is refused with the one that was meant")
        func misspelling() async throws {
            let command = try await Command.run(
                [try Product.disposable, "host", "Party", "--category", "weding", "--data", "/nonexistent"])
            #expect(command.exitCode == 2)
            #expect(command.errorText.contains("did you mean wedding?"))
        }

        /// Asks the running node until its board is as wanted; a node asks each other one once a minute.
        private func board(
            _ name: String, on host: Int, _ stage: Stage, until isWanted: ([Line]) -> Bool
        ) async throws -> [Line] {
            let end = ContinuousClock.now + .patience
            while true {
                let lines = try await stage.command(name, on: host, ["board"]).lines
                if isWanted(lines) { return lines }
                try #require(ContinuousClock.now < end, "the board of \(name): \(lines)")
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
