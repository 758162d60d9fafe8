// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Joined galleries on real nodes")
    struct TwinTests {
        private struct Report: Decodable {
            struct Twin: Decodable, Equatable {
                let name: String
                let state: String
                let photoCount: Int
                let needsRenewal: Bool
            }
            let twins: [Twin]
            let agreement: String?
        }

        private let hosts = ["Anna": 1, "Ben": 2, "Chloe": 3, "Olga": 4]

        private func report(_ stage: Stage, _ name: String, _ arguments: [String] = []) async throws -> Report {
            let command = try await stage.command(
                name, on: try #require(hosts[name]), ["event", "join-galleries"] + arguments + ["--yes"])
            try #require(command.exitCode == 0, "\(command.errorText)")
            return try JSONDecoder().decode(Report.self, from: Data(command.output.joined().utf8))
        }

        /// Waits until a node shows the twin so.
        private func expect(
            _ stage: Stage, _ names: [String], _ what: String, where isWanted: (Report) -> Bool
        ) async throws {
            for name in names {
                let end = ContinuousClock.now + .patience
                while true {
                    let report = try await report(stage, name)
                    if isWanted(report) { break }
                    try #require(ContinuousClock.now < end, "\(name): not \(what): \(report)")
                    try await Task.sleep(for: .milliseconds(300))
                }
            }
        }

        private func add(_ stage: Stage, _ number: UInt64, _ name: String) async throws {
            let pictures = try await Pictures.paint(1, seed: 9_400 + number, in: try stage.makeFolder("pictures"))
            try await stage.add(pictures, name, on: try #require(hosts[name]))
        }

        /// Anna's event with Ben and Chloe, and Olga's, and the agreement of both.
        private func join(_ stage: Stage) async throws -> [RunningNode] {
            let anna = try stage.host("Anna", on: 1)
            let (ben, chloe) = try await stage.join(anna)
            let olga = try stage.host("Olga", on: 4, event: "Beach party")
            try await agree(stage, anna, olga)
            return [anna, ben, chloe, olga]
        }

        private func agree(_ stage: Stage, _ anna: RunningNode, _ olga: RunningNode) async throws {
            // Before that, there may be no event in Olga's folder.
            _ = try await olga.invitation
            let offer = try #require(try await report(stage, "Olga", [try await anna.invitation]).agreement)
            let answer = try #require(try await report(stage, "Anna", [offer]).agreement)
            _ = try await report(stage, "Olga", [answer])
        }

        @Test("Both events show each other's photos on every node, on both sides of a cut, until one side ends it")
        func joined() async throws {
            try await Stage.with(hostCount: 4) { stage in
                _ = try await join(stage)
                try await add(stage, 1, "Ben")
                try await add(stage, 2, "Olga")
                for (names, twin) in [(["Anna", "Ben", "Chloe"], "Beach party"), (["Olga"], "Garden party")] {
                    try await expect(stage, names, "joined") {
                        $0.twins == [.init(name: twin, state: "joined", photoCount: 1, needsRenewal: false)]
                    }
                }
                // A node that only reads an event adds nothing to it.
                let pictures = try await Pictures.paint(1, seed: 9_409, in: try stage.makeFolder("pictures"))
                let refused = try await stage.command("Ben", on: 2, ["add"] + pictures + ["--event", "Beach party"])
                #expect(refused.exitCode != 0 && refused.errorText.contains("only reads"), "\(refused.errorText)")
                #expect(try await stage.command("Ben", on: 2, ["gallery"]).lines.count == 1)
                // A participant decides nothing.
                let participant = try await stage.command(
                    "Ben", on: 2, ["event", "join-galleries", "--separate", "Beach party", "--yes"])
                #expect(participant.exitCode == 1 && participant.errorText.contains("an organizer"))

                try await stage.lan.cut(1)
                try await add(stage, 3, "Olga")
                try await expect(stage, ["Ben", "Chloe"], "two photos") { $0.twins.first?.photoCount == 2 }
                #expect(try await report(stage, "Anna").twins.first?.photoCount == 1)
                #expect(try await report(stage, "Anna", ["--separate", "Beach party"]).twins.isEmpty)
                try await add(stage, 4, "Chloe")
                try await expect(stage, ["Olga"], "two photos") { $0.twins.first?.photoCount == 2 }
                try await stage.lan.heal(1)
                try await expect(stage, ["Anna", "Ben", "Chloe"], "separated") { $0.twins.isEmpty }
                try await expect(stage, ["Olga"], "ended") { $0.twins.map(\.state) == ["ended"] }
            }
        }

        @Test("A node that comes after a new invitation reads the twin once an organizer has renewed it")
        func renewed() async throws {
            try await Stage.with(hostCount: 4) { stage in
                let anna = try stage.host("Anna", on: 1)
                let olga = try stage.host("Olga", on: 4, event: "Beach party")
                try await agree(stage, anna, olga)
                try await add(stage, 1, "Olga")
                try await expect(stage, ["Anna"], "joined") { $0.twins.map(\.photoCount) == [1] }
                let rotated = try await stage.command("Anna", on: 1, ["invite", "rotate", "--yes"])
                #expect(rotated.exitCode == 0, "\(rotated.errorText)")
                try await expect(stage, ["Anna"], "in need of a renewal") { $0.twins.map(\.needsRenewal) == [true] }
                let invitation = try #require(
                    try await stage.command("Anna", on: 1, ["invite", "--node"]).lines.first?.invitation)
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                try await expect(stage, ["Ben"], "known, and not read") {
                    $0.twins.map(\.state) == ["waiting"] && $0.twins.map(\.photoCount) == [0]
                }
                let renewed = try await report(stage, "Anna", ["--renew", "Beach party"])
                #expect(renewed.twins.map(\.needsRenewal) == [false])
                try await expect(stage, ["Ben"], "joined") {
                    $0.twins.map(\.state) == ["joined"] && $0.twins.map(\.photoCount) == [1]
                }
            }
        }
    }
}
