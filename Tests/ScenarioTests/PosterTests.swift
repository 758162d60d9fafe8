// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Printed invitations")
    struct PosterTests {
        /// Reads the codes and the text of a page with independent programs, at the resolution of a cheap printer.
        private func codes(on page: Int, of file: String, _ stage: Stage) async throws -> [String] {
            let picture = stage.path("page-\(page)")
            try await Command.succeed(
                [
                    "/usr/bin/pdftoppm", "-r", "150", "-f", "\(page)", "-l", "\(page)", "-singlefile", "-png", file,
                    picture,
                ])
            return try await codes(in: picture + ".png")
        }

        private func codes(in picture: String) async throws -> [String] {
            let reader = ["/usr/bin/zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary"]
            return try await Command.succeed(reader + [picture]).output.sorted()
        }

        @Test("A poster, cards and a tent lead into the Wi-Fi and to the gallery, for any name of the Wi-Fi")
        func poster() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1, event: "Ben & \"Zoë\" <summer> 🎉")
                _ = try await anna.invitation
                let link = try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL
                let gallery = try #require(link)
                let (file, card, sheet) = (stage.path("party.pdf"), stage.path("party.png"), stage.path("card.pdf"))
                let wifi = ["--wifi", #"a;b:c,d\e"f é"#, "--wifi-password", #"1;2:3,4\5"6"#, "--language", "en"]
                for files in [["--poster", file, "--card", card], ["--card", sheet]] {
                    let printed = try await stage.command("Anna", on: 1, ["invite"] + files + wifi)
                    #expect(printed.exitCode == 0, "\(printed.errorText)")
                }
                let both = [#"WIFI:S:a\;b\:c\,d\\e\"f é;T:WPA;P:1\;2\:3\,4\\5\"6;;"#, gallery].sorted()
                #expect(try await codes(on: 1, of: file, stage) == both)
                #expect(try await codes(on: 2, of: file, stage) == (both + both + both + both).sorted())
                #expect(try await codes(on: 3, of: file, stage) == (both + both).sorted())
                #expect(try await codes(in: card) == both)
                #expect(try await codes(on: 1, of: sheet, stage) == both)
                let text = try await Command.succeed(["/usr/bin/pdftotext", "-f", "1", "-l", "1", file, "-"]).output
                let words = text.joined(separator: " ")
                for said in ["Ben & \"Zoë\" <summer>", "10.77.0.1:8027", "stay connected", #"a;b:c,d\e"f"#] {
                    #expect(words.contains(said), "\(said) is not among \(words)")
                }
            }
        }

        @Test("A poster is in the language that was asked for, otherwise in that of the terminal")
        func language() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1, event: "Les 40 ans de Zoé")
                _ = try await anna.invitation
                for (options, said) in [
                    (["--language", "fr"], "Anna vous invite à prendre des photos."),
                    (["--language", "en"], "Anna invites you to take photos."),
                ] {
                    let file = stage.path("party.pdf")
                    let printed = try await stage.command("Anna", on: 1, ["invite", "--poster", file] + options)
                    #expect(printed.exitCode == 0, "\(printed.errorText)")
                    #expect(try await codes(on: 1, of: file, stage).count == 1)
                    for page in ["1", "2", "3"] {
                        let text = try await Command.succeed(
                            ["/usr/bin/pdftotext", "-f", page, "-l", page, file, "-"]
                        ).output
                        #expect(text.joined(separator: " ").contains(said), "page \(page): \(text)")
                    }
                }
                let without = try await stage.command("Anna", on: 1, ["invite", "--language", "fr"])
                #expect(without.exitCode == 2 && without.errorText.contains("need --poster, --card or --cards"))
            }
        }

        @Test("A poster and a tent have a second code for another node, and cards its address")
        func secondAddress() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let link = try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL
                let gallery = try #require(link)
                let other = gallery.replacing("10.77.0.1:", with: "10.77.0.2:")
                let file = stage.path("party.pdf")
                let poster = ["invite", "--poster", file, "--language", "en", "--second-address"]
                for wifi in [[], ["--wifi", "Party", "--wifi-password", "correct horse"]] {
                    let printed = try await stage.command("Anna", on: 1, poster + ["10.77.0.2:8027"] + wifi)
                    #expect(printed.exitCode == 0, "\(printed.errorText)")
                    let first = wifi.isEmpty ? [gallery] : ["WIFI:S:Party;T:WPA;P:correct horse;;", gallery]
                    let all = first + [other]
                    #expect(try await codes(on: 1, of: file, stage) == all.sorted())
                    #expect(try await codes(on: 2, of: file, stage) == (first + first + first + first).sorted())
                    #expect(try await codes(on: 3, of: file, stage) == (all + all).sorted())
                    for page in ["1", "2"] {
                        let text = try await Command.succeed(
                            ["/usr/bin/pdftotext", "-f", page, "-l", page, file, "-"]
                        ).output.joined(separator: " ")
                        #expect(text.contains("If nothing answers: 10.77.0.2:8027"), "page \(page): \(text)")
                    }
                }
                let same = try await stage.command("Anna", on: 1, poster + ["10.77.0.1:8027"])
                #expect(same.exitCode == 1 && same.errorText.contains("the second address is the first one"))
                let name = try await stage.command("Anna", on: 1, poster + ["party.local"])
                #expect(name.exitCode == 2 && name.errorText.contains("party.local"))
                let bare = try await stage.command("Anna", on: 1, ["invite", "--second-address", "10.77.0.2"])
                #expect(bare.exitCode == 2 && bare.errorText.contains("needs --poster or --card"))
            }
        }

        @Test("Poster and cards have the event's cover, and their codes are read beside it")
        func cover() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1, event: "A long name for a party in the garden")
                _ = try await anna.invitation
                let file = stage.path("party.pdf")
                let poster = ["invite", "--poster", file, "--wifi", "Party", "--wifi-password", "correct horse"]
                func pictures(on page: Int) async throws -> Int {
                    try await Command.succeed(
                        ["/usr/bin/pdfimages", "-list", "-f", "\(page)", "-l", "\(page)", file]
                    ).output.count { $0.contains(" image ") }
                }
                #expect(try await stage.command("Anna", on: 1, poster).exitCode == 0)
                #expect(try await pictures(on: 1) == 0)
                let codes = try await codes(on: 2, of: file, stage)
                let photo = try await Pictures.paint(1, seed: 900, in: stage.makeFolder("pictures"))[0]
                let chosen = try await stage.command("Anna", on: 1, ["event", "picture", "cover", photo])
                #expect(chosen.exitCode == 0, "\(chosen.errorText)")
                let printed = try await stage.command("Anna", on: 1, poster)
                #expect(printed.exitCode == 0, "\(printed.errorText)")
                #expect(try await pictures(on: 1) >= 1)
                #expect(try await pictures(on: 2) >= 1)
                #expect(try await self.codes(on: 2, of: file, stage) == codes)
            }
        }

        /// Writes a copy of a drawing of the program with other content.
        private func drawing(
            _ name: String, as copy: String, _ stage: Stage, _ changed: (String) -> String
        ) throws -> String {
            let own = try String(
                contentsOfFile: Product.file("Sources/DisposablePortal/Public/print/\(name).svg"), encoding: .utf8)
            let path = stage.path(copy)
            try changed(own).write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        private func text(on page: Int, of file: String) async throws -> String {
            try await Command.succeed(["/usr/bin/pdftotext", "-f", "\(page)", "-l", "\(page)", file, "-"])
                .output.joined(separator: " ")
        }

        @Test("An own drawing is printed with the codes and texts of the event in its places, without its samples")
        func ownDrawing() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1, event: "Ben & <Zoë>")
                _ = try await anna.invitation
                let link = try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL
                let gallery = try #require(link)
                let file = stage.path("party.pdf")
                let poster = ["invite", "--poster", file, "--language", "en", "--template"]
                // As an editor writes it: the text's font in its first line, numbers behind ids, other ends of lines.
                let upright = try drawing("poster", as: "poster.svg", stage) { own in
                    own.replacing(/<text id="title"[^<]*<\/text>/, with: "<path id=\"path7\" d=\"M0 0h1\"/>")
                        .replacing(
                            /<text id="title-2"[^<]*<\/text>/,
                            with: """
                                <text id='title-2-7' style='inline-size:178' x="16" y="50" data-lines="2">\
                                <tspan x="16" y="50" style="font-size:19px;font-weight:bold">Sample</tspan></text>
                                """
                        )
                        .replacing(#"<g id="foot">"#, with: #"<g><text y="293" font-size="3">Bring a jumper</text>"#)
                        .replacing("\n", with: "\r\n")
                }
                let wide = try drawing("ticket", as: "ticket.svg", stage) { own in
                    own.replacing("</svg>", with: "<text x=\"100\" y=\"38\" font-size=\"5\">Keep this</text></svg>")
                }
                for (drawings, said) in [
                    ([upright], ["Bring a jumper", "Bring a jumper", "invites"]),
                    ([wide, "--template", upright], ["Bring a jumper", "Bring a jumper", "Keep this"]),
                ] {
                    let printed = try await stage.command("Anna", on: 1, poster + drawings)
                    #expect(printed.exitCode == 0, "\(printed.errorText)")
                    for (index, words) in said.enumerated() {
                        let text = try await text(on: index + 1, of: file)
                        for part in [words, "Ben & <Zoë>", "10.77.0.1:8027"] {
                            #expect(text.contains(part), "page \(index + 1) has no \(part): \(text)")
                        }
                        for sample in ["Sample", "10.0.0.7", "K7QM-3XPD"] {
                            #expect(!text.contains(sample), "page \(index + 1): \(text)")
                        }
                        let scanned = try await codes(on: index + 1, of: file, stage)
                        #expect(scanned == Array(repeating: gallery, count: [1, 4, 2][index]))
                    }
                }
                let cards = ["invite", "--tickets", "2", "--cards", file, "--template", wide]
                let tickets = try await stage.command("Anna", on: 1, cards)
                #expect(tickets.exitCode == 0, "\(tickets.errorText)")
                #expect(try await text(on: 1, of: file).contains("Keep this"))
                #expect(try await codes(on: 1, of: file, stage).allSatisfy { $0.hasPrefix(gallery + "~") })
            }
        }

        @Test("A drawing that cannot be a poster is refused with the place of the mistake, and nothing is written")
        func wrongDrawing() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let (file, copy) = (stage.path("party.pdf"), stage.path("own.svg"))
                let changes: [(from: String, to: String, complaint: String)] = [
                    (#"id="words""#, #"id="word""#, #"own.svg prints no element with the id "words""#),
                    (#"id="wifi-code""#, #"id="qr""#, #"own.svg prints no element with the id "wifi-code""#),
                    (#"<text id="title-2""#, #"<path id="title"/><text id="x""#, #""title" is a <path>, not a <text>"#),
                    (#"class="paper" x="14""#, #"class="paper" x="14mm""#, "needs a number, no unit, as its x"),
                    (#"id="with-cover""#, #"id="with-photo""#, #"line 38: "with-photo" is no group of one of"#),
                    (#"  <g id="foot">"#, "", "closes no element that is open"),
                    (#"<g id="foot">"#, #"<g id="foot>"#, "begins no tag"),
                    ("</defs>", #"</defs><image href="photo.jpg"/>"#, #"line 27: embed the picture "photo.jpg""#),
                    (#"viewBox="0 0 210 297""#, "", "has no <svg> with a viewBox"),
                ]
                for (from, to, complaint) in changes {
                    _ = try drawing("poster", as: "own.svg", stage) { $0.replacing(from, with: to) }
                    let refused = try await stage.command(
                        "Anna", on: 1, ["invite", "--poster", file, "--template", copy, "--wifi", "Party"])
                    #expect(refused.exitCode == 1, "\(to): \(refused.errorText)")
                    #expect(refused.errorText.contains(complaint), "\(to): \(refused.errorText)")
                }
                let missing = try await stage.command(
                    "Anna", on: 1, ["invite", "--poster", file, "--template", stage.path("none.svg")])
                #expect(missing.exitCode == 1 && missing.errorText.contains("none.svg"))
                for arguments in [["invite", "--template", copy], ["invite", "tickets", "--template", copy]] {
                    let bare = try await stage.command("Anna", on: 1, arguments)
                    #expect(bare.exitCode == 2 && bare.errorText.contains("--cards"), "\(bare.errorText)")
                }
                #expect(!FileManager.default.fileExists(atPath: file))
            }
        }

        @Test("A tag has the link of the gallery as its only record")
        func tag() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let link = try await stage.command("Anna", on: 1, ["invite"]).lines[0].guestURL
                let gallery = try #require(link)
                let file = stage.path("party.ndef")
                let written = try await stage.command("Anna", on: 1, ["invite", "--tag", file])
                #expect(written.exitCode == 0, "\(written.errorText)")
                // One short record, the first and the last, of the well-known type "U"; 3 stands for "http://".
                let rest = Array(gallery.utf8.dropFirst("http://".utf8.count))
                let record: [UInt8] = [0xD1, 1, UInt8(rest.count + 1), UInt8(ascii: "U"), 3] + rest
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(record))
                #expect(record.count <= 141)
                let nowhere = try await stage.command("Anna", on: 1, ["invite", "--tag", stage.path("none/party.ndef")])
                #expect(nowhere.exitCode == 1 && nowhere.errorText.contains("cannot write"))
            }
        }

        @Test("A node without the printed address starts with a warning and the command that adds the address")
        func plannedAddress() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                try await anna.stop()
                let file = stage.path("party.pdf")
                let nowhere = try await stage.command("Anna", on: 1, ["invite", "--poster", file])
                #expect(nowhere.exitCode == 1)
                #expect(nowhere.errorText.contains("name the address at the event with --address"))
                #expect(!FileManager.default.fileExists(atPath: file))

                let planned = ["invite", "--poster", file, "--address", "10.77.0.99"]
                let printed = try await stage.command("Anna", on: 1, planned)
                #expect(printed.exitCode == 0, "\(printed.errorText)")
                let command = "sudo ip address add 10.77.0.99/24 dev eth0"
                #expect(printed.errorText.contains(command))
                #expect(try await codes(on: 1, of: file, stage).allSatisfy { $0.hasPrefix("http://10.77.0.99:8027/#") })

                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                try await again.waitForText("the printed posters say 10.77.0.99", command)
                try await again.stop()
                let words = command.split(separator: " ").dropFirst().map(String.init)
                try await Command.succeed(stage.lan.on(1, words))
                let ready = try stage.start("Anna", on: 1, ["run"])
                _ = try await ready.invitation
                try await ready.stop()
                #expect(!ready.errorText.contains("posters"))
            }
        }

        @Test("A machine whose address changes shows its guests another link, and reports outdated posters")
        func otherAddress() async throws {
            try await Stage.with(hostCount: 1) { stage in
                // Started before there is a network.
                try await stage.lan.leaveLinkLocal(1)
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                func take(_ address: String, _ options: [String] = []) async throws {
                    try await Command.succeed(
                        stage.lan.on(1, ["ip", "address", "add", address, "dev", "eth0"] + options))
                }
                try await take("10.77.0.1/24")
                try await waitForLink(to: "10.77.0.1", of: anna)
                let printed = try await stage.command("Anna", on: 1, ["invite", "--card", stage.path("card.pdf")])
                #expect(printed.exitCode == 0, "\(printed.errorText)")

                // A change that does not concern guests is not reported.
                try await take("fd00:77::7/64", ["nodad"])
                try await Task.sleep(for: .seconds(2))
                #expect(anna.lines.count { $0.type == "moved" } == 1)
                #expect(!anna.errorText.contains("posters"))

                try await stage.lan.readdress(1, to: "10.77.0.101")
                try await waitForLink(to: "10.77.0.101", of: anna)
                try await anna.waitForText(
                    "this machine's address has changed: guests use 10.77.0.101:8027",
                    "  http://10.77.0.101:8027/#", "the printed posters say 10.77.0.1,")

                try await stage.lan.leaveLinkLocal(1)
                try await waitForLink(to: nil, of: anna)
                try await anna.waitForText("guests cannot reach this machine now")
            }
        }

        /// Waits until the latest address that a node reported is this.
        private func waitForLink(to address: String?, of node: RunningNode) async throws {
            let start = address.map { "http://\($0):8027/#" }
            _ = try await node.waitFor("a link to \(address ?? "no address")") { lines -> Bool? in
                guard let line = lines.last(where: { $0.type == "moved" }) else { return nil }
                let isWanted = start.map { line.guestURL?.hasPrefix($0) == true } ?? (line.guestURL == nil)
                return isWanted ? true : nil
            }
        }

        @Test("Print options that are wrong are refused with a hint")
        func refusals() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let poster = ["invite", "--poster", stage.path("party.pdf")]
                for (arguments, exitCode, complaint) in [
                    (["invite", "--poster", "party.doc"], 2, "a poster is a PDF"),
                    (["invite", "--wifi", "Party"], 2, "need --poster, --card or --cards"),
                    (["invite", "--tag", "party.ndef", "--wifi", "Party"], 2, "need --poster, --card or --cards"),
                    (["invite", "--tag", "party.ndef", "--node"], 2, "are for guests"),
                    (poster + ["--wifi-password", "secret"], 2, "need the name"),
                    (poster + ["--wifi", "Party", "--wifi-password", "short"], 1, "8 to 63 characters"),
                    (poster + ["--wifi", String(repeating: "x", count: 33)], 1, "1 to 32 bytes"),
                    (poster + ["--address", "party.local"], 2, "party.local"),
                ] {
                    let command = try await stage.command("Anna", on: 1, arguments)
                    #expect(command.exitCode == Int32(exitCode), "\(arguments): \(command.errorText)")
                    #expect(command.errorText.contains(complaint), "\(command.errorText)")
                }
                #expect(!FileManager.default.fileExists(atPath: stage.path("party.pdf")))
            }
        }
    }
}
