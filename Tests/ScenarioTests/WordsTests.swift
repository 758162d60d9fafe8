// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Output of commands for people")
    struct WordsTests {
        @Test("The start of an event with sealed photos says once that only this machine can open them")
        func sealedStart() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--reveal", "at-end"])
                _ = try await anna.invitation
                try await anna.waitForText("only this machine can open the photos", "Your desk (link works once")
                #expect(anna.errorText.components(separatedBy: "only this machine can open").count == 2)
                #expect(!anna.errorText.contains("error disposable"))
                #expect(!anna.errorText.contains("Avahi"))
            }
        }

        @Test("Answers name people, and `people` lists them with photos and roles")
        func names() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--frames", "3"])
                let ben = try stage.start("Ben", on: 2, ["join", try await anna.invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                try await ben.waitForText("You're in \"Garden party\". Add photos")
                try await anna.waitForStatus("Ben is there") { $0.peers?.contains { $0.name == "Ben" } == true }
                try await stage.add(Pictures.paint(1, seed: 20, in: stage.makeFolder("pictures")), "Ben", on: 2)
                try await stage.waitUntilEqual([anna, ben], photoCount: 1)
                func say(_ arguments: String...) async throws -> String {
                    try await stage.text("Anna", on: 1, arguments)
                }
                #expect(try await say("event", "frames", "Ben", "+5") == "Ben has 8 frames now")
                #expect(try await say("role", "grant", "page", "Ben") == "granted page to Ben")
                let people = try await say("people")
                #expect(people.contains("Anna  0 photos, you, organizer"), "\(people)")
                #expect(people.contains("Ben  1 photo, 1 of 8 frames used, page"), "\(people)")
                let lines = try await stage.command("Anna", on: 1, ["people"]).lines
                #expect(lines.map(\.type) == ["person", "person"])
                #expect(Set(lines.map(\.name)) == ["Anna", "Ben"])

                let revoked = try await stage.command("Anna", on: 1, ["role", "revoke", "page", "Ben"])
                #expect(revoked.exitCode == 0 && revoked.errorText.contains("Ben would lose the role page."))
                #expect(!revoked.errorText.contains("0 photos of 0 people"))
                let unknown = try await stage.command("Anna", on: 1, ["role", "grant", "page", "Eve"])
                #expect(unknown.exitCode == 3 && unknown.errorText.contains("`disposable people` lists names and keys"))
            }
        }

        @Test("Hidden photos are listed, several are hidden and put back at once, times are local for people only")
        func hidden() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let ids = try await stage.add(
                    Pictures.paint(3, seed: 40, in: stage.makeFolder("pictures")), "Anna", on: 1
                ).compactMap(\.id)
                let hide = try await stage.command("Anna", on: 1, ["hide", ids[0], String(ids[1].prefix(12))])
                #expect(hide.exitCode == 0 && hide.output.count == 2)
                let hidden = try await stage.command("Anna", on: 1, ["gallery", "--hidden"]).lines
                #expect(hidden.map(\.state) == ["hidden", "hidden"] && Set(hidden.map(\.id)) == Set(ids.prefix(2)))
                #expect(try await stage.command("Anna", on: 1, ["unhide"] + ids.prefix(2)).exitCode == 0)
                #expect(try await stage.command("Anna", on: 1, ["gallery", "--hidden"]).output.isEmpty)

                // 2025-08-16 12:00 UTC, by the camera.
                let tokyo = ["/usr/bin/env", "TZ=Asia/Tokyo"]
                let text = try await Command.succeed(
                    stage.lan.on(1, tokyo + [try Product.disposable, "gallery", "--data", stage.path("Anna")]))
                #expect(text.output.first?.contains("  2025-08-16 21:00  ") == true, "\(text.output)")
                let json = try await stage.command("Anna", on: 1, ["gallery"], through: tokyo)
                #expect(json.output.first?.contains("\"takenAt\":\"2025-08-16T12:00:00.000Z\"") == true)
            }
        }

        @Test("Closing and erasing ask for a confirmation, need --yes in a script, and `status` says what is over")
        func confirmation() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                #expect(
                    try await stage.text("Anna", on: 1, ["status"]).contains("Garden party (organizer), open until"))
                let id = try #require(
                    try await stage.add(Pictures.paint(1, seed: 60, in: stage.makeFolder("pictures")), "Anna", on: 1)[0]
                        .id)
                for command in [["erase", id], ["event", "close"]] {
                    let script = try await stage.command("Anna", on: 1, command)
                    #expect(script.exitCode == 2 && script.errorText.contains("add --yes"), "\(script.errorText)")
                    #expect(try await typing("no", command, stage) == 3)
                }
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.count == 1)
                #expect(try await typing("yes", ["event", "close"], stage) == 0)
                #expect(try await stage.text("Anna", on: 1, ["status"]).contains("Garden party (organizer), over\n"))
                #expect(try await typing("yes", ["erase", id], stage) == 0)
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.isEmpty)
            }
        }

        /// Returns the exit code of a command in a terminal in which a word is typed.
        private func typing(_ word: String, _ arguments: [String], _ stage: Stage) async throws -> Int32 {
            let command = ([try Product.disposable] + arguments + ["--data", stage.path("Anna")])
                .map { "'\($0)'" }.joined(separator: " ")
            let terminal = "(sleep 1; echo \(word); sleep 1) | /usr/bin/script -qec \"$0\" /dev/null"
            return try await Command.run(stage.lan.on(1, ["/bin/sh", "-c", terminal, command])).exitCode
        }

        @Test("`consent` shows the default text if the node needs no consent")
        func consent() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let consent = try await stage.command("Anna", on: 1, ["consent"])
                #expect(consent.exitCode == 0 && consent.output.count == 1, "\(consent.errorText)")
                #expect(consent.errorText.contains("What you agree to"))
            }
        }

        @Test(
            "A wrong argument is reported before a locked folder, and a misspelt command gets a suggestion")
        func wrongWords() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let join = try await stage.command("Anna", on: 1, ["join", "foo"])
                #expect(join.exitCode == 3 && join.errorText.contains("neither an invitation nor an event"))
                for command in ["run", "desk"] {
                    let run = try await stage.command("Anna", on: 1, [command, "--portal", "foo"])
                    #expect(run.exitCode == 2 && run.errorText.contains("foo is not an address with a port"))
                }
                let pairs = [
                    ("statsu", "status"), ("galery", "gallery"), ("event opne", "open"), ("role gant", "grant"),
                ]
                for (typed, meant) in pairs {
                    let answer = try await Command.run(
                        [try Product.disposable] + typed.split(separator: " ").map(String.init))
                    #expect(
                        answer.exitCode == 2 && answer.errorText.contains("did you mean `\(meant)`?"),
                        "\(answer.errorText)")
                }
                let strange = try await Command.run([try Product.disposable, "quuxfrotz"])
                #expect(strange.exitCode == 2 && !strange.errorText.contains("did you mean"))
                let help = try await Command.succeed([try Product.disposable, "--help"]).output
                for group in ["HOST", "GUEST", "PHOTOS", "MODERATE", "CARE"] {
                    #expect(help.contains { $0.uppercased() == "\(group) SUBCOMMANDS:" }, "\(help)")
                }
            }
        }

        @Test("A poster on a machine without a network asks for the address, and does not claim that no node runs")
        func poster() async throws {
            try await Stage.with(hostCount: 1) { stage in
                try await stage.lan.leaveLinkLocal(1)
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let poster = try await stage.command("Anna", on: 1, ["invite", "--poster", stage.path("party.pdf")])
                #expect(poster.exitCode == 1 && poster.errorText.contains("this machine has no network yet"))
                #expect(poster.errorText.contains("--address"))
            }
        }

        @Test(
            "With --interface the guests' page is served on that interface and on loopback",
            arguments: [("lo", false, false), ("eth0", true, false), ("other0", false, true)])
        func interface(name: String, isOnLAN: Bool, isOnOther: Bool) async throws {
            try await Stage.with(hostCount: 1) { stage in
                for command in [
                    "link add other0 type veth peer name other1", "address add 10.99.0.1/24 dev other0",
                    "link set other0 up",
                ] {
                    try await Command.succeed(stage.lan.on(1, ["ip"] + command.split(separator: " ").map(String.init)))
                }
                let anna = try stage.start("Anna", on: 1, ["host", "Garden party", "--no-mdns", "--interface", name])
                _ = try await anna.invitation
                @Sendable func isOpen(_ address: String) async throws -> Bool {
                    let connecting = ["/usr/bin/timeout", "60", "/bin/bash", "-c", "exec 3<>/dev/tcp/\(address)/8027"]
                    return try await Command.run(stage.lan.on(1, connecting)).exitCode == 0
                }
                try await watchdog(.patience, { "pages for the machine itself" }) {
                    while try await !isOpen("127.0.0.1") { try await Task.sleep(for: .milliseconds(100)) }
                }
                #expect(try await isOpen("10.77.0.1") == isOnLAN)
                #expect(try await isOpen("10.99.0.1") == isOnOther)
                let link = try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL
                #expect((link != nil) == (isOnLAN || isOnOther), "\(link ?? "none")")
            }
        }
    }
}
