// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Scenarios {
    /// Interruptions of a transfer. Nodes recover without a person, and transfer hardly any byte twice.
    @Suite("Interruptions")
    struct InterruptionTests {
        private static let repeatedByteCountMax = 2 << 20

        private struct Transfer {
            let stage: Stage
            let anna: RunningNode
            let ben: RunningNode
            let count: WireCount
            let fileCount: Int

            /// Waits until this many bytes have reached Ben.
            func waitUntilReceived(_ byteCount: Int) async throws {
                try await watchdog(.patience, { "\(byteCount) bytes at Ben" }) {
                    // A node that has just been started may not have its event yet.
                    while try await stage.command("Ben", on: 2, ["status"]).lines.first?.receivedByteCount ?? 0
                        < byteCount
                    {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                }
            }

            func status(_ name: String, _ host: Int) async throws -> Line {
                try #require(try await stage.command(name, on: host, ["status"]).lines.first)
            }

            /// Expects that everything arrives, and that few bytes were received or sent more than once.
            func expectCompleted(interruptions: Int, _ comment: String) async throws {
                try await stage.waitUntilEqual([anna, ben], photoCount: fileCount)
                let received = try #require(try await status("Ben", 2).receivedByteCount)
                let sent = try #require(try await status("Anna", 1).sentByteCount)
                let repeats = [received, sent].map { count.repeated(in: $0, connections: 2 + 4 * interruptions) }
                print("\(comment): \(repeats[0]) bytes received and \(repeats[1]) bytes sent again")
                for repeated in repeats { #expect(repeated <= interruptions * repeatedByteCountMax) }
                try await stage.expectSameGallery([("Anna", 1), ("Ben", 2)], photoCount: fileCount)
            }
        }

        /// Anna has files of ten megabytes, and Ben fetches them at twenty megabytes a second.
        private static func begin(fileCount: Int, _ stage: Stage) async throws -> Transfer {
            let byteCounts = [Int](repeating: 10 << 20, count: fileCount)
            let folder = try stage.makeFolder("films")
            let anna = try stage.host("Anna", on: 1)
            let invitation = try await anna.invitation
            _ = try await Recordings.make(byteCounts, in: folder)
            try await stage.add([folder], "Anna", on: 1)
            try await stage.lan.setRate(2, megabits: 160)
            let ben = try stage.start("Ben", on: 2, ["join", invitation, "--as", "Ben"])
            return Transfer(
                stage: stage, anna: anna, ben: ben, count: WireCount(byteCounts: byteCounts), fileCount: fileCount)
        }

        @Test("a node that is stopped by a signal while sending or receiving continues where it stopped")
        func standingStill() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let transfer = try await Self.begin(fileCount: 10, stage)
                // Longer than the timeout for chunks, and than the limit from which a pause counts as sleep.
                let pauses = Requirements.isLong ? (sender: 120, receiver: 120) : (sender: 12, receiver: 7)
                try await transfer.waitUntilReceived(20 << 20)
                transfer.anna.suspend()
                try await Task.sleep(for: .seconds(pauses.sender))
                transfer.anna.resume()
                try await transfer.waitUntilReceived(50 << 20)
                transfer.ben.suspend()
                try await Task.sleep(for: .seconds(pauses.receiver))
                transfer.ben.resume()
                try await transfer.expectCompleted(
                    interruptions: 2, "stopped for \(pauses.sender) s and \(pauses.receiver) s")
            }
        }

        @Test("a node that is ended while files are added keeps every acknowledged photo")
        func stoppedWhileAdding() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let folder = try stage.makeFolder("films")
                _ = try await Recordings.make([Int](repeating: 4 << 20, count: 60), in: folder)
                async let adding = stage.command("Anna", on: 1, ["add", folder])
                try await anna.waitForStatus("some photos") { $0.photoCount ?? 0 >= 3 }
                try await anna.stop()
                let command = try await adding
                #expect(command.exitCode != 0)
                let addedCount = try command.lines.count { $0.type == "added" }
                #expect((1..<60).contains(addedCount))
                let again = try stage.start("Anna", on: 1, ["run"])
                try await again.waitForStatus("the added photos") { $0.photoCount ?? 0 >= addedCount }
            }
        }

        @Test("a new address on either side and a cable pulled and plugged in cost seconds only")
        func network() async throws {
            try await Stage.with(hostCount: 2) { stage in
                let transfer = try await Self.begin(fileCount: 12, stage)
                try await transfer.waitUntilReceived(20 << 20)
                try await stage.lan.readdress(2, to: "10.77.0.102")
                try await transfer.waitUntilReceived(45 << 20)
                try await stage.lan.readdress(1, to: "10.77.0.101")
                try await transfer.waitUntilReceived(70 << 20)
                try await stage.lan.cut(2)
                try await Task.sleep(for: .seconds(Requirements.isLong ? 60 : 4))
                try await stage.lan.heal(2)
                try await transfer.expectCompleted(interruptions: 3, "two new addresses and a pulled cable")
            }
        }
    }
}
