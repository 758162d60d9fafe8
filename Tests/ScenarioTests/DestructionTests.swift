// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("Purging, on real nodes")
    struct DestructionTests {
        private static let soon = ["--destruction-delay", "3"]

        @Test(
            "A deleted or erased photo or comment leaves no byte on any node, including one that was away meanwhile"
        )
        func noTrace() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + Self.soon)
                var (ben, chloe) = try await stage.join(anna, Self.soon)
                var ids: [String] = []
                for (name, host) in [("Ben", 2), ("Ben", 2), ("Chloe", 3)] {
                    let picture = try await Pictures.paint(
                        1, seed: 700 + UInt64(ids.count), width: 1_400, height: 1_050, in: pictures)
                    ids.append(try #require(try await stage.add(picture, name, on: host)[0].id))
                    try await stage.waitUntilEqual([anna, ben, chloe], photoCount: ids.count)
                }
                func say(_ name: String, _ host: Int, _ words: [String]) async throws -> String {
                    let command = try await stage.command(
                        name, on: host, words + ["what \(name) says about it, \(words[0])"])
                    return try #require(try command.lines.first?.id, "\(command.errorText)")
                }
                _ = try await say("Ben", 2, ["caption", ids[1]])
                _ = try await say("Anna", 1, ["comment", ids[1]])
                let rude = try await say("Ben", 2, ["comment", ids[0]])
                try await stage.waitUntilHeard(by: [anna, ben, chloe]) { $0.operationCount ?? 0 >= 16 }
                let traces = try (ids.dropFirst() + [rude]).map { try stage.traces(of: $0, by: anna) }
                for node in [anna, ben, chloe] {
                    for trace in traces {
                        #expect(try stage.left(of: trace, on: node) == trace.kept, "\(node.name), before")
                    }
                }
                #expect(traces.map { $0.names.contains("text") } == [true, false, true])
                #expect(traces.map(\.kept.count) == [4, 4, 1])
                #expect(try await stage.command("Anna", on: 1, ["export", stage.path("export")]).exitCode == 0)
                for photo in traces.prefix(2) { #expect(try photo.left(in: stage.path("export")) == ["original"]) }

                try await stage.lan.cut(3)
                #expect(try await stage.command("Ben", on: 2, ["remove", ids[1]]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["erase", ids[2], "--yes"]).exitCode == 0)
                #expect(try await stage.command("Ben", on: 2, ["remove", rude]).exitCode == 0)
                try await stage.waitUntilDestroyed([anna, ben])
                for node in [anna, ben] {
                    for photo in traces { #expect(try stage.left(of: photo, on: node).isEmpty, "\(node.name), after") }
                }
                for trace in traces { #expect(try stage.left(of: trace, on: chloe) == trace.kept, "she was away") }

                // She returns with both, after a loss of power.
                try await chloe.kill()
                chloe = try stage.start("Chloe", on: 3, ["run"] + Self.soon)
                try await stage.lan.heal(3)
                try await stage.waitUntilDestroyed([anna, ben, chloe])
                try await ben.stop()
                ben = try stage.start("Ben", on: 2, ["run"] + Self.soon)
                try await stage.waitUntilDestroyed([anna, ben, chloe])
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 1)
                for node in [anna, ben, chloe] {
                    for photo in traces {
                        #expect(try stage.left(of: photo, on: node).isEmpty, "\(node.name), at the end")
                    }
                }
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 1)
            }
        }

        @Test("A node killed before or while it purges deleted photos finishes after its next start")
        func killed() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let pictures = try stage.makeFolder("pictures")
                var anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "unlimited"] + Self.soon)
                _ = try await anna.invitation
                var added: [Line] = []
                for seed in UInt64(800)..<806 {
                    let picture = try await Pictures.paint(1, seed: seed, width: 1_000, height: 750, in: pictures)
                    added += try await stage.add(picture, "Anna", on: 1).filter { $0.type == "added" }
                }
                let ids = try added.map { try #require($0.id) }
                let traces = try ids.map { [anna] in try stage.traces(of: $0, by: anna) }
                for (number, id) in ids.enumerated() {
                    #expect(try await stage.command("Anna", on: 1, ["remove", id]).exitCode == 0)
                    // Each time at another moment: before, during and after the purge.
                    try await Task.sleep(for: .milliseconds(3_000 + 350 * number))
                    try await anna.kill()
                    anna = try stage.start("Anna", on: 1, ["run"] + Self.soon)
                    _ = try await anna.waitFor("ready") { $0.first { $0.type == "ready" } }
                }
                try await stage.waitUntilDestroyed([anna], photoCount: 0)
                for photo in traces { #expect(try stage.left(of: photo, on: anna).isEmpty) }
            }
        }
    }
}
