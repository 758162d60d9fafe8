// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Refused nodes")
    struct InvitationTests {
        @Test("A changed, a truncated and a guests' invitation are each refused with the reason")
        func brokenInvitations() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let invitation = Array(try await stage.host("Anna", on: 1).invitation)
                func refusal(of text: String) async throws -> Command {
                    try await stage.command("Eve", on: 1, ["join", text, "--timeout", "5"])
                }

                var changed = invitation
                changed[60] = changed[60] == "A" ? "B" : "A"
                let damaged = try await refusal(of: String(changed))
                #expect(damaged.exitCode == 2)
                #expect(damaged.errorText.contains("the invitation is damaged: a part of it is missing or changed"))

                let truncated = try await refusal(of: String(invitation.dropLast(8)))
                #expect(truncated.exitCode == 2)
                #expect(truncated.errorText.contains("the invitation is damaged: a part of it is missing or changed"))

                var misread = invitation
                misread[60] = "0"
                let wrong = try await refusal(of: String(misread))
                #expect(wrong.exitCode == 2)
                #expect(wrong.errorText.contains("the invitation has a wrong character, \"0\", at position 61"))

                let guests = try await refusal(of: "http://10.77.0.1:8027/#g=abcdefghijk")
                #expect(guests.exitCode == 2)
                #expect(guests.errorText.contains("this is the guests' link"))

                let other = try await refusal(of: "Summer fair")
                #expect(other.exitCode == 3)
                #expect(other.errorText.contains("neither an invitation nor an event of this node"))

                for text in ["wbrh-tvrx", "K7QM3XPD"] {
                    let code = try await refusal(of: text)
                    #expect(code.exitCode == 3 && code.errorText.contains("a code for guests, which admits no node"))
                }
            }
        }

        @Test("The node at the address refuses an invitation to another event, and the joining node says so")
        func foreignInvitation() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let other = try stage.host("Zoe", on: 1, event: "Another party")
                let invitation = try await other.invitation
                try await other.stop()
                // At the same address now.
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation

                let join = try await stage.command("Eve", on: 2, ["join", invitation, "--timeout", "30"])
                #expect(join.exitCode == 1)
                #expect(
                    join.errorText.contains("the node at 10.77.0.1:8028 does not accept this invitation"),
                    "\(join.errorText)")
                #expect(
                    join.errorText.contains(
                        "error: no node of this event was found, and 10.77.0.1:8028 did not accept the invitation"))
                #expect(try join.lines.contains { $0.type == "rejected" && $0.address == "10.77.0.1:8028" })
                #expect(try join.lines.allSatisfy { $0.type != "admitted" })
                #expect(anna.lines.allSatisfy { ($0.memberCount ?? 1) == 1 })
            }
        }

        @Test("A client that sends random bytes gets the same sixteen bytes as any other, and blocks nobody")
        func randomBytes() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                // A preface has 37 bytes: the node waits for the rest until the handshake times out.
                let byteCounts = [0, 1, 16, 36] + (0..<16).map { 37 + $0 * $0 * $0 * 40 }
                // As many at once as one address may have.
                for start in stride(from: 0, to: byteCounts.count, by: 4) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for byteCount in byteCounts[start..<start + 4] {
                            group.addTask {
                                let answer = try await Self.answer(to: byteCount, stage: stage)
                                #expect(answer == "16", "to \(byteCount) random bytes")
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
                try await anna.waitForStatus("a member more") { $0.memberCount == 2 }
            }
        }

        private struct JunkFigures: Decodable {
            let connections: Int
            let answeredBytesMax: Int
            let memoryGrowthMegabytes: Double
        }

        @Test("junk connections get at most sixteen bytes each and use no memory; transfers continue")
        func junk() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let bench = try await Command.succeed(
                    stage.lan.on(1, [try Product.lab, "bench", "junk", "--files", "4", "--seconds", "4"]),
                    within: .seconds(600))
                let figures = try JSONDecoder().decode(JunkFigures.self, from: Data((bench.output.first ?? "").utf8))
                #expect(figures.connections > 0)
                #expect(figures.answeredBytesMax <= 16)
                #expect(figures.memoryGrowthMegabytes <= 32)
            }
        }

        /// Returns the number of bytes that the node answers before it closes the connection, which it must.
        private static func answer(to byteCount: Int, stage: Stage) async throws -> String? {
            let script = """
                exec 3<>/dev/tcp/10.77.0.1/8028
                head -c \(byteCount) /dev/urandom >&3
                timeout 150 cat <&3 | wc -c
                exit ${PIPESTATUS[0]}
                """
            let command = try await Command.run(stage.lan.on(2, ["/bin/bash", "-c", script]))
            // 1: the connection was reset during the transfer; 124 would mean that cat is still waiting.
            #expect([0, 1].contains(command.exitCode), "\(command.exitCode): \(command.errorText)")
            return command.output.first
        }
    }
}
