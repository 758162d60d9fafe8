// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("The photo of the night on real nodes")
    struct VoteTests {
        @Test("A vote behind a cut that was cast before the closing joins the result, which is the same on every node")
        func apart() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna"])
                let (ben, chloe) = try await stage.join(anna)
                @Sendable func ask(_ name: String, _ arguments: [String]) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                func eventually(_ what: String, _ isSo: @escaping @Sendable () async throws -> Bool) async throws {
                    try await watchdog(.patience, { what }) {
                        while try await !isSo() { try await Task.sleep(for: .milliseconds(200)) }
                    }
                }
                func add(_ number: UInt64, _ name: String) async throws -> String {
                    let added = try await ask(name, ["add", Pictures.paint(1, seed: 2_900 + number, in: pictures)[0]])
                    #expect(added.exitCode == 0, "\(added.errorText)")
                    return try #require(try added.lines.first?.id)
                }
                let (bens, chloes) = (try await add(1, "Ben"), try await add(2, "Chloe"))
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                #expect(try await ask("Anna", ["vote", "result"]).exitCode == 3)
                #expect(try await ask("Ben", ["vote", "cast", chloes]).exitCode == 1)
                #expect(try await ask("Ben", ["vote", "open"]).exitCode == 1)
                let opened = try await ask("Anna", ["vote", "open"])
                #expect(opened.exitCode == 0, "\(opened.errorText)")
                try await eventually("all know of the vote") {
                    let ben = try await ask("Ben", ["vote", "result"])
                    let chloe = try await ask("Chloe", ["vote", "result"])
                    return ben.exitCode == 0 && chloe.exitCode == 0
                }

                try await stage.lan.cut(3)
                let own = try await ask("Chloe", ["vote", "cast", chloes])
                #expect(own.exitCode == 1 && own.errorText.contains("photo of your own"), "\(own.errorText)")
                let cast = try await ask("Chloe", ["vote", "cast", bens])
                #expect(cast.exitCode == 0, "\(cast.errorText)")
                #expect(try await ask("Anna", ["vote", "cast", bens]).exitCode == 0)
                #expect(try await ask("Anna", ["vote", "cast", chloes]).exitCode == 0)
                let open = try await ask("Anna", ["vote", "result"])
                #expect(try open.lines.first?.places?.isEmpty == true && open.lines.first?.voterCount == 1)
                // The clocks of the machines are one, but the closing must be later than Chloe's vote.
                try await Task.sleep(for: .seconds(2))
                let closed = try await ask("Anna", ["vote", "close"])
                #expect(closed.exitCode == 0, "\(closed.errorText)")
                #expect(try closed.lines.first?.places?.map(\.photo) == [chloes])
                try await Task.sleep(for: .seconds(1))
                #expect(try await ask("Chloe", ["vote", "cast", "--none"]).exitCode == 0)

                try await stage.lan.heal(3)
                try await eventually("all have the same result") {
                    var results: [[String]] = []
                    for name in ["Anna", "Ben", "Chloe"] {
                        let result = try await ask(name, ["vote", "result"])
                        results.append(try result.lines.first?.places?.map { "\($0.photo) \($0.votes)" }.sorted() ?? [])
                    }
                    return results.allSatisfy { $0 == ["\(bens) 1", "\(chloes) 1"].sorted() }
                }
                let late = try await ask("Chloe", ["vote", "cast", bens])
                #expect(late.exitCode == 1 && late.errorText.contains("no vote is open"), "\(late.errorText)")
                #expect(try await ask("Ben", ["remove", bens]).exitCode == 0)
                try await eventually("a photo that is deleted does not win") {
                    let result = try await ask("Chloe", ["vote", "result"])
                    return try result.lines.first?.places?.map(\.photo) == [chloes]
                }
            }
        }
    }
}
