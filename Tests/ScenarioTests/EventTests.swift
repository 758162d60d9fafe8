// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("The settings of an event, from the command line")
    struct EventTests {
        /// The fields of `event show --json` that these tests read.
        private struct Info: Decodable {
            struct Parameters: Decodable, Equatable {
                var name, details, place, category, registration, contact, consentText, organizerName, reveal: String
                var startsAt: UInt64
                var durationHours, frames, retentionHours: Int
                var price: Price?
                var position: Position?
                var links: [Link]
                var isListed, isOpened, isClosed: Bool
            }
            struct Price: Decodable, Equatable {
                var cents: Int
                var currency: String
            }
            struct Position: Decodable, Equatable { var latitude, longitude: Int }
            struct Link: Decodable, Equatable { var kind, address: String }
            struct Person: Decodable {
                var name: String?
                var roles: [String]
                var framesUsed: Int
                var frames: Int?
            }
            struct Hour: Decodable { var photoCount: Int }
            var parameters: Parameters
            var phase, sealing: String
            var photoCount, hiddenCount, waitingCount, personCount, framesUsed, byteCount: Int
            var hours: [Hour]
            var people: [Person]
        }

        private static func info(_ stage: Stage, _ name: String, on host: Int) async throws -> Info {
            let command = try await stage.command(name, on: host, ["event", "show"])
            try #require(command.exitCode == 0, "\(command.errorText)")
            return try JSONDecoder().decode(Info.self, from: Data(command.output.joined().utf8))
        }

        @Test("`host` takes every setting, and `event show` prints each of them, also on another node")
        func parameters() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let consent = stage.path("consent.txt")
                try "Photos are shared\nwith all guests.\n".write(toFile: consent, atomically: true, encoding: .utf8)
                let anna = try stage.start(
                    "Anna", on: 1,
                    [
                        "host", "Garden party", "--as", "Anna", "--details", "Cake, and a photo of everybody",
                        "--place", "Barn", "--position", "-33.86882,151.2093",
                        "--starts", "2030-06-01T18:00:30Z", "--duration", "36h", "--frames", "24", "--reveal", "now",
                        "--retention", "2d", "--category", "party", "--price", "12.50 EUR", "--link",
                        "website=https://example.org/?a=b", "--link", "x=https://x.com/anna", "--registration",
                        "732 829 320",
                        "--contact", "anna@example.org", "--consent-text", consent, "--organizer", "Anna & Ben",
                        "--unlisted",
                    ])
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben", "--agree"])
                try await stage.waitUntilEqual([anna, ben], photoCount: 0)
                for (name, host) in [("Anna", 1), ("Ben", 2)] {
                    let info = try await Self.info(stage, name, on: host)
                    #expect(
                        info.parameters
                            == Info.Parameters(
                                name: "Garden party", details: "Cake, and a photo of everybody", place: "Barn",
                                category: "party",
                                registration: "732829320", contact: "anna@example.org",
                                consentText: "Photos are shared\nwith all guests.", organizerName: "Anna & Ben",
                                reveal: "now",
                                startsAt: 1_906_567_230_000, durationHours: 36, frames: 24, retentionHours: 48,
                                price: .init(cents: 1_250, currency: "EUR"),
                                position: .init(latitude: -33_869, longitude: 151_209),
                                links: [
                                    .init(kind: "website", address: "https://example.org/?a=b"),
                                    .init(kind: "x", address: "https://x.com/anna"),
                                ], isListed: false, isOpened: true, isClosed: false))
                    #expect(info.phase == "draft" && info.sealing == "none")
                    #expect(info.people.map(\.roles) == [["organizer"], []])
                }
            }
        }

        @Test(
            "Invalid settings are refused with a hint, and no event is created",
            arguments: [
                (["--frames", "many"], "write a number from 1 to 1000, or unlimited"),
                (["--frames", "unlimited/day"], "as 24/day"), (["--late", "31d"], "at most 30 days"),
                (["--late", "soon"], "30m, 2h or 1d"),
                (["--starts", "24.12."], "write a day and a time as 2026-12-24T18:00"),
                (["--duration", "31d"], "from 1h to 30d"), (["--reveal", "later"], "at=2026-12-25T10:00"),
                (["--registration", "732829321"], "its last digit does not fit the others"),
                (["--registration", "12345"], "a SIREN has 9 digits and a SIRET 14, not 5"),
                (["--price", "12,50"], "12.50EUR"), (["--position", "91,6"], "in degrees with a decimal point"),
                (["--link", "mastodon=https://a.b"], "where KIND is website"),
                (["--link", "website=javascript:alert(1)"], "each beginning with https://"),
                (["--place", String(repeating: "long ", count: 20)], "at most 80 characters"),
                (["--starts", "2030-01-02", "--reveal", "at=2030-01-01"], "revealed after the event's start"),
                (["--preset", "funeral"], "wedding, birthday"),
            ])
        func wrongValues(options: [String], hint: String) async throws {
            let folder = NSTemporaryDirectory() + "wrong-" + UUID().uuidString
            let command = try await Command.run([try Product.disposable, "host", "Party", "--data", folder] + options)
            #expect(command.exitCode == 2)
            #expect(command.errorText.contains(hint), "\(command.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/events"))
        }

        @Test("A draft is edited freely; once the event is open, guests keep what they were promised")
        func draft() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start(
                    "Anna", on: 1,
                    ["host", "Party", "--as", "Anna", "--draft", "--preset", "birthday", "--starts", "today 00:00"])
                // Can be printed days before.
                _ = try await anna.invitation
                func event(_ arguments: String...) async throws -> Command {
                    try await stage.command("Anna", on: 1, ["event"] + arguments)
                }
                var info = try await Self.info(stage, "Anna", on: 1)
                #expect(
                    info.phase == "draft" && info.parameters.category == "birthday"
                        && info.parameters.durationHours == 12)
                #expect(
                    try await event("edit", "--frames", "12", "--retention", "30d", "--duration", "5d").exitCode == 0)
                #expect(try await event("open", "--yes").exitCode == 0)
                info = try await Self.info(stage, "Anna", on: 1)
                #expect(info.phase == "open" && info.parameters.frames == 12)

                let fewer = try await event("edit", "--place", "Barn", "--frames", "11")
                #expect(
                    fewer.exitCode == 1 && fewer.errorText.contains("guests were promised their frames"),
                    "\(fewer.errorText)")
                let longer = try await event("edit", "--retention", "31d")
                #expect(longer.exitCode == 2 && longer.errorText.contains("from 1h to 30d"))
                #expect(try await event("edit", "--retention", "29d", "--frames", "unlimited").exitCode == 0)
                #expect(try await event("edit", "--retention", "30d").exitCode == 1)
                #expect(try await event("edit", "--frames", "unlimited").exitCode == 3)
                #expect(try await event("edit").exitCode == 2)
                let sealed = try await event("edit", "--reveal", "at-end")
                #expect(sealed.exitCode == 1 && sealed.errorText.contains("the photos of this event are not sealed"))
                info = try await Self.info(stage, "Anna", on: 1)
                #expect(
                    info.parameters.place.isEmpty && info.parameters.frames == 0
                        && info.parameters.retentionHours == 29 * 24)

                // The same without a running node, and after the end of the event.
                try await anna.stop()
                #expect(anna.errorText.contains("is a draft"))
                #expect(try await event("close", "--yes").exitCode == 0)
                #expect(try await Self.info(stage, "Anna", on: 1).phase == "revealed")
                #expect(try await event("open").exitCode == 0)
                #expect(try await Self.info(stage, "Anna", on: 1).phase == "open")
            }
        }

        @Test("Two organizers who edit in separate partitions end with one charter, and neither can lower frames")
        func edits() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "2"])
                let (ben, chloe) = try await stage.join(anna)
                func ask(_ name: String, _ arguments: String...) async throws -> Command {
                    try await stage.command(name, on: ["Anna": 1, "Ben": 2, "Chloe": 3][name]!, arguments)
                }
                let pictures = try stage.makeFolder("pictures")
                let files = try await Pictures.paint(6, seed: 1_200, in: pictures)
                try await stage.add(Array(files.prefix(2)), "Chloe", on: 3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 2)
                let full = try await ask("Chloe", "add", files[2])
                #expect(full.exitCode == 1 && full.errorText.contains("all 2 frames are used"), "\(full.errorText)")
                let guest = try await ask("Chloe", "event", "edit", "--frames", "9")
                #expect(
                    guest.exitCode == 1 && guest.errorText.contains("this requires an organizer"), "\(guest.errorText)")
                #expect(try await ask("Anna", "role", "grant", "organizer", "Ben").exitCode == 0)
                try await stage.waitForRole("organizer", of: "Ben", on: [("Anna", 1), ("Ben", 2), ("Chloe", 3)])

                try await stage.lan.cut(2)
                #expect(try await ask("Anna", "event", "edit", "--frames", "4", "--name", "Anna's party").exitCode == 0)
                let raised = try await ask(
                    "Ben", "event", "edit", "--frames", "3", "--place", "Barn", "--retention", "1d")
                #expect(raised.exitCode == 0, "\(raised.errorText)")
                #expect(try await ask("Anna", "event", "frames", "Chloe", "+1").exitCode == 0)
                #expect(try await ask("Ben", "event", "frames", "Chloe", "+1").exitCode == 0)
                let lowered = try await ask("Ben", "event", "edit", "--frames", "1")
                #expect(
                    lowered.exitCode == 1 && lowered.errorText.contains("promised their frames"), "\(lowered.errorText)"
                )
                try await stage.lan.heal(2)
                // The latest statuses may be from before the edits: ask the nodes.
                for (name, host) in [("Anna", 1), ("Ben", 2), ("Chloe", 3)] {
                    let end = ContinuousClock.now + .patience
                    while ContinuousClock.now < end {
                        let info = try await Self.info(stage, name, on: host)
                        let frames = info.people.first { $0.name == "Chloe" }?.frames
                        if info.parameters.place == "Barn", info.parameters.name == "Anna's party", frames == 6 {
                            break
                        }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                }
                for (name, host) in [("Anna", 1), ("Ben", 2), ("Chloe", 3)] {
                    let info = try await Self.info(stage, name, on: host)
                    #expect(info.parameters.frames == 4 && info.parameters.retentionHours == 24, "\(name)")
                    #expect(info.parameters.name == "Anna's party" && info.parameters.place == "Barn", "\(name)")
                    let frames = info.people.first { $0.name == "Chloe" }?.frames
                    #expect(frames == 6, "\(name): the extra frames of both add up")
                }
                // Ben has received the four frames now.
                let again = try await ask("Ben", "event", "edit", "--frames", "3")
                #expect(again.exitCode == 1 && again.errorText.contains("promised their frames"), "\(again.errorText)")

                try await stage.add(Array(files.dropFirst(2)), "Chloe", on: 3)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 6)
                let photo = try #require(try await ask("Anna", "gallery").lines.first?.id)
                #expect(try await ask("Ben", "hide", photo).exitCode == 0)
                try await stage.waitUntilEqual([anna, ben, chloe], photoCount: 5)
                let info = try await Self.info(stage, "Anna", on: 1)
                #expect((info.photoCount, info.hiddenCount, info.waitingCount) == (5, 1, 0))
                #expect((info.personCount, info.framesUsed) == (3, 6))
                #expect(info.hours.reduce(0) { $0 + $1.photoCount } == 5 && info.byteCount > 0)

                // Machines on the network see the new name.
                try await stage.hear("the new name from all three", on: 3, as: "Chloe") { lines in
                    let latest = Dictionary(lines.map { ($0.address, $0.name) }) { $1 }
                    return (1...3).allSatisfy { latest["10.77.0.\($0):8028"] == "Anna's party" }
                }
            }
        }
    }
}
