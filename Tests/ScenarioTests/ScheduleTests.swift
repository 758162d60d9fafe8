// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("The times of an event on real nodes")
    struct ScheduleTests {
        private struct Info: Decodable {
            struct Parameters: Decodable {
                var startsAt: UInt64
                var isOpened, startsOnOpening, areFramesDaily: Bool
                var lateMinutes: Int
            }
            var parameters: Parameters
            var phase: String
            var endsAt: UInt64
            var untimelyCount: Int
        }

        private static func info(_ stage: Stage, _ name: String, on host: Int) async throws -> Info {
            let command = try await stage.command(name, on: host, ["event", "show"])
            try #require(command.exitCode == 0, "\(command.errorText)")
            return try JSONDecoder().decode(Info.self, from: Data(command.output.joined().utf8))
        }

        /// A time as `--starts` takes it.
        private static func time(_ minutes: Int) -> String {
            Date(timeIntervalSinceNow: TimeInterval(minutes) * 60).formatted(.iso8601)
        }

        @Test(
            "A photo that was in time waits everywhere when the end is changed in a partition, and more time shows it")
        func changedEnd() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let pictures = try stage.makeFolder("pictures")
                let anna = try stage.start(
                    "Anna", on: 1,
                    [
                        "host", "Party", "--as", "Anna", "--starts", Self.time(-90), "--duration", "2h", "--frames",
                        "unlimited",
                    ])
                let (ben, chloe) = try await stage.join(anna)
                let all = [anna, ben, chloe]
                func edit(_ options: String...) async throws {
                    let edit = try await stage.command("Anna", on: 1, ["event", "edit"] + options)
                    try #require(edit.exitCode == 0, "\(edit.errorText)")
                }
                try await stage.add(Pictures.paint(1, seed: 1, in: pictures), "Ben", on: 2)
                try await stage.waitUntilEqual(all, photoCount: 1)

                try await stage.lan.cut(3)
                try await stage.add(Pictures.paint(1, seed: 2, in: pictures), "Chloe", on: 3)
                // Over since half an hour: longer than clocks may differ.
                try await edit("--duration", "1h")
                try await stage.waitUntilEqual([anna, ben], photoCount: 0)
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual(all, photoCount: 0)
                for (name, host) in [("Anna", 1), ("Ben", 2), ("Chloe", 3)] {
                    #expect(try await Self.info(stage, name, on: host).untimelyCount == 2)
                }
                let picture = try await Pictures.paint(1, seed: 3, in: pictures)
                let late = try await stage.command("Ben", on: 2, ["add"] + picture)
                #expect(late.exitCode == 1 && late.errorText.contains("the event was over at"), "\(late.errorText)")
                #expect(late.errorText.contains("--late 2h"))

                try await stage.lan.cut(3)
                try await edit("--late", "2h")
                try await stage.waitUntilEqual([anna, ben], photoCount: 2)
                try await stage.add(picture, "Ben", on: 2)
                try await stage.lan.heal(3)
                try await stage.waitUntilEqual(all, photoCount: 3)

                // An organizer may add at any time.
                try await edit("--late", "none", "--starts", Self.time(120))
                try await stage.waitUntilEqual(all, photoCount: 0)
                let early = try await stage.command("Chloe", on: 3, ["add"] + picture)
                #expect(early.exitCode == 1 && early.errorText.contains("the event begins at"), "\(early.errorText)")
                try await stage.add(Pictures.paint(1, seed: 4, in: pictures), "Anna", on: 1)
                try await stage.waitUntilEqual(all, photoCount: 1)
                try await edit("--late", "any")
                try await stage.waitUntilEqual(all, photoCount: 4)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2), ("Chloe", 3)], photoCount: 4)
            }
        }

        @Test(
            "A draft without a start begins when it is opened, and one whose start is past is opened after a question")
        func opening() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let pictures = try stage.makeFolder("pictures")
                let picture = try await Pictures.paint(1, seed: 1, in: pictures)
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Party", "--draft", "--duration", "1h", "--frames", "2/day"])
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                let refused = try await stage.command("Ben", on: 2, ["add"] + picture)
                #expect(
                    refused.exitCode == 1 && refused.errorText.contains("the event is a draft"), "\(refused.errorText)")
                let draft = try await Self.info(stage, "Anna", on: 1)
                #expect(draft.phase == "draft" && draft.parameters.startsOnOpening && draft.parameters.areFramesDaily)

                // As if it had lain for three hours.
                #expect(
                    try await stage.command("Anna", on: 1, ["event", "edit", "--starts", Self.time(-180)]).exitCode == 0
                )
                let asked = try await stage.command("Anna", on: 1, ["event", "open"])
                #expect(asked.exitCode == 2 && asked.errorText.contains("which is past"), "\(asked.errorText)")
                #expect(asked.errorText.contains("It is over since") && asked.errorText.contains("--yes"))
                #expect(try await Self.info(stage, "Anna", on: 1).parameters.isOpened == false)
                #expect(try await stage.command("Anna", on: 1, ["event", "edit", "--starts", "now"]).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["event", "open"]).exitCode == 0)
                // Ben's node may have the opening a few milliseconds before its own clock reaches the start.
                var added = try await stage.command("Ben", on: 2, ["add"] + picture)
                let limit = ContinuousClock.now + .patience
                while added.errorText.contains("the event begins at"), ContinuousClock.now < limit {
                    added = try await stage.command("Ben", on: 2, ["add"] + picture)
                }
                #expect(added.exitCode == 0, "\(added.errorText)")
                try await stage.waitUntilEqual([anna, ben], photoCount: 1)
            }
        }

        @Test("A draft that was created long before it is opened has its whole duration")
        func undated() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Party", "--draft", "--duration", "1h", "--late", "30m"])
                _ = try await anna.invitation
                let draft = try await Self.info(stage, "Anna", on: 1)
                try await Task.sleep(for: .seconds(2))
                #expect(try await stage.command("Anna", on: 1, ["event", "open"]).exitCode == 0)
                let open = try await Self.info(stage, "Anna", on: 1)
                #expect(open.phase == "open" && !open.parameters.startsOnOpening && open.parameters.lateMinutes == 30)
                #expect(open.parameters.startsAt >= draft.parameters.startsAt + 2_000)
                #expect(open.endsAt == open.parameters.startsAt + 3_600_000)
            }
        }
    }
}
