// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension Scenarios {
    @Suite("The command line")
    struct CommandLineTests {
        /// `F_SETPIPE_SZ` of fcntl(2), which the module of the C library lacks.
        private static let setPipeSize: Int32 = 1_031

        @Test("Commands give the same answers with and without a running node")
        func runningOrNot() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(2, seed: 600, in: pictures), "Anna", on: 1)
                let running = try await stage.command("Anna", on: 1, ["gallery"])
                let digest = try await stage.command("Anna", on: 1, ["status"]).lines.first?.digest
                #expect(running.output.count == 2 && digest != nil)

                try await anna.stop()
                let stopped = try await stage.command("Anna", on: 1, ["gallery"])
                #expect(stopped.output == running.output)
                #expect(stopped.exitCode == running.exitCode)
                #expect(try await stage.command("Anna", on: 1, ["status"]).lines.first?.digest == digest)
                // Photos added without a running node are there when it runs.
                try await stage.add(Pictures.paint(1, seed: 700, in: pictures), "Anna", on: 1)
                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).output.count == 3)
            }
        }

        @Test("A node and a command wait while another command has locked the folder")
        func folderInUse() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                try await anna.stop()
                // The other command makes a file once it has the lock: checking the lock itself could miss it.
                let sign = stage.path("locked")
                let holder = ChildProcess([
                    "/usr/bin/flock", stage.path("Anna/lock"), "/bin/sh", "-c", ": >\"$0\" && exec sleep 8", sign,
                ])
                try holder.start(output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
                defer { holder.kill() }
                try await watchdog(.patience, { "the lock of another command" }) {
                    while !FileManager.default.fileExists(atPath: sign) {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
                async let status = stage.command("Anna", on: 1, ["status"])
                let again = try stage.start("Anna", on: 1, ["run"])
                _ = try await again.invitation
                let answer = try await status
                #expect(answer.exitCode == 0, "\(answer.errorText)")
                try await again.stop()
            }
        }

        @Test("A node whose output nobody reads keeps working, and ends at the first Ctrl-C")
        func unread() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                try await anna.stop()
                let output = Pipe()
                let (reading, byteCountMax) = (output.fileHandleForReading.fileDescriptor, Int32(4_096))
                try #require(fcntl(output.fileHandleForWriting.fileDescriptor, Self.setPipeSize, byteCountMax) >= 0)
                let node = ChildProcess(
                    stage.lan.on(
                        1,
                        [try Product.disposable, "run", "--json", "--log-level", "debug", "--data", stage.path("Anna")])
                )
                try node.start(output: output, errors: output)
                defer { node.kill() }
                // Each photo makes the node print a line, until the pipe is full.
                let pictures = try await Pictures.paint(24, seed: 650, in: try stage.makeFolder("pictures"))
                var (added, waiting, before) = (0, Int32(0), Int32(0))
                for picture in pictures where before < byteCountMax / 2 || waiting > before {
                    before = waiting
                    try await stage.add([picture], "Anna", on: 1)
                    added += 1
                    try await Task.sleep(for: .seconds(1))
                    _ = ioctl(reading, UInt(FIONREAD), &waiting)
                }
                #expect(waiting > byteCountMax / 2 && waiting == before, "\(waiting) bytes wait to be read")
                #expect(try await stage.command("Anna", on: 1, ["gallery"]).lines.count == added)
                node.interrupt()
                #expect(try await watchdog(.patience, { "the node's end" }) { try await node.end } == 0)
            }
        }

        /// A script that opens connections continuously and closes all but the newest few. Makes a file after a hundred
        /// connections.
        private static let caller = """
            import socket, sys
            family, address = (socket.AF_UNIX, sys.argv[1]) if sys.argv[1][0] == "/" else (
                socket.AF_INET, ("127.0.0.1", int(sys.argv[1])))
            calls, count = [], 0
            while True:
                try:
                    call = socket.socket(family)
                    call.connect(address)
                    calls, count = calls[-6:] + [call], count + 1
                    if count == 100:
                        open(sys.argv[2], "w").close()
                except OSError:
                    pass
            """

        @Test(
            "Ctrl-C ends a node under a steady load of peers, guests and commands",
            arguments: ["8028", "8027", "node.sock"])
        func callers(door: String) async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                _ = try await anna.invitation
                var callers: [ChildProcess] = []
                defer { for caller in callers { caller.kill() } }
                let address = door == "node.sock" ? stage.path("Anna/node.sock") : door
                for number in 1...2 {
                    let sign = stage.path("calling \(number)")
                    let process = ChildProcess(
                        stage.lan.on(1, ["/usr/bin/python3", "-c", Self.caller, address, sign]))
                    try process.start(output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
                    callers.append(process)
                    try await watchdog(.patience, { "connections to \(address)" }) {
                        while !FileManager.default.fileExists(atPath: sign) {
                            try await Task.sleep(for: .milliseconds(50))
                        }
                    }
                }
                try await anna.stop()
            }
        }

        @Test(
            "--tls without TLS in the program, and options that need it, say what is missing",
            arguments: [
                (["--tls"], 2, "--traits TLS"), (["--certificate", "a.pem", "--key", "b.pem"], 2, "need --tls"),
                (["--tls", "--certificate", "a.pem"], 2, "belong together"),
                (["--tls", "--no-portal"], 2, "choose one"),
            ])
        func withoutTLS(options: [String], exitCode: Int32, says: String) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "disposable-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let command = try await Command.run(
                [try Product.disposable, "host", "Party", "--data", folder.path, "--interface", "lo"] + options)
            #expect(command.exitCode == exitCode && command.errorText.contains(says), "\(command.errorText)")
            // The event is made only if everything fits.
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }

        @Test("A simulation with every kind of trouble is deterministic across processes with other hash seeds")
        func simulation() async throws {
            let arguments = [
                try Product.lab, "simulate", "--peers", "5", "--photos", "20", "--minutes", "1", "--faults",
                "all",
                "--seed", "7", "--json",
            ]
            var traces: [String] = []
            for environment in [[], [], ["/usr/bin/env", "SWIFT_DETERMINISTIC_HASHING=1"]] {
                let command = try await Command.succeed(environment + arguments)
                let object = try JSONSerialization.jsonObject(with: Data(command.output.joined().utf8))
                let report = (object as? [String: Any])?["report"] as? [String: Any]
                #expect(report?["hasConverged"] as? Bool == true)
                traces.append(try #require(report?["trace"] as? String))
            }
            #expect(Set(traces).count == 1, "\(traces)")
        }

        @Test("Two nodes run side by side on one machine, the second on the next port")
        func sideBySide() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.host("Anna", on: 1)
                let invitation = try await anna.invitation
                let ben = try stage.start("Ben", on: 1, ["join", invitation, "--as", "Ben"])
                try await ben.waitUntilIn()
                #expect(anna.lines.first { $0.type == "ready" }?.listen == "0.0.0.0:8028")
                let listen = try await ben.waitFor("ready") { $0.first { $0.type == "ready" }?.listen }
                #expect(listen == "0.0.0.0:8029")
                let pictures = try stage.makeFolder("pictures")
                try await stage.add(Pictures.paint(1, seed: 800, in: pictures), "Ben", on: 1)
                try await stage.waitUntilEqual([anna, ben], photoCount: 1)

                let second = try await stage.command("Anna", on: 1, ["run"])
                #expect(second.exitCode == 1)
                #expect(second.errorText.contains("another node runs on \(stage.path("Anna"))"))
            }
        }

        @Test("`nearby` lists an event by its name, an unlisted one without a name")
        func nearby() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let listed = try stage.host("Anna", on: 1)
                let unlisted = try stage.start("Zoe", on: 2, ["host", "Secret wedding", "--unlisted"])
                _ = try await (listed.invitation, unlisted.invitation)
                let heard = try await stage.hear("both", on: 3, as: "Ben") {
                    Set($0.map(\.name)) == ["Garden party", nil]
                }
                #expect(heard.allSatisfy { $0.address?.hasSuffix(":8028") == true })
                let nearby = try await stage.command("Ben", on: 3, ["nearby", "--for", "20s"])
                #expect(nearby.exitCode == 0, "\(nearby.errorText)")
                #expect(!nearby.output.joined().contains("Secret"))
            }
        }

        @Test("Without an advertisement `nearby` reports that and ends with exit code 3")
        func nobodyNearby() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let nearby = try await stage.command("Ben", on: 1, ["nearby", "--for", "2s"])
                #expect(nearby.exitCode == 3)
                #expect(nearby.output.isEmpty)
                #expect(nearby.errorText.contains("no event was announced on this network within 2 s"))
            }
        }

        @Test("`demo --once` shows three equal galleries and ends with exit code 0")
        func demo() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let demo = try await Command.run(
                    stage.lan.on(1, [try Product.disposable, "demo", "--once", "--photos", "2", "--json"]),
                    within: .seconds(600))
                #expect(demo.exitCode == 0, "\(demo.errorText)")
                #expect(demo.output.count == 3)
                #expect(demo.output.allSatisfy { $0.contains("\"completeCount\":4") })
            }
        }

        @Test("`examples/two-nodes.sh` works as documented")
        func twoNodesExample() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let pictures = try stage.makeFolder("pictures")
                _ = try await Pictures.paint(2, seed: 900, in: pictures)
                let example = try await Command.run(
                    stage.lan.on(
                        1,
                        [
                            "/usr/bin/env", "DISPOSABLE_BIN=\(try Product.disposable)",
                            Product.file("examples/two-nodes.sh"), pictures,
                        ]),
                    within: .seconds(600))
                #expect(example.exitCode == 0, "\(example.errorText)")
                #expect(example.output.last == "the two galleries are equal", "\(example.output)")
            }
        }
    }
}
