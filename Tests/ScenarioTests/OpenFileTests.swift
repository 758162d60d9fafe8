// SPDX-License-Identifier: Apache-2.0
import Testing

extension Scenarios {
    @Suite("A node that may open no more files")
    struct OpenFileTests {
        /// Runs a script on the only host.
        private func bash(_ script: String, _ stage: Stage) async throws -> Command {
            try await Command.run(stage.lan.on(1, ["/usr/bin/timeout", "120", "/bin/bash", "-c", script]))
        }

        @Test("Its pages rest while nobody more can come in, and take the next guest once there is room")
        func exhausted() async throws {
            try await Stage.with(hostCount: 1) { stage in
                let anna = try stage.start(
                    "Anna", on: 1, ["host", "Garden party", "--as", "Anna", "--log-level", "debug"],
                    through: ["/bin/sh", "-c", "ulimit -n 512 && exec \"$@\"", "sh"])
                _ = try await anna.invitation
                let beginning = ContinuousClock.now
                // The last ones wait in the system's queue.
                let crowd = try await bash(
                    """
                    for ((i = 0; i < 600; i++)); do exec {place}<>/dev/tcp/127.0.0.1/8027; done
                    sleep 5
                    """, stage)
                #expect(crowd.exitCode == 0, "\(crowd.errorText)")
                let answer = try await bash(
                    """
                    exec {place}<>/dev/tcp/127.0.0.1/8027
                    printf 'GET / HTTP/1.1\\r\\nHost: 127.0.0.1:8027\\r\\nConnection: close\\r\\n\\r\\n' >&$place
                    head --lines 1 <&$place
                    """, stage)
                #expect(answer.output.first?.hasPrefix("HTTP/1.1 200") == true, "\(answer)")
                #expect(try await stage.command("Anna", on: 1, ["status"]).exitCode == 0)

                // Each try has been told of; between two of them it rests for half a second.
                let count = anna.errorText.matches(of: /connection not accepted/).count
                let countMax = Int((ContinuousClock.now - beginning) / .milliseconds(500)) + 2
                #expect(count > 0 && count <= countMax)
            }
        }
    }
}
