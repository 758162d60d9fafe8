// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    @Suite("Crashes")
    struct CrashTests {
        /// 200 MB, from small files to large ones, or half of that.
        private static let byteCounts =
            [Int](repeating: 4 << 20, count: Requirements.isLong ? 20 : 10)
            + [Int](repeating: 30 << 20, count: Requirements.isLong ? 4 : 2)
        private static let killCount = Requirements.isLong ? 10 : 6
        /// The bytes of unsaved chunks that an incomplete blob may have.
        private static let unsavedByteCountMax = 8 << 20

        /// Two nodes and a transfer between them, in which either is killed repeatedly.
        private struct Rounds {
            let stage: Stage
            var nodes: [String: RunningNode]
            let hosts = ["Anna": 1, "Ben": 2]
            /// The latest counters of each node.
            private var counted = ["Anna": 0, "Ben": 0]
            private(set) var carriedByteCount = 0
            private(set) var unsavedByteCountMax = 0
            private var adding: [RunningNode] = []
            private var addedByteCount = 0

            init(stage: Stage, anna: RunningNode, ben: RunningNode) {
                self.stage = stage
                nodes = ["Anna": anna, "Ben": ben]
            }

            /// Kills a node while it adds a photo, and starts it again.
            mutating func kill(_ name: String, after milliseconds: Int, number: Int) async throws {
                let folder = try stage.makeFolder("added")
                let file = try await Recordings.make([50_000], in: folder, named: "\(number)")
                adding.append(try stage.start(name, on: hosts[name] ?? 0, ["add"] + file))
                addedByteCount += 50_000
                try await Task.sleep(for: .milliseconds(milliseconds))
                try await nodes[name]?.kill()
                let other = name == "Anna" ? "Ben" : "Anna"
                try await count(other)
                counted[name] = 0
                let openCount = name == "Ben" ? try unfinishedBlobCount() : 0
                unsavedByteCountMax += max(1, openCount) * CrashTests.unsavedByteCountMax
                nodes[name] = try stage.start(name, on: hosts[name] ?? 0, ["run"])
            }

            private mutating func count(_ name: String) async throws {
                let status = try #require(try await stage.command(name, on: hosts[name] ?? 0, ["status"]).lines.first)
                let byteCount = try #require(name == "Ben" ? status.receivedByteCount : status.sentByteCount)
                carriedByteCount += byteCount - (counted[name] ?? 0)
                counted[name] = byteCount
            }

            private func unfinishedBlobCount() throws -> Int {
                let names =
                    FileManager.default.enumerator(atPath: stage.path("Ben"))?.compactMap { $0 as? String } ?? []
                return names.count { $0.hasSuffix(".part") }
            }

            /// Waits until nothing is missing on either node, and counts the bytes transferred since the last kill.
            mutating func finish() async throws {
                let nodes = Array(self.nodes.values)
                _ = try await RunningNode.wait(nodes, for: "equal, complete galleries") {
                    let statuses = nodes.compactMap(\.latestStatus)
                    return statuses.count == 2 && statuses[0].digest == statuses[1].digest
                        && statuses.allSatisfy { $0.peers?.count == 1 && $0.missingBlobCount == 0 } ? true : nil
                }
                try await count("Ben")
            }

            /// Returns the hashes of photos acknowledged meanwhile. The process that adds one may have lost its node.
            func acknowledged() async throws -> Set<String> {
                var hashes: Set<String> = []
                for command in adding {
                    _ = try await command.end
                    hashes.formUnion(command.lines.filter { $0.type == "added" }.compactMap(\.sha256))
                }
                return hashes
            }

            func repeatedByteCount(of byteCounts: [Int]) -> Int {
                WireCount(byteCounts: byteCounts + [addedByteCount])
                    .repeated(in: carriedByteCount, connections: 2 + adding.count)
            }
        }

        @Test(
            "a transfer survives repeated kills of either side at any moment, and loses nothing",
            arguments: UInt64(1)...(Requirements.isLong ? 10 : 1))
        func transfer(seed: UInt64) async throws {
            var dice = Dice(seed: seed)
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let films = try stage.makeFolder("films")
                _ = try await Recordings.make(Self.byteCounts, in: films)
                let added = try await stage.add([films], "Anna", on: 1)
                // Three megabytes a second, so that each kill is in the middle of the transfer even if starting a node
                // takes long; twenty for the second half of the kills.
                try await stage.lan.setRate(2, megabits: 24)
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }

                var rounds = Rounds(stage: stage, anna: anna, ben: ben)
                var killsInTheMiddle = 0
                for number in 0..<Self.killCount {
                    if number == Self.killCount / 2 { try await stage.lan.setRate(2, megabits: 160) }
                    let victim = dice.roll(0...1) == 0 ? "Anna" : "Ben"
                    try await rounds.kill(victim, after: dice.roll(50...1_400), number: number)
                    let status = try await stage.command("Ben", on: 2, ["status"]).lines.first
                    if try #require(status?.missingBlobCount) > 0 { killsInTheMiddle += 1 }
                }
                #expect(killsInTheMiddle > 0, "every kill came after the transfer")
                try await rounds.finish()

                let expected = Set(added.compactMap(\.sha256)).union(try await rounds.acknowledged())
                #expect(expected.count >= Self.byteCounts.count)
                for (name, host) in rounds.hosts {
                    let gallery = try await stage.command(name, on: host, ["gallery"]).lines
                    #expect(Set(gallery.compactMap(\.sha256)).isSuperset(of: expected))
                    #expect(gallery.allSatisfy { $0.state == "complete" })
                    let looked = try await stage.command(name, on: host, ["fsck", "--check"])
                    #expect(looked.exitCode == 0, "\(name): \(looked.output)")
                }
                let galleryCount = try await stage.command("Anna", on: 1, ["gallery"]).lines.count
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: galleryCount)
                let repeated = rounds.repeatedByteCount(of: Self.byteCounts)
                print(
                    "seed \(seed): killed \(Self.killCount) times, \(repeated) of \(rounds.unsavedByteCountMax)"
                )
                #expect(repeated <= rounds.unsavedByteCountMax)
            }
        }

        @Test("The ports of a crashed node are free at once, while the crash is still being reported")
        func ports() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                func ports(of node: RunningNode) async throws -> [String?] {
                    let ready = try await node.waitFor("ready") { $0.first { $0.type == "ready" } }
                    return [ready.listen, ready.portal].map { $0?.split(separator: ":").last.map(String.init) }
                }
                #expect(try await ports(of: anna) == ["8028", "8027"])
                anna.crash()
                try await anna.waitForText("Backtracing")
                let ben = try stage.host("Ben", on: 1, event: "Another party")
                #expect(try await ports(of: ben) == ["8028", "8027"])
                #expect(try await anna.end != 0)
            }
        }

        @Test("A node returns to its own port, which printed codes name, once another program frees it")
        func fallback() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let first = try stage.host("Anna", on: 1)
                func port(of node: RunningNode) async throws -> Substring? {
                    let ready = try await node.waitFor("ready") { $0.first { $0.type == "ready" } }
                    return ready.portal?.split(separator: ":").last
                }
                #expect(try await port(of: first) == "8027")
                try await first.stop()
                let holder = try stage.host("Ben", on: 1, event: "Another party")
                #expect(try await port(of: holder) == "8027")
                let second = try stage.start("Anna", on: 1, ["run"])
                #expect(try await port(of: second) != "8027")
                try await second.waitForText("8027 of the guests' pages is still in use", "which printed codes name")
                try await second.stop()
                try await holder.stop()
                #expect(try await port(of: try stage.start("Anna", on: 1, ["run"])) == "8027")
            }
        }

        @Test("Every photo acknowledged by `add` is there after the node was killed while adding")
        func adding() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
                _ = try await ben.waitFor("the admission") { $0.first { $0.type == "admitted" } }
                let pictures = try stage.makeFolder("pictures")
                let count = 20
                _ = try await Pictures.paint(count, seed: 3_000, in: pictures)

                let add = try stage.start("Anna", on: 1, ["add", pictures])
                add.kill(anna) { $0.count { $0.type == "added" } >= 4 }
                _ = try await anna.end
                #expect(try await add.end == 1)
                #expect(add.errorText.contains("the running node did not answer"))
                let acknowledged = add.lines.filter { $0.type == "added" }.compactMap(\.id)
                #expect(acknowledged.count >= 4 && acknowledged.count < count)

                let kept = try await stage.command("Anna", on: 1, ["gallery"]).lines.compactMap(\.id)
                #expect(Set(kept).isSuperset(of: acknowledged))
                let annaAgain = try stage.start("Anna", on: 1, ["run"])
                _ = try await annaAgain.invitation
                // Photos without an acknowledgement are added now; the others are not added twice.
                let rest = try await stage.add([pictures], "Anna", on: 1)
                #expect(rest.count == count && rest.filter { $0.type == "added" }.count == count - kept.count)
                try await stage.waitUntilEqual([annaAgain, ben], photoCount: count)
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: count)
            }
        }
    }
}
