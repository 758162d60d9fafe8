// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("A node at its limit of open files")
    struct OpenFileTests {
        private func bash(_ script: String, on host: Int, _ stage: Stage) async throws -> Command {
            try await Command.run(stage.lan.on(host, ["/usr/bin/timeout", "180", "/bin/bash", "-c", script]))
        }

        /// Returns the first line of the answer to a browser on a host.
        private func answer(to host: Int, at address: String, _ stage: Stage) async throws -> String {
            let script = """
                exec {place}<>/dev/tcp/\(address)/8027
                printf 'GET / HTTP/1.1\\r\\nHost: \(address):8027\\r\\nConnection: close\\r\\n\\r\\n' >&$place
                head --lines 1 <&$place
                """
            return try await bash(script, on: host, stage).output.first ?? ""
        }

        @Test("A crowd does not take the last file descriptors: the node keeps running, and serves the next guest")
        func exhausted() async throws {
            try await Stage.with(hostCount: 3) { stage in
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--log-level", "debug"],
                    through: ["/usr/bin/prlimit", "--nofile=256:256"])
                _ = try await anna.invitation
                // Twice the limit of files, on the pages' port and the nodes' port.
                async let crowd = bash(
                    """
                    for ((i = 0; i < 600; i++)); do exec {place}<>/dev/tcp/10.77.0.1/8027; done
                    for ((i = 0; i < 200; i++)); do exec {place}<>/dev/tcp/10.77.0.1/8028; done
                    echo full
                    sleep 15
                    """, on: 2, stage)
                // libdispatch checks each thread once a second, and aborts a process that cannot open a file for that.
                for _ in 0..<4 {
                    try await Task.sleep(for: .seconds(3))
                    #expect(anna.isRunning)
                    #expect(try await answer(to: 3, at: "10.77.0.1", stage).hasPrefix("HTTP/1.1 200"))
                    #expect(try await answer(to: 1, at: "127.0.0.1", stage).hasPrefix("HTTP/1.1 200"))
                    #expect(try await stage.command("Anna", on: 1, ["status"]).exitCode == 0)
                }
                let result = try await crowd
                #expect(result.output == ["full"], "\(result.errorText.suffix(500))")
                #expect(!anna.errorText.contains("connection not accepted"))
                try await anna.stop()
            }
        }
    }
}
